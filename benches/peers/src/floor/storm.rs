//! W1 by hand: every worker attempts once a second, and is refused.

use prefetch_index::prefetch_index;

use super::ladder::Ladder;
use super::{SECOND, SEED, Seconds, nanoseconds};
use crate::line::{Outcome, timed};
use crate::w2::Draws;

/// Runs the storm for so many seconds.
pub(crate) fn w1(workers: u32, seconds: u64) -> Outcome {
    let mut draws = Draws::new(SEED);
    let mut queue = Ladder::new();
    for worker in 0..workers {
        queue.push(nanoseconds(draws.offset()), worker);
    }
    let mut attempts = vec![0_u32; workers as usize];
    let mut histogram = Seconds::default();
    let mut refused = 0;
    let end = seconds * SECOND;
    let cpu = timed(|| {
        while let Some((time, worker)) = queue.pop() {
            if let Some(next) = queue.ahead() {
                prefetch_index(&attempts, next as usize);
            }
            refused += 1;
            histogram.count(time);
            attempts[worker as usize] += 1;
            if time + SECOND < end {
                queue.push(time + SECOND, worker);
            }
        }
    });
    let events = attempts.iter().map(|attempts| u64::from(*attempts)).sum();
    assert_eq!(histogram.total(), events);
    Outcome {
        cpu,
        events,
        served: 0,
        refused,
        mean_wait: None,
    }
}
