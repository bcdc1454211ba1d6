//! Moments: mean, spread and range of a metric over replications, merged in a fixed order.
//!
//! Welford's update within a chunk and Chan, Golub and LeVeque's merge between chunks; both are
//! plain IEEE operations in a fixed order, so the result is the same for any number of threads.

use crate::summary::Estimate;

/// Running moments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    n: u64,
    mean: f64,
    squares: f64,
    min: f64,
    max: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self {
            n: 0,
            mean: 0.0,
            squares: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        }
    }
}

impl Moments {
    /// Takes in a value.
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        let step = value - self.mean;
        self.mean += step / self.n as f64;
        self.squares += step * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Takes in what another chunk saw after this one.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        if self.n == 0 {
            *self = *other;
            return;
        }
        let (a, b) = (self.n as f64, other.n as f64);
        let step = other.mean - self.mean;
        self.mean += step * b / (a + b);
        self.squares += other.squares + step * step * a * b / (a + b);
        self.n += other.n;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// The estimate with its 95 % interval by Student's t; `None` when nothing was seen.
    pub fn estimate(&self, unit: &str) -> Option<Estimate> {
        if self.n == 0 {
            return None;
        }
        let exact = self.min.to_bits() == self.max.to_bits();
        let n = self.n as f64;
        let se = if exact || self.n < 2 {
            0.0
        } else {
            (self.squares / (n - 1.0) / n).sqrt()
        };
        let half = student_975(self.n - 1) * se;
        let known = !exact && self.n > 1;
        let mean = if exact { self.min } else { self.mean };
        Some(Estimate {
            mean,
            ci95_low: known.then_some(mean - half),
            ci95_high: known.then_some(mean + half),
            se,
            min: self.min,
            max: self.max,
            n: self.n,
            unit: unit.to_owned(),
        })
    }
}

/// The 97.5 % quantile of Student's t, by Hill's expansion about the normal quantile (Abramowitz
/// and Stegun 26.7.5); exact to three digits from four degrees of freedom on.
fn student_975(freedom: u64) -> f64 {
    match freedom {
        0 => return 0.0,
        1 => return 12.706,
        2 => return 4.303,
        3 => return 3.182,
        _ => {}
    }
    let z: f64 = 1.959_963_984_540_054;
    let v = freedom as f64;
    let [z3, z5, z7, z9] = [3, 5, 7, 9].map(|power| z.powi(power));
    z + (z3 + z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v.powi(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92_160.0 * v.powi(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_the_tables() {
        for (freedom, t) in [(4, 2.776), (9, 2.262), (29, 2.045), (120, 1.980)] {
            assert!((student_975(freedom) - t).abs() < 0.002, "{freedom}");
        }
    }

    #[test]
    fn a_merge_equals_one_pass() {
        let values: Vec<f64> = (0..100).map(|n| f64::from(n * n % 37)).collect();
        let fold = |values: &[f64]| {
            let mut moments = Moments::default();
            for value in values {
                moments.add(*value);
            }
            moments
        };
        let (all, mut left, right) = (fold(&values), fold(&values[..40]), fold(&values[40..]));
        left.merge(&right);
        let (a, b) = (
            all.estimate("1").expect("some"),
            left.estimate("1").expect("some"),
        );
        assert!((a.mean - b.mean).abs() < 1e-12 && (a.se - b.se).abs() < 1e-12);
        assert_eq!((a.min, a.max, a.n), (b.min, b.max, b.n));
    }
}
