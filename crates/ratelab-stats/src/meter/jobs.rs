//! Jobs: attempts and how jobs end, by worker.

use ratelab_core::{JobEnd, Span};

use super::write_counts;
use crate::latency::Latency;
use crate::metric::Unit;
use crate::plan::Plan;
use crate::values::Values;

/// Counts jobs and their attempts.
#[derive(Debug, Clone)]
pub(crate) struct Jobs {
    attempts: u64,
    retries: u64,
    done: u64,
    failed: u64,
    pending: u64,
    in_flight: u64,
    /// Workers with jobs.
    workers: u32,
    /// Done jobs whose time is known, and the nanoseconds that they took.
    timed: u64,
    took: u128,
    /// Over workers: the sum of the jobs that each has done, and of their squares.
    shares: (u128, u128),
    pub(crate) latency: Latency,
}

impl Jobs {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            attempts: 0,
            retries: 0,
            done: 0,
            failed: 0,
            pending: 0,
            in_flight: 0,
            workers: plan.workers,
            timed: 0,
            took: 0,
            shares: (0, 0),
            latency: Latency::new(),
        }
    }

    /// `count` attempts go out.
    #[inline(always)]
    pub(crate) fn attempt(&mut self, attempt: u32, count: u32) {
        self.attempts += u64::from(count);
        self.retries += u64::from(count) * u64::from(attempt > 1);
    }

    /// `count` jobs ended.
    #[inline(always)]
    pub(crate) fn ended(&mut self, end: JobEnd, count: u32) {
        match end {
            JobEnd::Done => self.done += u64::from(count),
            JobEnd::Failed | JobEnd::Impossible => self.failed += u64::from(count),
        }
    }

    /// A job ended, `took` after it arrived.
    #[inline(always)]
    pub(crate) fn time(&mut self, end: JobEnd, took: Span) {
        if end == JobEnd::Done {
            self.timed += 1;
            self.took += u128::from(took.as_nanos());
            self.latency.add(took);
        }
    }

    /// The run is over, and each of `count` workers has done so many jobs.
    pub(crate) fn worker_ended(&mut self, done: u32, count: u32) {
        let (done, count) = (u128::from(done), u128::from(count));
        self.shares.0 += done * count;
        self.shares.1 += done * done * count;
    }

    /// `count` jobs are left at the end of the run.
    pub(crate) fn left(&mut self, count: u64, in_flight: u64) {
        self.pending += count;
        self.in_flight += in_flight;
    }

    /// Jain's index of done jobs over workers (Jain, Chiu and Hawe 1984).
    fn fairness(&self) -> Option<f64> {
        let (sum, squares) = (self.shares.0 as f64, self.shares.1 as f64);
        (squares > 0.0).then(|| sum * sum / (f64::from(self.workers) * squares))
    }

    pub(crate) fn write(&self, values: &mut Values, seconds: f64) {
        let counts = [
            ("attempts.total", self.attempts),
            ("retries.total", self.retries),
            ("in-flight", self.in_flight),
            ("jobs.done", self.done),
            ("jobs.failed", self.failed),
            ("jobs.pending", self.pending),
        ];
        write_counts(values, counts);
        let amplification = (self.done > 0).then(|| self.attempts as f64 / self.done as f64);
        values.add("amplification", Unit::Ratio, amplification);
        let mean = (self.timed > 0).then(|| self.took as f64 / 1e9 / self.timed as f64);
        values.add("latency.job.mean", Unit::Seconds, mean);
        let goodput = self.done as f64 / seconds;
        values.add("goodput", Unit::PerSecond, Some(goodput));
        values.add("fairness.jain", Unit::Ratio, self.fairness());
    }

    pub(crate) fn reset(&mut self) {
        (self.attempts, self.retries, self.in_flight) = (0, 0, 0);
        (self.done, self.failed, self.pending) = (0, 0, 0);
        (self.timed, self.took, self.shares) = (0, 0, (0, 0));
    }
}
