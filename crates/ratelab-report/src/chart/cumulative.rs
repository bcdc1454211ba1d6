//! `cumulative`: requests sent so far, all rows in one picture, named at the ends of their lines.

use super::axis::Plot;
use super::picture::{Mark, Picture, Reading, Type};
use super::theme::{self, Colour};
use super::{Chart, font, stack};
use crate::View;
use crate::figure;

/// The chart's entry.
pub const CHART: Chart = Chart {
    name: "cumulative",
    title: "Requests sent so far",
    applies,
    draw,
};

const HEIGHT: i32 = 560;
/// Distance between the baselines of two labels.
const PITCH: i32 = 30;

fn applies(view: &View) -> bool {
    view.contenders().any(|row| has(view, row))
}

fn has(view: &View, row: usize) -> bool {
    let series = view.series_of(row);
    series.timeline.is_some() && !series.cumulative.is_empty()
}

/// A label at the right of a plot: where its line ends, what it says, its colour.
pub(crate) struct Label {
    pub(crate) y: i32,
    pub(crate) text: String,
    pub(crate) colour: Colour,
    pub(crate) bold: bool,
}

fn draw(view: &View) -> Picture {
    let (mut rows, remark) = stack::rows(view, |row| has(view, row));
    let arms = (0..view.summary.results.len())
        .filter(|&row| view.row(row).arm && has(view, row))
        .take(if rows.len() < theme::MOST_ROWS { 3 } else { 1 });
    rows.extend(arms);
    let about = format!("Since the run began{}{remark}", stack::origin(view, false));
    let mut picture = Picture::new(CHART.title, &about);
    let until = stack::busy_until(view);
    let top = rows
        .iter()
        .map(|&row| last(view, row, until))
        .fold(0.0, f64::max);
    let mut plot = Plot {
        left: theme::MARGIN + theme::AXIS_ROOM,
        top: picture.height + theme::TAB,
        right: theme::WIDTH - theme::MARGIN,
        bottom: picture.height + theme::TAB + HEIGHT,
        x: (0.0, until),
        y: (0.0, top.max(1.0) * 1.04),
    };
    let labels: Vec<Label> = rows.iter().map(|&row| label(view, row, &plot)).collect();
    plot.right -= room(&labels);
    // One shade for plot and tab: two would show a seam.
    let top = plot.top - theme::TAB;
    stack::shade(&mut picture, &Plot { top, ..plot }, &view.scene.outages);
    stack::tabs(&mut picture, &plot, &view.scene.outages, plot.top);
    plot.draw_y(&mut picture, 5, true);
    let mut panel = plot.panel(" s");
    // Arms first, so that they lie under the lines that compete.
    for &row in rows.iter().rev() {
        let Some(line) = view.series_of(row).timeline.as_ref() else {
            continue;
        };
        let values = &view.series_of(row).cumulative;
        let arm = view.row(row).arm;
        // The sum up to a bin's end is drawn from its start: nothing comes later than it does.
        let places = plot.steps(|bin| stack::edge(line, bin), values);
        picture.line(
            places,
            stack::hue(view, row),
            if arm { theme::THIN } else { theme::LINE },
        );
        panel.readings.insert(0, reading(view, row));
    }
    plot.draw_time(&mut picture, true);
    put_labels(&mut picture, &plot, labels);
    picture.panels.push(panel);
    picture.height = plot.bottom + theme::AXIS_FOOT + theme::MARGIN;
    picture
}

fn reading(view: &View, row: usize) -> Reading {
    let series = view.series_of(row);
    let edges = series.timeline.as_ref().map(|timeline| {
        let tidy = |x: f64| (x * 1e4).round() / 1e4;
        (0..series.cumulative.len())
            .map(|bin| tidy(stack::edge(timeline, bin)))
            .collect()
    });
    Reading {
        name: stack::title(view.row(row)),
        at: edges.unwrap_or_default(),
        values: series
            .cumulative
            .iter()
            .map(|x| (x * 1e4).round() / 1e4)
            .collect(),
    }
}

/// The value at the end of the axis.
fn last(view: &View, row: usize, until: f64) -> f64 {
    let series = view.series_of(row);
    let bins = series.timeline.as_ref().map_or(0, |timeline| {
        figure::whole(((until - timeline.from) / timeline.width).ceil().max(0.0))
    });
    let bin = bins.min(series.cumulative.len()).saturating_sub(1);
    series.cumulative.get(bin).copied().unwrap_or(0.0)
}

fn label(view: &View, row: usize, plot: &Plot) -> Label {
    let this = view.row(row);
    let value = last(view, row, plot.x.1);
    let number = figure::rough(value);
    let name = font::fit_name(&stack::title(this), theme::SMALL, theme::LABEL_ROOM - 90);
    Label {
        y: plot.py(value),
        text: format!("{number} {name}"),
        colour: stack::hue(view, row),
        bold: !this.arm,
    }
}

/// The room that labels need at the right, leader lines included.
pub(crate) fn room(labels: &[Label]) -> i32 {
    let widths = labels
        .iter()
        .map(|label| font::measure(&label.text, theme::SMALL, label.bold));
    widths.max().unwrap_or(0) + 4 * theme::GAP + theme::DOT
}

/// Writes labels beside the ends of their lines, pushed apart where they would overlap.
pub(crate) fn put_labels(picture: &mut Picture, plot: &Plot, mut labels: Vec<Label>) {
    labels.sort_by_key(|label| label.y);
    let mut ys: Vec<i32> = labels.iter().map(|label| label.y).collect();
    for at in 1..ys.len() {
        ys[at] = ys[at].max(ys[at - 1] + PITCH);
    }
    // What was pushed over the lower edge comes back up.
    let mut limit = plot.bottom;
    for y in ys.iter_mut().rev() {
        *y = (*y).min(limit);
        limit = *y - PITCH;
    }
    for (label, y) in labels.iter().zip(ys) {
        let x = plot.right + 3 * theme::GAP;
        if y != label.y {
            let places = vec![(plot.right + 4, label.y), (x - theme::DOT - 4, y)];
            picture.line(places, theme::IDEAL, theme::THIN);
        }
        let dot = Mark::Dot((x, y), theme::DOT.unsigned_abs(), label.colour.into());
        picture.marks.push(dot);
        let ink = if label.bold { theme::INK } else { theme::SOFT };
        let mut look = Type::new(theme::SMALL, ink);
        look.bold = label.bold;
        let place = (x + theme::DOT + theme::GAP, y + theme::SMALL / 3);
        picture.text(place, &label.text, look);
    }
}
