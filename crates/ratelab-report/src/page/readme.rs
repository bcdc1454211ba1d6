//! `README.md` of a report: what a repository's page shows when somebody opens the folder.

use std::fmt::Write;

use crate::View;
use crate::chart::picture::Picture;
use crate::column;
use crate::escape::{markdown, markdown_block};
use crate::grid::grid;
use crate::table::md;
use crate::verdict::verdict;

/// The text.
pub(super) fn readme(view: &View, pictures: &[(&str, Picture)]) -> String {
    let summary = view.summary;
    let mut out = format!(
        "# {}\n\n{}\n\n",
        markdown(&summary.question),
        markdown(&summary.setting)
    );
    if let Some(verdict) = verdict(view) {
        let _ = writeln!(out, "**{}**\n", markdown(&verdict));
    }
    out.push_str(&md::table(&grid(view)));
    out.push_str(&md::expectations(view));
    for (name, picture) in pictures {
        let title = markdown(&picture.title);
        let _ = writeln!(out, "![{title}](charts/{name}.svg)\n");
    }
    if !summary.notices.is_empty() {
        out.push_str("## Notices\n\n");
        for notice in &summary.notices {
            let (text, hint) = (markdown(&notice.text), markdown(&notice.hint));
            let _ = writeln!(out, "- {}: {text}; {hint}", markdown(&notice.code));
        }
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "## Reproduce\n\n{}",
        markdown_block("sh", &super::reproduce(summary))
    );
    let _ = writeln!(
        out,
        "ratelab {} · configuration {} · fingerprint {}\n",
        markdown(&summary.version),
        markdown(&summary.config_hash),
        markdown(&summary.fingerprint)
    );
    out.push_str("## What the columns mean\n\n");
    for column in column::columns(view) {
        let (title, name) = (markdown(&column.title()), markdown(&column.name));
        let _ = writeln!(out, "- **{title}** ({name}): {}", markdown(column.about));
    }
    out.push_str(
        "\nA figure with ± is a mean over the replications and half of its 95 % interval; a figure \
         without has the same value in all of them. – is not zero: there is no number.\n",
    );
    out
}
