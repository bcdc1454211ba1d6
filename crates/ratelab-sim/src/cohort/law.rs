//! Law: how a delay spreads a crowd over the bins of time that follow.
//!
//! A crowd that is somewhere "in a bin" stands evenly over that bin, so the law of a delay is that
//! of its length plus an even part of a bin. Kept so, means are right to the second order and
//! several delays in a row do not add up to a drift.

use ratelab_core::{Span, SpanRange};
use ratelab_model::Delay;
use ratelab_model::delay::DelayParams;

/// How long a bin is.
pub const BIN: Span = Span::from_millis(10);

/// A share of a distribution that may be left out: one in a hundred million.
const NEGLIGIBLE: f64 = 1e-8;

/// A delay over bins.
#[derive(Debug, Clone)]
pub(super) enum Law {
    /// Always so many bins and a part.
    Shift(f64),
    /// Even from so many bins to so many.
    Even(f64, f64),
    /// Without memory: the chance to end within a bin, and within the rest of the first.
    Memoryless(f64, f64),
    /// The share of every bin.
    Table(Vec<f64>),
}

fn bins(span: Span) -> f64 {
    span.as_nanos() as f64 / BIN.as_nanos() as f64
}

impl Law {
    /// Of a delay that is even over a range.
    pub(super) fn even(range: SpanRange) -> Self {
        let (low, high) = (bins(range.low), bins(range.high));
        if high - low < 0.001 {
            Self::Shift(low)
        } else {
            Self::Even(low, high)
        }
    }

    /// Of a think time, of which there is one line: without memory it needs no schedule.
    pub(super) fn think(delay: &Delay) -> Self {
        match delay {
            Delay::Drawn(DelayParams::Exponential(params)) => {
                let rate = 1.0 / bins(params.mean);
                let ends = 1.0 - (-rate).exp();
                Self::Memoryless(ends, 1.0 - ends / rate)
            }
            other => Self::of(other),
        }
    }

    /// Of a delay as written.
    pub(super) fn of(delay: &Delay) -> Self {
        match delay {
            Delay::Constant(span) => Self::Shift(bins(*span)),
            Delay::Drawn(DelayParams::Uniform(params)) => Self::even(params.range),
            Delay::Drawn(params) => {
                let edge = |bin: usize| params.role().below(BIN * bin as u64);
                let mut table = vec![edge(1) / 2.0];
                let mut sum = table[0];
                while sum < 1.0 - NEGLIGIBLE && table.len() < 1 << 20 {
                    let bin = table.len();
                    let share = (edge(bin + 1) - edge(bin - 1)) / 2.0;
                    table.push(share);
                    sum += share;
                }
                Self::Table(table)
            }
        }
    }

    /// The same with a constant delay before it.
    pub(super) fn later(&self, by: Span) -> Self {
        let by = bins(by);
        match self {
            Self::Shift(whole) => Self::Shift(whole + by),
            Self::Even(low, high) => Self::Even(low + by, high + by),
            Self::Memoryless(..) => unreachable!("only think times are without memory"),
            Self::Table(table) => {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let whole = by as usize;
                let part = by - whole as f64;
                let mut later = vec![0.0; whole + table.len() + 1];
                for (bin, share) in table.iter().enumerate() {
                    later[whole + bin] += share * (1.0 - part);
                    later[whole + bin + 1] += share * part;
                }
                Self::Table(later)
            }
        }
    }

    /// Bins that a line needs to hold whoever enters under this law.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Lengths are not negative.
    pub(super) fn reach(&self) -> usize {
        match self {
            Self::Shift(bins) | Self::Even(_, bins) => *bins as usize + 3,
            Self::Memoryless(..) => 3,
            Self::Table(table) => table.len() + 1,
        }
    }
}
