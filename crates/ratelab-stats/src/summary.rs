//! Summary: the one document a run ends in, `ratelab.summary/1`. Tables, charts and gates read it.
//!
//! Times are seconds, rates are per second, shares are fractions of one; every estimate names its
//! unit. Optional numbers are `null` where there is nothing to say: an absent number is not zero.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::chance::Chance;
use crate::headline::Paired;

/// The schema's name and version, first in every document.
pub const SCHEMA: &str = "ratelab.summary/1";

/// What a run of one experiment file found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The experiment's name: its file without folder and extension.
    pub experiment: String,
    /// The question it asks.
    pub question: String,
    /// What a reader must know beside the numbers; empty when there is nothing.
    #[serde(default)]
    pub note: String,
    /// One line that sets the scene: fleet, jobs, outage.
    pub setting: String,
    /// The version of ratelab.
    pub version: String,
    /// The seed everything was drawn from.
    pub seed: u64,
    /// Replications behind every estimate.
    pub replications: u64,
    /// Hash of the scenarios as they were run, hexadecimal.
    pub config_hash: String,
    /// Hash of everything that happened, hexadecimal.
    pub fingerprint: String,
    /// Events handled in all replications of all rows.
    pub events: u64,
    /// The metrics worth a column, most important first.
    pub columns: Vec<String>,
    /// One row a variant and sweep point, arms last.
    pub results: Vec<Row>,
    /// What the file expected and what came out.
    pub expectations: Vec<Check>,
    /// Figures the article quotes, to print beside ours.
    pub quotes: Vec<Quote>,
    /// What a reader should know before trusting a number.
    pub notices: Vec<Notice>,
    /// How far a fleet that is counted as a crowd is off from one that is followed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counted: Vec<Counted>,
}

/// One metric of a crowd beside that of the same workers followed one by one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counted {
    /// The row whose scenario it is.
    pub variant: String,
    /// Workers, against their share of the budget.
    pub workers: u64,
    /// Length of the runs compared, in seconds.
    pub seconds: f64,
    /// The metric.
    pub metric: String,
    /// Its mean where the workers are counted.
    pub counted: f64,
    /// Its mean where they are followed.
    pub followed: f64,
    /// The first over the second, less one.
    pub error: f64,
}

/// One strategy at one point of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The variant's name; `base` when the file has none.
    pub variant: String,
    /// Whether it is a control arm (`no-retry`, `ideal`).
    pub arm: bool,
    /// A few words on what it does: `fixed 1s`.
    pub about: String,
    /// The sweep's values at this point, key and value as written; empty without a sweep.
    pub point: Vec<(String, String)>,
    /// Metric name to estimate.
    pub metrics: BTreeMap<String, Estimate>,
    /// The shape of each recovery, one per outage.
    pub recovery: Vec<Recovery>,
    /// Outcomes that a replication either has or has not: `stuck` (a job pending at the end of an
    /// outage is never done), `over the budget`.
    pub chances: Vec<Chance>,
    /// The first column's difference from the first row of the same point, run by run.
    #[serde(default)]
    pub paired: Option<Paired>,
    /// Hash of everything that happened in this row, hexadecimal.
    pub fingerprint: String,
}

impl Row {
    /// The row's name with its point: `naive`, or `naive, fleet.workers = 4`.
    pub fn title(&self) -> String {
        let point = self
            .point
            .iter()
            .map(|(key, value)| format!("{key} = {value}"));
        std::iter::once(self.variant.clone())
            .chain(point)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// One number over the replications.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean over the replications that have the metric.
    pub mean: f64,
    /// Lower end of the 95 % interval; `None` when all replications agree or there is only one.
    pub ci95_low: Option<f64>,
    /// Upper end.
    pub ci95_high: Option<f64>,
    /// Standard error of the mean; zero when all replications agree.
    pub se: f64,
    /// The smallest value seen.
    pub min: f64,
    /// The largest value seen.
    pub max: f64,
    /// Replications that have the metric (a run in which nothing succeeds has no first success).
    pub n: u64,
    /// The unit: `1`, `s`, `1/s`, `ratio`.
    pub unit: String,
}

impl Estimate {
    /// Whether every replication gave the same value.
    pub fn is_exact(&self) -> bool {
        self.min.to_bits() == self.max.to_bits()
    }
}

/// How the fleet came back after one outage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recovery {
    /// Start of the outage, seconds.
    pub from: f64,
    /// Its end, seconds, not included.
    pub until: f64,
    /// `synchronised burst`, `staggered ramp`, `follows guidance`, `never (stuck)`, or `–` when
    /// nothing was left to recover.
    pub label: String,
    /// Share of replications per label, when they do not all agree.
    pub labels: BTreeMap<String, f64>,
    /// The largest arrivals in any 100 ms after the end, for the ideal arm of the same point.
    pub ideal_peak_100ms: Option<f64>,
}

/// One expectation of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Check {
    /// The row it is about, as [`Row::title`] gives it.
    pub variant: String,
    /// The metric, or `recovery.label`.
    pub metric: String,
    /// What the file wants, as written.
    pub wanted: String,
    /// What came out.
    pub got: String,
    /// Whether it holds.
    pub pass: bool,
    /// The file that says so.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// A figure somebody published, printed beside ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quote {
    /// The row it is about, as [`Row::title`] gives it.
    pub variant: String,
    /// The metric.
    pub metric: String,
    /// The figure as the article prints it: `~40`.
    pub text: String,
}

/// A typed warning with the way out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Its code, for `ratelab explain`: `R014`.
    pub code: String,
    /// What is so.
    pub text: String,
    /// What to do about it.
    pub hint: String,
}
