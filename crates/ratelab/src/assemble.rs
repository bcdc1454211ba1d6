//! From an experiment to its summary: run every case, merge, judge.

use std::sync::Arc;

use ratelab_core::{Seed, Time};
use ratelab_model::GateParams;
use ratelab_spec::{Case, Experiment, Scenario};
use ratelab_stats::summary::SCHEMA;
use ratelab_stats::{Notice, Plan, Quote, Row, Scene, Series, Strip, Summary, Tally, Window};

use crate::Failure;
use crate::judge;

/// A finished experiment.
pub(crate) struct Done {
    pub(crate) summary: Summary,
    pub(crate) series: Vec<Series>,
    pub(crate) scene: Scene,
}

/// What to count in a case.
fn plan(experiment: &Experiment, scenario: &Scenario, headline: &str) -> Plan {
    let server = &scenario.server;
    let mut statuses = vec![200, 429, 503, server.refusal.status];
    statuses.extend(
        server
            .outage
            .iter()
            .filter_map(|o| o.reply.map(|reply| reply.status)),
    );
    if let GateParams::Sidecar(sidecar) = &scenario.gate {
        statuses.push(sidecar.status);
    }
    statuses.sort_unstable();
    statuses.dedup();
    let measures = experiment.measures.iter();
    Plan {
        duration: scenario.duration,
        workers: scenario.fleet.busy(),
        outages: server
            .outage
            .iter()
            .map(ratelab_model::OutageParams::window)
            .collect(),
        measures: measures
            .map(|m| (m.name.clone(), Time::from(m.from), Time::from(m.until)))
            .collect(),
        budget: server.promise(),
        statuses,
        headline: headline.to_owned(),
    }
}

/// Runs every case of the experiment.
pub(crate) fn assemble(experiment: &Experiment, threads: usize) -> Result<Done, Failure> {
    let columns = columns(experiment);
    let mut results = Vec::new();
    let mut series = Vec::new();
    let mut events = 0;
    let mut hash = ratelab_stats::fingerprint::Fingerprint::default();
    for case in &experiment.cases {
        let plan = Arc::new(plan(experiment, &case.scenario, &columns[0]));
        let seed = Seed(experiment.seed);
        let fresh = || Tally::new(Arc::clone(&plan));
        let parts = ratelab_sim::run(
            &case.scenario,
            seed,
            experiment.replications,
            threads,
            fresh,
        )
        .map_err(|stuck| format!("error: {}: {stuck}", case.title()))?;
        let mut tally = fresh();
        for part in &parts {
            tally.merge(part);
        }
        events += tally.events();
        hash.word(tally.fingerprint());
        results.push(row(case, &tally));
        let mut drawn = tally.series();
        drawn.strip = strip(&case.scenario, seed)?;
        series.push(drawn);
    }
    link_ideal(&mut results);
    let summary = Summary {
        schema: SCHEMA.to_owned(),
        experiment: experiment.name.clone(),
        question: experiment.question.clone(),
        setting: setting(experiment),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: experiment.seed,
        replications: experiment.replications,
        config_hash: config_hash(experiment),
        fingerprint: format!("{:016x}", hash.0),
        events,
        columns,
        expectations: judge::judge(experiment, &results),
        quotes: quotes(experiment),
        notices: notices(experiment),
        results,
    };
    Ok(Done {
        summary,
        series,
        scene: scene(experiment),
    })
}

fn row(case: &Case, tally: &Tally) -> Row {
    let metrics = tally.metrics();
    let recovery = tally.recovery(&metrics);
    Row {
        variant: case.variant.clone(),
        arm: case.arm,
        about: about(&case.scenario),
        point: case.point.clone(),
        metrics,
        recovery,
        fingerprint: format!("{:016x}", tally.fingerprint()),
    }
}

fn about(scenario: &Scenario) -> String {
    if scenario.ideal {
        return "knows the end of the outage, shares the budget".to_owned();
    }
    format!("{}; {}", scenario.gate.about(), scenario.retry.about())
}

/// The first replication once more, worker by worker, for the dot strip.
fn strip(scenario: &Scenario, seed: Seed) -> Result<Vec<ratelab_stats::StripRow>, Failure> {
    let parts =
        ratelab_sim::run(scenario, seed, 1, 1, Strip::default).map_err(|s| s.to_string())?;
    Ok(parts
        .into_iter()
        .next()
        .map(Strip::into_rows)
        .unwrap_or_default())
}

