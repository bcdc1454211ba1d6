//! Results: what a tally comes to: chunks merged, metrics estimated, recoveries named.

use std::collections::BTreeMap;

use crate::chance::Chance;
use crate::metric;
use crate::recovery::label;
use crate::series::Series;
use crate::summary::{Estimate, Recovery};
use crate::tally::{Tally, recovery_name};
use crate::timeline::Bins;

impl Tally {
    /// Jain's index of done jobs over workers.
    pub(crate) fn fairness(&self) -> Option<f64> {
        let sum: f64 = self.done_by.iter().map(|n| f64::from(*n)).sum();
        let squares: f64 = self.done_by.iter().map(|n| f64::from(*n).powi(2)).sum();
        (squares > 0.0).then(|| sum * sum / (self.done_by.len() as f64 * squares))
    }

    /// Takes in the tally of the chunk that comes after this one.
    pub fn merge(&mut self, other: &Self) {
        self.values.merge(&other.values);
        self.fingerprint.word(other.fingerprint.0);
        self.timeline.merge(&other.timeline);
        if let (Some(mine), Some(theirs)) = (&mut self.close_up, &other.close_up) {
            mine.merge(theirs);
        }
        self.jobs.merge(&other.jobs);
        self.answers.merge(&other.answers);
        self.waits.merge(&other.waits);
        self.headline.merge(&other.headline);
        for place in 0..self.labels.len() {
            self.pending_done[place].0 += other.pending_done[place].0;
            self.pending_done[place].1 += other.pending_done[place].1;
            for (name, count) in &other.labels[place] {
                *self.labels[place].entry(name).or_default() += count;
            }
        }
        self.stuck.merge(&other.stuck);
        self.over.merge(&other.over);
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
        let ranks = ["p50", "p95", "p99", "max"];
        self.jobs.write(&mut metrics, "latency.job", &ranks);
        self.answers.write(&mut metrics, "latency.attempt", &ranks);
        self.waits.write(&mut metrics, "wait", &["p99"]);
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

    /// Outcomes that a replication either has or has not.
    pub fn chances(&self) -> Vec<Chance> {
        let outages = !self.plan.outages.is_empty();
        let stuck = outages.then(|| self.stuck.chance("stuck"));
        let over = self
            .plan
            .budget
            .map(|_| self.over.chance("over the budget"));
        stuck.into_iter().chain(over).collect()
    }

    /// What charts are drawn from.
    pub fn series(&self) -> Series {
        let timeline = self.timeline.timeline();
        let mut sum = 0.0;
        let cumulative = timeline.mean.iter().map(|mean| {
            sum += mean;
            sum
        });
        Series {
            cumulative: cumulative.collect(),
            close_up: self.close_up.as_ref().map(Bins::timeline),
            timeline: Some(timeline),
            strip: Vec::new(),
            spread: self.headline.spread(),
        }
    }

    /// The headline of this row less that of another, run by run.
    pub fn less(&self, other: &Self) -> Option<Estimate> {
        let unit = metric::find(&self.plan.headline)?.unit.name();
        self.headline.less(&other.headline, unit)
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
