//! Chance: an outcome that a run either has or has not, as a probability with its interval.
//!
//! A mean says nothing of such outcomes; a share of a few runs says little. The interval is
//! Wilson's (1927), which stays inside [0, 1] and is honest when nothing has happened yet.

use serde::{Deserialize, Serialize};

/// How often an outcome came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chance {
    /// The outcome: `stuck`, `over the budget`.
    pub outcome: String,
    /// Replications that had it.
    pub hits: u64,
    /// All replications.
    pub n: u64,
    /// Lower end of the 95 % interval of its probability.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The first replication that had it; `ratelab trace --replication` shows it.
    pub first: Option<u64>,
}

/// Counts an outcome.
#[derive(Debug, Clone, Copy, Default)]
pub struct Odds {
    hits: u64,
    n: u64,
    first: Option<u64>,
}

impl Odds {
    /// Takes in whether a replication had it.
    pub fn add(&mut self, replication: u64, hit: bool) {
        self.n += 1;
        self.hits += u64::from(hit);
        if hit && self.first.is_none() {
            self.first = Some(replication);
        }
    }

    /// Takes in a later chunk.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.hits += other.hits;
        self.first = self.first.or(other.first);
    }

    /// The probability with its interval.
    pub fn chance(&self, outcome: &str) -> Chance {
        let (low, high) = wilson(self.hits, self.n);
        let (hits, n, first) = (self.hits, self.n, self.first);
        Chance {
            outcome: outcome.to_owned(),
            hits,
            n,
            low,
            high,
            first,
        }
    }
}

/// Wilson's 95 % interval for `hits` of `n`.
fn wilson(hits: u64, n: u64) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let z: f64 = 1.959_963_984_540_054;
    let (share, n) = (hits as f64 / n as f64, n as f64);
    let centre = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    (
        ((centre - half) / scale).max(0.0),
        ((centre + half) / scale).min(1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_match_published_ones() {
        // Newcombe 1998, table I, method 3.
        for (hits, n, low, high) in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)] {
            let (a, b) = wilson(hits, n);
            assert!(
                (a - low).abs() < 5e-5 && (b - high).abs() < 5e-5,
                "{hits}/{n}: {a} {b}"
            );
        }
        let (low, high) = wilson(0, 20);
        assert!(low == 0.0 && (high - 0.1611).abs() < 5e-5);
    }
}
