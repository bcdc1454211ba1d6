//! `sweep`: the first column's metric over the swept value, a line per variant with its interval.

use ratelab_stats::Estimate;

use super::axis::Plot;
use super::cumulative::{Label, put_labels, room};
use super::picture::{Anchor, Ink, Mark, Picture, Reading, Type};
use super::{Chart, font, stack, theme};
use crate::View;
use crate::column::Column;
use crate::escape::visible;

/// The chart's entry.
pub const CHART: Chart = Chart {
    name: "sweep",
    title: "Over the swept value",
    applies,
    draw,
};

const HEIGHT: i32 = 560;
/// A sweep from one value to this many times it gets a logarithmic axis.
const WIDE: f64 = 8.0;

/// One variant's line: position and estimate, from left to right.
struct Line<'a> {
    row: usize,
    points: Vec<(f64, &'a Estimate)>,
}

fn applies(view: &View) -> bool {
    let values = view
        .scene
        .sweep
        .as_ref()
        .map_or(0, |(_, values)| values.len());
    values > 1 && !view.summary.columns.is_empty() && lines(view).iter().any(|l| l.points.len() > 1)
}

/// The swept values as written, in order of appearance: they stand beside the scene's numbers.
fn written<'a>(view: &View<'a>) -> Vec<&'a str> {
    let mut texts: Vec<&str> = Vec::new();
    for row in &view.summary.results {
        if let Some((_, value)) = row.point.first()
            && !texts.contains(&value.as_str())
        {
            texts.push(value);
        }
    }
    texts
}

/// The swept values on the axis: as they are, or their logarithms when they span much.
fn positions(view: &View) -> Vec<f64> {
    let values = view
        .scene
        .sweep
        .as_ref()
        .map(|(_, values)| values.clone())
        .unwrap_or_default();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    if values.len() > 2 && least > 0.0 && most / least >= WIDE {
        values.into_iter().map(f64::ln).collect()
    } else {
        values
    }
}

fn lines<'a>(view: &View<'a>) -> Vec<Line<'a>> {
    let Some(metric) = view.summary.columns.first() else {
        return Vec::new();
    };
    let (texts, places) = (written(view), positions(view));
    let mut lines: Vec<Line> = Vec::new();
    for row in 0..view.summary.results.len() {
        let this = view.row(row);
        let text = this.point.first().map(|(_, value)| value.as_str());
        let at = texts.iter().position(|known| Some(*known) == text);
        let place = at.and_then(|at| places.get(at));
        let (Some(&x), Some(estimate)) = (place, this.metrics.get(metric)) else {
            continue;
        };
        let known = lines
            .iter_mut()
            .find(|l| view.row(l.row).variant == this.variant);
        match known {
            Some(line) => line.points.push((x, estimate)),
            None => lines.push(Line {
                row,
                points: vec![(x, estimate)],
            }),
        }
    }
    for line in &mut lines {
        line.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let contenders = lines.iter().filter(|line| !view.row(line.row).arm).count();
    let surplus = contenders.saturating_sub(theme::MOST_ROWS);
    let mut seen = 0;
    lines.retain(|line| {
        seen += usize::from(!view.row(line.row).arm);
        view.row(line.row).arm || surplus == 0 || seen <= theme::MOST_ROWS
    });
    lines
}

fn draw(view: &View) -> Picture {
    let column = Column::of(view.summary.columns.first().map_or("", String::as_str));
    let key = view
        .scene
        .sweep
        .as_ref()
        .map(|(key, _)| visible(key))
        .unwrap_or_default();
    let lines = lines(view);
    let title = format!("{} by {key}", capital(&visible(&column.title())));
    let interval = if view.summary.replications > 1 {
        " · band: 95 % interval"
    } else {
        ""
    };
    let about = format!("One line a variant{}{interval}", stack::origin(view, false));
    let mut picture = Picture::new(&title, &about);
    let plot = plot(view, &lines, &picture);
    plot.draw_y(&mut picture, 5, false);
    draw_points_axis(&mut picture, view, &plot);
    let mut panel = plot.panel("");
    panel.names = written(view).into_iter().map(visible).collect();
    for line in lines.iter().rev() {
        draw_line(&mut picture, view, &plot, line);
    }
    for line in &lines {
        panel.readings.push(Reading {
            name: visible(&view.row(line.row).variant),
            at: line.points.iter().map(|(x, _)| *x).collect(),
            values: line
                .points
                .iter()
                .map(|(_, e)| (e.mean * 1e4).round() / 1e4)
                .collect(),
        });
    }
    let labels = lines.iter().map(|line| label(view, &plot, line)).collect();
    put_labels(&mut picture, &plot, labels);
    picture.panels.push(panel);
    picture.height = plot.bottom + theme::AXIS_FOOT + theme::SMALL + theme::MARGIN;
    picture
}

