//! Exact instants: whole nanoseconds and a fraction in units of a rate's permits.
//!
//! The interval of 3/s is a third of a second, which no number of nanoseconds is. Kept with its
//! fraction it never drifts.

use ratelab_core::{Rate, Time};

/// `nanos + parts / permits` nanoseconds after the start; ordered as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Exact {
    pub(super) nanos: u64,
    /// Below the rate's permits.
    pub(super) parts: u64,
}

impl Exact {
    /// The start.
    pub(super) const START: Self = Self { nanos: 0, parts: 0 };

    /// A whole instant.
    pub(super) const fn at(now: Time) -> Self {
        Self {
            nanos: now.as_nanos(),
            parts: 0,
        }
    }

    /// `count` intervals of the rate.
    pub(super) fn intervals(rate: Rate, count: u64) -> Self {
        let whole = count.saturating_mul(rate.per().as_nanos());
        Self {
            nanos: whole / rate.permits(),
            parts: whole % rate.permits(),
        }
    }

    /// The sum of two of the same rate, saturating.
    pub(super) fn plus(self, rate: Rate, other: Self) -> Self {
        let parts = self.parts + other.parts;
        let nanos = self
            .nanos
            .saturating_add(other.nanos)
            .saturating_add(parts / rate.permits());
        Self {
            nanos,
            parts: parts % rate.permits(),
        }
    }

    /// The first whole nanosecond at which `self` is no more than `tolerance` away.
    pub(super) fn less(self, tolerance: Self) -> Time {
        let nanos = self.nanos.saturating_sub(tolerance.nanos);
        Time::from_nanos(if self.parts > tolerance.parts {
            nanos.saturating_add(1)
        } else {
            nanos
        })
    }
}
