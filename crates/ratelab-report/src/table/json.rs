//! `json`: the summary document itself, `ratelab.summary/1`.

use super::{Format, Style};
use crate::View;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "json",
    about: "the whole summary as one document, ratelab.summary/1",
    render,
};

/// The summary, indented, with a line break at its end. Numbers that are not finite become `null`.
///
/// # Panics
///
/// Never: a summary has nothing but text, numbers and lists.
pub fn render(view: &View, _style: &Style) -> String {
    let mut text = serde_json::to_string_pretty(view.summary)
        .expect("a summary has only text keys, so it always serialises");
    text.push('\n');
    text
}
