//! Clock: virtual time from tokio's, the only place where the two meet.
//!
//! tokio's timers tick in whole milliseconds: a wait that is not whole ends up to one millisecond
//! late. Only scenarios in whole milliseconds can be compared with the simulator record by record.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use ratelab_core::Time;
use tokio::time::{Instant, Sleep, sleep_until};

/// When the run began, and when it ends.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    start: Instant,
    end: Time,
}

impl Clock {
    /// A run that begins now and lasts until `end`.
    pub fn start(end: Time) -> Self {
        Self {
            start: Instant::now(),
            end,
        }
    }

    /// When the run ends.
    pub fn end(self) -> Time {
        self.end
    }

    /// The present instant.
    pub fn now(self) -> Time {
        let nanos = self.start.elapsed().as_nanos();
        Time::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }

    /// Waits until `at`; returns at once when that is not in the future. What would come at the end
    /// of the run or later never comes.
    pub async fn until(self, at: Time) {
        if at >= self.end {
            std::future::pending::<()>().await;
        }
        if at > self.now() {
            sleep_until(self.start + Duration::from_nanos(at.as_nanos())).await;
        }
    }

    /// An alarm for `at` that already stands in the order of timers, for another task to wait for.
    pub async fn alarm(self, at: Time) -> Pin<Box<Sleep>> {
        let mut sleep = Box::pin(sleep_until(
            self.start + Duration::from_nanos(at.as_nanos()),
        ));
        // A timer takes its place when it is first polled, not when it is made.
        poll_fn(|task| {
            let _ = sleep.as_mut().poll(task);
            Poll::Ready(())
        })
        .await;
        sleep
    }
}
