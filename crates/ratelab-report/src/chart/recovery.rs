//! `recovery`: the close-up after the outage in bins of 100 ms, one panel a row, with its label.

use super::picture::Picture;
use super::{Chart, requests, stack, timeline};
use crate::View;
use crate::figure;

/// The chart's entry.
pub const CHART: Chart = Chart {
    name: "recovery",
    title: "The recovery, close up",
    applies,
    draw,
};

fn applies(view: &View) -> bool {
    view.contenders()
        .any(|row| view.series_of(row).close_up.is_some())
}

fn draw(view: &View) -> Picture {
    let (rows, remark) = stack::rows(view, |row| view.series_of(row).close_up.is_some());
    let lines = || {
        rows.iter()
            .filter_map(|&row| view.series_of(row).close_up.as_ref())
    };
    let width = lines().next().map_or(0.1, |timeline| timeline.width);
    let start = lines()
        .next()
        .map_or(0.0, |timeline| timeline.from + timeline.width);
    let end = view
        .scene
        .outages
        .first()
        .map_or(start, |outage| outage.until);
    let most = lines().map(timeline::top).fold(0.0, f64::max);
    let about = format!(
        "Requests in each {} after the end of the outage{}{remark}{}",
        figure::seconds(width),
        stack::origin(view, lines().any(timeline::is_banded)),
        requests::ideal_remark(view, &rows),
    );
    let mut picture = Picture::new(CHART.title, &about);
    let scales = stack::Scales {
        x: (-width, last(view, end)),
        top: most.max(f64::MIN_POSITIVE) * 1.06,
        height: if rows.len() > 4 { 110 } else { 140 },
        right: 0,
        dotted: true,
    };
    let outage = [ratelab_stats::Window {
        from: -width,
        until: 0.0,
    }];
    for (at, &row) in rows.iter().enumerate() {
        let Some(line) = view.series_of(row).close_up.as_ref() else {
            continue;
        };
        let plot = stack::panel(&mut picture, view, row, &label(view, row), &scales);
        stack::shade(&mut picture, &plot, &outage);
        plot.draw_y(&mut picture, 3, true);
        let mut panel = plot.panel(" s");
        let ideal = view
            .ideal_of(row)
            .and_then(|ideal| view.series_of(ideal).close_up.as_ref());
        if let Some(ideal) = ideal {
            timeline::ideal(&mut picture, &plot, (ideal, end));
        }
        timeline::draw(&mut picture, &plot, (line, end), stack::hue(view, row));
        panel
            .readings
            .push(timeline::reading(&stack::title(view.row(row)), (line, end)));
        if let Some(ideal) = ideal {
            panel
                .readings
                .push(timeline::reading("ideal", (ideal, end)));
        }
        plot.draw_time(&mut picture, at + 1 == rows.len());
        picture.panels.push(panel);
    }
    stack::close(&mut picture);
    picture
}

/// The recovery's label; all labels with their shares when the replications do not agree.
fn label(view: &View, row: usize) -> String {
    let Some(recovery) = view.row(row).recovery.first() else {
        return String::new();
    };
    if recovery.labels.len() > 1 {
        crate::grid::shares(recovery)
    } else {
        recovery.label.clone()
    }
}

/// The end of the axis: a little after the last request of a contender, somewhat later for arms.
fn last(view: &View, end: f64) -> f64 {
    let last = |arm: bool| {
        let rows = 0..view.summary.results.len();
        rows.filter(move |&row| view.row(row).arm == arm)
            .filter_map(|row| view.series_of(row).close_up.as_ref())
            .filter_map(move |timeline| {
                let bin = timeline.mean.iter().rposition(|&mean| mean > 0.0)?;
                Some(stack::edge(timeline, bin + 1) - end)
            })
    };
    let contenders = last(false).fold(1.0, f64::max);
    let arms = last(true).fold(contenders, f64::max);
    (arms.min(contenders * 1.4) * 1.05).min(15.0)
}
