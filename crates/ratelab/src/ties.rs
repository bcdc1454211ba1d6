//! Ties: whether a conclusion rests on the order in which simultaneous events happen to stand.
//!
//! Where nothing else is random, the cases are run again with ties in random order, and the
//! expectations are judged again: one that held and then does not rests on a tie.

use ratelab_model::fleet::FleetParams;
use ratelab_sim::Stuck;
use ratelab_spec::{Case, Experiment, Fidelity, Scenario, Ties};
use ratelab_stats::{Check, Row};

use crate::assemble::{Settings, play_row};
use crate::judge::judge;
use crate::notice::is_random;

/// Runs with ties in random order.
const RUNS: u64 = 20;
/// Beyond so many events a second look would take too long.
const MOST_EVENTS: u64 = 500_000;

/// The expectations that hold with ties in order and break when they are shuffled.
pub(crate) fn resting_on_ties(
    experiment: &Experiment,
    checks: &[Check],
    events: u64,
    settings: &Settings,
) -> Result<Vec<String>, Stuck> {
    let each = events / experiment.replications.max(1);
    let one_worker = |fleet: &FleetParams| fleet.workers == 1;
    let settled = |scenario: &Scenario| {
        let followed = scenario.fidelity == Fidelity::Worker;
        !followed || is_random(scenario) || one_worker(&scenario.fleet)
    };
    if checks.is_empty() || each > MOST_EVENTS {
        return Ok(Vec::new());
    }
    let mut again = experiment.clone();
    again.replications = RUNS;
    again.cases.retain(|case| !settled(&case.scenario));
    let mut rows: Vec<Row> = Vec::new();
    for case in &mut again.cases {
        case.scenario.ties = Ties::Shuffled;
    }
    for case in &again.cases {
        rows.push(play_row(&again, case, settings)?);
    }
    let titles: Vec<String> = again.cases.iter().map(Case::title).collect();
    let shuffled = judge(&again, &rows);
    let breaks = checks
        .iter()
        .zip(&shuffled)
        .filter(|(before, after)| before.pass && !after.pass && titles.contains(&before.variant));
    Ok(breaks
        .map(|(check, _)| format!("{} of {}", check.metric, check.variant))
        .collect())
}
