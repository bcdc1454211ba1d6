//! Overrun: how far what was sent is above what a budget promises to bear.

use ratelab_core::{Budget, Time};

use crate::track::Seen;

/// Requests above `rate · t + burst` in the worst window of any length: the highest level of a
/// bucket that fills by one a request and leaks at the rate, less the burst.
#[derive(Debug, Clone, Copy)]
pub struct Overrun {
    budget: Budget,
    level: u128,
    worst: u128,
    at: Time,
}

impl Overrun {
    /// Against this budget.
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            level: 0,
            worst: 0,
            at: Time::START,
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        *self = Self::new(self.budget);
    }

    /// `count` requests set out at `at`.
    #[inline]
    pub fn add(&mut self, at: Time, count: u32) {
        let leaked =
            u128::from(at.since(self.at).as_nanos()) * u128::from(self.budget.rate.permits());
        let added = u128::from(self.budget.rate.per().as_nanos()) * u128::from(count);
        self.level = self.level.saturating_sub(leaked) + added;
        self.worst = self.worst.max(self.level);
        self.at = at;
    }

    /// Takes in a batch, in order.
    pub fn add_all(&mut self, batch: &[Seen]) {
        let mut sum = *self;
        for seen in batch {
            sum.add(seen.at(), seen.count());
        }
        *self = sum;
    }

    /// Whole and part requests above the budget.
    pub fn worst(&self) -> f64 {
        let one = u128::from(self.budget.rate.per().as_nanos());
        let over = self
            .worst
            .saturating_sub(one * u128::from(self.budget.burst));
        over as f64 / one as f64
    }
}

#[cfg(test)]
mod tests {
    use ratelab_core::Span;

    use super::*;

    #[test]
    fn four_workers_overrun_one_a_second_by_what_they_send_above_it() {
        let rate = "1/s".parse().expect("a rate");
        let mut overrun = Overrun::new(Budget { rate, burst: 1 });
        for second in 0..10 {
            for _ in 0..4 {
                overrun.add(Time::START + Span::from_secs(second), 1);
            }
        }
        // 40 requests in 9 s against 9 + 1.
        assert!((overrun.worst() - 30.0).abs() < 1e-9);
    }
}
