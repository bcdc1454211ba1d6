//! Series: what charts are drawn from. One [`Series`] stands beside each row of a summary.

use serde::{Deserialize, Serialize};

/// A half-open window of virtual time, seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Its start.
    pub from: f64,
    /// Its end, not included.
    pub until: f64,
}

/// What all charts of an experiment share.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Length of a run, seconds.
    pub duration: f64,
    /// The outages.
    pub outages: Vec<Window>,
    /// What the server tolerates, requests a second, to draw a line at.
    pub budget: Option<f64>,
    /// The swept key and its values when the file sweeps exactly one numeric key.
    pub sweep: Option<(String, Vec<f64>)>,
}

/// Counts per bin, as means over the replications.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Start of the first bin, seconds.
    pub from: f64,
    /// Width of a bin, seconds.
    pub width: f64,
    /// Mean count per bin.
    pub mean: Vec<f64>,
    /// Smallest count per bin over the replications.
    pub min: Vec<u32>,
    /// Largest count per bin over the replications.
    pub max: Vec<u32>,
}

/// How an attempt of the strip ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Close {
    /// Success.
    Done,
    /// A 429 or 503.
    Refused,
    /// Another error status.
    Error,
    /// No answer.
    Lost,
}

/// One attempt of the strip.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// When it was sent, seconds.
    pub at: f64,
    /// How it ended; `None` while it is under way at the end of the run.
    pub close: Option<Close>,
}

/// One worker's line in the dot strip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StripRow {
    /// The worker's number.
    pub worker: u32,
    /// Its attempts in order, in the first replication.
    pub attempts: Vec<Attempt>,
}

/// Everything the charts of one row need.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Series {
    /// Requests over the whole run; at most 240 bins.
    pub timeline: Option<Timeline>,
    /// Requests sent up to the end of each bin of the timeline, mean.
    pub cumulative: Vec<f64>,
    /// 100 ms bins after the end of the first outage (one bin before it, 15 s after it at most).
    pub close_up: Option<Timeline>,
    /// The first replication's attempts of at most 40 workers.
    pub strip: Vec<StripRow>,
    /// How the headline metric (the first of the summary's columns) spreads over replications:
    /// value and how many replications had it, ascending; at most 64 entries, else binned.
    pub spread: Vec<(f64, u64)>,
}
