//! Notices: what a reader should know before trusting a number, each typed and with the way out.

use ratelab_model::fleet::StartParams;
use ratelab_spec::{Experiment, Scenario, Ties};
use ratelab_stats::{Counted, Notice, Row};

use crate::counted;

/// Every notice: code, what it says, what it means.
pub const NOTICES: &[(&str, &str, &str)] = &[
    (
        "R011",
        "the run ends before the work does",
        "Jobs from before the end of an outage are still pending when the run ends, so their delay \
         and the drain time are cut short. Give the run a longer `duration` until none is pending, \
         or take the label `never (stuck)` at its word.",
    ),
    (
        "R012",
        "expectations were left out",
        "The command line sets or sweeps a key that the file sweeps, so some rows that the file \
         has expectations about are not run. They are neither broken nor kept.",
    ),
    (
        "R013",
        "an expectation rests on ties",
        "It holds with simultaneous events in the order in which they were scheduled, and breaks \
         in 20 runs with their order drawn (`ties = \"shuffled\"`). Real events are never quite \
         simultaneous: expect a band over shuffled ties, or spread the starts.",
    ),
    (
        "R014",
        "one replication of a random model",
        "Jitter, random starts or random arrivals make every run another one. One run is one lucky \
         or unlucky draw: run many and read the interval.",
    ),
    (
        "R015",
        "few replications",
        "With fewer than 30 replications the interval itself is uncertain, and an outcome that \
         happens once in 20 runs is easily missed altogether.",
    ),
    (
        "R016",
        "the fleet is counted as a crowd",
        "With `fidelity = \"cohort\"` workers are not followed: those that have failed equally \
         often are counted in bins of 10 ms. What depends on single workers (latencies, fairness, \
         the shape of a recovery) is not known, and peaks narrower than a bin are not seen. The \
         same scenario is run with fewer workers both ways, and the difference is told.",
    ),
];

/// The notices that this experiment has earned.
pub fn notices(
    experiment: &Experiment,
    results: &[Row],
    ties: &[String],
    counted: &[Counted],
) -> Vec<Notice> {
    let mut list = Vec::new();
    let mut say = |code: &str, hint: String| {
        let known = NOTICES.iter().find(|notice| notice.0 == code);
        let text = known.expect("a notice of the list").1.to_owned();
        list.push(Notice {
            code: code.to_owned(),
            text,
            hint,
        });
    };
    let random = experiment
        .cases
        .iter()
        .any(|case| is_random(&case.scenario));
    match experiment.replications {
        1 if random => say("R014", "--replications 1000 gives an interval".to_owned()),
        2..30 if random => say(
            "R015",
            "--replications 1000 narrows the interval".to_owned(),
        ),
        _ => {}
    }
    if !counted.is_empty() {
        say("R016", counted::words(counted));
    }
    if experiment.left_out > 0 {
        let rows = experiment.left_out;
        say(
            "R012",
            format!("{rows} of the file's rows are not run with these flags"),
        );
    }
    if !ties.is_empty() {
        say(
            "R013",
            format!("{}; ties = \"shuffled\" shows the spread", ties.join(", ")),
        );
    }
    let cut = results.iter().find(|row| !row.arm && is_cut_short(row));
    if let Some(row) = cut {
        say(
            "R011",
            format!(
                "{} still has jobs pending; give a longer duration",
                row.title()
            ),
        );
    }
    list
}

/// Whether any draw of the scenario matters.
pub(crate) fn is_random(scenario: &Scenario) -> bool {
    let backoff = scenario.retry.backoff.as_ref();
    let jittered = backoff.is_some_and(|backoff| backoff.role().is_random());
    let hinted = scenario
        .retry
        .honour_retry_after
        .is_some_and(|honour| honour.jitter.is_some());
    jittered
        || hinted
        || scenario.fleet.jobs.role().is_random()
        || scenario.network.one_way.is_random()
        || scenario.server.service.is_random()
        || matches!(scenario.fleet.start, StartParams::Random(_))
        || scenario.ties == Ties::Shuffled
}

/// Whether jobs that were pending at the end of an outage are pending at the end of the run.
fn is_cut_short(row: &Row) -> bool {
    let mean = |name: &str| row.metrics.get(name).map_or(0.0, |estimate| estimate.mean);
    let drained = row.metrics.contains_key("recovery.drained-100%");
    mean("recovery.pending") > 0.0 && !drained && mean("jobs.pending") > 0.0
}
