//! Event: what the queue holds; small, `Copy`, no payload. What a worker waits for stands with it.

use ratelab_core::WorkerId;

/// What happens to whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Whose event it is.
    pub worker: WorkerId,
    /// What it is.
    pub kind: Kind,
}

/// The kinds of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The worker process starts.
    Start,
    /// What the worker waits for has come.
    Next,
    /// A request whose client has gone reaches the server.
    Ghost,
}

const _: () = assert!(size_of::<Event>() <= 16, "events stay small");
