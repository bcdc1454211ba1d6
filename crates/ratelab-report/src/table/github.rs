//! `github`: workflow commands that annotate the lines of broken expectations, and a step summary.
//!
//! GitHub shows ten annotations of a step and drops the rest without a word, so the tenth says how
//! many there are. A step summary above 1 MiB is refused as a whole, so it is cut at a line.

use std::fmt::Write;

use ratelab_stats::Check;

use super::{Format, Style, md, tally};
use crate::View;
use crate::escape::{github_message, github_property, visible};

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "github",
    about: "annotations on the lines of broken expectations, for GitHub Actions",
    render,
};

/// Annotations of one step that GitHub shows.
const MOST: usize = 10;
/// Bytes of a step summary, some way under the limit of 1 MiB.
const SUMMARY_BYTES: usize = 1_000_000;

/// One annotation per broken expectation, at most ten, then one plain line.
pub fn render(view: &View, _style: &Style) -> String {
    let mut out = String::new();
    let failed: Vec<&Check> = view
        .summary
        .expectations
        .iter()
        .filter(|c| !c.pass)
        .collect();
    let shown = if failed.len() > MOST {
        MOST - 1
    } else {
        failed.len()
    };
    for check in &failed[..shown] {
        out.push_str(&annotation(check));
    }
    if let Some(rest) = failed.get(shown..).filter(|rest| !rest.is_empty()) {
        let parts: Vec<String> = rest.iter().map(|check| sentence(check)).collect();
        let title = format!("{} more expectations do not hold", rest.len());
        let _ = writeln!(
            out,
            "::error title={}::{}",
            github_property(&title),
            github_message(&parts.join("\n"))
        );
    }
    let room = MOST - failed.len().min(MOST);
    for notice in view.summary.notices.iter().take(room) {
        let text = format!("{}; {}", visible(&notice.text), visible(&notice.hint));
        let _ = writeln!(
            out,
            "::notice title={}::{}",
            github_property(&notice.code),
            github_message(&text)
        );
    }
    let tally = tally(view.summary).unwrap_or_else(|| "no expectations".to_owned());
    let _ = writeln!(
        out,
        "ratelab {}: {tally}",
        visible(&view.summary.experiment)
    );
    out
}

fn annotation(check: &Check) -> String {
    let title = format!("{}: {}", visible(&check.variant), visible(&check.metric));
    format!(
        "::error file={},line={},title={}::{}\n",
        github_property(&check.file),
        check.line,
        github_property(&title),
        github_message(&sentence(check))
    )
}

fn sentence(check: &Check) -> String {
    visible(&format!(
        "{} of {}: wanted {}, got {}",
        check.metric, check.variant, check.wanted, check.got
    ))
}

/// The run as Markdown for `GITHUB_STEP_SUMMARY`, always under 1 MiB.
pub fn step_summary(view: &View) -> String {
    let mut text = md::render(view, &Style::default());
    if text.len() > SUMMARY_BYTES {
        let mut end = SUMMARY_BYTES;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let line = text[..end].rfind('\n').map_or(0, |at| at + 1);
        text.truncate(line);
        text.push_str("\nThe rest does not fit into a step summary of 1 MiB.\n");
    }
    text
}
