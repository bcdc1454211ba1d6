//! Fidelity: where a fleet may be counted as a crowd, and where that would be wrong.
//!
//! A crowd has no workers to tell apart. Whatever gives one worker another fate than the next (a
//! limiter of its own, a backlog of its own, a place in a queue) and whatever happens within less
//! than a bin of 10 ms is refused here, with the reason.

use ratelab_core::{Findings, Outcome, Span};
use ratelab_model::outage::Fault;
use ratelab_model::{ArrivalParams, LimiterParams, Retry};

use crate::file::{Arm, File, Ties};

/// The most workers that are counted.
pub const MOST_COUNTED: u64 = 4_000_000_000;

/// The fewest workers that are a crowd.
const FEWEST: u32 = 1_000;

/// Starts closer together than this are one burst.
const BURST: Span = Span::from_millis(100);

/// The longest run of bins: a year.
const LONGEST: Span = Span::from_secs(365 * 86_400);

/// The longest wait that is counted bin by bin.
const WAIT: Span = Span::from_secs(3_600);

const FOLLOW: &str = "follow the workers: leave fidelity out";

/// Says what makes this file's fleet no crowd.
pub(crate) fn check(file: &File, f: &mut Findings) {
    let crowd = file.fleet.busy() >= FEWEST;
    let what = "fewer than 1000 workers with jobs are no crowd";
    f.within("fleet", |f| f.demand(crowd, "workers", what, FOLLOW));
    let what = "a gate gives every worker its own wait, which a crowd cannot show";
    f.demand(file.gate.limiter().is_none(), "gate", what, FOLLOW);
    let what = "ties are between workers, and a crowd has none to tell apart";
    f.demand(file.ties == Ties::Fifo, "ties", what, FOLLOW);
    let ideal = file.arms.iter().flatten().any(|arm| *arm == Arm::Ideal);
    let what = "the ideal arm has a gate, which a crowd cannot show";
    f.demand(!ideal, "arms", what, "write arms = [\"no-retry\"]");
    let long = file.duration >= Span::SECOND;
    f.demand(
        long,
        "duration",
        "a crowd is counted for a second at least",
        "write \"1m\"",
    );
    let short = file.duration <= LONGEST;
    f.demand(
        short,
        "duration",
        "a crowd is counted for a year at most",
        "write \"1h\"",
    );
    jobs(file, f);
    server(file, f);
    burst(file, f);
    timeout(file, f);
    waits(file, f);
}

/// Every wait must fit into the bins that a line of waiting workers has.
fn waits(file: &File, f: &mut Findings) {
    let what = "a crowd waits an hour at most";
    let begin = file.fleet.begin + file.fleet.start.over();
    let way = file.network.one_way.longest().unwrap_or(Span::MAX);
    f.within("fleet", |f| {
        f.demand(begin <= WAIT, "start", what, "write { random = \"1s\" }");
        let patient = hangs(file) && file.fleet.timeout > WAIT;
        f.demand(
            !patient,
            "timeout",
            what,
            "write \"10s\", as most HTTP clients do",
        );
        if let ArrivalParams::ClosedLoop(params) = &file.fleet.jobs {
            let short = params.think.mean() <= WAIT / 6;
            let what = "a crowd thinks ten minutes at most";
            f.demand(
                short,
                "jobs",
                what,
                "write a shorter think, or follow the workers",
            );
        }
    });
    let short = way <= WAIT && file.server.service.mean() <= WAIT;
    f.within("network", |f| {
        f.demand(short, "one-way", what, "give it a cap, such as \"2s\"");
    });
    let retry = Retry::new(&file.retry);
    let longest = |outcome: Outcome| {
        let spreads = (1..=64).filter_map(|attempt| retry.spread(outcome, attempt));
        spreads.map(|range| range.high).max().unwrap_or(Span::ZERO)
    };
    let short = failures(file).all(|outcome| longest(outcome) <= WAIT);
    let instead = "give the backoff a cap of an hour or less, or fewer attempts";
    f.demand(short, "retry", what, instead);
}

/// Whether some outage never answers.
fn hangs(file: &File) -> bool {
    let mut outages = file.server.outage.iter();
    outages.any(|outage| outage.fault() == Fault::Hang)
}

/// Every way in which an attempt of this file can fail.
fn failures(file: &File) -> impl Iterator<Item = Outcome> {
    let faults = file
        .server
        .outage
        .iter()
        .map(|outage| outage.fault().outcome());
    std::iter::once(file.server.refusal.outcome()).chain(faults)
}

fn jobs(file: &File, f: &mut Findings) {
    let one = match &file.fleet.jobs {
        ArrivalParams::Batch(params) => params.per_worker == 1,
        ArrivalParams::ClosedLoop(params) => params.count.is_none(),
        ArrivalParams::Constant(_) | ArrivalParams::Poisson(_) => false,
    };
    let what = "jobs that queue at their worker make workers differ";
    let instead = "write a closed-loop without count, or a batch of one";
    f.within("fleet", |f| f.demand(one, "jobs", what, instead));
}

fn server(file: &File, f: &mut Findings) {
    let server = &file.server;
    let bulk = |limiter: &LimiterParams| {
        matches!(
            limiter,
            LimiterParams::Unlimited(_)
                | LimiterParams::TokenBucket(_)
                | LimiterParams::Gcra(_)
                | LimiterParams::FixedWindow(_)
        )
    };
    f.within("server", |f| {
        let plain = server.budget.as_ref().is_none_or(bulk);
        let what = "this budget decides request by request, not by the bin";
        f.demand(
            plain,
            "budget",
            what,
            "write a token-bucket, gcra or fixed-window",
        );
        let what = "counting refused requests needs them one by one";
        f.demand(!server.count_refused, "count-refused", what, FOLLOW);
        let what = "a queue makes requests wait for each other, one by one";
        f.demand(server.concurrency.is_none(), "concurrency", what, FOLLOW);
        let constant = !server.service.is_random();
        let what = "a drawn service time is not counted yet";
        f.demand(
            constant,
            "service",
            what,
            "write its mean, or follow the workers",
        );
        let known = !hangs(file) || !file.network.one_way.is_random();
        let what = "when a client gives up depends on its own way, which a crowd does not know";
        f.demand(known, "outage", what, "write a constant network.one-way");
    });
}

/// Whether so many are so close together that a bin would hide it.
fn burst(file: &File, f: &mut Findings) {
    let apart = file.fleet.start.over();
    let spreads = file.network.one_way.is_random()
        || matches!(&file.fleet.jobs, ArrivalParams::ClosedLoop(p) if p.think.is_random());
    let retry = Retry::new(&file.retry);
    let stays = |outcome: Outcome| {
        let wait = retry.spread(outcome, 1);
        wait.is_some_and(|range| range.high - range.low < BURST)
    };
    let narrow = apart < BURST && !spreads && failures(file).any(stays);
    let what = "workers that start together and wait without jitter stay in one instant, which a \
                bin would hide";
    f.within("fleet", |f| {
        f.demand(!narrow, "start", what, "write { random = \"1s\" }");
    });
}

fn timeout(file: &File, f: &mut Findings) {
    let way = &file.network.one_way;
    let in_time = (way.longest())
        .is_some_and(|longest| longest * 2 + file.server.service.mean() <= file.fleet.timeout);
    let what = "an answer may come after the timeout, which a crowd cannot show";
    let instead = "give one-way a cap of less than half the timeout, or make the timeout longer";
    f.within("fleet", |f| f.demand(in_time, "timeout", what, instead));
}
