//! `table`: the run for a terminal. The question on top, the answer underneath, notices at the end.
//!
//! 80 columns do; a wider terminal gets more columns, never wrapped rows. Without colour the text
//! is the same, and an asterisk marks what would be bold.

use std::fmt::Write;

use super::layout::{Column, cell, fit, head_line, pad};
use super::{Format, Style, plot, tally};
use crate::View;
use crate::escape::visible;
use crate::grid::{Grid, Kind, grid};

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "table",
    about: "a table and a small plot for the terminal",
    render,
};

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
/// A narrower terminal gets this width all the same.
const NARROWEST: usize = 40;

/// The whole text.
pub fn render(view: &View, style: &Style) -> String {
    let width = style.width.max(NARROWEST);
    let mut out = String::new();
    for (text, code) in [(&view.summary.question, BOLD), (&view.summary.setting, DIM)] {
        for line in wrap(&visible(text), width) {
            push(&mut out, &paint(&line, code, style));
        }
    }
    push(&mut out, "");
    let grid = grid(view);
    let left_out = table(&mut out, &grid, width, style);
    let plot = plot::lines(view, width);
    if !plot.is_empty() {
        push(&mut out, "");
        for line in plot {
            push(&mut out, &line);
        }
    }
    push(&mut out, "");
    for line in footer(&grid, &left_out, style) {
        for line in wrap(&line, width) {
            push(&mut out, &paint(&line, DIM, style));
        }
    }
    expectations(&mut out, view, style);
    for notice in &view.summary.notices {
        let text = format!("notice {}: {}; {}", notice.code, notice.text, notice.hint);
        push(&mut out, &visible(&text));
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn push(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

fn paint(text: &str, code: &str, style: &Style) -> String {
    if style.colour && !text.trim().is_empty() {
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

/// Prints the table; returns the heads of the columns that did not fit.
fn table(out: &mut String, grid: &Grid, width: usize, style: &Style) -> Vec<String> {
    let mark = if style.colour { " " } else { "*" };
    let (columns, left_out) = fit(grid, width, mark);
    let height = columns
        .iter()
        .map(|column| grid.heads[column.at].lines.len())
        .max()
        .unwrap_or(0);
    for level in (0..height).rev() {
        let mut line = String::new();
        for column in &columns {
            let lines = &grid.heads[column.at].lines;
            let named = !matches!(grid.heads[column.at].kind, Kind::Name | Kind::About);
            let text =
                (named && level < lines.len()).then(|| head_line(&lines[lines.len() - 1 - level]));
            let mut text = text.unwrap_or_default();
            if matches!(grid.heads[column.at].kind, Kind::Metric(_)) {
                text.push(' ');
            }
            let _ = write!(line, "  {}", pad(&text, column.width, column.right));
        }
        push(out, &paint(line.trim_end(), DIM, style));
    }
    for line in 0..grid.lines.len() {
        push(out, &row(grid, line, &columns, (mark, style)));
    }
    left_out
}

fn row(grid: &Grid, line: usize, columns: &[Column], (mark, style): (&str, &Style)) -> String {
    let mut text = String::new();
    for column in columns {
        let padded = pad(
            &cell(grid, line, column.at, mark),
            column.width,
            column.right,
        );
        let best = grid.lines[line].cells[column.at].best;
        let padded = if best {
            paint(&padded, BOLD, style)
        } else {
            padded
        };
        let _ = write!(text, "  {padded}");
    }
    if grid.lines[line].arm {
        paint(text.trim_end(), DIM, style)
    } else {
        text
    }
}

fn footer(grid: &Grid, left_out: &[String], style: &Style) -> Vec<String> {
    let mut lines: Vec<String> = grid.notes.iter().map(|note| visible(note)).collect();
    let best = grid
        .lines
        .iter()
        .flat_map(|line| &line.cells)
        .any(|cell| cell.best);
    if best && !style.colour {
        lines.push("* best of its column, clear of the intervals of all others".to_owned());
    }
    if !left_out.is_empty() {
        lines.push(format!("too narrow for: {}", left_out.join(" · ")));
    }
    lines
}

fn expectations(out: &mut String, view: &View, style: &Style) {
    let Some(tally) = tally(view.summary) else {
        return;
    };
    let failed: Vec<_> = view
        .summary
        .expectations
        .iter()
        .filter(|c| !c.pass)
        .collect();
    for check in &failed {
        let text = format!(
            "✗ {}: {} wanted {}, got {}  {}:{}",
            check.variant, check.metric, check.wanted, check.got, check.file, check.line
        );
        push(out, &paint(&visible(&text), RED, style));
    }
    let (mark, code) = if failed.is_empty() {
        ("✓", GREEN)
    } else {
        ("✗", RED)
    };
    push(out, &paint(&format!("{mark} {tally}"), code, style));
}

/// Breaks text at spaces; a word that is too long is cut.
fn wrap(text: &str, width: usize) -> Vec<String> {
    use unicode_width::UnicodeWidthStr;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            *line = super::layout::ellipsis(word, width);
        } else if line.width() + 1 + word.width() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(super::layout::ellipsis(word, width));
        }
    }
    lines
}
