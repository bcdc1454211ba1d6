//! Plan: what a tally counts, known before a run begins.

use ratelab_core::{Budget, Span, Time};

/// What to count, known before a run begins.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Length of a run.
    pub duration: Span,
    /// Whether workers are followed one by one. Of a crowd that is only counted no times are known.
    pub followed: bool,
    /// Workers with jobs.
    pub workers: u32,
    /// The outages.
    pub outages: Vec<(Time, Time)>,
    /// Windows to count requests in.
    pub measures: Vec<(String, Time, Time)>,
    /// What the server tolerates.
    pub budget: Option<Budget>,
    /// Statuses that may come back.
    pub statuses: Vec<u16>,
    /// The metric whose spread over replications is kept.
    pub headline: String,
}
