//! `md`: the run as GitHub Markdown, for pull requests and READMEs.

use std::fmt::Write;

use super::{Format, Style, tally};
use crate::View;
use crate::escape::markdown;
use crate::grid::{Cell, Grid, Kind, grid};

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "md",
    about: "GitHub Markdown",
    render,
};

/// Question, verdict, table, expectations, notices.
pub fn render(view: &View, _style: &Style) -> String {
    let summary = view.summary;
    let mut out = format!(
        "## {}\n\n{}\n\n",
        markdown(&summary.question),
        markdown(&summary.setting)
    );
    if let Some(verdict) = crate::verdict::verdict(view) {
        let _ = writeln!(out, "**{}**\n", markdown(&verdict));
    }
    out.push_str(&table(&grid(view)));
    out.push_str(&expectations(view));
    for notice in &summary.notices {
        let _ = writeln!(
            out,
            "> {}: {}; {}\n",
            markdown(&notice.code),
            markdown(&notice.text),
            markdown(&notice.hint)
        );
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

/// The table with its notes, and an empty line.
pub(crate) fn table(grid: &Grid) -> String {
    let mut out = String::new();
    let heads: Vec<String> = grid
        .heads
        .iter()
        .map(|head| markdown(&head.lines.join(" ")).replace(". ", "."))
        .collect();
    let _ = writeln!(out, "| {} |", heads.join(" | "));
    let rules = grid.heads.iter().map(|head| match head.kind {
        Kind::Metric(_) | Kind::Quote(_) | Kind::Point => "---:",
        Kind::Name | Kind::About | Kind::Recovery => "---",
    });
    let _ = writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "));
    for line in &grid.lines {
        let cells = line.cells.iter().zip(&grid.heads);
        let cells: Vec<String> = cells
            .map(|(cell, head)| match head.kind {
                Kind::Name if line.arm => format!("*{}*", markdown(&cell.text)),
                _ => self::cell(cell),
            })
            .collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out.push('\n');
    for note in &grid.notes {
        let _ = writeln!(out, "{}\n", markdown(note));
    }
    out
}

fn cell(cell: &Cell) -> String {
    let text = markdown(&cell.full());
    if cell.best {
        format!("**{text}**")
    } else {
        text
    }
}

/// The tally and one list entry per broken expectation; nothing without expectations.
pub(crate) fn expectations(view: &View) -> String {
    let Some(tally) = tally(view.summary) else {
        return String::new();
    };
    let failed = || view.summary.expectations.iter().filter(|c| !c.pass);
    let mark = if failed().next().is_some() {
        "✗"
    } else {
        "✓"
    };
    let mut out = format!("{mark} {tally}\n\n");
    for check in failed() {
        let _ = writeln!(
            out,
            "- ✗ {} of {}: wanted {}, got {} ({}:{})",
            markdown(&check.metric),
            markdown(&check.variant),
            markdown(&check.wanted),
            markdown(&check.got),
            markdown(&check.file),
            check.line
        );
    }
    if failed().next().is_some() {
        out.push('\n');
    }
    out
}
