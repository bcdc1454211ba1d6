//! Tally: the recorder behind every number. It counts as records stream by and keeps none of them.

use std::sync::Arc;

use ratelab_core::{GateRecord, Record, Recorder, Time, WorkerId};

use crate::chance::Odds;
use crate::fingerprint::Fingerprint;
use crate::headline::Headline;
use crate::latency::Latency;
use crate::meter::{Answers, Jobs, Outages, Requests};
use crate::metric::Unit;
use crate::plan::Plan;
use crate::values::Values;

/// Counts records; merges with the tally of another chunk.
#[derive(Debug, Clone)]
pub struct Tally {
    pub(crate) plan: Arc<Plan>,
    pub(crate) requests: Requests,
    pub(crate) answers: Answers,
    pub(crate) jobs: Jobs,
    pub(crate) outages: Outages,
    pub(crate) waits: Latency,
    store_ops: u64,
    wasted: u64,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) values: Values,
    pub(crate) headline: Headline,
    pub(crate) stuck: Odds,
    pub(crate) over: Odds,
    replication: u64,
    pub(crate) events: u64,
    pub(crate) runs: u64,
}

impl Tally {
    /// An empty tally.
    pub fn new(plan: Arc<Plan>) -> Self {
        Self {
            requests: Requests::new(&plan),
            answers: Answers::new(&plan),
            jobs: Jobs::new(&plan),
            outages: Outages::new(&plan),
            waits: Latency::new(),
            store_ops: 0,
            wasted: 0,
            fingerprint: Fingerprint::default(),
            values: Values::watching(&plan.headline),
            headline: Headline::default(),
            stuck: Odds::default(),
            over: Odds::default(),
            replication: 0,
            events: 0,
            runs: 0,
            plan,
        }
    }

    /// Counts what `count` workers did at `at`.
    #[inline(always)]
    fn count(&mut self, at: Time, count: u32, record: &Record) {
        match *record {
            Record::Gate(GateRecord::StoreOp) => self.store_ops += u64::from(count),
            Record::Gate(GateRecord::Permit { .. }) => {}
            Record::Attempt { attempt, .. } => self.jobs.attempt(attempt, count),
            Record::Request { attempt } => self.requests.add(at, attempt, count),
            Record::Answer { outcome, site, .. } => self.answers.add(at, count, outcome, site),
            Record::Wasted => self.wasted += u64::from(count),
            Record::JobEnded { end, .. } => self.jobs.ended(end, count),
            Record::WorkerEnded { done } => self.jobs.worker_ended(done, count),
            Record::JobsPending {
                count: jobs,
                in_flight,
                ..
            } => {
                let many = u64::from(count);
                self.jobs.left(jobs * many, many * u64::from(in_flight));
            }
        }
    }

    /// Takes the times of what one worker did.
    #[inline(always)]
    fn time(&mut self, at: Time, record: &Record) {
        match *record {
            Record::Gate(GateRecord::Permit { asked }) => self.waits.add(at.since(asked)),
            Record::Attempt {
                arrived,
                previous,
                cause,
                ..
            } => self.outages.attempt(at, (arrived, previous), cause),
            Record::Answer { outcome, sent, .. } => {
                self.answers.latency.add(at.since(sent));
                if outcome.is_success() {
                    self.outages.success(at);
                }
            }
            Record::JobEnded { end, arrived, .. } => {
                self.jobs.time(end, at.since(arrived));
                self.outages.ended(at, arrived, end);
            }
            Record::JobsPending { count, arrived, .. } => self.outages.left(count, arrived),
            _ => {}
        }
    }
}

impl Recorder for Tally {
    fn begin(&mut self, replication: u64) {
        self.replication = replication;
    }

    #[inline(always)]
    fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        self.fingerprint.record(at, worker, record);
        self.count(at, 1, record);
        self.time(at, record);
    }

    fn crowd(&mut self, at: Time, count: u32, record: &Record) {
        // A crowd's jobs have no ages: only what can be counted is.
        self.fingerprint.record(at, WorkerId(count), record);
        self.count(at, count, record);
    }

    fn end(&mut self, _: Time, events: u64) {
        self.events += events;
        self.runs += 1;
        let seconds = self.plan.duration.as_secs_f64();
        let values = &mut self.values;
        values.begin();
        self.requests.look();
        self.requests.write(values, seconds);
        self.answers.write(values, seconds);
        self.jobs.write(values, seconds);
        for (name, count) in [("store.ops", self.store_ops), ("wasted", self.wasted)] {
            values.add(name, Unit::Count, Some(count as f64));
        }
        self.outages.write(values, &self.requests);
        self.headline.add(values.latest());
        self.stuck.add(self.replication, self.outages.is_stuck());
        self.over.add(self.replication, self.requests.is_over());
        self.requests.reset();
        self.answers.reset();
        self.jobs.reset();
        self.outages.reset();
        (self.store_ops, self.wasted) = (0, 0);
    }

    fn settle(&mut self) {
        self.requests.settle();
        self.answers.settle();
        for latency in [
            &mut self.answers.latency,
            &mut self.jobs.latency,
            &mut self.waits,
        ] {
            latency.settle();
        }
    }
}
