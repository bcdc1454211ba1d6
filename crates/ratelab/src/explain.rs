//! `ratelab explain`: what a name means.

use std::process::ExitCode;

use ratelab_model::{ArrivalParams, BackoffParams, GateParams, LimiterParams};

use crate::{Failure, print};

/// Prints what `name` is, whatever kind of thing it is.
pub(crate) fn explain(name: &str) -> Result<ExitCode, Failure> {
    let catalogs = [
        ("limiter", LimiterParams::ENTRIES),
        ("backoff", BackoffParams::ENTRIES),
        ("arrival process", ArrivalParams::ENTRIES),
    ];
    for (kind, entries) in catalogs {
        if let Some(entry) = entries.iter().find(|entry| entry.name() == name) {
            let about = entry.about;
            print(&format!(
                "{name} ({kind}): {}\n\n{}\n\nexample: {}\nsource:  {}\n",
                about.summary, about.text, about.example, about.source
            ));
            return Ok(ExitCode::SUCCESS);
        }
    }
    if let Some((_, about)) = GateParams::ENTRIES.iter().find(|(entry, _)| *entry == name) {
        print(&format!("{name} (placement): {about}\n"));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(metric) = ratelab_stats::metric::find(name) {
        print(&format!(
            "{} (metric, unit {}): {}\n",
            metric.name,
            metric.unit.name(),
            metric.about
        ));
        return Ok(ExitCode::SUCCESS);
    }
    if name == "R014" {
        print(
            "R014: one replication of a random model is one lucky or unlucky draw. Run many \
               (--replications 1000) and read the interval.\n",
        );
        return Ok(ExitCode::SUCCESS);
    }
    Err(format!(
        "error: nothing is called `{name}`\nhelp: `ratelab list` shows every name"
    ))
}
