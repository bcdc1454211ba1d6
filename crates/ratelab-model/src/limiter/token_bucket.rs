//! Token bucket: a level that refills at a rate up to a burst; a request takes its cost or waits.
//!
//! The article's Fix 1 without its clock: the same read, refill, check, decrement, in integers. The
//! level is kept in units of one permit divided by the rate's period in nanoseconds, so a
//! nanosecond refills a whole number of units and no rate is rounded.

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, Rate, Span, TextError, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Bank, Decision, Limiter, LimiterParams, LimiterRole, bank, check_bucket};

/// What it is.
pub const ABOUT: About = About {
    summary: "refills at a rate up to a burst; the article's Redis bucket, exact",
    text: "Starts full. A request takes its cost when the level allows, else it is told when the \
           level will. After a long idle time `burst` requests pass back to back, then one per \
           period of the rate. Equal to `gcra` decision for decision.",
    source: "the article, Fix 1; Turner 1986; RFC 2697 section 3 for the level arithmetic",
    example: "limiter = { token-bucket = { rate = \"1/s\", burst = 1 } }",
};

/// Rate and burst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Tokens that come back per period.
    pub rate: Rate,
    /// Tokens a full bucket holds.
    #[serde(default = "one")]
    pub burst: u64,
}

pub(super) fn one() -> u64 {
    1
}

impl LimiterRole for Params {
    fn check(&self, findings: &mut Findings) {
        check_bucket(findings, self.rate, self.burst);
    }

    fn bank(&self, slots: usize) -> Box<dyn Bank> {
        bank(TokenBucket::new(self), slots)
    }

    fn promise(&self) -> Option<Budget> {
        Some(Budget {
            rate: self.rate,
            burst: self.burst,
        })
    }

    fn share(&self, shares: u64) -> Result<LimiterParams, TextError> {
        let rate = self.rate.divided(shares)?;
        let burst = super::share_of_burst(self.burst, shares);
        Ok(LimiterParams::TokenBucket(Self { rate, burst }))
    }
}

/// The rule with its constants worked out.
struct TokenBucket {
    /// Units in one token: the rate's period in nanoseconds.
    token: u64,
    /// Units that come back per nanosecond: the rate's permits.
    refill: u64,
    /// Units in a full bucket.
    full: u64,
    /// After so long any bucket is full.
    full_after: Span,
}

/// Level and when it was right.
struct State {
    level: u64,
    at: Time,
}

impl TokenBucket {
    fn new(params: &Params) -> Self {
        let token = params.rate.per().as_nanos();
        let refill = params.rate.permits();
        let full = token.saturating_mul(params.burst);
        Self {
            token,
            refill,
            full,
            full_after: Span::from_nanos(full.div_ceil(refill)),
        }
    }

    fn settle(&self, state: &mut State, now: Time) {
        let elapsed = now.since(state.at);
        state.level = if elapsed >= self.full_after {
            self.full
        } else {
            // Below `full_after` the product is below `full`, so it fits.
            self.full
                .min(state.level.saturating_add(elapsed.as_nanos() * self.refill))
        };
        state.at = now;
    }
}

impl Limiter for TokenBucket {
    type State = State;

    fn fresh(&self) -> State {
        State {
            level: self.full,
            at: Time::START,
        }
    }

    fn decide(&self, state: &mut State, now: Time, cost: u32) -> Decision {
        let Some(price) = self
            .token
            .checked_mul(u64::from(cost))
            .filter(|p| *p <= self.full)
        else {
            return Decision::Never;
        };
        self.settle(state, now);
        if let Some(left) = state.level.checked_sub(price) {
            state.level = left;
            return Decision::Grant;
        }
        let missing = (price - state.level).div_ceil(self.refill);
        Decision::WaitUntil(now + Span::from_nanos(missing))
    }

    /// A refused request drains what had come back: whoever hammers is never let in.
    fn charge(&self, state: &mut State, now: Time, _: u32) {
        self.settle(state, now);
        state.level = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(rate: &str, burst: u64) -> Box<dyn Bank> {
        Params {
            rate: rate.parse().expect("a rate"),
            burst,
        }
        .bank(1)
    }

    const fn ms(millis: u64) -> Time {
        Time::from_nanos(millis * 1_000_000)
    }

    #[test]
    fn one_a_second_is_one_a_second() {
        let mut bucket = bucket("1/s", 1);
        assert_eq!(bucket.decide(0, ms(0), 1), Decision::Grant);
        assert_eq!(bucket.decide(0, ms(400), 1), Decision::WaitUntil(ms(1000)));
        assert_eq!(bucket.decide(0, ms(1000), 1), Decision::Grant);
        assert_eq!(bucket.decide(0, ms(5000), 1), Decision::Grant);
        assert_eq!(bucket.decide(0, ms(5000), 1), Decision::WaitUntil(ms(6000)));
    }

    #[test]
    fn three_a_second_never_drifts() {
        // With a burst of one the level is capped at each grant, which costs a fraction of a
        // nanosecond; with two there is room to keep it.
        let mut bucket = bucket("3/s", 2);
        let mut now = Time::START;
        for _ in 0..3_000_000 {
            if let Decision::WaitUntil(at) = bucket.decide(0, now, 1) {
                now = at;
                assert_eq!(bucket.decide(0, now, 1), Decision::Grant);
            }
        }
        // Two grants at the start, then the last of 3,000,000 at exactly ceil(2,999,998 / 3 s).
        assert_eq!(now.as_nanos(), 999_999_333_333_334);
    }

    #[test]
    fn counting_refused_requests_locks_a_hammering_client_out() {
        let mut bucket = bucket("1/s", 1);
        assert_eq!(bucket.decide(0, ms(0), 1), Decision::Grant);
        for tick in 1..100 {
            let now = ms(tick * 500);
            assert!(
                matches!(bucket.decide(0, now, 1), Decision::WaitUntil(_)),
                "at {now}"
            );
            bucket.charge(0, now, 1);
        }
        assert_eq!(
            bucket.decide(0, ms(50_500), 1),
            Decision::Grant,
            "after a second of rest"
        );
    }

    #[test]
    fn a_cost_above_the_burst_never_passes() {
        assert_eq!(bucket("1/s", 2).decide(0, ms(0), 3), Decision::Never);
    }
}
