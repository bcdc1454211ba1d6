//! nginx `limit_req`: an excess in thousandths of a request, drained by the millisecond.
//!
//! Integer for integer as nginx 1.22 computes it: the rate is cut to thousandths of a request a
//! second, elapsed time to milliseconds, and delays to whole milliseconds. So 100 a minute is
//! spaced by 601 ms, not 600, and requests inside one millisecond meet the same excess.

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, Rate, Span, TextError, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Bank, Decision, Limiter, LimiterParams, LimiterRole, bank};

/// What it is.
pub const ABOUT: About = About {
    summary: "nginx limit_req: excess in milli-requests, burst on top, delay or nodelay",
    text: "From idle `burst + 1` requests pass: `burst` is an extra, not a capacity. Above `delay` \
           a request waits until its turn (burst without nodelay); with `nodelay` it passes at \
           once; above `burst` it is refused and costs nothing.",
    source: "nginx 1.22.1 ngx_http_limit_req_module; the article, Fix 3",
    example: "limiter = { nginx = { rate = \"1/s\", burst = 2, nodelay = true } }",
};

/// As in a `limit_req_zone` and a `limit_req` line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// `rate=`: requests per second or minute.
    pub rate: Rate,
    /// `burst=`: requests above the rate that are not refused.
    #[serde(default)]
    pub burst: u64,
    /// `nodelay`: pass burst requests at once instead of spacing them out.
    #[serde(default)]
    pub nodelay: bool,
    /// `delay=`: burst requests that pass at once before spacing begins.
    #[serde(default)]
    pub delay: u64,
}

impl Params {
    /// Thousandths of a request a second, cut as nginx cuts it.
    fn milli_rate(&self) -> u64 {
        let milli = u128::from(self.rate.permits()) * 1_000_000_000_000;
        u64::try_from(milli / u128::from(self.rate.per().as_nanos())).unwrap_or(u64::MAX)
    }
}

impl LimiterRole for Params {
    fn check(&self, findings: &mut Findings) {
        let rate = self.milli_rate();
        let instead = "write at least \"1/min\": nginx counts thousandths of a request a second";
        findings.demand(rate > 0, "rate", "nginx cuts this rate to zero", instead);
        let instead = "write at most \"1000000/s\"";
        findings.demand(
            rate <= 1_000_000_000,
            "rate",
            "this rate is too high for nginx",
            instead,
        );
        let instead = "write at most 1000000";
        findings.demand(
            self.burst <= 1_000_000,
            "burst",
            "this burst is too large",
            instead,
        );
        let both = self.nodelay && self.delay > 0;
        findings.demand(
            !both,
            "delay",
            "nodelay and delay exclude each other",
            "keep one of them",
        );
    }

    fn bank(&self, slots: usize) -> Box<dyn Bank> {
        let delay = if self.nodelay {
            u64::MAX
        } else {
            self.delay * 1000
        };
        bank(
            Nginx {
                rate: self.milli_rate(),
                burst: self.burst * 1000,
                delay,
            },
            slots,
        )
    }

    fn promise(&self) -> Option<Budget> {
        Some(Budget {
            rate: self.rate,
            burst: self.burst + 1,
        })
    }

    fn share(&self, shares: u64) -> Result<LimiterParams, TextError> {
        let rate = self.rate.divided(shares)?;
        let burst = self.burst / shares.max(1);
        Ok(LimiterParams::Nginx(Self {
            rate,
            burst,
            nodelay: self.nodelay,
            delay: self.delay,
        }))
    }

    fn tick(&self) -> Span {
        Span::MILLI
    }
}

struct Nginx {
    /// Thousandths of a request a second.
    rate: u64,
    /// Thousandths of a request.
    burst: u64,
    /// Thousandths of a request that pass without delay.
    delay: u64,
}

/// A node of the zone: none yet, or excess and the millisecond it was right.
struct State {
    seen: bool,
    excess: u64,
    last: u64,
}

const ONE: u64 = 1000;

impl Nginx {
    /// The excess that a request at `now` would have, and the elapsed milliseconds.
    fn excess(&self, state: &State, now: u64) -> (u64, u64) {
        let elapsed = now.saturating_sub(state.last);
        let drained = self.rate.saturating_mul(elapsed) / ONE;
        ((state.excess + ONE).saturating_sub(drained), elapsed)
    }
}

impl Limiter for Nginx {
    type State = State;

    fn fresh(&self) -> State {
        State {
            seen: false,
            excess: 0,
            last: 0,
        }
    }

    fn decide(&self, state: &mut State, now: Time, _: u32) -> Decision {
        let ms = now.as_nanos() / Span::MILLI.as_nanos();
        if !state.seen {
            *state = State {
                seen: true,
                excess: 0,
                last: ms,
            };
            return Decision::Grant;
        }
        let (excess, elapsed) = self.excess(state, ms);
        if excess > self.burst {
            // The first millisecond at which the excess has drained to the burst.
            let over = state.excess + ONE - self.burst;
            let free = state.last + (over * ONE).div_ceil(self.rate);
            return Decision::WaitUntil(Time::START + Span::from_millis(free));
        }
        state.excess = excess;
        if elapsed > 0 {
            state.last = ms;
        }
        if excess <= self.delay {
            return Decision::Grant;
        }
        // Below one request the cut division can give zero: nginx then does not delay.
        match (excess - self.delay) * ONE / self.rate {
            0 => Decision::Grant,
            wait => Decision::GrantAt(now + Span::from_millis(wait)),
        }
    }

    /// nginx itself never counts refused requests; a server that does fills the burst.
    fn charge(&self, state: &mut State, now: Time, _: u32) {
        let ms = now.as_nanos() / Span::MILLI.as_nanos();
        *state = State {
            seen: true,
            excess: self.burst,
            last: ms,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(rate: &str, burst: u64, nodelay: bool) -> Box<dyn Bank> {
        Params {
            rate: rate.parse().expect("a rate"),
            burst,
            nodelay,
            delay: 0,
        }
        .bank(1)
    }

    const fn ms(millis: u64) -> Time {
        Time::from_nanos(millis * 1_000_000)
    }

    #[test]
    fn burst_is_an_extra() {
        let mut zone = zone("1/s", 2, true);
        let passed = (0..5)
            .filter(|_| zone.decide(0, ms(0), 1) == Decision::Grant)
            .count();
        assert_eq!(passed, 3);
        assert_eq!(zone.decide(0, ms(0), 1), Decision::WaitUntil(ms(1000)));
    }

    #[test]
    fn a_hundred_a_minute_is_spaced_by_601_ms() {
        let mut zone = zone("100/min", 0, true);
        assert_eq!(zone.decide(0, ms(0), 1), Decision::Grant);
        assert_eq!(zone.decide(0, ms(600), 1), Decision::WaitUntil(ms(601)));
        assert_eq!(zone.decide(0, ms(601), 1), Decision::Grant);
    }

    #[test]
    fn without_nodelay_the_burst_is_spaced_out() {
        let mut zone = zone("1/s", 2, false);
        assert_eq!(zone.decide(0, ms(0), 1), Decision::Grant);
        assert_eq!(zone.decide(0, ms(0), 1), Decision::GrantAt(ms(1000)));
        assert_eq!(zone.decide(0, ms(0), 1), Decision::GrantAt(ms(2000)));
        assert_eq!(zone.decide(0, ms(0), 1), Decision::WaitUntil(ms(1000)));
    }
}
