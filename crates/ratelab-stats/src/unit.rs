//! What a metric counts, and which way is better.

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Things.
    Count,
    /// Seconds.
    Seconds,
    /// Per second.
    PerSecond,
    /// A fraction of one, or requests per job.
    Ratio,
}

impl Unit {
    /// As it stands in JSON and CSV.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "1",
            Self::Seconds => "s",
            Self::PerSecond => "1/s",
            Self::Ratio => "ratio",
        }
    }
}

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither: a fact, not a merit.
    Neither,
}
