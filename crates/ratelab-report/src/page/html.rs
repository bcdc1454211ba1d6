//! `index.html` of a report: one file, nothing fetched, under a strict content policy.
//!
//! The template escapes every value; names are made visible before. Charts are the same pictures as
//! the files, with the theme's colours as variables so that the page follows the reader's light or
//! dark setting, and with their numbers beside them as JSON for the pointer.

use askama::Template;
use ratelab_stats::Check;
use serde::Serialize;

use crate::View;
use crate::chart::picture::{Panel, Picture};
use crate::chart::svg;
use crate::column::{self, Column};
use crate::escape::{json_in_html, visible, visible_lines};
use crate::grid::{self, Grid, Kind};
use crate::table::tally;
use crate::verdict::verdict;

/// Characters of a label that does not wrap.
const BRIEF: usize = 24;

/// A chart on the page.
struct Figure {
    name: String,
    svg: String,
}

/// A column's head.
struct Head {
    text: String,
    about: String,
    numeric: bool,
}

/// A cell of the table.
struct Field {
    text: String,
    best: bool,
    class: &'static str,
    value: String,
    under: String,
}

/// A row of the table.
struct Line {
    arm: bool,
    fields: Vec<Field>,
}

/// An expectation.
struct Expectation {
    pass: bool,
    about: String,
    wanted: String,
    got: String,
    place: String,
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page {
    question: String,
    setting: String,
    verdict: String,
    figures: Vec<Figure>,
    heads: Vec<Head>,
    lines: Vec<Line>,
    notes: Vec<String>,
    tally: String,
    expectations: Vec<Expectation>,
    notices: Vec<(String, String, String)>,
    columns: Vec<(String, String, &'static str)>,
    reproduce: String,
    source: String,
    version: String,
    seed: u64,
    replications: String,
    config_hash: String,
    fingerprint: String,
    readings: String,
}

/// What the page's script reads, one entry a chart.
#[derive(Serialize)]
struct Readings<'a> {
    name: &'a str,
    panels: &'a [Panel],
}

/// The page.
pub(super) fn page(view: &View, pictures: &[(&str, Picture)], source: &str) -> String {
    let summary = view.summary;
    let grid = grid::grid(view);
    let readings: Vec<Readings> = pictures
        .iter()
        .map(|(name, picture)| Readings {
            name,
            panels: &picture.panels,
        })
        .collect();
    let readings = serde_json::to_string(&readings).expect("numbers and names always serialise");
    let page = Page {
        question: visible(&summary.question),
        setting: visible(&summary.setting),
        verdict: visible(&verdict(view).unwrap_or_default()),
        figures: pictures.iter().map(figure).collect(),
        heads: heads(&grid),
        lines: lines(&grid),
        notes: grid.notes.iter().map(|note| visible(note)).collect(),
        tally: tally(summary).unwrap_or_default(),
        expectations: summary.expectations.iter().map(expectation).collect(),
        notices: summary
            .notices
            .iter()
            .map(|n| (visible(&n.code), visible(&n.text), visible(&n.hint)))
            .collect(),
        columns: column::columns(view).iter().map(definition).collect(),
        reproduce: super::reproduce(summary),
        source: visible_lines(source),
        version: visible(&summary.version),
        seed: summary.seed,
        replications: crate::figure::count(summary.replications),
        config_hash: visible(&summary.config_hash),
        fingerprint: visible(&summary.fingerprint),
        readings: json_in_html(&readings),
    };
    page.render().expect("the template writes to memory")
}

fn figure((name, picture): &(&str, Picture)) -> Figure {
    Figure {
        name: (*name).to_owned(),
        svg: svg::inline(picture),
    }
}

fn definition(column: &Column) -> (String, String, &'static str) {
    (
        visible(&column.title()),
        visible(&column.name),
        column.about,
    )
}

fn expectation(check: &Check) -> Expectation {
    Expectation {
        pass: check.pass,
        about: visible(&format!("{}: {}", check.variant, check.metric)),
        wanted: visible(&check.wanted),
        got: visible(&check.got),
        place: visible(&format!("{}:{}", check.file, check.line)),
    }
}

fn is_numeric(kind: Kind) -> bool {
    matches!(kind, Kind::Metric(_) | Kind::Quote(_) | Kind::Point)
}

/// Short labels do not wrap.
fn class(kind: Kind, text: &str) -> &'static str {
    if is_numeric(kind) {
        "number"
    } else if text.chars().count() <= BRIEF {
        "brief"
    } else {
        "long"
    }
}

/// Descriptions stand under the names, so they need no column.
fn shown(grid: &Grid) -> impl Iterator<Item = usize> + '_ {
    (0..grid.heads.len()).filter(|&at| grid.heads[at].kind != Kind::About)
}

fn heads(grid: &Grid) -> Vec<Head> {
    let head = |at: usize| {
        let head = &grid.heads[at];
        Head {
            text: visible(&head.lines.join(" ")).replace(". ", "."),
            about: visible(&head.about),
            numeric: is_numeric(head.kind),
        }
    };
    shown(grid).map(head).collect()
}

fn lines(grid: &Grid) -> Vec<Line> {
    let about = grid.heads.iter().position(|head| head.kind == Kind::About);
    let field = |line: &grid::Line, at: usize| {
        let (cell, kind) = (&line.cells[at], grid.heads[at].kind);
        let under = about
            .filter(|_| kind == Kind::Name)
            .map(|about| &line.cells[about]);
        Field {
            text: visible(&cell.text),
            best: cell.best,
            class: class(kind, &cell.text),
            value: cell
                .value
                .map(|value| value.to_string())
                .unwrap_or_default(),
            under: under.map(|cell| visible(&cell.text)).unwrap_or_default(),
        }
    };
    let line = |line: &grid::Line| Line {
        arm: line.arm,
        fields: shown(grid).map(|at| field(line, at)).collect(),
    };
    grid.lines.iter().map(line).collect()
}
