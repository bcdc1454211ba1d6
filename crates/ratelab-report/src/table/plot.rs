//! The plot under the table: requests per second around the outages, one line per contender.
//!
//! All lines share one scale; its peak stands at their left. Bins of the timeline are joined to
//! cells of about a second, so that a fleet in step does not read as a rate it never has.

use ratelab_stats::Timeline;
use unicode_width::UnicodeWidthStr;

use super::layout::{pad, shorten};
use crate::View;
use crate::escape::visible;
use crate::figure::{self, whole};
use crate::grid;
use crate::spark::block;

/// Lines of the plot at most.
const MOST_LINES: usize = 12;
const MOST_NAME: usize = 24;
const HEAD: &str = "requests per second";

/// The cells of the plot.
struct Cells {
    from: f64,
    width: f64,
    count: usize,
    /// Columns a cell takes.
    wide: usize,
}

impl Cells {
    fn of(view: &View, room: usize) -> Option<Self> {
        let outages = &view.scene.outages;
        let (first, last) = (outages.first()?, outages.last()?);
        let timeline = view
            .contenders()
            .find_map(|row| view.series_of(row).timeline.as_ref())?;
        let bin = timeline.width;
        if bin.is_nan() || bin <= 0.0 || last.until <= first.from {
            return None;
        }
        let long = last.until - first.from;
        let end = view.scene.duration.min(last.until + long.max(5.0 * bin));
        let start = (first.from - 0.2 * long).max(0.0);
        let bins = ((end - start) / bin).ceil();
        let room = room as f64;
        let per_cell = (1.0 / bin).round().max((bins / room).ceil()).max(1.0);
        let width = bin * per_cell;
        let from = (start / width).floor() * width;
        let count = whole(((end - from) / width).ceil()).clamp(1, whole(room).max(1));
        let wide = (whole(room) / count).clamp(1, 3);
        Some(Self {
            from,
            width,
            count,
            wide,
        })
    }

    /// Requests per second in a cell.
    fn rate(&self, timeline: &Timeline, cell: usize) -> f64 {
        let start = self.from + self.width * cell as f64;
        let first = whole(((start - timeline.from) / timeline.width).round().max(0.0));
        let bins = whole((self.width / timeline.width).round());
        let end = first.saturating_add(bins).min(timeline.mean.len());
        let sum: f64 = timeline
            .mean
            .get(first..end)
            .unwrap_or_default()
            .iter()
            .sum();
        sum / self.width
    }

    /// The column of a time.
    fn column(&self, at: f64) -> usize {
        let cell = ((at - self.from) / self.width).round();
        whole(cell.clamp(0.0, self.count as f64)) * self.wide
    }

    fn columns(&self) -> usize {
        self.count * self.wide
    }
}

/// The plot's lines; none without an outage.
pub(crate) fn lines(view: &View, width: usize) -> Vec<String> {
    let rows: Vec<usize> = view
        .contenders()
        .filter(|&row| view.series_of(row).timeline.is_some())
        .collect();
    let shown = &rows[..rows.len().min(MOST_LINES)];
    let name = |row: usize| shorten(&visible(&grid::short_title(view.row(row))), MOST_NAME);
    let names = shown
        .iter()
        .map(|&row| name(row).width())
        .max()
        .unwrap_or(0);
    // Room for the peak and a space is part of the margin.
    let margin = (names + 8).max(HEAD.width() + 2);
    let Some(cells) = Cells::of(view, width.saturating_sub(margin + 2).max(8)) else {
        return Vec::new();
    };
    let rates: Vec<Vec<f64>> = shown
        .iter()
        .filter_map(|&row| view.series_of(row).timeline.as_ref())
        .map(|timeline| {
            (0..cells.count)
                .map(|cell| cells.rate(timeline, cell))
                .collect()
        })
        .collect();
    let peak = rates.iter().flatten().copied().fold(0.0, f64::max);
    let mut lines = vec![format!("  {}{}", pad(HEAD, margin, false), axis(&cells))];
    for (&row, rates) in shown.iter().zip(&rates) {
        let peak_text = figure::number((peak * 10.0).round() / 10.0);
        let left = margin - peak_text.width();
        let bars: String = rates
            .iter()
            .flat_map(|&rate| std::iter::repeat_n(block(rate, peak), cells.wide))
            .collect();
        lines.push(format!(
            "  {}{peak_text}{bars}",
            pad(&name(row), left, false)
        ));
    }
    lines.push(format!("  {}{}", " ".repeat(margin), shade(view, &cells)));
    if rows.len() > shown.len() {
        lines.push(format!("  and {} rows more", rows.len() - shown.len()));
    }
    lines
}

/// The time axis: a label wherever there is room for one.
fn axis(cells: &Cells) -> String {
    const STEPS: [f64; 14] = [
        0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0,
    ];
    let enough = |step: &f64| step / cells.width * cells.wide as f64 >= 8.0;
    let step = STEPS.into_iter().find(enough).unwrap_or(3600.0);
    let mut text = String::new();
    let first = (cells.from / step).ceil();
    for number in 0..cells.columns() {
        let tick = (first + number as f64) * step;
        let at = cells.column(tick);
        if at >= cells.columns() {
            break;
        }
        let label = format!("{} s", figure::number(tick));
        if at >= text.width() && at + label.width() <= cells.columns() + 4 {
            text.push_str(&" ".repeat(at - text.width()));
            text.push_str(&label);
        }
    }
    text
}

/// The outages, shaded and named.
fn shade(view: &View, cells: &Cells) -> String {
    let mut text = vec![' '; cells.columns()];
    for outage in &view.scene.outages {
        let (from, until) = (cells.column(outage.from), cells.column(outage.until));
        let until = until.max(from + 1).min(text.len());
        if from >= until {
            continue;
        }
        text[from..until].fill('░');
        let word = " down ";
        if until - from >= word.len() {
            let start = from + (until - from - word.len()) / 2;
            for (at, c) in word.chars().enumerate() {
                text[start + at] = c;
            }
        }
    }
    text.into_iter().collect()
}
