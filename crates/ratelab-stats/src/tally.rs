//! Tally: the recorder behind every number. It counts as records stream by and keeps none of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use ratelab_core::{
    GateRecord, JobEnd, Outcome, Record, Recorder, Site, Span, Status, Time, WorkerId,
};

use crate::chance::Odds;
use crate::fingerprint::Fingerprint;
use crate::headline::Headline;
use crate::latency::Latency;
use crate::metric::Unit;
use crate::plan::Plan;
use crate::recovery::{Shape, label};
use crate::timeline::{Bins, width_for};
use crate::values::Values;
use crate::window::{Overrun, Sliding};

/// The most attempts a job can have with a peak of their own.
const PEAKS: usize = 16;

/// Counters of one replication.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    requests: u64,
    outage: u64,
    attempts: u64,
    retries: u64,
    served: u64,
    refused_server: u64,
    refused_sidecar: u64,
    lost: u64,
    in_flight: u64,
    done: u64,
    failed: u64,
    pending: u64,
    store_ops: u64,
    wasted: u64,
    served_by_server: u64,
}

/// Counts records; merges with the tally of another chunk.
#[derive(Debug, Clone)]
pub struct Tally {
    pub(crate) plan: Arc<Plan>,
    pub(crate) counts: Counts,
    pub(crate) measures: Vec<u64>,
    pub(crate) statuses: Vec<u64>,
    pub(crate) worst_1s: Sliding,
    pub(crate) worst_window: Option<(Sliding, Sliding, Overrun)>,
    pub(crate) peaks: Vec<Sliding>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) done_by: Vec<u32>,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) values: Values,
    pub(crate) pending_done: Vec<(f64, f64)>,
    pub(crate) labels: Vec<BTreeMap<&'static str, u64>>,
    pub(crate) timeline: Bins,
    pub(crate) close_up: Option<Bins>,
    pub(crate) jobs: Latency,
    pub(crate) answers: Latency,
    pub(crate) waits: Latency,
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
        let end = Time::from(plan.duration);
        let returns = plan.outages.first().filter(|(_, until)| *until < end);
        let close_up = returns.map(|(_, until)| {
            let from = until.back(Span::from_millis(100));
            let last = (*until + Span::from_secs(15)).min(end);
            Bins::new(from, last, Span::from_millis(100))
        });
        Self {
            counts: Counts::default(),
            measures: vec![0; plan.measures.len()],
            statuses: vec![0; plan.statuses.len()],
            worst_1s: Sliding::new(Span::SECOND),
            worst_window: plan.budget.map(|budget| {
                let width = budget.rate.window();
                (
                    Sliding::new(width),
                    Sliding::new(width),
                    Overrun::new(budget),
                )
            }),
            peaks: vec![Sliding::new(Span::from_millis(100)); PEAKS],
            shapes: plan
                .outages
                .iter()
                .map(|(_, until)| Shape::new(*until))
                .collect(),
            done_by: vec![0; plan.workers as usize],
            fingerprint: Fingerprint::default(),
            values: Values::watching(&plan.headline),
            pending_done: vec![(0.0, 0.0); plan.outages.len()],
            labels: vec![BTreeMap::new(); plan.outages.len()],
            timeline: Bins::new(Time::START, end, width_for(plan.duration)),
            close_up,
            jobs: Latency::new(),
            answers: Latency::new(),
            waits: Latency::new(),
            headline: Headline::default(),
            stuck: Odds::default(),
            over: Odds::default(),
            replication: 0,
            events: 0,
            runs: 0,
            plan,
        }
    }

    fn request(&mut self, at: Time, attempt: u32) {
        self.counts.requests += 1;
        let inside = |(from, until): &(Time, Time)| *from <= at && at < *until;
        self.counts.outage += u64::from(self.plan.outages.iter().any(inside));
        for (place, (_, from, until)) in self.plan.measures.iter().enumerate() {
            self.measures[place] += u64::from(*from <= at && at < *until);
        }
        self.worst_1s.add(at);
        if let Some((window, _, overrun)) = &mut self.worst_window {
            window.add(at);
            overrun.add(at);
        }
        if let Some(peak) = self.peaks.get_mut(attempt as usize - 1) {
            peak.add(at);
        }
        for shape in &mut self.shapes {
            shape.request(at);
        }
        self.timeline.add(at);
        if let Some(close_up) = &mut self.close_up {
            close_up.add(at);
        }
    }

    fn answer(&mut self, at: Time, outcome: Outcome, site: Site, sent: Time) {
        self.answers.add(at.since(sent));
        let Outcome::Answer { status, .. } = outcome else {
            self.counts.lost += 1;
            return;
        };
        if let Some(place) = self
            .plan
            .statuses
            .iter()
            .position(|known| *known == status.0)
        {
            self.statuses[place] += 1;
        }
        if Status::is_success(status) {
            self.counts.served += 1;
            self.counts.served_by_server += u64::from(site == Site::Server);
            if let Some((_, served, _)) = &mut self.worst_window {
                served.add(at);
            }
            for shape in &mut self.shapes {
                shape.success(at);
            }
        } else if Status::is_refusal(status) {
            match site {
                Site::Server => self.counts.refused_server += 1,
                Site::Sidecar => self.counts.refused_sidecar += 1,
            }
        }
    }

    fn ended(&mut self, at: Time, worker: WorkerId, end: JobEnd, arrived: Time) {
        match end {
            JobEnd::Done => {
                self.counts.done += 1;
                self.jobs.add(at.since(arrived));
                if let Some(done) = self.done_by.get_mut(worker.index()) {
                    *done += 1;
                }
            }
            JobEnd::Failed | JobEnd::Impossible => self.counts.failed += 1,
        }
        for shape in &mut self.shapes {
            shape.ended(at, arrived, end);
        }
    }

    fn close_counts(&mut self) {
        let c = self.counts.clone();
        let seconds = self.plan.duration.as_secs_f64();
        let refused = c.refused_server + c.refused_sidecar;
        let counts = [
            ("requests.total", c.requests),
            ("attempts.total", c.attempts),
            ("retries.total", c.retries),
            ("served", c.served),
            ("refused", refused),
            ("refused.server", c.refused_server),
            ("refused.sidecar", c.refused_sidecar),
            ("lost", c.lost),
            ("in-flight", c.in_flight),
            ("jobs.done", c.done),
            ("jobs.failed", c.failed),
            ("jobs.pending", c.pending),
            ("store.ops", c.store_ops),
            ("wasted", c.wasted),
            ("billed.units", c.requests),
            ("rate.worst-1s", self.worst_1s.most()),
        ];
        for (name, count) in counts {
            self.values.add(name, Unit::Count, Some(count as f64));
        }
        let outage = (!self.plan.outages.is_empty()).then_some(c.outage as f64);
        self.values.add("requests.outage", Unit::Count, outage);
        let amplification = (c.done > 0).then(|| c.attempts as f64 / c.done as f64);
        self.values.add("amplification", Unit::Ratio, amplification);
        self.values
            .add("goodput", Unit::PerSecond, Some(c.done as f64 / seconds));
        self.values.add(
            "rate.mean",
            Unit::PerSecond,
            Some(c.requests as f64 / seconds),
        );
        let fairness = self.fairness();
        self.values.add("fairness.jain", Unit::Ratio, fairness);
        let budget = self.plan.budget;
        let window = self.worst_window.as_ref();
        let sent = window.map(|w| w.0.most() as f64);
        let served = window.map(|w| w.1.most() as f64);
        let over = window.map(|w| w.2.worst());
        let used = budget.map(|b| c.served_by_server as f64 / (b.rate.per_second() * seconds));
        self.values.add("rate.worst-window", Unit::Count, sent);
        self.values.add("served.worst-window", Unit::Count, served);
        self.values.add("budget.overrun", Unit::Count, over);
        self.values.add("budget.used", Unit::Ratio, used);
    }

    fn close_families(&mut self) {
        let plan = Arc::clone(&self.plan);
        for (place, (name, _, _)) in plan.measures.iter().enumerate() {
            let count = self.measures[place] as f64;
            self.values
                .add(&format!("requests.{name}"), Unit::Count, Some(count));
        }
        for (place, status) in plan.statuses.iter().enumerate() {
            let count = self.statuses[place] as f64;
            self.values
                .add(&format!("status.{status}"), Unit::Count, Some(count));
        }
        for (place, peak) in self.peaks.iter().enumerate() {
            let most = (peak.most() > 0).then(|| peak.most() as f64);
            self.values.add(
                &format!("attempt.{}.peak-100ms", place + 1),
                Unit::Count,
                most,
            );
        }
        for (place, shape) in self.shapes.iter().enumerate() {
            let numbers = shape.numbers();
            self.pending_done[place].0 += numbers.pending;
            self.pending_done[place].1 += numbers.done;
            let value = |name| {
                numbers
                    .values
                    .iter()
                    .find(|(n, _)| *n == name)
                    .and_then(|(_, v)| *v)
            };
            let (synchrony, guided) = (value("synchrony"), value("guided"));
            let name = label(
                numbers.pending,
                numbers.done,
                synchrony.unwrap_or(0.0),
                guided.unwrap_or(0.0),
            );
            *self.labels[place].entry(name).or_default() += 1;
            for (name, value) in numbers.values {
                let unit = match name {
                    "synchrony" | "guided" => Unit::Ratio,
                    "pending" | "peak-100ms" | "peak-1s" => Unit::Count,
                    _ => Unit::Seconds,
                };
                self.values.add(&recovery_name(place, name), unit, value);
            }
        }
    }

    fn note_odds(&mut self) {
        let stuck = self.shapes.iter().any(Shape::is_stuck);
        let over = self
            .worst_window
            .as_ref()
            .is_some_and(|window| window.2.worst() > 0.0);
        self.stuck.add(self.replication, stuck);
        self.over.add(self.replication, over);
    }

    fn clear(&mut self) {
        self.counts = Counts::default();
        self.measures.fill(0);
        self.statuses.fill(0);
        self.worst_1s.reset();
        if let Some((sent, served, overrun)) = &mut self.worst_window {
            sent.reset();
            served.reset();
            overrun.reset();
        }
        self.peaks.iter_mut().for_each(Sliding::reset);
        self.shapes.iter_mut().for_each(Shape::reset);
        self.done_by.fill(0);
    }
}

