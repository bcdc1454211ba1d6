//! Changes: before and after, a line per metric, for `ratelab compare` and `--baseline`.

use std::fmt::Write;

use ratelab_stats::Estimate;
use ratelab_stats::compare::{Change, Turn};
use unicode_width::UnicodeWidthStr;

use super::Style;
use crate::column::Column;
use crate::escape::visible;
use crate::figure;

/// Lines grouped by row; what did not change is only counted.
pub fn render(changes: &[Change], style: &Style) -> String {
    let shown: Vec<&Change> = changes
        .iter()
        .filter(|change| change.turn != Turn::Same)
        .collect();
    let titles = shown
        .iter()
        .map(|change| Column::of(&change.metric).title());
    let width = titles.map(|title| title.width()).max().unwrap_or(0);
    let mut out = String::new();
    let mut row = None;
    for change in &shown {
        if row != Some(&change.row) {
            let _ = writeln!(out, "{}", visible(&change.row));
            row = Some(&change.row);
        }
        let title = Column::of(&change.metric).title();
        let pad = " ".repeat(width.saturating_sub(title.width()));
        let (before, after) = (text(change.before.as_ref()), text(change.after.as_ref()));
        let _ = writeln!(
            out,
            "  {title}{pad}  {before} → {after}{}",
            word(change, style)
        );
    }
    let same = changes.len() - shown.len();
    let _ = writeln!(out, "{same} of {} figures did not change", changes.len());
    out
}

fn text(estimate: Option<&Estimate>) -> String {
    estimate.map_or_else(
        || "–".to_owned(),
        |estimate| figure::estimate(estimate).text(),
    )
}

fn word(change: &Change, style: &Style) -> String {
    let (word, colour) = match change.turn {
        Turn::Better => ("better", "\x1b[32m"),
        Turn::Worse => ("worse", "\x1b[31m"),
        Turn::Same | Turn::Other => return String::new(),
    };
    if style.colour {
        format!("  {colour}{word}\x1b[0m")
    } else {
        format!("  {word}")
    }
}
