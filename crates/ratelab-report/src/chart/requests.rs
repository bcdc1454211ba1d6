//! `requests`: requests over time, one panel a row, the outage shaded, the budget as a dashed line.

use super::picture::{Picture, Type};
use super::{Chart, stack, theme, timeline};
use crate::View;
use crate::figure;

/// The chart's entry.
pub const CHART: Chart = Chart {
    name: "requests",
    title: "Requests over time",
    applies,
    draw,
};

fn applies(view: &View) -> bool {
    view.contenders()
        .any(|row| view.series_of(row).timeline.is_some())
}

fn draw(view: &View) -> Picture {
    let (rows, remark) = stack::rows(view, |row| view.series_of(row).timeline.is_some());
    let lines = || {
        rows.iter()
            .filter_map(|&row| view.series_of(row).timeline.as_ref())
    };
    let width = lines().next().map_or(1.0, |timeline| timeline.width);
    let most = lines().map(timeline::top).fold(0.0, f64::max);
    let budget = view.scene.budget.map(|rate| rate * width);
    let shown = budget.filter(|line| *line <= most * 3.0);
    let banded = lines().any(timeline::is_banded);
    let about = format!(
        "Requests in each {}{}{remark}{}",
        figure::seconds(width),
        stack::origin(view, banded),
        ideal_remark(view, &rows),
    );
    let mut picture = Picture::new(CHART.title, &about);
    let budget_text = view.scene.budget.map(budget_label).unwrap_or_default();
    let look = Type::new(theme::SMALL, theme::SOFT);
    let scales = stack::Scales {
        x: (0.0, stack::busy_until(view)),
        top: shown.unwrap_or(0.0).max(most).max(f64::MIN_POSITIVE) * 1.06,
        height: if rows.len() > 4 { 120 } else { 160 },
        right: shown.map_or(0, |_| look.measure(&budget_text) + theme::GAP),
        dotted: true,
    };
    stack::head(&mut picture, &scales, &view.scene.outages);
    for (at, &row) in rows.iter().enumerate() {
        let Some(line) = view.series_of(row).timeline.as_ref() else {
            continue;
        };
        let plot = stack::panel(&mut picture, view, row, &view.row(row).about, &scales);
        stack::shade(&mut picture, &plot, &view.scene.outages);
        plot.draw_y(&mut picture, 3, true);
        let mut panel = plot.panel(" s");
        let ideal = view
            .ideal_of(row)
            .and_then(|ideal| view.series_of(ideal).timeline.as_ref());
        if let Some(ideal) = ideal {
            timeline::ideal(&mut picture, &plot, (ideal, 0.0));
        }
        timeline::draw(&mut picture, &plot, (line, 0.0), stack::hue(view, row));
        panel
            .readings
            .push(timeline::reading(&stack::title(view.row(row)), (line, 0.0)));
        if let Some(ideal) = ideal {
            panel
                .readings
                .push(timeline::reading("ideal", (ideal, 0.0)));
        }
        if let Some(value) = shown {
            let y = plot.py(value);
            picture.dashes((plot.left, plot.right), y, theme::SOFT);
            if at == 0 {
                let place = (plot.right + theme::GAP, y + theme::SMALL / 3);
                picture.text(place, &budget_text, look);
            }
        }
        plot.draw_time(&mut picture, at + 1 == rows.len());
        picture.panels.push(panel);
    }
    stack::close(&mut picture);
    picture
}

fn budget_label(rate: f64) -> String {
    format!("budget {}/s", figure::short(rate))
}

/// Says what the grey line is, when there is one.
pub(crate) fn ideal_remark(view: &View, rows: &[usize]) -> &'static str {
    if rows.iter().any(|&row| view.ideal_of(row).is_some()) {
        " · grey: an ideal fleet"
    } else {
        ""
    }
}
