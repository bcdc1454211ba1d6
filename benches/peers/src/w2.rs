//! Workload W2, a fleet with backoff: its constants, its draws and its bucket, for all engines.
//!
//! All times are in seconds.

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp1, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// Logarithm of the median one-way latency of 50 ms.
const MU: f64 = -2.995_732_273_553_991;
const SIGMA: f64 = 0.5;
const LONGEST_LATENCY: f64 = 2.0;
/// Ceilings of the backoff after as many refusals: 2^k s, at most 30 s.
const CEILINGS: [f64; 11] = [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 30.0, 30.0, 30.0];
/// Tokens a second and worker.
const RATE: f64 = 0.2;

/// Refusals in a row that a worker counts.
pub(crate) fn one_more(refusals: u8) -> u8 {
    (refusals + 1).min(CEILINGS.len() as u8 - 1)
}

/// A stream of random numbers.
#[derive(Serialize, Deserialize)]
pub(crate) struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// When a worker begins: uniform within the first second.
    #[inline]
    pub(crate) fn offset(&mut self) -> f64 {
        self.0.random()
    }

    /// When a worker's first request is at the server.
    pub(crate) fn first(&mut self) -> f64 {
        self.offset() + self.latency()
    }

    /// One-way latency.
    #[inline]
    pub(crate) fn latency(&mut self) -> f64 {
        let normal: f64 = StandardNormal.sample(&mut self.0);
        (MU + SIGMA * normal).exp().min(LONGEST_LATENCY)
    }

    /// Wait after a success.
    #[inline]
    pub(crate) fn think(&mut self) -> f64 {
        self.exponential()
    }

    /// Wait after as many refusals in a row, with full jitter.
    #[inline]
    pub(crate) fn backoff(&mut self, refusals: u8) -> f64 {
        self.offset() * CEILINGS[usize::from(refusals)]
    }

    /// Exponential of mean 1.
    #[inline]
    pub(crate) fn exponential(&mut self) -> f64 {
        Exp1.sample(&mut self.0)
    }
}

/// The server's token bucket, refilled when asked.
#[derive(Serialize, Deserialize)]
pub(crate) struct Bucket {
    rate: f64,
    capacity: f64,
    tokens: f64,
    filled: f64,
}

impl Bucket {
    pub(crate) fn new(workers: u32) -> Self {
        let rate = RATE * f64::from(workers);
        let capacity = rate.max(1.0);
        Self {
            rate,
            capacity,
            tokens: capacity,
            filled: 0.0,
        }
    }

    /// Takes a token, if there is one.
    #[inline]
    pub(crate) fn take(&mut self, now: f64) -> bool {
        let gained = (now - self.filled) * self.rate;
        self.tokens = (self.tokens + gained).min(self.capacity);
        self.filled = now;
        let served = self.tokens >= 1.0;
        if served {
            self.tokens -= 1.0;
        }
        served
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_starts_full_and_refills() {
        let mut bucket = Bucket::new(10);
        assert_eq!([0.0; 3].map(|now| bucket.take(now)), [true, true, false]);
        assert_eq!([0.4, 0.6].map(|now| bucket.take(now)), [false, true]);
    }

    #[test]
    fn latencies_have_their_median_and_their_limit() {
        let mut draws = Draws::new(1);
        let latencies: Vec<_> = (0..100_000).map(|_| draws.latency()).collect();
        let below = latencies.iter().filter(|latency| **latency < 0.05).count();
        assert!((49_000..51_000).contains(&below), "{below}");
        assert!(latencies.iter().all(|latency| *latency <= LONGEST_LATENCY));
    }
}
