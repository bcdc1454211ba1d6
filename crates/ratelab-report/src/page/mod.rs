//! The report of an experiment: a folder that opens from a memory stick.
//!
//! Everything is rendered in memory before the first byte is written; see [`store`] for how it gets
//! onto the disk.

mod html;
mod readme;
pub mod store;

use std::io;
use std::path::{Path, PathBuf};

use ratelab_stats::{Scene, Series, Summary};

use crate::View;
use crate::chart::{self, png, svg};
use crate::table::{Style, csv, json};

pub use store::write_whole;

/// Names at the top of a report's folder; what else lies there is kept.
const PARTS: [&str; 6] = [
    "README.md",
    "index.html",
    "summary.json",
    "summary.csv",
    "timeline.csv",
    "charts",
];

/// Every file of a report, with its path inside the folder.
pub fn render(view: &View, source_toml: &str) -> Vec<store::File> {
    let pictures: Vec<_> = chart::charts(view)
        .into_iter()
        .map(|chart| (chart.name, (chart.draw)(view)))
        .collect();
    let style = Style::default();
    let texts = [
        ("README.md", readme::readme(view, &pictures)),
        ("index.html", html::page(view, &pictures, source_toml)),
        ("summary.json", json::render(view, &style)),
        ("summary.csv", csv::render(view, &style)),
        ("timeline.csv", csv::timelines(view)),
    ];
    let mut files: Vec<store::File> = texts
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text.into_bytes()))
        .collect();
    for (name, picture) in &pictures {
        files.push((format!("charts/{name}.svg"), svg::svg(picture).into_bytes()));
        files.push((format!("charts/{name}.png"), png::png(picture)));
    }
    files
}

/// Writes the report of a run into a folder; returns the paths of its files.
///
/// # Errors
///
/// When the folder is a file, holds something that is no report, or cannot be written. An older
/// report is then untouched.
pub fn write_report(
    dir: &Path,
    summary: &Summary,
    series: &[Series],
    scene: &Scene,
    source_toml: &str,
) -> io::Result<Vec<PathBuf>> {
    let files = render(&View::new(summary, series, scene), source_toml);
    store::write_folder(dir, &files, &|name| PARTS.contains(&name), &store::to_disk)
}

/// The command that makes the same numbers again.
fn reproduce(summary: &Summary) -> String {
    let named = summary.expectations.first().map(|check| check.file.clone());
    let file = named.unwrap_or_else(|| format!("experiments/{}.toml", summary.experiment));
    format!(
        "ratelab run {} --seed {} --replications {}",
        crate::escape::shell(&file),
        summary.seed,
        summary.replications
    )
}