/// Puts the ideal arm's peak beside every row of the same point.
fn link_ideal(results: &mut [Row]) {
    let ideals: Vec<(Vec<(String, String)>, f64)> = results
        .iter()
        .filter(|row| row.arm && row.variant == "ideal")
        .filter_map(|row| {
            Some((
                row.point.clone(),
                row.metrics.get("recovery.peak-100ms")?.mean,
            ))
        })
        .collect();
    for row in results {
        if let Some((_, peak)) = ideals.iter().find(|(point, _)| *point == row.point)
            && let Some(first) = row.recovery.first_mut()
        {
            first.ideal_peak_100ms = Some(*peak);
        }
    }
}

fn columns(experiment: &Experiment) -> Vec<String> {
    if !experiment.columns.is_empty() {
        return experiment.columns.clone();
    }
    let outage = experiment
        .cases
        .iter()
        .any(|case| !case.scenario.server.outage.is_empty());
    let names: &[&str] = if outage {
        &[
            "requests.outage",
            "jobs.done",
            "recovery.extra-delay",
            "recovery.peak-100ms",
        ]
    } else {
        &["requests.total", "served", "refused", "rate.mean"]
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The first case stands for the scene all share.
fn base(experiment: &Experiment) -> &Scenario {
    &experiment.cases[0].scenario
}

fn setting(experiment: &Experiment) -> String {
    let scenario = base(experiment);
    let fleet = &scenario.fleet;
    let swept = |key: &str| experiment.sweep.iter().any(|(name, _)| name == key);
    let mut parts = Vec::new();
    if !swept("fleet.workers") {
        let plural = if fleet.workers == 1 {
            "worker"
        } else {
            "workers"
        };
        parts.push(format!("{} {plural}", fleet.workers));
    }
    parts.push(fleet.jobs.role().about());
    parts.extend(
        scenario
            .server
            .outage
            .iter()
            .map(ratelab_model::OutageParams::about),
    );
    if let Some(budget) = scenario.server.promise() {
        parts.push(format!("server takes {}", budget.rate));
    }
    let runs = experiment.replications;
    parts.push(format!(
        "{runs} {}",
        if runs == 1 {
            "replication"
        } else {
            "replications"
        }
    ));
    parts.push(format!("seed {}", experiment.seed));
    parts.join(" · ")
}

fn scene(experiment: &Experiment) -> Scene {
    let scenario = base(experiment);
    let window = |outage: &ratelab_model::OutageParams| Window {
        from: outage.from.as_secs_f64(),
        until: outage.until.as_secs_f64(),
    };
    let sweep = match experiment.sweep.as_slice() {
        [(key, values)] => {
            let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
            numbers.map(|numbers| (key.clone(), numbers))
        }
        _ => None,
    };
    Scene {
        duration: scenario.duration.as_secs_f64(),
        outages: scenario.server.outage.iter().map(window).collect(),
        budget: scenario
            .server
            .promise()
            .map(|budget| budget.rate.per_second()),
        sweep,
    }
}

fn quotes(experiment: &Experiment) -> Vec<Quote> {
    let quote = |quote: &ratelab_spec::Quote| Quote {
        variant: quote.row.clone(),
        metric: quote.metric.clone(),
        text: quote.text.clone(),
    };
    experiment.quotes.iter().map(quote).collect()
}

fn notices(experiment: &Experiment) -> Vec<Notice> {
    let random = experiment.cases.iter().any(|case| {
        let text = serde_json::to_string(&case.scenario).unwrap_or_default();
        [
            "poisson",
            "\"full\"",
            "\"equal\"",
            "\"add\"",
            "random",
            "Shuffled",
        ]
        .iter()
        .any(|w| text.contains(w))
    });
    if !random || experiment.replications > 1 {
        return Vec::new();
    }
    vec![Notice {
        code: "R014".to_owned(),
        text: "one replication of a random model".to_owned(),
        hint: "--replications 1000 gives an interval".to_owned(),
    }]
}

fn config_hash(experiment: &Experiment) -> String {
    let mut hash = ratelab_stats::fingerprint::Fingerprint::default();
    hash.word(experiment.replications);
    for case in &experiment.cases {
        let text = format!(
            "{}{}",
            case.title(),
            serde_json::to_string(&case.scenario).unwrap_or_default()
        );
        for byte in text.bytes() {
            hash.word(u64::from(byte));
        }
    }
    format!("{:016x}", hash.0)
}
