//! Aligned text: which columns fit a width, and cells padded to their column.

use unicode_width::UnicodeWidthStr;

use crate::escape::visible;
use crate::grid::{Grid, Head, Kind};

/// Widest name and widest description before they are cut with an ellipsis.
const MOST_NAME: usize = 24;
const MOST_ABOUT: usize = 30;
/// Widest figure of an article, and widest line of a head.
const MOST_QUOTE: usize = 16;
/// Columns between two cells and before the first.
const GAP: usize = 2;

/// One column as it is printed.
#[derive(Debug)]
pub(crate) struct Column {
    /// Its number in the grid.
    pub(crate) at: usize,
    /// Its width.
    pub(crate) width: usize,
    /// Whether its cells stand at the right.
    pub(crate) right: bool,
}

/// Text as wide as `width` at most, cut with an ellipsis.
pub(crate) fn ellipsis(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        let mut longer = out.clone();
        longer.push(c);
        if longer.width() + 1 > width {
            break;
        }
        out = longer;
    }
    out.push('…');
    out
}

/// A name as wide as `width` at most, cut in the middle: names often differ at their ends.
pub(crate) fn shorten(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let mut tail = String::new();
    for c in name.chars().rev() {
        let longer = format!("{c}{tail}");
        if longer.width() > width / 3 {
            break;
        }
        tail = longer;
    }
    format!("{}{tail}", ellipsis(name, width - tail.width()))
}

/// Text padded to a width.
pub(crate) fn pad(text: &str, width: usize, right: bool) -> String {
    let space = " ".repeat(width.saturating_sub(text.width()));
    if right {
        format!("{space}{text}")
    } else {
        format!("{text}{space}")
    }
}

/// The cell's text as it is printed: safe, marked, cut.
pub(crate) fn cell(grid: &Grid, line: usize, at: usize, mark: &str) -> String {
    let line = &grid.lines[line];
    let cell = &line.cells[at];
    let text = visible(&cell.full());
    match grid.heads[at].kind {
        Kind::Name if line.arm => shorten(&format!("─ {text}"), MOST_NAME),
        Kind::Name | Kind::Point => shorten(&text, MOST_NAME),
        Kind::About => ellipsis(&text, MOST_ABOUT),
        Kind::Metric(_) => format!("{text}{}", if cell.best { mark } else { " " }),
        Kind::Quote(_) => ellipsis(&text, MOST_QUOTE),
        Kind::Recovery => ellipsis(&text, MOST_ABOUT + MOST_QUOTE),
    }
}

/// The columns that fit, and the heads of those that do not. What a column shows counts less the
/// further right it stands; descriptions go first, then metrics, then the recovery.
pub(crate) fn fit(grid: &Grid, width: usize, mark: &str) -> (Vec<Column>, Vec<String>) {
    let mut columns: Vec<Column> = (0..grid.heads.len())
        .map(|at| column(grid, at, mark))
        .collect();
    let mut left_out: Vec<usize> = Vec::new();
    while total(&columns) > width {
        let Some(victim) = victim(grid, &columns) else {
            break;
        };
        left_out.push(columns.remove(victim).at);
    }
    left_out.sort_unstable();
    let names = left_out
        .iter()
        .filter(|&&at| !matches!(grid.heads[at].kind, Kind::Quote(_)))
        .map(|&at| title(&grid.heads[at]))
        .collect();
    (columns, names)
}

/// A line of a head as it is printed.
pub(crate) fn head_line(line: &str) -> String {
    shorten(&visible(line), MOST_QUOTE)
}

/// A head in one line.
pub(crate) fn title(head: &Head) -> String {
    visible(&head.lines.join(" ")).replace(". ", ".")
}

fn column(grid: &Grid, at: usize, mark: &str) -> Column {
    let head = &grid.heads[at];
    let lines = head.lines.iter().map(|line| head_line(line).width());
    let cells = (0..grid.lines.len()).map(|line| cell(grid, line, at, mark).width());
    let right = matches!(head.kind, Kind::Metric(_) | Kind::Quote(_) | Kind::Point);
    // A metric's cell ends in its mark, so its head must leave that column free too.
    let shift = usize::from(matches!(head.kind, Kind::Metric(_)));
    let heads = if matches!(head.kind, Kind::Name | Kind::About) {
        0
    } else {
        lines.max().unwrap_or(0) + shift
    };
    Column {
        at,
        width: cells.max().unwrap_or(0).max(heads),
        right,
    }
}

fn total(columns: &[Column]) -> usize {
    columns.iter().map(|column| column.width + GAP).sum()
}

/// The column to leave out next.
fn victim(grid: &Grid, columns: &[Column]) -> Option<usize> {
    let kind = |column: &Column| grid.heads[column.at].kind;
    let find = |wanted: fn(Kind) -> bool| columns.iter().rposition(|column| wanted(kind(column)));
    let metrics = columns
        .iter()
        .filter(|column| matches!(kind(column), Kind::Metric(_)))
        .count();
    let about = find(|kind| kind == Kind::About);
    let last_metric = find(|kind| matches!(kind, Kind::Metric(_) | Kind::Quote(_)));
    let recovery = find(|kind| kind == Kind::Recovery);
    about
        .or_else(|| last_metric.filter(|_| metrics > 2))
        .or(recovery)
        .or_else(|| last_metric.filter(|_| metrics > 1))
}
