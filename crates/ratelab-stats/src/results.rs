//! Results: what a tally comes to: chunks merged, metrics estimated, recoveries named.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;

use crate::metric::Unit;
use crate::recovery::label;
use crate::series::Series;
use crate::summary::{Estimate, Recovery};
use crate::tally::{Tally, recovery_name};
use crate::timeline::Bins;

impl Tally {
    /// Takes in the tally of the chunk that comes after this one.
    pub fn merge(&mut self, other: &Self) {
        self.values.merge(&other.values);
        self.fingerprint.word(other.fingerprint.0);
        self.timeline.merge(&other.timeline);
        if let (Some(mine), Some(theirs)) = (&mut self.close_up, &other.close_up) {
            mine.merge(theirs);
        }
        for (mine, theirs) in self.histograms.iter_mut().zip(&other.histograms) {
            mine.add(theirs).expect("all histograms grow as needed");
        }
        for (value, count) in &other.spread {
            *self.spread.entry(*value).or_default() += count;
        }
        for place in 0..self.labels.len() {
            self.pending_done[place].0 += other.pending_done[place].0;
            self.pending_done[place].1 += other.pending_done[place].1;
            for (name, count) in &other.labels[place] {
                *self.labels[place].entry(name).or_default() += count;
            }
        }
        self.events += other.events;
        self.runs += other.runs;
    }

    /// Every metric over the replications.
    pub fn metrics(&self) -> BTreeMap<String, Estimate> {
        let mut metrics: BTreeMap<String, Estimate> = (self.values.list().iter())
            .filter_map(|(name, unit, moments)| {
                Some((name.clone(), moments.estimate(unit.name())?))
            })
            .collect();
        let names = ["latency.job", "latency.attempt"];
        for (histogram, name) in self.histograms.iter().zip(names) {
            for (quantile, suffix) in [(0.5, "p50"), (0.95, "p95"), (0.99, "p99"), (1.0, "max")] {
                pooled(
                    &mut metrics,
                    &format!("{name}.{suffix}"),
                    histogram,
                    quantile,
                );
            }
        }
        pooled(&mut metrics, "wait.p99", &self.histograms[2], 0.99);
        metrics
    }

    /// The shape of each recovery.
    pub fn recovery(&self, metrics: &BTreeMap<String, Estimate>) -> Vec<Recovery> {
        let mean = |name: String| metrics.get(&name).map_or(0.0, |estimate| estimate.mean);
        (self.plan.outages.iter().enumerate())
            .map(|(place, (from, until))| {
                let (pending, done) = self.pending_done[place];
                let synchrony = mean(recovery_name(place, "synchrony"));
                let guided = mean(recovery_name(place, "guided"));
                let shares = &self.labels[place];
                let labels = shares
                    .iter()
                    .map(|(name, n)| ((*name).to_owned(), *n as f64 / self.runs.max(1) as f64));
                Recovery {
                    from: from.as_secs_f64(),
                    until: until.as_secs_f64(),
                    label: label(pending, done, synchrony, guided).to_owned(),
                    labels: if shares.len() > 1 {
                        labels.collect()
                    } else {
                        BTreeMap::new()
                    },
                    ideal_peak_100ms: None,
                }
            })
            .collect()
    }

    /// What charts are drawn from.
    pub fn series(&self) -> Series {
        let timeline = self.timeline.timeline();
        let mut sum = 0.0;
        let cumulative = timeline.mean.iter().map(|mean| {
            sum += mean;
            sum
        });
        let spread = if self.spread.len() <= 64 {
            self.spread
                .iter()
                .map(|(value, count)| (*value as f64, *count))
                .collect()
        } else {
            Vec::new()
        };
        Series {
            cumulative: cumulative.collect(),
            close_up: self.close_up.as_ref().map(Bins::timeline),
            timeline: Some(timeline),
            strip: Vec::new(),
            spread,
        }
    }

    /// The hash of everything that happened.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint.0
    }

    /// Events handled.
    pub fn events(&self) -> u64 {
        self.events
    }
}

/// A quantile over all replications together, seconds; it has no interval.
fn pooled(
    metrics: &mut BTreeMap<String, Estimate>,
    name: &str,
    histogram: &Histogram<u64>,
    quantile: f64,
) {
    if histogram.is_empty() {
        return;
    }
    let seconds = histogram.value_at_quantile(quantile) as f64 / 1e9;
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
    metrics.insert(name.to_owned(), estimate);
}
