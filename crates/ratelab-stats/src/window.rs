//! Sliding windows: the largest count in any window `[t, t + width)`, exact, in one pass.
//!
//! Equal times share an entry. Memory is what one window holds, however long the run.

use std::collections::VecDeque;

use ratelab_core::{Budget, Span, Time};

/// The largest count in any sliding window of one width.
#[derive(Debug, Clone)]
pub struct Sliding {
    width: Span,
    entries: VecDeque<(Time, u64)>,
    inside: u64,
    most: u64,
}

impl Sliding {
    /// Of this width.
    pub fn new(width: Span) -> Self {
        Self {
            width,
            entries: VecDeque::new(),
            inside: 0,
            most: 0,
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        self.entries.clear();
        self.inside = 0;
        self.most = 0;
    }

    /// Something happened at `at`, not before what happened last.
    pub fn add(&mut self, at: Time) {
        while let Some((first, count)) = self.entries.front()
            && at.since(*first) >= self.width
        {
            self.inside -= count;
            self.entries.pop_front();
        }
        match self.entries.back_mut() {
            Some((last, count)) if *last == at => *count += 1,
            _ => self.entries.push_back((at, 1)),
        }
        self.inside += 1;
        self.most = self.most.max(self.inside);
    }

    /// The largest count so far.
    pub fn most(&self) -> u64 {
        self.most
    }
}

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

    /// A request set out at `at`.
    pub fn add(&mut self, at: Time) {
        let leaked =
            u128::from(at.since(self.at).as_nanos()) * u128::from(self.budget.rate.permits());
        let one = u128::from(self.budget.rate.per().as_nanos());
        self.level = self.level.saturating_sub(leaked) + one;
        self.worst = self.worst.max(self.level);
        self.at = at;
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
    use super::*;

    #[test]
    fn windows_are_half_open_and_slide() {
        let mut window = Sliding::new(Span::SECOND);
        for millis in [0, 0, 500, 999, 1000, 1400, 1499] {
            window.add(Time::START + Span::from_millis(millis));
        }
        assert_eq!(window.most(), 5, "500, 999, 1000, 1400 and 1499");
    }

    #[test]
    fn four_workers_overrun_one_a_second_by_what_they_send_above_it() {
        let rate = "1/s".parse().expect("a rate");
        let mut overrun = Overrun::new(Budget { rate, burst: 1 });
        for second in 0..10 {
            for _ in 0..4 {
                overrun.add(Time::START + Span::from_secs(second));
            }
        }
        // 40 requests in 9 s against 9 + 1.
        assert!((overrun.worst() - 30.0).abs() < 1e-9);
    }
}
