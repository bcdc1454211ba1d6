//! Cohort: a fleet too large to follow worker by worker, counted instead.
//!
//! Workers of one class that wait by the same law are exchangeable: it is enough to know how many
//! have failed how often, and how many of them come back in which 10 ms. A bin costs a handful of
//! binomial draws, whatever the fleet's size; only the bin's width is an approximation. What would
//! make workers distinguishable is refused when the file is read ([`ratelab_spec::fidelity`]).
//!
//! ```text
//!   waits[k] ──► out[k] ──► server ──┬──► back: done  ──► waits[0]
//!      ▲                             └──► back[k][why] ──┐
//!      └────────────────── k failed ◄────────────────────┘
//! ```

mod law;
mod line;

use ratelab_core::{
    Actor, Failure, JobEnd, Outcome, Purpose, Record, Recorder, RetryCause, Seed, Site, Span,
    SpanRange, Stream, Time,
};
use ratelab_model::outage::{Fault, Outages};
use ratelab_model::{ArrivalParams, Bank, Decision, OutageParams, Retry};
use ratelab_spec::Scenario;

pub use law::BIN;
use law::Law;
use line::Line;

/// Attempts told apart when there is no limit.
const MOST_ATTEMPTS: u32 = 64;

/// Why an attempt failed, and how its worker learns of it.
struct Cause {
    outcome: Outcome,
    back: Law,
    /// The wait after each attempt; `None` where the job is given up.
    waits: Vec<Option<Law>>,
    lines: Vec<Line>,
}

/// A run of a fleet that is counted.
pub struct Cohort {
    end: Time,
    busy: u64,
    start: Law,
    think: Option<Law>,
    out: Law,
    home: Law,
    outages: Outages,
    budget: Option<Box<dyn Bank>>,
    causes: Vec<Cause>,
    /// By attempts failed so far.
    waits: Vec<Line>,
    /// By the number of the attempt, from 1 at place 0.
    ways: Vec<Line>,
    done: Line,
    resting: u64,
    /// Steps of a line, which is what a bin is made of; and how many there are in each.
    events: u64,
    lines: u64,
}

impl Cohort {
    /// The cohort of a scenario that has passed its checks.
    pub fn new(scenario: &Scenario) -> Self {
        let retry = Retry::new(&scenario.retry);
        let (out, service) = (&scenario.network.one_way, scenario.server.service.mean());
        let back = Law::of(out);
        let causes = causes(scenario, &retry, &back);
        let classes = causes.iter().map(|cause| cause.lines.len()).max();
        let classes = classes.unwrap_or(1);
        let think = match &scenario.fleet.jobs {
            ArrivalParams::ClosedLoop(params) => Some(Law::think(&params.think)),
            _ => None,
        };
        let start = start(scenario);
        let waits = |failed: usize| {
            let laws = causes
                .iter()
                .filter_map(|cause| cause.waits.get(failed.checked_sub(1)?)?.as_ref());
            let first = [Some(&start), think.as_ref()];
            let own = first.into_iter().flatten().filter(|_| failed == 0);
            let reach = laws.chain(own).map(Law::reach).max().unwrap_or(1);
            Line::new(reach, 1)
        };
        let home = back.later(service);
        Self {
            end: Time::from(scenario.duration),
            busy: u64::from(scenario.fleet.busy()),
            waits: (0..=classes).map(waits).collect(),
            ways: (0..classes).map(|_| Line::new(back.reach(), 0)).collect(),
            done: Line::new(home.reach(), 0),
            out: back,
            home,
            start,
            think,
            outages: Outages::new(&scenario.server.outage),
            budget: (scenario.server.budget.as_ref()).map(|budget| budget.role().bank(1)),
            causes,
            resting: 0,
            events: 0,
            lines: 0,
        }
    }

    /// Runs one replication over the bins of `[0, duration)`.
    pub fn run<R: Recorder>(&mut self, seed: Seed, recorder: &mut R) {
        let mut stream = seed.stream(Actor::Fleet, Purpose::Arrival);
        self.reset(&mut stream);
        let mut now = Time::START;
        while now < self.end {
            let arrived = self.send(now, recorder, &mut stream);
            self.serve(now, &arrived, &mut stream);
            self.learn(now, recorder, &mut stream);
            self.events += self.lines;
            now = now + BIN;
        }
        self.close(recorder);
        recorder.end(self.end, self.events);
    }

