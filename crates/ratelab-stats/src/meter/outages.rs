//! Outages: the recovery after each, over all replications.

use std::collections::BTreeMap;

use ratelab_core::{JobEnd, RetryCause, Time};

use super::Requests;
use crate::metric::Unit;
use crate::plan::Plan;
use crate::recovery::{Shape, label};
use crate::summary::{Estimate, Recovery};
use crate::values::Values;

/// Watches recoveries.
#[derive(Debug, Clone)]
pub(crate) struct Outages {
    list: Vec<Outage>,
}

#[derive(Debug, Clone)]
struct Outage {
    window: (Time, Time),
    /// `recovery.` for the first, `recovery-2.` for the second; and the names of its metrics.
    prefix: String,
    names: Vec<String>,
    shape: Shape,
    /// Over all replications: jobs pending at the end, those of them done, and the labels.
    pending: f64,
    done: f64,
    labels: BTreeMap<&'static str, u64>,
}

impl Outages {
    pub(crate) fn new(plan: &Plan) -> Self {
        let outage = |(place, window): (usize, &(Time, Time))| Outage {
            window: *window,
            prefix: match place {
                0 => "recovery.".to_owned(),
                _ => format!("recovery-{}.", place + 1),
            },
            names: Vec::new(),
            shape: Shape::new(window.1),
            pending: 0.0,
            done: 0.0,
            labels: BTreeMap::new(),
        };
        Self {
            // What a crowd's jobs were when an outage ended is not known.
            list: (plan.outages.iter().enumerate())
                .filter(|_| plan.followed)
                .map(outage)
                .collect(),
        }
    }

    /// An attempt goes out.
    #[inline(always)]
    pub(crate) fn attempt(
        &mut self,
        at: Time,
        (arrived, previous): (Time, Time),
        cause: RetryCause,
    ) {
        for outage in &mut self.list {
            let first = previous == Time::NEVER;
            let before = if first { arrived } else { previous };
            outage.shape.attempt(at, before, cause);
        }
    }

    /// A success came back.
    #[inline(always)]
    pub(crate) fn success(&mut self, at: Time) {
        for outage in &mut self.list {
            outage.shape.success(at);
        }
    }

    /// A job ended.
    #[inline(always)]
    pub(crate) fn ended(&mut self, at: Time, arrived: Time, end: JobEnd) {
        for outage in &mut self.list {
            outage.shape.ended(at, arrived, end);
        }
    }

    /// `count` jobs are left at the end of the run.
    pub(crate) fn left(&mut self, count: u64, arrived: Time) {
        for outage in &mut self.list {
            outage.shape.left(count, arrived);
        }
    }

    /// Whether a job that was pending at the end of an outage was never done.
    pub(crate) fn is_stuck(&self) -> bool {
        self.list.iter().any(|outage| outage.shape.is_stuck())
    }

    pub(crate) fn write(&mut self, values: &mut Values, requests: &Requests) {
        for (place, outage) in self.list.iter_mut().enumerate() {
            let (peak, second) = requests.peaks_after(place);
            let numbers = outage.shape.numbers(peak, second);
            outage.pending += numbers.pending;
            outage.done += numbers.done;
            let value = |wanted| numbers.values.iter().find(|(name, _)| *name == wanted);
            let value = |wanted| value(wanted).and_then(|(_, value)| *value).unwrap_or(0.0);
            let (synchrony, guided) = (value("synchrony"), value("guided"));
            let name = label(numbers.pending, numbers.done, synchrony, guided);
            *outage.labels.entry(name).or_default() += 1;
            for (place, (name, value)) in numbers.values.into_iter().enumerate() {
                if place == outage.names.len() {
                    outage.names.push(format!("{}{name}", outage.prefix));
                }
                let unit = match name {
                    "synchrony" | "guided" => Unit::Ratio,
                    "pending" | "peak-100ms" | "peak-1s" => Unit::Count,
                    _ => Unit::Seconds,
                };
                values.add(&outage.names[place], unit, value);
            }
        }
    }

    pub(crate) fn reset(&mut self) {
        for outage in &mut self.list {
            outage.shape.reset();
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.list.iter_mut().zip(&other.list) {
            mine.pending += theirs.pending;
            mine.done += theirs.done;
            for (name, count) in &theirs.labels {
                *mine.labels.entry(name).or_default() += count;
            }
        }
    }

    /// The shape of each recovery, over `runs` replications.
    pub(crate) fn recoveries(
        &self,
        metrics: &BTreeMap<String, Estimate>,
        runs: u64,
    ) -> Vec<Recovery> {
        let recovery = |outage: &Outage| {
            let mean = |name: &str| metrics.get(&format!("{}{name}", outage.prefix));
            let mean = |name: &str| mean(name).map_or(0.0, |estimate| estimate.mean);
            let (synchrony, guided) = (mean("synchrony"), mean("guided"));
            let share = |count: &u64| *count as f64 / runs.max(1) as f64;
            let labels = outage.labels.iter();
            let labels = labels.map(|(name, count)| ((*name).to_owned(), share(count)));
            Recovery {
                from: outage.window.0.as_secs_f64(),
                until: outage.window.1.as_secs_f64(),
                label: label(outage.pending, outage.done, synchrony, guided).to_owned(),
                labels: if outage.labels.len() > 1 {
                    labels.collect()
                } else {
                    BTreeMap::new()
                },
                ideal_peak_100ms: None,
            }
        };
        self.list.iter().map(recovery).collect()
    }
}
