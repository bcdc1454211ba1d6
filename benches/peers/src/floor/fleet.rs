//! W2 by hand: one pending event a worker, its kind in the worker's state.

use prefetch_index::prefetch_index;

use super::ladder::Ladder;
use super::{SEED, Seconds, nanoseconds};
use crate::line::{Outcome, timed};
use crate::w2::{Bucket, Draws, one_more};

/// What a worker's pending event is.
#[derive(Clone, Copy)]
enum Pending {
    Arrival,
    Success,
    Refusal,
}

#[derive(Clone, Copy)]
struct Worker {
    attempts: u32,
    refusals: u8,
    pending: Pending,
}

struct Fleet {
    workers: Vec<Worker>,
    draws: Draws,
    bucket: Bucket,
    histogram: Seconds,
    served: u64,
    refused: u64,
}

/// Runs the fleet for so many events.
pub(crate) fn w2(workers: u32, events: u64) -> Outcome {
    let worker = Worker {
        attempts: 0,
        refusals: 0,
        pending: Pending::Arrival,
    };
    let mut fleet = Fleet {
        workers: vec![worker; workers as usize],
        draws: Draws::new(SEED),
        bucket: Bucket::new(workers),
        histogram: Seconds::default(),
        served: 0,
        refused: 0,
    };
    let mut queue = Ladder::new();
    for worker in 0..workers {
        queue.push(nanoseconds(fleet.draws.first()), worker);
    }
    let cpu = timed(|| fleet.run(&mut queue, events));
    let attempts: u64 = fleet
        .workers
        .iter()
        .map(|one| u64::from(one.attempts))
        .sum();
    assert_eq!(attempts, fleet.served + fleet.refused);
    assert_eq!(attempts, fleet.histogram.total());
    Outcome {
        cpu,
        events,
        served: fleet.served,
        refused: fleet.refused,
        mean_wait: None,
    }
}

impl Fleet {
    fn run(&mut self, queue: &mut Ladder, events: u64) {
        for _ in 0..events {
            let (time, worker) = queue.pop().expect("every worker has a pending event");
            if let Some(next) = queue.ahead() {
                prefetch_index(&self.workers, next as usize);
            }
            let delay = self.event(time, worker);
            queue.push(time + nanoseconds(delay), worker);
        }
    }

    /// Handles a worker's event and returns the delay of its next.
    #[inline]
    fn event(&mut self, time: u64, worker: u32) -> f64 {
        let worker = &mut self.workers[worker as usize];
        let wait = match worker.pending {
            Pending::Arrival => {
                worker.attempts += 1;
                self.histogram.count(time);
                if self.bucket.take(time as f64 * 1e-9) {
                    self.served += 1;
                    worker.pending = Pending::Success;
                } else {
                    self.refused += 1;
                    worker.pending = Pending::Refusal;
                }
                0.0
            }
            Pending::Success => {
                worker.pending = Pending::Arrival;
                worker.refusals = 0;
                self.draws.think()
            }
            Pending::Refusal => {
                worker.pending = Pending::Arrival;
                worker.refusals = one_more(worker.refusals);
                self.draws.backoff(worker.refusals)
            }
        };
        wait + self.draws.latency()
    }
}