    fn reset(&mut self, stream: &mut Stream) {
        let lines = self.causes.iter_mut().flat_map(|cause| &mut cause.lines);
        for line in lines.chain(&mut self.waits).chain(&mut self.ways) {
            line.reset();
        }
        self.done.reset();
        if let Some(budget) = &mut self.budget {
            budget.reset();
        }
        (self.resting, self.events) = (0, 0);
        let failing: usize = self.causes.iter().map(|cause| cause.lines.len()).sum();
        self.lines = (1 + self.waits.len() + self.ways.len() + failing) as u64;
        self.waits[0].enter(self.busy, &self.start, stream);
    }

    /// Those whose wait is over send; returns who reaches the server in this bin, by attempt.
    fn send<R: Recorder>(&mut self, now: Time, recorder: &mut R, stream: &mut Stream) -> Vec<u64> {
        let last = self.ways.len() - 1;
        for failed in 0..self.waits.len() {
            let count = self.waits[failed].leave(stream);
            // Beyond the last class told apart, attempts are counted as the last.
            let place = failed.min(last);
            let attempt = number(place);
            let sent = Record::Attempt {
                attempt,
                arrived: now,
                previous: Time::NEVER,
                cause: RetryCause::First,
            };
            tell(recorder, now, count, &sent);
            tell(recorder, now, count, &Record::Request { attempt });
            self.ways[place].enter(count, &self.out, stream);
        }
        self.ways
            .iter_mut()
            .map(|line| line.leave(stream))
            .collect()
    }

    /// The server answers who has arrived.
    fn serve(&mut self, now: Time, arrived: &[u64], stream: &mut Stream) {
        let all: u64 = arrived.iter().sum();
        if let Some((_, fault)) = self.outages.at(now) {
            let outcome = fault.outcome();
            let cause = self
                .causes
                .iter_mut()
                .find(|cause| cause.outcome == outcome);
            let cause = cause.expect("every fault has a cause");
            for (place, count) in arrived.iter().enumerate() {
                cause.lines[place].enter(*count, &cause.back, stream);
            }
            return;
        }
        // Asked at the end of the bin, so that what comes back during it can be used in it.
        let granted = match &mut self.budget {
            Some(budget) => grant(budget.as_mut(), now + BIN, all),
            None => all,
        };
        self.done.enter(granted, &self.home, stream);
        let (mut granted, mut others) = (granted, all);
        for (place, count) in arrived.iter().enumerate() {
            // Who of a bin comes first is luck: each class has its share of the permits.
            let share = if others > 0 {
                *count as f64 / others as f64
            } else {
                0.0
            };
            others -= count;
            let least = granted.saturating_sub(others);
            let mine = stream
                .binomial(granted, share)
                .clamp(least, granted.min(*count));
            granted -= mine;
            let refused = count - mine;
            if refused > 0 {
                let cause = &mut self.causes[0];
                cause.lines[place].enter(refused, &cause.back, stream);
            }
        }
    }

    /// Workers learn their outcomes, and wait again.
    fn learn<R: Recorder>(&mut self, now: Time, recorder: &mut R, stream: &mut Stream) {
        let done = self.done.leave(stream);
        tell(recorder, now, done, &answer(now, Outcome::OK, 1));
        let mut ended = [(JobEnd::Done, done), (JobEnd::Failed, 0)];
        for cause in &mut self.causes {
            for (place, line) in cause.lines.iter_mut().enumerate() {
                let count = line.leave(stream);
                tell(
                    recorder,
                    now,
                    count,
                    &answer(now, cause.outcome, number(place)),
                );
                match &cause.waits[place] {
                    Some(law) => self.waits[place + 1].enter(count, law, stream),
                    None => ended[1].1 += count,
                }
            }
        }
        for (end, count) in ended {
            let record = Record::JobEnded {
                end,
                arrived: now,
                attempts: 0,
            };
            tell(recorder, now, count, &record);
            match &self.think {
                Some(think) => self.waits[0].enter(count, think, stream),
                None => self.resting += count,
            }
        }
    }

