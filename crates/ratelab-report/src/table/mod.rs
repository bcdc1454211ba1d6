//! Formats: a run as text, one file and one line per format.

pub mod changes;
pub mod csv;
pub mod github;
pub mod json;
pub mod junit;
pub mod layout;
pub mod md;
pub mod plot;
pub mod terminal;

use ratelab_stats::{Scene, Series, Summary};

use crate::View;

/// How text for people looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether escape sequences for bold and colour are welcome.
    pub colour: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            colour: false,
            width: 80,
        }
    }
}

/// One format.
#[derive(Clone, Copy)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Makes the text, line break at the end included.
    pub render: fn(&View, &Style) -> String,
}

/// Every format, in the order in which lists show them.
pub const FORMATS: &[Format] = &[
    terminal::FORMAT,
    md::FORMAT,
    csv::FORMAT,
    json::FORMAT,
    junit::FORMAT,
    github::FORMAT,
];

/// Looks a format up by its name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// A run as text for a terminal.
pub fn render(summary: &Summary, series: &[Series], scene: &Scene, style: &Style) -> String {
    terminal::render(&View::new(summary, series, scene), style)
}

/// How many expectations hold: `3 of 3 expectations hold`; `None` without any.
pub(crate) fn tally(summary: &Summary) -> Option<String> {
    let all = summary.expectations.len();
    let held = summary.expectations.iter().filter(|c| c.pass).count();
    let verb = if held == 1 && all == 1 {
        "holds"
    } else {
        "hold"
    };
    let noun = if all == 1 {
        "expectation"
    } else {
        "expectations"
    };
    (all > 0).then(|| format!("{held} of {all} {noun} {verb}"))
}
