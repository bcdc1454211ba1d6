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
    /// What the worker waits for has come.
    Next,
    /// A request whose client has gone reaches the server.
    Ghost,
}

impl Event {
    /// Bits of a packed event: a worker's number, which is below [`ratelab_model::MOST_WORKERS`],
    /// and a kind.
    pub const BITS: u32 = 25;

    /// As a number below `2^BITS`.
    #[inline]
    pub(crate) const fn pack(self) -> u64 {
        ((self.worker.0 as u64) << 1) | self.kind as u64
    }

    /// From the low [`Event::BITS`] bits of a number; the others do not matter.
    #[allow(clippy::cast_possible_truncation)]
    #[inline]
    pub(crate) const fn unpack(bits: u64) -> Self {
        let worker = ((bits as u32) & ((1 << Self::BITS) - 1)) >> 1;
        let kind = if bits & 1 == 0 {
            Kind::Next
        } else {
            Kind::Ghost
        };
        Self {
            worker: WorkerId(worker),
            kind,
        }
    }
}

const _: () = assert!(size_of::<Event>() <= 16, "events stay small");
const _: () = assert!(
    ratelab_model::MOST_WORKERS < 1 << (Event::BITS - 1),
    "workers fit"
);