    fn close<R: Recorder>(&self, recorder: &mut R) {
        let under_way = self.ways.iter().map(Line::len).sum::<u64>() + self.done.len();
        let failing = self
            .causes
            .iter()
            .flat_map(|cause| &cause.lines)
            .map(Line::len)
            .sum::<u64>();
        let waiting: u64 = self.waits[1..].iter().map(Line::len).sum();
        for (count, in_flight) in [(under_way + failing, true), (waiting, false)] {
            let pending = Record::JobsPending {
                count: 1,
                arrived: Time::START,
                in_flight,
            };
            tell(recorder, self.end, count, &pending);
        }
    }
}

/// The number of the attempt at a place.
fn number(place: usize) -> u32 {
    u32::try_from(place + 1).expect("few attempts are told apart")
}

fn tell<R: Recorder>(recorder: &mut R, now: Time, count: u64, record: &Record) {
    if count > 0 {
        let count = u32::try_from(count).expect("a fleet has fewer than 2^32 workers");
        recorder.crowd(now, count, record);
    }
}

fn answer(now: Time, outcome: Outcome, attempt: u32) -> Record {
    Record::Answer {
        attempt,
        outcome,
        site: Site::Server,
        sent: now,
    }
}

/// How many of `wanted` a limiter lets pass at once: its answers to powers of two, from the largest
/// down, each of which it grants or refuses as a whole.
fn grant(budget: &mut dyn Bank, now: Time, wanted: u64) -> u64 {
    let mut granted = 0;
    for power in (0..32).rev() {
        let cost = 1u32 << power;
        let fits = granted + u64::from(cost) <= wanted;
        if fits && budget.decide(0, now, cost) == Decision::Grant {
            granted += u64::from(cost);
        }
    }
    granted
}

fn start(scenario: &Scenario) -> Law {
    let fleet = &scenario.fleet;
    Law::even(SpanRange {
        low: fleet.begin,
        high: fleet.begin + fleet.start.over(),
    })
}

/// Every way to fail: refused by the budget, and by each outage.
fn causes(scenario: &Scenario, retry: &Retry, back: &Law) -> Vec<Cause> {
    let mut outcomes = vec![scenario.server.refusal.outcome()];
    let faults = scenario.server.outage.iter().map(OutageParams::fault);
    outcomes.extend(faults.map(Fault::outcome));
    outcomes.dedup();
    let classes = classes(retry, &outcomes);
    let cause = |outcome: Outcome| {
        let hangs = outcome == Outcome::Failed(Failure::TimedOut);
        let back = if hangs {
            let way = scenario.network.one_way.mean();
            let left = scenario
                .fleet
                .timeout
                .as_nanos()
                .saturating_sub(way.as_nanos());
            Law::even(SpanRange {
                low: Span::from_nanos(left),
                high: Span::from_nanos(left),
            })
        } else {
            back.clone()
        };
        let wait = |attempt: u32| retry.spread(outcome, attempt).map(Law::even);
        Cause {
            outcome,
            waits: (1..=classes).map(wait).collect(),
            lines: (0..classes).map(|_| Line::new(back.reach(), 0)).collect(),
            back,
        }
    };
    outcomes.into_iter().map(cause).collect()
}

/// How many attempts are told apart: all that a job gets, or up to the one from which on every wait
/// is the same.
fn classes(retry: &Retry, outcomes: &[Outcome]) -> u32 {
    let waits = |attempt: u32| -> Vec<_> {
        let after = |outcome: &Outcome| retry.spread(*outcome, attempt);
        outcomes.iter().map(after).collect()
    };
    let last = waits(MOST_ATTEMPTS);
    let differs = |attempt: &u32| waits(*attempt) != last;
    (1..MOST_ATTEMPTS)
        .rev()
        .find(differs)
        .map_or(1, |attempt| attempt + 1)
}
