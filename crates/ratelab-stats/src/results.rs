//! Results: what a tally comes to: chunks merged, metrics estimated, recoveries named.

use std::collections::BTreeMap;

use crate::chance::Chance;
use crate::metric;
use crate::series::Series;
use crate::summary::{Estimate, Recovery};
use crate::tally::Tally;
use crate::timeline::Bins;

impl Tally {
    /// Takes in the tally of the chunk that comes after this one.
    pub fn merge(&mut self, other: &Self) {
        self.values.merge(&other.values);
        self.fingerprint.word(other.fingerprint.0);
        self.requests.merge(&other.requests);
        self.answers.latency.merge(&other.answers.latency);
        self.jobs.latency.merge(&other.jobs.latency);
        self.waits.merge(&other.waits);
        self.outages.merge(&other.outages);
        self.headline.merge(&other.headline);
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
        self.jobs.latency.write(&mut metrics, "latency.job", &ranks);
        self.answers
            .latency
            .write(&mut metrics, "latency.attempt", &ranks);
        self.waits.write(&mut metrics, "wait", &["p99"]);
        metrics
    }

    /// The shape of each recovery.
    pub fn recovery(&self, metrics: &BTreeMap<String, Estimate>) -> Vec<Recovery> {
        self.outages.recoveries(metrics, self.runs)
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
        let timeline = self.requests.timeline.timeline();
        let mut sum = 0.0;
        let cumulative = timeline.mean.iter().map(|mean| {
            sum += mean;
            sum
        });
        Series {
            cumulative: cumulative.collect(),
            close_up: self.requests.close_up.as_ref().map(Bins::timeline),
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
