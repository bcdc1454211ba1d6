//! GCRA: the generic cell rate algorithm, a token bucket kept as one point in time.
//!
//! The state is the theoretical arrival time of the next request, in whole nanoseconds and a
//! numerator below the rate's permits, so that no rate is rounded. governor and redis-cell cut the
//! interval to whole nanoseconds; they are entries of their own where that matters.

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, Rate, TextError, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::token_bucket::one;
use super::{Bank, Decision, Limiter, LimiterParams, LimiterRole, bank, check_burst};

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
        check_burst(findings, self.burst);
        let fits = self.burst.checked_mul(self.rate.per().as_nanos()).is_some();
        let instead = "use a smaller burst, or a rate with a shorter period";
        findings.demand(
            fits,
            "burst",
            "burst times period is too large to count exactly",
            instead,
        );
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

/// `nanos + parts / permits` nanoseconds after the start; ordered as written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Exact {
    nanos: u64,
    parts: u64,
}

impl Gcra {
    /// `count` emission intervals.
    fn intervals(&self, count: u64) -> Exact {
        let whole = count.saturating_mul(self.rate.per().as_nanos());
        Exact {
            nanos: whole / self.rate.permits(),
            parts: whole % self.rate.permits(),
        }
    }

    fn plus(&self, a: Exact, b: Exact) -> Exact {
        let parts = a.parts + b.parts;
        let carry = parts / self.rate.permits();
        let nanos = a.nanos.saturating_add(b.nanos).saturating_add(carry);
        Exact {
            nanos,
            parts: parts % self.rate.permits(),
        }
    }

    /// The first whole nanosecond at which `arrival` is no more than `tolerance` away.
    fn earliest(arrival: Exact, tolerance: Exact) -> Time {
        let nanos = arrival.nanos.saturating_sub(tolerance.nanos);
        Time::from_nanos(if arrival.parts > tolerance.parts {
            nanos + 1
        } else {
            nanos
        })
    }
}

impl Limiter for Gcra {
    type State = Exact;

    fn fresh(&self) -> Exact {
        Exact { nanos: 0, parts: 0 }
    }

    fn decide(&self, state: &mut Exact, now: Time, cost: u32) -> Decision {
        let cost = u64::from(cost);
        if cost > self.burst {
            return Decision::Never;
        }
        let tolerance = self.intervals(self.burst - cost);
        let now_exact = Exact {
            nanos: now.as_nanos(),
            parts: 0,
        };
        if *state > self.plus(now_exact, tolerance) {
            return Decision::WaitUntil(Self::earliest(*state, tolerance));
        }
        *state = self.plus((*state).max(now_exact), self.intervals(cost));
        Decision::Grant
    }

    /// The bucket is empty: a whole interval beyond what the tolerance forgives.
    fn charge(&self, state: &mut Exact, now: Time, _: u32) {
        let now_exact = Exact {
            nanos: now.as_nanos(),
            parts: 0,
        };
        *state = self.plus(now_exact, self.intervals(self.burst));
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
