//! A checker that watches the records of a run from outside and knows what can never happen.

use ratelab_core::{GateRecord, JobEnd, Record, Span, Time, WorkerId};
use ratelab_model::GateParams;
use ratelab_spec::Scenario;

use crate::Story;

/// What one worker is seen to do.
#[derive(Debug, Default, Clone)]
struct Seen {
    /// Attempts of the job under way.
    attempts: u32,
    /// An attempt without an outcome, by its number.
    open: Option<u32>,
    /// A permit that no attempt has used.
    permit: bool,
    sent: u64,
    answered: u64,
    ended: u64,
    done: u32,
    in_flight: u64,
}

/// Says what is wrong with a story, if anything.
pub(crate) fn check(scenario: &Scenario, story: &Story) -> Result<(), String> {
    let mut workers = vec![Seen::default(); scenario.fleet.size() as usize];
    let end = Time::from(scenario.duration);
    let mut last = Time::START;
    let (mut attempts, mut requests) = (0u64, 0u64);
    for (place, (at, worker, record)) in story.iter().enumerate() {
        let fail = |what: &str| Err(format!("record {place} at {at}, worker {worker}: {what}"));
        if *at < last {
            return fail("time runs back");
        }
        last = *at;
        let closing = matches!(
            record,
            Record::JobsPending { .. } | Record::WorkerEnded { .. }
        );
        if (*at >= end) != closing {
            return fail("something happens at the end of the run, or something is left before it");
        }
        attempts += u64::from(matches!(record, Record::Attempt { .. }));
        requests += u64::from(matches!(record, Record::Request { .. }));
        if requests > attempts {
            return fail("more requests than attempts");
        }
        if let Err(what) = step(&mut workers[worker.index()], record, scenario) {
            return fail(what);
        }
    }
    for (worker, seen) in workers.iter().enumerate() {
        if seen.sent != seen.answered + seen.in_flight {
            return Err(format!(
                "worker {worker}: sent is not answered plus in flight: {seen:?}"
            ));
        }
    }
    promise(scenario, story)
}

fn step(seen: &mut Seen, record: &Record, scenario: &Scenario) -> Result<(), &'static str> {
    match *record {
        Record::Attempt {
            attempt,
            arrived,
            previous,
            ..
        } => {
            if seen.open.is_some() {
                return Err("two attempts of one worker are open");
            }
            if attempt != seen.attempts + 1 {
                return Err("attempts are not numbered 1, 2, 3");
            }
            if scenario.retry.attempts.is_some_and(|most| attempt > most) {
                return Err("more attempts than the rule allows");
            }
            let first = previous == Time::NEVER;
            if first != (attempt == 1) || (!first && previous < arrived) {
                return Err("the previous attempt is not where it should be");
            }
            let gated = scenario.gate.limiter().is_some() && scenario.gate.name() != "sidecar";
            let past = attempt > 1 && scenario.retry.bypass_limiter;
            if gated && !scenario.ideal && !past && !seen.permit {
                return Err("sent without a permit");
            }
            seen.permit = false;
            (seen.attempts, seen.open) = (attempt, Some(attempt));
            seen.sent += 1;
        }
        Record::Answer { attempt, .. } => {
            if seen.open != Some(attempt) {
                return Err("an outcome for an attempt that is not open");
            }
            seen.open = None;
            seen.answered += 1;
        }
        Record::JobEnded { attempts, end, .. } => {
            if seen.open.is_some() || attempts != seen.attempts {
                return Err("a job ends with an open attempt or a wrong count");
            }
            if end == JobEnd::Done && attempts == 0 {
                return Err("a job is done without an attempt");
            }
            (seen.attempts, seen.permit) = (0, false);
            seen.ended += 1;
            seen.done += u32::from(end == JobEnd::Done);
        }
        Record::Gate(GateRecord::Permit { .. }) if seen.permit => {
            return Err("two permits for one attempt");
        }
        Record::Gate(GateRecord::Permit { .. }) => seen.permit = true,
        Record::WorkerEnded { done } if done != seen.done => {
            return Err("jobs done are not the jobs it says");
        }
        Record::JobsPending {
            in_flight, count, ..
        } => {
            seen.in_flight += u64::from(in_flight);
            if count == 0 {
                return Err("no jobs are left, and it says so");
            }
        }
        Record::WorkerEnded { .. } | Record::Gate(_) | Record::Request { .. } | Record::Wasted => {}
    }
    Ok(())
}

/// A shared gate keeps its promise over every window, whoever asks.
fn promise(scenario: &Scenario, story: &Story) -> Result<(), String> {
    let shared = scenario.gate.name() == "shared" && !scenario.retry.bypass_limiter;
    let limiter = scenario
        .gate
        .limiter()
        .filter(|_| shared && !scenario.ideal);
    let Some(budget) = limiter.and_then(|limiter| limiter.role().promise()) else {
        return Ok(());
    };
    // Decisions keep the promise, sends follow them: a permit travels back for half a round trip
    // unless its place was reserved for later, and a limiter's own clock may tick coarsely.
    let slack = match &scenario.gate {
        GateParams::Shared(shared) => shared.store.round_trip + shared.limiter.role().tick(),
        _ => Span::ZERO,
    };
    let permits: Vec<(Time, WorkerId)> = (story.iter())
        .filter(|(_, _, record)| matches!(record, Record::Attempt { .. }))
        .map(|(at, worker, _)| (*at, *worker))
        .collect();
    for (first, (from, _)) in permits.iter().enumerate() {
        for (count, (until, _)) in permits[first..].iter().enumerate().take(50) {
            let nanos = u128::from((*until - *from + slack).as_nanos());
            let whole = nanos * u128::from(budget.rate.permits())
                / u128::from(budget.rate.per().as_nanos());
            if count as u128 >= whole + u128::from(budget.burst) {
                return Err(format!("{} sends from {from} to {until}", count + 1));
            }
        }
    }
    Ok(())
}