/// `recovery.x` for the first outage, `recovery-2.x` for the second.
pub(crate) fn recovery_name(place: usize, name: &str) -> String {
    match place {
        0 => format!("recovery.{name}"),
        _ => format!("recovery-{}.{name}", place + 1),
    }
}

impl Recorder for Tally {
    fn begin(&mut self, replication: u64) {
        self.replication = replication;
    }

    fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        self.fingerprint.record(at, worker, record);
        match *record {
            Record::Gate(GateRecord::StoreOp) => self.counts.store_ops += 1,
            Record::Gate(GateRecord::Permit { asked }) => {
                self.waits.add(at.since(asked));
            }
            Record::Attempt {
                attempt,
                arrived,
                previous,
                cause,
            } => {
                self.counts.attempts += 1;
                self.counts.retries += u64::from(attempt > 1);
                for shape in &mut self.shapes {
                    shape.attempt(at, arrived, previous, cause);
                }
            }
            Record::Request { attempt } => self.request(at, attempt),
            Record::Answer {
                outcome,
                site,
                sent,
                ..
            } => self.answer(at, outcome, site, sent),
            Record::Wasted => self.counts.wasted += 1,
            Record::JobEnded { end, arrived, .. } => self.ended(at, worker, end, arrived),
            Record::JobsPending {
                count,
                arrived,
                in_flight,
            } => {
                self.counts.pending += count;
                self.counts.in_flight += u64::from(in_flight);
                for shape in &mut self.shapes {
                    shape.left(count, arrived);
                }
            }
        }
    }

    fn end(&mut self, _: Time, events: u64) {
        self.events += events;
        self.runs += 1;
        self.values.begin();
        self.close_counts();
        self.close_families();
        self.headline.add(self.values.latest());
        self.note_odds();
        self.timeline.close();
        if let Some(close_up) = &mut self.close_up {
            close_up.close();
        }
        self.clear();
    }
}
