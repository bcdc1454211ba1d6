//! Words: what a summary says about its experiment: the setting, the columns, the scene, quotes.

use ratelab_model::OutageParams;
use ratelab_spec::{Experiment, Scenario};
use ratelab_stats::{Quote, Scene, Window};

/// The first case stands for the scene that all share.
fn base(experiment: &Experiment) -> &Scenario {
    &experiment.cases[0].scenario
}

/// A few words on what a case does.
pub(crate) fn about(scenario: &Scenario) -> String {
    if scenario.ideal {
        return "knows when the outage ends, shares the budget".to_owned();
    }
    match scenario.gate.about().as_str() {
        "no limiter" => scenario.retry.about(),
        gate => format!("{gate}; {}", scenario.retry.about()),
    }
}

/// The columns the file asks for, else the usual ones.
pub(crate) fn columns(experiment: &Experiment) -> Vec<String> {
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

/// One line that sets the scene.
pub(crate) fn setting(experiment: &Experiment) -> String {
    let scenario = base(experiment);
    let fleet = &scenario.fleet;
    let swept = |key: &str| experiment.sweep.iter().any(|(name, _)| name == key);
    let mut parts = Vec::new();
    if !swept("fleet.workers") {
        parts.push(counted(fleet.workers, "worker"));
    }
    parts.push(fleet.jobs.role().about());
    parts.extend(scenario.server.outage.iter().map(OutageParams::about));
    if let Some(budget) = scenario.server.promise() {
        parts.push(format!("server takes {}", budget.rate));
    }
    parts.push(counted(experiment.replications, "replication"));
    parts.push(format!("seed {}", experiment.seed));
    parts.join(" · ")
}

/// `1 worker`, `10,000 replications`.
fn counted(n: u64, what: &str) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    let plural = if n == 1 { "" } else { "s" };
    format!("{text} {what}{plural}")
}

/// What all charts share.
pub(crate) fn scene(experiment: &Experiment) -> Scene {
    let scenario = base(experiment);
    let window = |outage: &OutageParams| Window {
        from: outage.from.as_secs_f64(),
        until: outage.until.as_secs_f64(),
    };
    let sweep = match experiment.sweep.as_slice() {
        [(key, values)] => {
            let numbers: Option<Vec<f64>> = values
                .iter()
                .map(|value| value.replace('_', "").parse().ok())
                .collect();
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

/// The published figures of the file.
pub(crate) fn quotes(experiment: &Experiment) -> Vec<Quote> {
    let quote = |quote: &ratelab_spec::Quote| Quote {
        variant: quote.row.clone(),
        metric: quote.metric.clone(),
        text: quote.text.clone(),
    };
    experiment.quotes.iter().map(quote).collect()
}
