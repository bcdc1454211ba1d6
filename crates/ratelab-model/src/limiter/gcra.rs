//! GCRA: the generic cell rate algorithm, a token bucket kept as one point in time.
//!
//! The state is the theoretical arrival time of the next request, in whole nanoseconds and a
//! numerator below the rate's permits, so that no rate is rounded. governor and redis-cell cut the
//! interval to whole nanoseconds; they are entries of their own where that matters.

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, Rate, TextError, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::exact::Exact;
use super::token_bucket::one;
use super::{Bank, Decision, Limiter, LimiterParams, LimiterRole, bank, check_bucket};

/// What it is.
pub const ABOUT: About = About {
    summary: "a token bucket kept as one arrival time",
    text: "A request may come up to (burst - 1) intervals before its theoretical arrival time; \
           each grant moves that time on by one interval. Same answers as `token-bucket`.",
    source: "ITU-T I.371 (2004) annex A, virtual scheduling algorithm",
    example: "limiter = { gcra = { rate = \"100/min\", burst = 20 } }",
};

/// Rate and burst.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Requests per period.
    pub rate: Rate,
    /// Requests that may come back to back after an idle time.
    #[serde(default = "one")]
    pub burst: u64,
}

impl LimiterRole for Params {
    fn check(&self, findings: &mut Findings) {
        check_bucket(findings, self.rate, self.burst);
    }

    fn bank(&self, slots: usize) -> Box<dyn Bank> {
        bank(
            Gcra {
                rate: self.rate,
                burst: self.burst,
            },
            slots,
        )
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
        Ok(LimiterParams::Gcra(Self { rate, burst }))
    }
}

struct Gcra {
    rate: Rate,
    burst: u64,
}

impl Limiter for Gcra {
    type State = Exact;

    fn fresh(&self) -> Exact {
        Exact::START
    }

    fn decide(&self, state: &mut Exact, now: Time, cost: u32) -> Decision {
        let cost = u64::from(cost);
        if cost > self.burst {
            return Decision::Never;
        }
        let tolerance = Exact::intervals(self.rate, self.burst - cost);
        if *state > Exact::at(now).plus(self.rate, tolerance) {
            return Decision::WaitUntil(state.less(tolerance));
        }
        let interval = Exact::intervals(self.rate, cost);
        *state = (*state).max(Exact::at(now)).plus(self.rate, interval);
        Decision::Grant
    }

    /// The bucket is empty: a whole interval beyond what the tolerance forgives.
    fn charge(&self, state: &mut Exact, now: Time, _: u32) {
        *state = Exact::at(now).plus(self.rate, Exact::intervals(self.rate, self.burst));
    }
}

#[cfg(test)]
mod tests {
    use ratelab_core::Span;

    use super::*;

    #[test]
    fn an_interval_may_be_a_fraction() {
        let params = Params {
            rate: "3/s".parse().expect("a rate"),
            burst: 1,
        };
        let mut bank = params.bank(1);
        assert_eq!(bank.decide(0, Time::START, 1), Decision::Grant);
        let third = Time::START + Span::from_nanos(333_333_334);
        assert_eq!(bank.decide(0, Time::START, 1), Decision::WaitUntil(third));
        assert_eq!(bank.decide(0, third, 1), Decision::Grant);
    }
}
