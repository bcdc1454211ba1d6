//! The frame that small multiples share: one panel a row, one horizontal axis, one vertical scale.

use ratelab_stats::{Row, Timeline, Window};

use super::axis::Plot;
use super::font;
use super::picture::{Anchor, Mark, Picture, Type};
use super::theme::{self, Colour};
use crate::View;
use crate::escape::visible;

/// The rows a picture of panels shows, and a remark when it does not show all of them.
pub(crate) fn rows(view: &View, has: impl Fn(usize) -> bool) -> (Vec<usize>, String) {
    let all: Vec<usize> = view.contenders().filter(|&row| has(row)).collect();
    let shown: Vec<usize> = all.iter().copied().take(theme::MOST_ROWS).collect();
    let remark = if shown.len() < all.len() {
        format!(" · the first {} of {} rows", shown.len(), all.len())
    } else {
        String::new()
    };
    (shown, remark)
}

/// The hue of a row: one per variant, or one per row when all rows are one variant.
pub(crate) fn hue(view: &View, row: usize) -> Colour {
    let mut variants: Vec<&str> = Vec::new();
    for other in view.contenders() {
        let variant = view.row(other).variant.as_str();
        if !variants.contains(&variant) {
            variants.push(variant);
        }
    }
    if view.row(row).arm {
        return theme::IDEAL;
    }
    let place = if variants.len() == 1 {
        view.contenders().position(|other| other == row)
    } else {
        variants
            .iter()
            .position(|variant| *variant == view.row(row).variant)
    };
    place.map_or(theme::IDEAL, theme::hue)
}

/// A row's name for a picture.
pub(crate) fn title(row: &Row) -> String {
    visible(&crate::grid::short_title(row))
}

/// The scales of a stack.
pub(crate) struct Scales {
    /// The ends of the shared horizontal axis.
    pub(crate) x: (f64, f64),
    /// The top of the shared vertical axis; it starts at zero.
    pub(crate) top: f64,
    /// Height of a panel's plot.
    pub(crate) height: i32,
    /// Room at the right of the plots.
    pub(crate) right: i32,
    /// Whether a dot in the row's hue stands before its name.
    pub(crate) dotted: bool,
}

/// Makes room for a panel: its name with its hue, a note beside it, and a plot under it.
pub(crate) fn panel(
    picture: &mut Picture,
    view: &View,
    row: usize,
    note: &str,
    scales: &Scales,
) -> Plot {
    let this = view.row(row);
    let left = theme::MARGIN + theme::AXIS_ROOM;
    let right = theme::WIDTH - theme::MARGIN - scales.right;
    let baseline = picture.height + theme::NAME;
    let look = Type::new(theme::NAME, theme::INK).bold();
    let mut x = left;
    if scales.dotted {
        // Names are ink: light hues are good for areas and bad for letters.
        let place = (x + theme::DOT, baseline - theme::NAME / 3);
        let ink = hue(view, row).into();
        picture
            .marks
            .push(Mark::Dot(place, theme::DOT.unsigned_abs(), ink));
        x += 2 * theme::DOT + theme::GAP;
    }
    let name = font::fit_name(&title(this), theme::NAME, (right - left) * 3 / 5);
    picture.text((x, baseline), &name, look);
    x += look.measure(&name) + theme::GAP;
    let note = font::fit(&visible(note), theme::SMALL, false, right - x);
    picture.text((x, baseline), &note, Type::new(theme::SMALL, theme::SOFT));
    let top = picture.height + theme::PANEL_HEAD;
    let bottom = top + scales.height;
    picture.height = bottom + theme::PANEL_GAP;
    Plot {
        left,
        top,
        right,
        bottom,
        x: scales.x,
        y: (0.0, scales.top),
    }
}

/// Makes room for the outages' names above the first panel and writes them there.
pub(crate) fn head(picture: &mut Picture, scales: &Scales, outages: &[Window]) {
    if outages.is_empty() {
        return;
    }
    let bottom = picture.height + theme::TAB;
    let plot = Plot {
        left: theme::MARGIN + theme::AXIS_ROOM,
        top: bottom,
        right: theme::WIDTH - theme::MARGIN - scales.right,
        bottom,
        x: scales.x,
        y: (0.0, 1.0),
    };
    tabs(picture, &plot, outages, bottom);
    picture.height = bottom;
}

/// Ends the picture under the last panel's axis.
pub(crate) fn close(picture: &mut Picture) {
    picture.height += theme::AXIS_FOOT - theme::PANEL_GAP + theme::MARGIN;
}

/// Shades the outages of a plot.
pub(crate) fn shade(picture: &mut Picture, plot: &Plot, outages: &[Window]) {
    for (from, until) in shades(plot, outages) {
        picture.rect((from, plot.top), (until, plot.bottom), theme::SHADE);
    }
}

/// Names the outages in a tab above the first plot of a picture; `bottom` is the tab's lower edge.
pub(crate) fn tabs(picture: &mut Picture, plot: &Plot, outages: &[Window], bottom: i32) {
    let mut free = 0;
    for (from, until) in shades(plot, outages) {
        picture.rect((from, bottom - theme::TAB), (until, bottom), theme::SHADE);
        let look = Type::new(theme::SMALL, theme::SOFT).at(Anchor::Middle);
        let middle = from.midpoint(until);
        let fits = |word: &&str| {
            let half = look.measure(word) / 2 + theme::GAP;
            middle - half >= from.max(free) && middle + half <= until
        };
        if let Some(word) = ["server down", "down"].into_iter().find(|word| fits(word)) {
            picture.text((middle, bottom - 9), word, look);
            free = until;
        }
    }
}

fn shades(plot: &Plot, outages: &[Window]) -> Vec<(i32, i32)> {
    let ends = outages
        .iter()
        .map(|outage| (plot.px(outage.from), plot.px(outage.until)));
    ends.filter(|(from, until)| until > from).collect()
}

/// The end of what happens: where the last request of a contender and the last outage end, with
/// some air and a little more for arms; the end of the run when that is not much later.
pub(crate) fn busy_until(view: &View) -> f64 {
    let duration = view.scene.duration;
    let last = |arm: bool| {
        let rows = 0..view.summary.results.len();
        rows.filter(move |&row| view.row(row).arm == arm)
            .filter_map(|row| view.series_of(row).timeline.as_ref())
            .filter_map(|timeline| {
                let bin = timeline.mean.iter().rposition(|&mean| mean > 0.0)?;
                Some(edge(timeline, bin + 1))
            })
    };
    let outages = view.scene.outages.iter().map(|outage| outage.until);
    let end = last(false).chain(outages).fold(0.0, f64::max);
    let arms = last(true).fold(end, f64::max);
    let end = arms.min(end * 1.4).max(end) * 1.08;
    if end > 0.75 * duration || end <= 0.0 {
        duration
    } else {
        end
    }
}

/// The start of a bin.
pub(crate) fn edge(timeline: &Timeline, bin: usize) -> f64 {
    timeline.from + timeline.width * bin as f64
}

/// How the numbers of a picture came about.
pub(crate) fn origin(view: &View, banded: bool) -> String {
    let n = view.summary.replications;
    if n < 2 {
        return String::new();
    }
    let band = if banded {
        ", band from the smallest to the largest"
    } else {
        ""
    };
    format!(" · mean of {} replications{band}", crate::figure::count(n))
}
