//! Wait: what a worker waits for, in 16 bytes; what it will be told stands with it.

use ratelab_core::{Failure, Outcome, Site, Span, Status, Time};
use ratelab_model::{Decision, Place};

/// The kinds of [`Decision`].
#[derive(Debug, Clone, Copy)]
pub(crate) enum Told {
    Grant,
    GrantAt,
    WaitUntil,
    Never,
}

impl Told {
    /// The whole decision.
    pub(crate) const fn at(self, at: Time) -> Decision {
        match self {
            Self::Grant => Decision::Grant,
            Self::GrantAt => Decision::GrantAt(at),
            Self::WaitUntil => Decision::WaitUntil(at),
            Self::Never => Decision::Never,
        }
    }
}

/// What a worker waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wait {
    /// Its process starts.
    Start,
    /// The time it asked for.
    Wake,
    /// Its question reaches the store.
    Store,
    /// The store's answer reaches it: a decision, taken apart so that it fits.
    Permit(Told, Time),
    /// Its request reaches a place.
    Travel(Place),
    /// Its answer reaches it; [`Span::MAX`] stands for no hint.
    Answer(Status, Site, Span),
    /// It learns that no answer comes.
    Failed(Failure, Site),
}

impl Wait {
    /// For the store's answer.
    pub(crate) const fn permit(decision: Decision) -> Self {
        match decision {
            Decision::Grant => Self::Permit(Told::Grant, Time::START),
            Decision::GrantAt(at) => Self::Permit(Told::GrantAt, at),
            Decision::WaitUntil(at) => Self::Permit(Told::WaitUntil, at),
            Decision::Never => Self::Permit(Told::Never, Time::START),
        }
    }

    /// For an outcome.
    #[inline]
    pub(crate) fn learn(outcome: Outcome, site: Site) -> Self {
        match outcome {
            Outcome::Answer {
                status,
                retry_after,
            } => Self::Answer(status, site, retry_after.unwrap_or(Span::MAX)),
            Outcome::Failed(failure) => Self::Failed(failure, site),
        }
    }
}

const _: () = assert!(size_of::<Wait>() <= 16, "a million of them stay small");
