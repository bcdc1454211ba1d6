//! Numbers from records: worked examples of recovery, windows against brute force, the registry.

mod recovery;
mod registry;
mod windows;

use std::sync::Arc;

use ratelab_core::{
    Budget, JobEnd, Outcome, Record, Recorder, RetryCause, Site, Span, Status, Time, WorkerId,
};
use ratelab_stats::{Plan, Tally};

/// A minute with an outage of ten seconds and a budget of one a second.
fn plan() -> Arc<Plan> {
    Arc::new(Plan {
        duration: Span::from_secs(60),
        followed: true,
        workers: 4,
        outages: vec![(Time::START, at(10_000))],
        measures: vec![("first".to_owned(), Time::START, at(1_000))],
        budget: Some(Budget {
            rate: "1/s".parse().expect("a rate"),
            burst: 1,
        }),
        statuses: vec![200, 429],
        headline: "requests.outage".to_owned(),
    })
}

fn at(millis: u64) -> Time {
    Time::START + Span::from_millis(millis)
}

/// Plays one job per worker by hand: attempts at these milliseconds, the last with this outcome.
fn job(tally: &mut impl Recorder, worker: u32, sends: &[u64], cause: RetryCause, done: bool) {
    let worker = WorkerId(worker);
    let mut previous = Time::NEVER;
    for (place, millis) in sends.iter().enumerate() {
        let (now, attempt) = (at(*millis), u32::try_from(place + 1).expect("few"));
        let why = if place == 0 { RetryCause::First } else { cause };
        let sent = Record::Attempt {
            attempt,
            arrived: Time::START,
            previous,
            cause: why,
        };
        tally.record(now, worker, &sent);
        tally.record(now, worker, &Record::Request { attempt });
        let last = place + 1 == sends.len();
        let status = if last && done {
            Status::OK
        } else {
            Status::TOO_MANY
        };
        let outcome = Outcome::Answer {
            status,
            retry_after: None,
        };
        let answer = Record::Answer {
            attempt,
            outcome,
            site: Site::Server,
            sent: now,
        };
        tally.record(now, worker, &answer);
        previous = now;
    }
    if done {
        let attempts = u32::try_from(sends.len()).expect("few");
        let now = at(*sends.last().expect("a send"));
        let end = Record::JobEnded {
            end: JobEnd::Done,
            arrived: Time::START,
            attempts,
        };
        tally.record(now, worker, &end);
    }
}

/// One replication of these jobs, in order of time as a run would tell it.
fn replication(tally: &mut Tally, number: u64, jobs: &[(&[u64], RetryCause, bool)]) {
    let mut story: Vec<(Time, WorkerId, Record)> = Vec::new();
    for (worker, (sends, cause, done)) in jobs.iter().enumerate() {
        job(
            &mut story,
            u32::try_from(worker).expect("few"),
            sends,
            *cause,
            *done,
        );
    }
    story.sort_by_key(|(now, _, _)| *now);
    tally.begin(number);
    for (now, worker, record) in &story {
        tally.record(*now, *worker, record);
    }
    for (worker, (_, _, done)) in (0..).zip(jobs) {
        let ended = Record::WorkerEnded {
            done: u32::from(*done),
        };
        tally.record(at(60_000), WorkerId(worker), &ended);
    }
    let undone = jobs.iter().filter(|job| !job.2).count() as u64;
    if undone > 0 {
        let left = Record::JobsPending {
            count: undone,
            arrived: Time::START,
            in_flight: false,
        };
        tally.record(at(60_000), WorkerId(0), &left);
    }
    tally.end(at(60_000), 100);
}
