//! `ratelab compare`, and the baseline of `ratelab run`.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use ratelab::report::table::{Style, changes};
use ratelab::stats::Summary;
use ratelab::stats::compare::{Turn, compare};
use ratelab::stats::summary::SCHEMA;

use crate::{Failure, print};

/// Reads a summary, from its file or from the folder of its report.
pub(crate) fn read(path: &Path) -> Result<Summary, Failure> {
    let file = if path.is_dir() {
        path.join("summary.json")
    } else {
        path.to_owned()
    };
    let shown = file.display();
    let text = std::fs::read_to_string(&file)
        .map_err(|error| format!("error: cannot read {shown}: {error}"))?;
    let help = "help: make one with `ratelab run FILE --format json`";
    let summary: Summary = serde_json::from_str(&text)
        .map_err(|error| format!("error: {shown} is not a summary: {error}\n{help}"))?;
    if summary.schema == SCHEMA {
        Ok(summary)
    } else {
        Err(format!(
            "error: {shown} is not of the schema {SCHEMA}\n{help}"
        ))
    }
}

/// Prints what changed; says whether anything is worse.
pub(crate) fn against(before: &Summary, after: &Summary) -> (String, bool) {
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let list = compare(before, after);
    let worse = list.iter().any(|change| change.turn == Turn::Worse);
    (
        changes::render(
            &list,
            &Style {
                colour,
                ..Style::default()
            },
        ),
        worse,
    )
}

/// Compares two summaries.
pub(crate) fn files(before: &Path, after: &Path) -> Result<ExitCode, Failure> {
    let (before, after) = (read(before)?, read(after)?);
    print(&against(&before, &after).0);
    Ok(ExitCode::SUCCESS)
}
