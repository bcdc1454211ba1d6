//! Counted: how far a crowd that is counted is off, told with every result of one.
//!
//! The same scenario is run at ten thousand and at a hundred thousand workers, or at all of a
//! smaller fleet, against their share of the budget, once counted and once followed worker by
//! worker, under one seed.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use ratelab_core::Span;
use ratelab_sim::Stuck;
use ratelab_spec::{Case, Experiment, Fidelity, Scenario};
use ratelab_stats::{Counted, Estimate};

use crate::assemble::{Settings, play_row};

/// Fleets that are followed for comparison.
const SIZES: [u64; 2] = [10_000, 100_000];
/// Runs of each.
const RUNS: u64 = 4;
/// Seconds that are compared, at least; the first outage and as much again always are.
const SECONDS: u64 = 60;
/// What is compared.
const METRICS: [&str; 5] = [
    "requests.total",
    "served",
    "refused",
    "jobs.done",
    "rate.worst-1s",
];

/// The differences, size by size and metric by metric, for the first variant that is counted.
pub(crate) fn errors(experiment: &Experiment, settings: &Settings) -> Result<Vec<Counted>, Stuck> {
    let counted = |case: &&Case| case.scenario.fidelity == Fidelity::Cohort && !case.arm;
    let Some(case) = experiment.cases.iter().find(counted) else {
        return Ok(Vec::new());
    };
    let mut list = Vec::new();
    let mut before = 0;
    for size in SIZES {
        let Some(part) = part(&case.scenario, size) else {
            continue;
        };
        let workers = part.fleet.workers;
        if std::mem::replace(&mut before, workers) == workers {
            continue;
        }
        let seconds = part.duration.as_secs_f64();
        let crowd = run(experiment, case, &part, settings)?;
        let followed = Scenario {
            fidelity: Fidelity::Worker,
            ..part
        };
        let followed = run(experiment, case, &followed, settings)?;
        for metric in METRICS {
            let mean = |of: &BTreeMap<String, Estimate>| of.get(metric).map_or(0.0, |e| e.mean);
            let (counted, followed) = (mean(&crowd), mean(&followed));
            if followed > 0.0 {
                list.push(Counted {
                    variant: case.title(),
                    workers,
                    seconds,
                    metric: metric.to_owned(),
                    counted,
                    followed,
                    error: counted / followed - 1.0,
                });
            }
        }
    }
    Ok(list)
}

fn run(
    experiment: &Experiment,
    case: &Case,
    scenario: &Scenario,
    settings: &Settings,
) -> Result<BTreeMap<String, Estimate>, Stuck> {
    let mut small = experiment.clone();
    small.replications = RUNS;
    let case = Case {
        scenario: scenario.clone(),
        ..case.clone()
    };
    let quiet = Settings {
        threads: settings.threads,
        done: AtomicU64::new(0),
    };
    Ok(play_row(&small, &case, &quiet)?.metrics)
}

/// About `size` workers of the fleet against their share of the budget, for a while: the whole
/// fleet when that is smaller. `None` when the share cannot be counted.
fn part(scenario: &Scenario, size: u64) -> Option<Scenario> {
    let shares = (scenario.fleet.workers / size).max(1);
    let mut part = scenario.clone();
    part.fleet.workers /= shares;
    part.fleet.idle /= shares;
    if let Some(budget) = &scenario.server.budget {
        part.server.budget = Some(budget.role().share(shares).ok()?);
    }
    let first = scenario.server.outage.first();
    let down = first.map_or(Span::ZERO, |outage| outage.until * 2);
    let enough = Span::from_secs(SECONDS).max(down);
    part.duration = scenario.duration.min(enough);
    Some(part)
}

/// The largest difference at each size, in words.
pub(crate) fn words(list: &[Counted]) -> String {
    let mut sizes: Vec<u64> = list.iter().map(|one| one.workers).collect();
    sizes.dedup();
    let worst = |size: &u64| {
        let of_size = list.iter().filter(|one| one.workers == *size);
        let worst = of_size.max_by(|a, b| a.error.abs().total_cmp(&b.error.abs()));
        worst.map(|one| {
            let percent = one.error * 100.0;
            format!("{percent:+.2} % in {} at {size} workers", one.metric)
        })
    };
    let worst: Vec<String> = sizes.iter().filter_map(worst).collect();
    format!(
        "against following each worker it is off by at most {}; summary.json has all under counted",
        worst.join(" and ")
    )
}
