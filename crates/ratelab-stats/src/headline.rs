//! Headline: the one metric that is kept run by run, to show its spread and to compare in pairs.
//!
//! Rows of one seed share their luck, so run n of one pairs with run n of another: the difference
//! of each pair varies less than either of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::moments::Moments;
use crate::summary::Estimate;

/// Runs kept one by one; beyond them only the spread is.
const KEPT: usize = 100_000;
/// Values told apart in the spread.
const DISTINCT: usize = 64;

/// A metric run by run.
#[derive(Debug, Clone, Default)]
pub struct Headline {
    each: Vec<Option<f64>>,
    spread: BTreeMap<u64, u64>,
    runs: u64,
}

/// The difference of two rows, pair by pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// The metric.
    pub metric: String,
    /// The row it is compared with.
    pub against: String,
    /// This row's value less the other's.
    pub difference: Estimate,
}

impl Headline {
    /// Takes in the next run's value.
    pub fn add(&mut self, value: Option<f64>) {
        self.runs += 1;
        if self.each.len() < KEPT {
            self.each.push(value);
        }
        // Metrics are never negative, so their bits are in their order.
        if let Some(value) = value
            && self.spread.len() <= DISTINCT
        {
            *self.spread.entry(value.to_bits()).or_default() += 1;
        }
    }

    /// Takes in a later chunk.
    pub fn merge(&mut self, other: &Self) {
        self.runs += other.runs;
        let room = KEPT.saturating_sub(self.each.len());
        self.each.extend(other.each.iter().take(room));
        for (value, count) in &other.spread {
            if self.spread.len() <= DISTINCT {
                *self.spread.entry(*value).or_default() += count;
            }
        }
    }

    /// Values and how many runs had them; empty when there are too many to tell apart.
    pub fn spread(&self) -> Vec<(f64, u64)> {
        if self.spread.len() > DISTINCT {
            return Vec::new();
        }
        self.spread
            .iter()
            .map(|(bits, count)| (f64::from_bits(*bits), *count))
            .collect()
    }

    /// This less `other`, pair by pair; `None` when runs were not all kept or never both have it.
    pub fn less(&self, other: &Self, unit: &str) -> Option<Estimate> {
        let whole = self.runs == self.each.len() as u64 && other.runs == self.runs;
        let mut moments = Moments::default();
        let pairs = self.each.iter().zip(&other.each).filter(|_| whole);
        for (mine, theirs) in pairs {
            if let (Some(mine), Some(theirs)) = (mine, theirs) {
                moments.add(mine - theirs);
            }
        }
        moments.estimate(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Headline {
        let mut headline = Headline::default();
        for value in values {
            headline.add(Some(*value));
        }
        headline
    }

    #[test]
    fn what_two_rows_share_cancels_in_pairs() {
        let (one, two) = (of(&[10.0, 20.0, 30.0]), of(&[8.0, 18.0, 28.0]));
        let difference = one.less(&two, "1").expect("pairs");
        assert!(
            difference.is_exact(),
            "the rows vary, their difference does not"
        );
        assert_eq!(difference.mean.to_bits(), 2.0f64.to_bits());
    }

    #[test]
    fn chunks_keep_their_order_and_their_spread() {
        let mut whole = of(&[1.0, 2.0]);
        whole.merge(&of(&[2.0, 0.0]));
        assert_eq!(whole.spread(), [(0.0, 1), (1.0, 1), (2.0, 2)]);
        assert!(
            whole.less(&of(&[1.0]), "1").is_none(),
            "one run cannot pair with four"
        );
    }
}
