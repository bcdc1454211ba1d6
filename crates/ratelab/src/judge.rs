//! Expectations: what the file wants beside what came out.

use ratelab_spec::{Experiment, Wanted};
use ratelab_stats::{Check, Estimate, Row};

/// Judges every expectation of the file.
pub(crate) fn judge(experiment: &Experiment, results: &[Row]) -> Vec<Check> {
    let judged = experiment.expectations.iter().map(|wanted| {
        let row = results.iter().find(|row| row.title() == wanted.row);
        let label = row
            .and_then(|row| row.recovery.first())
            .map(|recovery| recovery.label.as_str());
        let estimate = row.and_then(|row| row.metrics.get(&wanted.metric));
        let pass = wanted.wanted.iter().all(|one| holds(one, estimate, label));
        let got = match (&wanted.wanted.first(), label, estimate) {
            (Some(Wanted::Label(_)), label, _) => label.unwrap_or("–").to_owned(),
            (_, _, Some(estimate)) => number(estimate),
            _ => "–".to_owned(),
        };
        Check {
            variant: wanted.row.clone(),
            metric: wanted.metric.clone(),
            wanted: wanted.text.clone(),
            got,
            pass,
            file: experiment.path.clone(),
            line: wanted.line,
        }
    });
    judged.collect()
}

fn holds(wanted: &Wanted, estimate: Option<&Estimate>, label: Option<&str>) -> bool {
    if let Wanted::Label(text) = wanted {
        return label == Some(text.as_str());
    }
    let Some(estimate) = estimate else {
        return false;
    };
    let mean = estimate.mean;
    // Equal up to the last digits that printing and summing may cost.
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
    match *wanted {
        Wanted::Exact(value) => near(mean, value) && near(estimate.min, estimate.max),
        Wanted::Between(low, high) => low <= mean && mean <= high,
        Wanted::AtMost(value) => mean <= value,
        Wanted::AtLeast(value) => mean >= value,
        Wanted::Below(value) => mean < value,
        Wanted::Above(value) => mean > value,
        Wanted::Near { value, ratio } => (mean - value).abs() <= ratio * value.abs(),
        Wanted::Se { value, times } => (mean - value).abs() <= times * estimate.se,
        Wanted::Label(_) => false,
    }
}

fn number(estimate: &Estimate) -> String {
    let rounded = (estimate.mean * 1e6).round() / 1e6;
    if estimate.is_exact() {
        format!("{rounded}")
    } else {
        format!("{rounded} ± {:.4} se", estimate.se)
    }
}
