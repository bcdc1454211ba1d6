//! Stuck: a run whose clock no longer moves on, and how that is said.

use std::fmt;

use ratelab_core::{Time, WorkerId};

/// Rounds one worker may make at one instant before it counts as stuck.
pub(crate) const ROUNDS: u32 = 5_000_000;

/// Time stands still: a worker went round without the clock moving on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stuck {
    /// Where the clock stands.
    pub at: Time,
    /// Whose loop it is.
    pub worker: WorkerId,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "time stands still at {}: worker {} goes round without waiting; give it a limiter, a \
             think time, a backoff above zero, a service time or a network",
            self.at, self.worker
        )
    }
}

impl std::error::Error for Stuck {}
