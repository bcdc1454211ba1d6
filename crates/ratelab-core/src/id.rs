//! Identities: small, ordered numbers that index arrays.

use std::fmt;

/// A worker process of the fleet, numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u32);

impl WorkerId {
    /// As an index into per-worker arrays.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The place of a job in its worker's life, from 0.
pub type JobNo = u64;
