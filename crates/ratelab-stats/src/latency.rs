//! Latency: how long things take, pooled over replications, in a histogram of two digits.
//!
//! HdrHistogram keeps every value to about one part in a hundred, in a few kilobytes, however many
//! there are; the longest is kept exactly. A pooled quantile has no interval: the values of one
//! replication are not independent.
//!
//! Its own way to take in one value costs more than the rest of an event, so values are first
//! counted in front of it, by the cells that it tells apart, and handed over in lumps.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use ratelab_core::Span;

use crate::metric::Unit;
use crate::summary::Estimate;

/// Two digits are 2^7 cells for every power of two, and one cell a nanosecond below 2^8.
const CELL_BITS: u32 = 7;
const CELLS: usize = (64 - CELL_BITS as usize + 1) << CELL_BITS;

/// Spans and their quantiles.
#[derive(Debug, Clone)]
pub struct Latency {
    histogram: Histogram<u64>,
    /// Counts by cell that the histogram does not have yet; none until the first.
    front: Vec<u64>,
    longest: Span,
}

/// The power of two by which the cells around a value are wide.
#[inline]
const fn shift(nanos: u64) -> u32 {
    (64 - CELL_BITS - 1).saturating_sub(nanos.leading_zeros())
}

impl Latency {
    /// Of nothing yet.
    pub fn new() -> Self {
        let histogram = Histogram::new(2).expect("two digits are a valid precision");
        Self {
            histogram,
            front: Vec::new(),
            longest: Span::ZERO,
        }
    }

    /// Takes in a span.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // Shifted, it is below 2^8.
    pub fn add(&mut self, span: Span) {
        let nanos = span.as_nanos();
        let shift = shift(nanos);
        let cell = ((shift as usize) << CELL_BITS) + (nanos >> shift) as usize;
        match self.front.get_mut(cell) {
            Some(sum) => *sum += 1,
            None => self.first(cell),
        }
        self.longest = self.longest.max(span);
    }

    #[cold]
    fn first(&mut self, cell: usize) {
        self.front.resize(CELLS, 0);
        self.front[cell] += 1;
    }

    /// Hands over what was counted in front.
    pub(crate) fn settle(&mut self) {
        let front = std::mem::take(&mut self.front).into_iter().enumerate();
        for (cell, count) in front.filter(|(_, count)| *count > 0) {
            let shift = (cell >> CELL_BITS).saturating_sub(1);
            let nanos = (cell - (shift << CELL_BITS)) as u64;
            self.histogram.saturating_record_n(nanos << shift, count);
        }
    }

    /// The histogram with all that was taken in.
    fn whole(&self) -> Histogram<u64> {
        let mut whole = self.clone();
        whole.settle();
        whole.histogram
    }

    /// Takes in another chunk.
    pub fn merge(&mut self, other: &Self) {
        self.histogram
            .add(other.whole())
            .expect("all histograms grow as needed");
        self.longest = self.longest.max(other.longest);
    }

    /// Writes the named quantiles: `p50` and so on, and `max`.
    pub fn write(&self, metrics: &mut BTreeMap<String, Estimate>, name: &str, names: &[&str]) {
        let histogram = self.whole();
        if histogram.is_empty() {
            return;
        }
        for suffix in names {
            let rank = suffix.strip_prefix('p').map(str::parse::<f64>);
            let seconds = match rank {
                Some(Ok(rank)) => histogram.value_at_quantile(rank / 100.0) as f64 / 1e9,
                _ => self.longest.as_secs_f64(),
            };
            let estimate = Estimate {
                mean: seconds,
                ci95_low: None,
                ci95_high: None,
                se: 0.0,
                min: seconds,
                max: seconds,
                n: histogram.len(),
                unit: Unit::Seconds.name().to_owned(),
            };
            metrics.insert(format!("{name}.{suffix}"), estimate);
        }
    }
}

impl Default for Latency {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_in_front_changes_no_quantile() {
        let mut direct = Histogram::<u64>::new(2).expect("two digits");
        let mut latency = Latency::new();
        let mut nanos = 1u64;
        for n in 0..200_000u64 {
            nanos = nanos
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(n);
            let value = nanos >> (n % 64);
            direct.saturating_record(value);
            latency.add(Span::from_nanos(value));
        }
        for value in [0, 1, 127, 128, 255, 256, 257, u64::MAX] {
            direct.saturating_record(value);
            latency.add(Span::from_nanos(value));
        }
        let whole = latency.whole();
        assert_eq!(whole.len(), direct.len());
        for rank in 0..=1_000 {
            let quantile = f64::from(rank) / 1_000.0;
            assert_eq!(
                whole.value_at_quantile(quantile),
                direct.value_at_quantile(quantile),
                "{quantile}"
            );
        }
        assert_eq!(latency.longest, Span::MAX);
    }
}
