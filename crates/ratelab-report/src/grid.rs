//! The table of a run before it has a format: heads and cells as plain text, not yet escaped.

use ratelab_stats::{Estimate, Row};

use crate::View;
use crate::column::{self, Column};
use crate::figure;
use crate::spark::Sparks;

/// What a column of the table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The variant's name.
    Name,
    /// What the variant does.
    About,
    /// A swept value.
    Point,
    /// The metric with this number in the summary's columns.
    Metric(usize),
    /// What the article says of that metric.
    Quote(usize),
    /// The shape of the recovery.
    Recovery,
}

/// One column.
#[derive(Debug, Clone)]
pub struct Head {
    /// What it holds.
    pub kind: Kind,
    /// Its head, line by line.
    pub lines: Vec<String>,
    /// What it means, for a tooltip; may be empty.
    pub about: String,
}

/// One cell.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// What it says; empty when there is nothing to say.
    pub text: String,
    /// Whether it is the best of its column.
    pub best: bool,
    /// What to sort by.
    pub value: Option<f64>,
    /// A tiny picture in block characters to stand before the text; may be empty.
    pub picture: String,
}

impl Cell {
    /// The picture and the text.
    pub fn full(&self) -> String {
        match self.picture.as_str() {
            "" => self.text.clone(),
            picture => format!("{picture} {}", self.text),
        }
    }
}

/// One row.
#[derive(Debug, Clone)]
pub struct Line {
    /// Whether it is a control arm.
    pub arm: bool,
    /// One cell a column.
    pub cells: Vec<Cell>,
}

/// The whole table.
#[derive(Debug, Clone)]
pub struct Grid {
    /// The columns.
    pub heads: Vec<Head>,
    /// The rows, arms last as in the summary.
    pub lines: Vec<Line>,
    /// What a reader must know about single cells.
    pub notes: Vec<String>,
}

/// The row's name with the last word of each swept key: `naive, workers = 4`.
pub fn short_title(row: &Row) -> String {
    let point = row.point.iter().map(|(key, value)| {
        let word = key.rsplit('.').next().unwrap_or(key);
        format!("{word} = {value}")
    });
    let parts: Vec<String> = std::iter::once(row.variant.clone()).chain(point).collect();
    parts.join(", ")
}

/// Builds the table.
pub fn grid(view: &View) -> Grid {
    let columns = column::columns(view);
    let heads = heads(view, &columns);
    let sparks = Sparks::of(view);
    let lines = (0..view.summary.results.len())
        .map(|row| Line {
            arm: view.row(row).arm,
            cells: heads
                .iter()
                .enumerate()
                .map(|(at, head)| cell(view, &columns, (row, head, at), &sparks))
                .collect(),
        })
        .collect();
    Grid {
        heads,
        lines,
        notes: notes(view, &columns),
    }
}

fn heads(view: &View, columns: &[Column]) -> Vec<Head> {
    let rows = &view.summary.results;
    let head = |kind, lines: Vec<String>, about: &str| Head {
        kind,
        lines,
        about: about.to_owned(),
    };
    let mut heads = Vec::new();
    if let Some(row) = rows.first() {
        for (key, _) in &row.point {
            let lines = match key.rsplit_once('.') {
                Some((front, back)) => vec![format!("{front}."), back.to_owned()],
                None => vec![key.clone()],
            };
            heads.push(head(Kind::Point, lines, "The swept key."));
        }
    }
    heads.push(head(Kind::Name, vec!["variant".to_owned()], ""));
    if rows.iter().any(|row| !row.about.is_empty()) {
        heads.push(head(Kind::About, vec!["what it does".to_owned()], ""));
    }
    for (at, column) in columns.iter().enumerate() {
        heads.push(head(Kind::Metric(at), column.head.clone(), column.about));
        if view.summary.quotes.iter().any(|q| q.metric == column.name) {
            let lines = vec!["article".to_owned(), "says".to_owned()];
            heads.push(head(Kind::Quote(at), lines, "The figure as published."));
        }
    }
    if rows.iter().any(|row| !row.arm && !row.recovery.is_empty()) {
        let about = "The shape of the recovery after the outage.";
        heads.push(head(Kind::Recovery, vec!["recovery".to_owned()], about));
    }
    heads
}

fn cell(
    view: &View,
    columns: &[Column],
    (row, head, at): (usize, &Head, usize),
    sparks: &Sparks,
) -> Cell {
    let this = view.row(row);
    match head.kind {
        Kind::Name => text(&this.variant),
        Kind::About => text(&this.about),
        Kind::Point => this.point.get(at).map_or_else(absent, |(_, value)| Cell {
            text: value.clone(),
            value: value.parse().ok(),
            ..Cell::default()
        }),
        Kind::Metric(number) => match this.metrics.get(&columns[number].name) {
            Some(estimate) => Cell {
                text: figure_text(view, estimate),
                best: column::is_best(view, &columns[number], row),
                value: Some(estimate.mean),
                picture: String::new(),
            },
            None => absent(),
        },
        Kind::Quote(number) => {
            let title = this.title();
            let quote = view
                .summary
                .quotes
                .iter()
                .find(|quote| quote.metric == columns[number].name && quote.variant == title);
            quote.map_or_else(Cell::default, |quote| text(&quote.text))
        }
        Kind::Recovery => recovery_cell(view, row, sparks),
    }
}

