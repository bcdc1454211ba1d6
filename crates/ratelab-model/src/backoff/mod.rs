//! Backoffs: how long to wait before the next attempt, by the number of the one that failed.
//!
//! A backoff is a pure curve; the random part is a [`crate::jitter::Jitter`], drawn from the stream
//! of that worker and attempt, so two workers never share it and one replays exactly.

use std::fmt;

use ratelab_core::{Findings, Span, SpanRange, Stream, catalog};

/// A backoff, ready to say how long to wait after attempt number `failed` (from 1) has failed.
pub type Backoff = Box<dyn Fn(u32, &mut Stream) -> Span + Send>;

/// What every backoff's parameters can do.
pub trait BackoffRole: fmt::Debug {
    /// Says what is wrong with the parameters.
    fn check(&self, findings: &mut Findings);

    /// The backoff with all constants worked out.
    fn ready(&self) -> Backoff;

    /// The range over which the wait after attempt number `failed` is even.
    fn spread(&self, failed: u32) -> SpanRange;

    /// Whether its waits are drawn.
    fn is_random(&self) -> bool;

    /// A few words for a table: `fixed 1s`.
    fn about(&self) -> String;
}

catalog! {
    /// Which backoff, and its parameters.
    pub enum BackoffParams as dyn BackoffRole {
        fixed: Fixed,
        exponential: Exponential,
    }
}
