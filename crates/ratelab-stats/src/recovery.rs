//! Recovery: how a fleet comes back after one outage, and what to call it.
//!
//! The label is derived by this rule, in this order, from the means over all replications:
//! 1. `–` when nothing was pending at the end of the outage
//! 2. `never (stuck)` when fewer than half of the pending jobs were ever done
//! 3. `synchronised burst` when the fullest 100 ms hold at least three quarters of their first
//!    attempts (half is what four workers manage by luck; one job alone is no burst)
//! 4. `follows guidance` when at least half of those went out when the server's hint said
//! 5. `staggered ramp` otherwise

use ratelab_core::{JobEnd, RetryCause, Span, Time};

use crate::window::Sliding;

/// One replication's view of one outage.
#[derive(Debug, Clone)]
pub struct Shape {
    until: Time,
    /// First attempts after the end of pending jobs.
    firsts: Sliding,
    first_count: u64,
    guided: u64,
    first_success: Option<Time>,
    /// When they were done.
    done: Vec<Time>,
    failed: u64,
    stuck: u64,
}

/// The numbers of [`Shape`], in seconds and counts; `None` where there is nothing to say.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// Jobs pending at the end.
    pub pending: f64,
    /// Of those, done.
    pub done: f64,
    /// Values by the name after `recovery.`.
    pub values: [(&'static str, Option<f64>); 9],
}

impl Shape {
    /// Of the outage that ends at `until`.
    pub fn new(until: Time) -> Self {
        Self {
            until,
            firsts: Sliding::new(Span::from_millis(100), 0),
            first_count: 0,
            guided: 0,
            first_success: None,
            done: Vec::new(),
            failed: 0,
            stuck: 0,
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        self.firsts.reset();
        (self.first_count, self.guided, self.failed, self.stuck) = (0, 0, 0, 0);
        self.first_success = None;
        self.done.clear();
    }

    /// An attempt went out, of a job that was last heard of at `before`.
    #[inline(always)]
    pub fn attempt(&mut self, at: Time, before: Time, cause: RetryCause) {
        if before < self.until && at >= self.until {
            self.firsts.add(at, 1);
            self.first_count += 1;
            self.guided += u64::from(cause == RetryCause::Hint);
        }
    }

    /// A success came back.
    #[inline(always)]
    pub fn success(&mut self, at: Time) {
        if at >= self.until && self.first_success.is_none() {
            self.first_success = Some(at);
        }
    }

    /// A job ended.
    #[inline(always)]
    pub fn ended(&mut self, at: Time, arrived: Time, end: JobEnd) {
        if arrived < self.until && at >= self.until {
            match end {
                JobEnd::Done => self.done.push(at),
                JobEnd::Failed | JobEnd::Impossible => self.failed += 1,
            }
        }
    }

    /// Jobs are left at the end of the run.
    pub fn left(&mut self, count: u64, arrived: Time) {
        if arrived < self.until {
            self.stuck += count;
        }
    }

    /// Whether a job that was pending at the end of the outage was never done.
    pub fn is_stuck(&self) -> bool {
        self.failed + self.stuck > 0
    }

    /// The numbers of this replication, with the fullest 100 ms and second after the end.
    pub fn numbers(&mut self, peak_100ms: u64, peak_1s: u64) -> Numbers {
        let done = self.done.len() as u64;
        let pending = done + self.failed + self.stuck;
        let firsts = self.firsts.most();
        let after = |at: Time| at.since(self.until).as_secs_f64();
        // Ends come in order of time, so the k-th is the k-th to be done.
        let drained = |num: u64, den: u64| {
            let needed = (pending * num).div_ceil(den);
            let place = usize::try_from(needed).ok()?.checked_sub(1)?;
            self.done.get(place).map(|at| after(*at))
        };
        let share =
            |part: u64| (self.first_count > 0).then(|| part as f64 / self.first_count as f64);
        let synchrony =
            (pending > 1 && self.first_count > 0).then(|| firsts as f64 / pending as f64);
        Numbers {
            pending: pending as f64,
            done: done as f64,
            values: [
                ("pending", Some(pending as f64)),
                ("first-success", self.first_success.map(after)),
                ("peak-100ms", Some(peak_100ms as f64)),
                ("peak-1s", Some(peak_1s as f64)),
                ("synchrony", synchrony),
                ("guided", share(self.guided)),
                ("drained-95%", drained(95, 100)),
                ("drained-100%", drained(1, 1)),
                ("extra-delay", self.done.last().map(|at| after(*at))),
            ],
        }
    }
}

/// The label of the rule above.
pub fn label(pending: f64, done: f64, synchrony: f64, guided: f64) -> &'static str {
    if pending <= 0.0 {
        "–"
    } else if done < pending / 2.0 {
        "never (stuck)"
    } else if synchrony >= 0.75 {
        "synchronised burst"
    } else if guided >= 0.5 {
        "follows guidance"
    } else {
        "staggered ramp"
    }
}
