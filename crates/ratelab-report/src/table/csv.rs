//! `csv`: long format, one line per row and metric; and the timelines, one line per bin.
//!
//! Numbers are written in full, as JSON does. Text that a spreadsheet would run as a formula gets a
//! leading apostrophe.

use ::csv::Writer;

use super::{Format, Style};
use crate::{View, escape};

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "csv",
    about: "long format: one line per row and metric",
    render,
};

/// One line per row and metric: variant, arm, the swept keys, metric, estimate, unit.
pub fn render(view: &View, _style: &Style) -> String {
    let keys = keys(view);
    let mut head = vec!["variant".to_owned(), "arm".to_owned()];
    head.extend(keys.iter().map(|key| escape::csv(key)));
    let fixed = [
        "metric",
        "mean",
        "ci95_low",
        "ci95_high",
        "min",
        "max",
        "n",
        "unit",
    ];
    head.extend(fixed.map(str::to_owned));
    let mut lines = vec![head];
    for row in 0..view.summary.results.len() {
        for (metric, estimate) in &view.row(row).metrics {
            let mut line = front(view, row);
            let optional = |x: Option<f64>| x.map(number).unwrap_or_default();
            line.extend([
                escape::csv(metric),
                number(estimate.mean),
                optional(estimate.ci95_low),
                optional(estimate.ci95_high),
                number(estimate.min),
                number(estimate.max),
                estimate.n.to_string(),
                escape::csv(&estimate.unit),
            ]);
            lines.push(line);
        }
    }
    write(&lines)
}

/// The timelines: variant, arm, the swept keys, start and width of the bin in seconds, and the
/// requests in it: mean, smallest and largest count over the replications.
pub fn timelines(view: &View) -> String {
    let mut head = vec!["variant".to_owned(), "arm".to_owned()];
    head.extend(keys(view).iter().map(|key| escape::csv(key)));
    head.extend(["from_s", "width_s", "mean", "min", "max"].map(str::to_owned));
    let mut lines = vec![head];
    for row in 0..view.summary.results.len() {
        let Some(timeline) = &view.series_of(row).timeline else {
            continue;
        };
        for (bin, mean) in timeline.mean.iter().enumerate() {
            let mut line = front(view, row);
            let count = |counts: &[u32]| counts.get(bin).map(u32::to_string).unwrap_or_default();
            line.extend([
                number(timeline.from + timeline.width * bin as f64),
                number(timeline.width),
                number(*mean),
                count(&timeline.min),
                count(&timeline.max),
            ]);
            lines.push(line);
        }
    }
    write(&lines)
}

fn keys(view: &View) -> Vec<String> {
    let first = view.summary.results.first();
    first.map_or_else(Vec::new, |row| {
        row.point.iter().map(|(key, _)| key.clone()).collect()
    })
}

fn front(view: &View, row: usize) -> Vec<String> {
    let row = view.row(row);
    let mut line = vec![escape::csv(&row.variant), row.arm.to_string()];
    line.extend(row.point.iter().map(|(_, value)| escape::csv(value)));
    line
}

/// A number in full; nothing when it is not finite.
fn number(x: f64) -> String {
    if x.is_finite() {
        format!("{x}")
    } else {
        String::new()
    }
}

fn write(lines: &[Vec<String>]) -> String {
    // Flexible: a row whose point differs from the first row's must not end the whole table.
    let mut writer = ::csv::WriterBuilder::new()
        .flexible(true)
        .from_writer(Vec::new());
    let done: Result<(), ::csv::Error> =
        lines.iter().try_for_each(|line| writer.write_record(line));
    done.expect("writing to memory does not fail");
    finish(writer)
}

fn finish(writer: Writer<Vec<u8>>) -> String {
    let bytes = writer
        .into_inner()
        .expect("flushing to memory does not fail");
    String::from_utf8(bytes).expect("cells are UTF-8")
}
