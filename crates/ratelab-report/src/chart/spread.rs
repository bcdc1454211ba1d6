//! `spread`: how the first column's metric spreads over the replications, one panel a row.

use super::picture::{Anchor, Picture, Reading, Type};
use super::{Chart, axis, stack, theme};
use crate::View;
use crate::column::Column;
use crate::escape::visible;
use crate::figure;

/// The chart's entry.
pub const CHART: Chart = Chart {
    name: "spread",
    title: "Spread over the replications",
    applies,
    draw,
};

fn applies(view: &View) -> bool {
    let differs = |row: usize| view.series_of(row).spread.len() > 1;
    view.contenders().any(differs) && !view.summary.columns.is_empty()
}

fn draw(view: &View) -> Picture {
    let (rows, remark) = stack::rows(view, |row| !view.series_of(row).spread.is_empty());
    let column = Column::of(view.summary.columns.first().map_or("", String::as_str));
    let about = format!(
        "How many of {} replications have which value of: {}{remark}",
        figure::count(view.summary.replications),
        visible(&column.title()),
    );
    let mut picture = Picture::new(CHART.title, &about);
    let all = || rows.iter().flat_map(|&row| &view.series_of(row).spread);
    let (least, most) = all().fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), (x, _)| (least.min(*x), most.max(*x)),
    );
    let air = ((most - least) * 0.04).max(0.5);
    let scales = stack::Scales {
        x: ((least - air).min(0.0), most + air),
        top: all().map(|(_, n)| *n as f64).fold(0.0, f64::max).max(1.0) * 1.04,
        height: 100,
        right: 0,
        dotted: true,
    };
    for (at, &row) in rows.iter().enumerate() {
        let plot = stack::panel(&mut picture, view, row, &view.row(row).about, &scales);
        plot.draw_y(&mut picture, 2, true);
        let spread = &view.series_of(row).spread;
        let half = half_width(spread, &plot);
        for (value, n) in spread {
            let x = plot.px(*value);
            let corner = (x - half, plot.py(*n as f64));
            picture.rect(corner, (x + half, plot.bottom), stack::hue(view, row));
        }
        let look = Type::new(theme::SMALL, theme::SOFT).at(Anchor::Middle);
        let lowest = at + 1 == rows.len();
        for tick in axis::ticks(plot.x, 8, true) {
            let x = plot.px(tick);
            picture.line(
                vec![(x, plot.bottom), (x, plot.bottom + 8)],
                theme::IDEAL,
                theme::THIN,
            );
            if lowest {
                let place = (x, plot.bottom + theme::SMALL + 16);
                picture.text(place, &figure::short(tick), look);
            }
        }
        let mut panel = plot.panel("");
        panel.readings.push(Reading {
            name: stack::title(view.row(row)),
            at: spread.iter().map(|(value, _)| *value).collect(),
            values: spread.iter().map(|(_, n)| *n as f64).collect(),
        });
        picture.panels.push(panel);
    }
    stack::close(&mut picture);
    picture
}

/// Half the width of a bar: nearly touching its nearest neighbour.
fn half_width(spread: &[(f64, u64)], plot: &axis::Plot) -> i32 {
    let gaps = spread
        .windows(2)
        .map(|pair| plot.px(pair[1].0) - plot.px(pair[0].0));
    (gaps.min().unwrap_or(24) * 2 / 5).clamp(2, 14)
}
