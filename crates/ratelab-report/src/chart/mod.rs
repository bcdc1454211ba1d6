//! Charts: pictures of a run, one file and one line per chart.
//!
//! Counts start at zero, axes are shared, the outage is shaded and named, lines are named where
//! they end, and the ideal arm is a thin grey line.

pub mod attempts;
mod axis;
pub mod cumulative;
mod font;
mod paint;
pub mod picture;
pub mod png;
pub mod recovery;
pub mod requests;
pub mod spread;
mod stack;
pub mod svg;
pub mod sweep;
pub mod theme;
mod timeline;

use crate::View;
use picture::Picture;

/// One chart.
#[derive(Clone, Copy)]
pub struct Chart {
    /// Its name, and the stem of its files.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Whether a run has anything for it to show.
    pub applies: fn(&View) -> bool,
    /// Draws it; call it only when it applies.
    pub draw: fn(&View) -> Picture,
}

/// Every chart, in the order in which a page shows them.
pub const CHARTS: &[Chart] = &[
    sweep::CHART,
    cumulative::CHART,
    requests::CHART,
    recovery::CHART,
    attempts::CHART,
    spread::CHART,
];

/// The charts that have something to show.
pub fn charts(view: &View) -> Vec<&'static Chart> {
    CHARTS
        .iter()
        .filter(|chart| (chart.applies)(view))
        .collect()
}
