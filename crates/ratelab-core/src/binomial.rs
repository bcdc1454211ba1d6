//! Binomial: how many of `n` do it, each with probability `p`; the same on every machine.
//!
//! Below a mean of ten by inversion, above by transformed rejection with squeeze (Hörmann, "The
//! generation of binomial random variates", J. Stat. Comput. Simul. 46, 1993, algorithm BTRS),
//! whose cost does not depend on `n`.

use crate::exp::{exp, ln};
use crate::rng::Stream;

/// One number of successes.
pub(crate) fn binomial(n: u64, p: f64, stream: &mut Stream) -> u64 {
    if n == 0 || p <= 0.0 {
        0
    } else if p >= 1.0 {
        n
    } else if p > 0.5 {
        n - binomial(n, 1.0 - p, stream)
    } else if n as f64 * p < 10.0 {
        by_inversion(n, p, stream)
    } else {
        by_rejection(n, p, stream)
    }
}

/// Walks up the distribution until the drawn share is reached.
fn by_inversion(n: u64, p: f64, stream: &mut Stream) -> u64 {
    let odds = p / (1.0 - p);
    let mut chance = exp(n as f64 * ln(1.0 - p));
    let mut left = unit(stream);
    let mut count = 0;
    while left > chance && count < n {
        left -= chance;
        chance *= (n - count) as f64 / (count + 1) as f64 * odds;
        count += 1;
    }
    count
}

#[allow(clippy::many_single_char_names)] // They are the paper's.
fn by_rejection(n: u64, p: f64, stream: &mut Stream) -> u64 {
    let (all, q) = (n as f64, 1.0 - p);
    let deviation = (all * p * q).sqrt();
    let b = 1.15 + 2.53 * deviation;
    let a = -0.0873 + 0.0248 * b + 0.01 * p;
    let centre = all * p + 0.5;
    let squeeze = 0.92 - 4.2 / b;
    loop {
        let (u, v) = (unit(stream) - 0.5, unit(stream));
        let edge = 0.5 - u.abs();
        let place = (2.0 * a / edge + b) * u + centre;
        if place < 0.0 || place >= all + 1.0 {
            continue;
        }
        // Not negative and at most n, so cutting off is the floor.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let count = place as u64;
        if edge >= 0.07 && v <= squeeze {
            return count;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let mode = ((all + 1.0) * p) as u64;
        let alpha = (2.83 + 5.1 / b) * deviation;
        let height = v * alpha / (a / (edge * edge) + b);
        let log_odds = ln(p / q) * (count as f64 - mode as f64);
        let shape = ln_factorial(mode) + ln_factorial(n - mode)
            - ln_factorial(count)
            - ln_factorial(n - count);
        if ln(height) <= shape + log_odds {
            return count;
        }
    }
}

/// The logarithm of n!, by Stirling's series from ten on.
fn ln_factorial(n: u64) -> f64 {
    if n < 10 {
        return ln((2..=n).map(|k| k as f64).product());
    }
    let x = (n + 1) as f64;
    let series = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1_260.0 * x * x)) / (x * x)) / x;
    (x - 0.5) * ln(x) - x + 0.918_938_533_204_672_8 + series
}

/// In `(0, 1)`.
fn unit(stream: &mut Stream) -> f64 {
    ((stream.bits() >> 12) as f64 + 0.5) / 4_503_599_627_370_496.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Actor, Purpose, Seed};

    #[test]
    fn mean_and_variance_are_those_of_the_law() {
        let mut stream = Seed(1).stream(Actor::Server, Purpose::Order);
        let laws = [
            (1, 0.3),
            (20, 0.01),
            (100, 0.5),
            (1_000, 0.009),
            (1_000, 0.7),
            (50_000, 0.4),
            (100_000_000, 0.001),
            (4_000_000_000, 0.25),
        ];
        for (n, p) in laws {
            let draws = 100_000;
            let (mut sum, mut squares) = (0.0, 0.0);
            let mean = n as f64 * p;
            for _ in 0..draws {
                let count = binomial(n, p, &mut stream);
                assert!(count <= n);
                let off = count as f64 - mean;
                sum += off;
                squares += off * off;
            }
            let variance = mean * (1.0 - p);
            let error = (variance / f64::from(draws)).sqrt();
            assert!(
                sum.abs() / f64::from(draws) < 5.0 * error,
                "mean of {n}, {p}"
            );
            let ratio = squares / f64::from(draws) / variance;
            assert!((ratio - 1.0).abs() < 0.025, "variance of {n}, {p}: {ratio}");
        }
    }

    #[test]
    fn every_count_is_as_likely_as_it_should_be() {
        // Against the exact probabilities, on both sides of the change of method.
        for (n, p) in [(30, 0.2), (40, 0.45)] {
            let mut stream = Seed(2).stream(Actor::Server, Purpose::Order);
            let mut seen = [0.0; 41];
            let draws = 400_000.0;
            for _ in 0..400_000 {
                let count = binomial(n, p, &mut stream);
                seen[usize::try_from(count).expect("at most n")] += 1.0;
            }
            let mut chance = (1.0f64 - p).powi(i32::try_from(n).expect("small"));
            for (count, seen) in (0..=n).zip(seen) {
                let error = (chance * draws).sqrt().max(1.0);
                assert!(
                    (seen - chance * draws).abs() < 5.0 * error,
                    "{count} of {n}, {p}"
                );
                chance *= (n - count) as f64 / (count + 1) as f64 * p / (1.0 - p);
            }
        }
    }

    #[test]
    fn the_factorial_is_right_on_both_sides_of_ten() {
        let mut log = 0.0f64;
        for n in 1..200u64 {
            log += (n as f64).ln();
            assert!((ln_factorial(n) - log).abs() < 1e-9, "{n}");
        }
    }
}