fn high(estimate: &Estimate) -> f64 {
    estimate
        .ci95_high
        .unwrap_or(estimate.mean)
        .max(estimate.mean)
}

fn plot(view: &View, lines: &[Line], picture: &Picture) -> Plot {
    let all = || lines.iter().flat_map(|line| &line.points);
    let top = all().map(|(_, e)| high(e)).fold(0.0, f64::max);
    let (from, until) = all().fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(from, until), (x, _)| (from.min(*x), until.max(*x)),
    );
    let air = (until - from) * 0.03;
    let mut plot = Plot {
        left: theme::MARGIN + theme::AXIS_ROOM,
        top: picture.height + theme::GAP,
        right: theme::WIDTH - theme::MARGIN,
        bottom: picture.height + theme::GAP + HEIGHT,
        x: (from - air, until + air),
        y: (0.0, top.max(f64::MIN_POSITIVE) * 1.04),
    };
    let labels: Vec<Label> = lines.iter().map(|line| label(view, &plot, line)).collect();
    plot.right -= room(&labels);
    plot
}

fn label(view: &View, plot: &Plot, line: &Line) -> Label {
    let this = view.row(line.row);
    let last = line.points.last().map_or(0.0, |(_, e)| e.mean);
    Label {
        y: plot.py(last),
        text: font::fit_name(&visible(&this.variant), theme::SMALL, theme::LABEL_ROOM),
        colour: stack::hue(view, line.row),
        bold: !this.arm,
    }
}

fn draw_line(picture: &mut Picture, view: &View, plot: &Plot, line: &Line) {
    let colour = stack::hue(view, line.row);
    let arm = view.row(line.row).arm;
    let upper = line
        .points
        .iter()
        .map(|(x, e)| (plot.px(*x), plot.py(high(e))));
    let lower = line.points.iter().rev();
    let lower = lower.map(|(x, e)| (plot.px(*x), plot.py(e.ci95_low.unwrap_or(e.mean))));
    let band: Vec<_> = upper.chain(lower).collect();
    if line.points.iter().any(|(_, e)| e.ci95_low.is_some()) {
        let ink = Ink {
            colour,
            alpha: theme::BAND,
        };
        picture.marks.push(Mark::Area(band, ink));
    }
    let places: Vec<_> = line
        .points
        .iter()
        .map(|(x, e)| (plot.px(*x), plot.py(e.mean)))
        .collect();
    picture.line(
        places.clone(),
        colour,
        if arm { theme::THIN } else { theme::LINE },
    );
    if arm {
        return;
    }
    for ((x, estimate), place) in line.points.iter().zip(places) {
        if let (Some(low), Some(high)) = (estimate.ci95_low, estimate.ci95_high) {
            let bar = vec![(plot.px(*x), plot.py(low)), (plot.px(*x), plot.py(high))];
            picture.line(bar, colour, theme::LINE);
        }
        picture.marks.push(Mark::Dot(place, 7, colour.into()));
    }
}

/// The swept values as written, where there is room, and the key under them.
fn draw_points_axis(picture: &mut Picture, view: &View, plot: &Plot) {
    let look = Type::new(theme::SMALL, theme::SOFT).at(Anchor::Middle);
    let mut free = i32::MIN;
    for (text, x) in written(view).iter().zip(positions(view)) {
        let x = plot.px(x);
        let text = visible(text);
        picture.line(
            vec![(x, plot.bottom), (x, plot.bottom + 8)],
            theme::IDEAL,
            theme::THIN,
        );
        let half = look.measure(&text) / 2;
        if x - half > free {
            picture.text((x, plot.bottom + theme::SMALL + 16), &text, look);
            free = x + half + theme::GAP;
        }
    }
    let key = view
        .scene
        .sweep
        .as_ref()
        .map(|(key, _)| visible(key))
        .unwrap_or_default();
    let middle = plot.left.midpoint(plot.right);
    let place = (middle, plot.bottom + 2 * theme::SMALL + 28);
    let key = font::fit(&key, theme::SMALL, false, plot.right - plot.left);
    picture.text(place, &key, look);
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars
        .next()
        .map(|c| c.to_uppercase().to_string())
        .unwrap_or_default();
    first + chars.as_str()
}
