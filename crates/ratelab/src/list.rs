//! `ratelab list`: what there is, one line each.

use std::process::ExitCode;

use ratelab::core::catalog::Entry;
use ratelab::model::delay::DelayParams;
use ratelab::model::{ArrivalParams, BackoffParams, GateParams, LimiterParams};
use ratelab::notice::NOTICES;
use ratelab::report::table::FORMATS;
use ratelab::stats::METRICS;

use crate::{Failure, print};

/// Every list and its lines: name and summary.
pub(crate) fn lists() -> Vec<(&'static str, Vec<(String, String)>)> {
    let entries = |list: &[Entry]| {
        list.iter()
            .map(|entry| (entry.name(), entry.about.summary.to_owned()))
            .collect()
    };
    let placements = GateParams::ENTRIES.iter();
    let placements = placements.map(|(name, about)| ((*name).to_owned(), about.summary.to_owned()));
    vec![
        ("limiters", entries(LimiterParams::ENTRIES)),
        ("placements", placements.collect()),
        ("backoffs", entries(BackoffParams::ENTRIES)),
        ("arrivals", entries(ArrivalParams::ENTRIES)),
        ("delays", entries(DelayParams::ENTRIES)),
        (
            "metrics",
            METRICS
                .iter()
                .map(|m| (m.name.to_owned(), first_sentence(m.about)))
                .collect(),
        ),
        (
            "notices",
            NOTICES
                .iter()
                .map(|n| (n.0.to_owned(), n.1.to_owned()))
                .collect(),
        ),
        (
            "formats",
            FORMATS
                .iter()
                .map(|f| (f.name.to_owned(), f.about.to_owned()))
                .collect(),
        ),
    ]
}

fn first_sentence(text: &str) -> String {
    text.split_inclusive(". ")
        .next()
        .unwrap_or(text)
        .trim_end()
        .to_owned()
}

/// Prints one list, or all.
pub(crate) fn list(kind: Option<&str>) -> Result<ExitCode, Failure> {
    let lists = lists();
    let names: Vec<&str> = lists.iter().map(|(name, _)| *name).collect();
    if let Some(kind) = kind.filter(|kind| !names.contains(kind)) {
        return Err(format!(
            "error: there is no list `{kind}`\nhelp: lists are {}",
            names.join(", ")
        ));
    }
    let mut text = String::new();
    for (name, lines) in lists
        .iter()
        .filter(|(name, _)| kind.is_none_or(|kind| kind == *name))
    {
        if kind.is_none() {
            text += &format!("{name}\n");
        }
        let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (entry, about) in lines {
            let lines = wrapped(about, &" ".repeat(width + 4));
            text += &format!("  {entry:width$}  {}\n", lines.trim_start());
        }
    }
    print(&text);
    Ok(ExitCode::SUCCESS)
}

/// Text in at most 80 columns, every line after `indent`.
pub(crate) fn wrapped(text: &str, indent: &str) -> String {
    let options = textwrap::Options::new(80)
        .initial_indent(indent)
        .subsequent_indent(indent);
    textwrap::fill(text, options)
}