fn text(text: &str) -> Cell {
    Cell {
        text: text.to_owned(),
        ..Cell::default()
    }
}

fn absent() -> Cell {
    text(figure::ABSENT)
}

/// The figure, with a dagger when not every replication has the metric.
fn figure_text(view: &View, estimate: &Estimate) -> String {
    let text = figure::estimate(estimate).text();
    if estimate.n < view.summary.replications {
        format!("{text} †")
    } else {
        text
    }
}

fn recovery_cell(view: &View, row: usize, sparks: &Sparks) -> Cell {
    let this = view.row(row);
    let Some(first) = this.recovery.first().filter(|_| !this.arm) else {
        return Cell::default();
    };
    let close_up = view.series_of(row).close_up.as_ref();
    Cell {
        text: recovery_label(first),
        picture: close_up
            .and_then(|timeline| sparks.draw(timeline))
            .unwrap_or_default(),
        ..Cell::default()
    }
}

/// The label, with its share when the replications do not agree.
fn recovery_label(recovery: &ratelab_stats::Recovery) -> String {
    match recovery.labels.get(&recovery.label) {
        Some(&share) if recovery.labels.len() > 1 => {
            format!("{} {}", recovery.label, figure::share(share))
        }
        _ => recovery.label.clone(),
    }
}

/// All labels of a recovery with their shares, most frequent first.
pub fn shares(recovery: &ratelab_stats::Recovery) -> String {
    let mut labels: Vec<_> = recovery.labels.iter().collect();
    labels.sort_by(|a, b| b.1.total_cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let texts: Vec<String> = labels
        .iter()
        .map(|(label, share)| format!("{} {label}", figure::share(**share)))
        .collect();
    texts.join(", ")
}

fn notes(view: &View, columns: &[Column]) -> Vec<String> {
    let note = Some(&view.summary.note).filter(|note| !note.is_empty());
    let mut notes: Vec<String> = note.cloned().into_iter().collect();
    for row in &view.summary.results {
        notes.extend(dagger_notes(view, columns, row));
    }
    for row in view.summary.results.iter().filter(|row| !row.arm) {
        notes.extend(recovery_notes(row));
        notes.extend(chance_notes(row));
        notes.extend(paired_note(row));
    }
    notes
}

/// The paired difference, where chance plays a part in it.
fn paired_note(row: &Row) -> Option<String> {
    let paired = row
        .paired
        .as_ref()
        .filter(|paired| !paired.difference.is_exact())?;
    let (title, metric) = (row.title(), Column::of(&paired.metric).title());
    let difference = figure::estimate(&paired.difference).text();
    Some(format!(
        "{title} less {}, run by run: {difference} {metric}",
        paired.against
    ))
}

/// Outcomes that some replications have and others have not.
fn chance_notes(row: &Row) -> impl Iterator<Item = String> {
    let mixed = row
        .chances
        .iter()
        .filter(|chance| chance.hits > 0 && chance.hits < chance.n);
    mixed.map(|chance| {
        let (hits, n) = (figure::count(chance.hits), figure::count(chance.n));
        let (low, high) = (figure::share(chance.low), figure::share(chance.high));
        let first = chance.first.unwrap_or_default();
        let (title, outcome) = (row.title(), &chance.outcome);
        format!("{title}: {outcome} in {hits} of {n} runs ({low} to {high}), first in run {first}")
    })
}

fn dagger_notes(view: &View, columns: &[Column], row: &Row) -> Option<String> {
    let all = view.summary.replications;
    let parts: Vec<String> = columns
        .iter()
        .filter_map(|column| {
            let n = row.metrics.get(&column.name)?.n;
            (n < all).then(|| format!("{} in {}", column.title(), figure::count(n)))
        })
        .collect();
    (!parts.is_empty()).then(|| {
        let all = figure::count(all);
        format!("† {}: {} of {all} runs", row.title(), parts.join(", "))
    })
}

fn recovery_notes(row: &Row) -> Vec<String> {
    let several = row.recovery.len() > 1;
    let lines = row
        .recovery
        .iter()
        .enumerate()
        .filter_map(|(at, recovery)| {
            let place = if several {
                let (from, until) = (
                    figure::seconds(recovery.from),
                    figure::seconds(recovery.until),
                );
                format!(" after [{from}, {until})")
            } else {
                String::new()
            };
            if recovery.labels.len() > 1 {
                Some(format!("{}{place}: {}", row.title(), shares(recovery)))
            } else if at > 0 {
                Some(format!("{}{place}: {}", row.title(), recovery.label))
            } else {
                None
            }
        });
    lines.collect()
}
