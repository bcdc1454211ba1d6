//! `ratelab explain`: what a name means.

use std::process::ExitCode;

use ratelab::core::catalog::About;
use ratelab::model::delay::DelayParams;
use ratelab::model::{ArrivalParams, BackoffParams, GateParams, LimiterParams};
use ratelab::notice::NOTICES;
use ratelab::stats::{Better, metric};

use crate::list::wrapped;
use crate::{Failure, list, print};

/// Prints what `name` is, whatever kind of thing it is.
pub(crate) fn explain(name: &str) -> Result<ExitCode, Failure> {
    let text = entry(name)
        .or_else(|| of_metric(name))
        .or_else(|| of_notice(name));
    match text {
        Some(text) => {
            print(&text);
            Ok(ExitCode::SUCCESS)
        }
        None => Err(unknown(name)),
    }
}

/// An entry of a catalog, or a placement.
fn entry(name: &str) -> Option<String> {
    let catalogs = [
        ("limiter", LimiterParams::ENTRIES),
        ("backoff", BackoffParams::ENTRIES),
        ("arrival process", ArrivalParams::ENTRIES),
        ("distribution", DelayParams::ENTRIES),
    ];
    for (kind, entries) in catalogs {
        if let Some(entry) = entries.iter().find(|entry| entry.name() == name) {
            return Some(of_entry(name, kind, entry.about));
        }
    }
    let placement = GateParams::ENTRIES.iter().find(|(entry, _)| *entry == name);
    placement.map(|(_, about)| of_entry(name, "placement", about))
}

fn of_entry(name: &str, kind: &str, about: &About) -> String {
    format!(
        "{}\n\n{}\n\nexample  {}\nsource   {}\n",
        wrapped(&format!("{name} ({kind}): {}", about.summary), ""),
        wrapped(about.text, ""),
        about.example,
        wrapped(about.source, "         ").trim_start()
    )
}

fn of_metric(name: &str) -> Option<String> {
    let metric = metric::find(name)?;
    let better = match metric.better {
        Better::Lower => ", less is better",
        Better::Higher => ", more is better",
        Better::Neither => "",
    };
    let head = format!(
        "{} (metric, unit {}{better})",
        metric.name,
        metric.unit.name()
    );
    Some(format!("{head}\n\n{}\n", wrapped(metric.about, "")))
}

fn of_notice(name: &str) -> Option<String> {
    let (code, text, meaning) = NOTICES.iter().find(|notice| notice.0 == name)?;
    Some(format!(
        "{code} (notice): {text}\n\n{}\n",
        wrapped(meaning, "")
    ))
}

fn unknown(name: &str) -> Failure {
    let lists = list::lists();
    let names = lists
        .iter()
        .flat_map(|(_, lines)| lines)
        .map(|(name, _)| name.as_str());
    let help = match ratelab::spec::error::nearest(name, names) {
        Some(near) => format!("did you mean `{near}`? `ratelab list` shows every name"),
        None => "`ratelab list` shows every name".to_owned(),
    };
    format!(
        "error: nothing is called `{}`\nhelp: {help}",
        name.escape_debug()
    )
}
