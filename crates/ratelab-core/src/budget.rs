//! Budget: what a server tolerates, or a limiter promises: `rate · t + burst` over every window.

use crate::rate::Rate;

/// A bound on requests: at most `rate · t + burst` in every window of length `t`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The sustained rate.
    pub rate: Rate,
    /// What may come on top of it, at least one.
    pub burst: u64,
}
