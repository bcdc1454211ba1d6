//! Latency: how long things take, pooled over replications, in a histogram of two digits.
//!
//! HdrHistogram keeps every value to about one part in a hundred, in a few kilobytes, however many
//! there are; the longest is kept exactly. A pooled quantile has no interval: the values of one
//! replication are not independent.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use ratelab_core::Span;

use crate::metric::Unit;
use crate::summary::Estimate;

/// Spans and their quantiles.
#[derive(Debug, Clone)]
pub struct Latency {
    histogram: Histogram<u64>,
    longest: Span,
}

impl Latency {
    /// Of nothing yet.
    pub fn new() -> Self {
        let histogram = Histogram::new(2).expect("two digits are a valid precision");
        Self {
            histogram,
            longest: Span::ZERO,
        }
    }

    /// Takes in a span.
    pub fn add(&mut self, span: Span) {
        self.histogram.saturating_record(span.as_nanos());
        self.longest = self.longest.max(span);
    }

    /// Takes in another chunk.
    pub fn merge(&mut self, other: &Self) {
        self.histogram
            .add(&other.histogram)
            .expect("all histograms grow as needed");
        self.longest = self.longest.max(other.longest);
    }

    /// Writes the named quantiles: `p50` and so on, and `max`.
    pub fn write(&self, metrics: &mut BTreeMap<String, Estimate>, name: &str, names: &[&str]) {
        if self.histogram.is_empty() {
            return;
        }
        for suffix in names {
            let seconds = match suffix
                .strip_prefix('p')
                .and_then(|rank| rank.parse::<f64>().ok())
            {
                Some(rank) => self.histogram.value_at_quantile(rank / 100.0) as f64 / 1e9,
                None => self.longest.as_secs_f64(),
            };
            metrics.insert(format!("{name}.{suffix}"), self.pooled(seconds));
        }
    }

    fn pooled(&self, seconds: f64) -> Estimate {
        Estimate {
            mean: seconds,
            ci95_low: None,
            ci95_high: None,
            se: 0.0,
            min: seconds,
            max: seconds,
            n: self.histogram.len(),
            unit: Unit::Seconds.name().to_owned(),
        }
    }
}

impl Default for Latency {
    fn default() -> Self {
        Self::new()
    }
}
