//! Time: a point on the virtual clock, in nanoseconds since the run began.
//!
//! No wall clock can make one. Live mode converts its own clock at its edge and nowhere else.

use std::fmt;
use std::ops::{Add, Sub};

use crate::span::Span;

/// Nanoseconds since the run began; ordered, copyable, exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(u64);

impl Time {
    /// The instant at which a run begins.
    pub const START: Self = Self(0);
    /// After everything: the instant that never comes.
    pub const NEVER: Self = Self(u64::MAX);

    /// The instant `nanos` nanoseconds after the start.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the start.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for people and charts only.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The span since `earlier`; zero when `earlier` is in fact later.
    pub const fn since(self, earlier: Self) -> Span {
        Span::from_nanos(self.0.saturating_sub(earlier.0))
    }

    /// The instant `span` before this one, not before the start.
    pub const fn back(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.as_nanos()))
    }
}

impl Add<Span> for Time {
    type Output = Self;
    /// Saturates at [`Time::NEVER`].
    fn add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.as_nanos()))
    }
}

impl Sub for Time {
    type Output = Span;
    /// Panics when `earlier` is later: time never runs back.
    fn sub(self, earlier: Self) -> Span {
        Span::from_nanos(self.0.checked_sub(earlier.0).expect("time never runs back"))
    }
}

impl From<Span> for Time {
    /// The instant that long after the start.
    fn from(span: Span) -> Self {
        Self(span.as_nanos())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Span::from_nanos(self.0))
    }
}
