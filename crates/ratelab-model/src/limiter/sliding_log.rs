//! Sliding log: remembers when it let requests pass and counts those in the window behind now.
//!
//! Exact over every window, at the price of one timestamp per permit. The log is a ring as long as
//! the limit: the oldest entry alone decides, since it is the limit-th request back.

use std::collections::VecDeque;

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, Rate, Span, TextError, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fixed_window::limit_and_window;
use super::{Bank, Decision, Limiter, LimiterParams, LimiterRole, bank};

/// What it is.
pub const ABOUT: About = About {
    summary: "exact over every window; remembers each permit's time",
    text: "Lets a request pass when fewer than the limit passed in the window (now - period, now]. \
           No window of that length, wherever it starts, ever holds more than the limit.",
    source: "the article, \"Window-boundary bursts\", as the cure; Redis sorted-set limiters",
    example: "limiter = { sliding-log = { rate = \"120/min\" } }",
};

/// The limit and its window, written as a rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Requests per window; the period as written is the window (`"120/min"`: a minute).
    pub rate: Rate,
}

impl LimiterRole for Params {
    fn check(&self, findings: &mut Findings) {
        let (limit, _) = limit_and_window(self.rate);
        let instead = "use a token bucket, or at most 10000000 a window";
        let small = limit <= 10_000_000;
        findings.demand(
            small,
            "rate",
            "a log of that many timestamps is too long",
            instead,
        );
    }

    fn bank(&self, slots: usize) -> Box<dyn Bank> {
        let (limit, window) = limit_and_window(self.rate);
        bank(
            SlidingLog {
                limit: usize::try_from(limit).unwrap_or(usize::MAX),
                window,
            },
            slots,
        )
    }

    /// A closed window of one period may hold the limit; the bound `rate · t + limit` follows.
    fn promise(&self) -> Option<Budget> {
        let (limit, _) = limit_and_window(self.rate);
        Some(Budget {
            rate: self.rate,
            burst: limit,
        })
    }

    fn share(&self, shares: u64) -> Result<LimiterParams, TextError> {
        Ok(LimiterParams::SlidingLog(Self {
            rate: self.rate.divided(shares)?,
        }))
    }

    fn bytes_per_slot(&self) -> u64 {
        32 + 8 * limit_and_window(self.rate).0
    }
}

struct SlidingLog {
    limit: usize,
    window: Span,
}

impl SlidingLog {
    fn note(&self, log: &mut VecDeque<Time>, now: Time) {
        if log.len() == self.limit {
            log.pop_front();
        }
        log.push_back(now);
    }
}

impl Limiter for SlidingLog {
    type State = VecDeque<Time>;

    fn fresh(&self) -> VecDeque<Time> {
        VecDeque::new()
    }

    fn decide(&self, log: &mut VecDeque<Time>, now: Time, cost: u32) -> Decision {
        let cost = cost as usize;
        if cost > self.limit {
            return Decision::Never;
        }
        // The entry that must have left the window before `cost` more fit.
        let blocking = (log.len() + cost)
            .checked_sub(self.limit)
            .filter(|n| *n > 0);
        if let Some(blocking) = blocking {
            let free = log[blocking - 1] + self.window;
            if now < free {
                return Decision::WaitUntil(free);
            }
        }
        for _ in 0..cost {
            self.note(log, now);
        }
        Decision::Grant
    }

    /// A refused request stands in the log like any other.
    fn charge(&self, log: &mut VecDeque<Time>, now: Time, cost: u32) {
        for _ in 0..cost {
            self.note(log, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_window_holds_more_than_the_limit() {
        let mut bank = Params {
            rate: "120/min".parse().expect("a rate"),
        }
        .bank(1);
        let late = Time::from_nanos(59_999_999_999);
        let passed = (0..200)
            .filter(|_| bank.decide(0, late, 1) == Decision::Grant)
            .count();
        assert_eq!(passed, 120);
        let free = Time::from_nanos(119_999_999_999);
        assert_eq!(
            bank.decide(0, Time::from_nanos(60_000_000_000), 1),
            Decision::WaitUntil(free)
        );
        assert_eq!(bank.decide(0, free, 1), Decision::Grant);
    }
}
