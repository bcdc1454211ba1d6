//! Fixed window: a counter that starts anew at every tick of the clock.
//!
//! Simple, cheap, and twice as generous as it says: a full window just before the tick and another
//! just after it make 2N requests in next to no time (the article's "window-boundary bursts").

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, Rate, Span, TextError, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Bank, Decision, Limiter, LimiterParams, LimiterRole, bank};

/// What it is.
pub const ABOUT: About = About {
    summary: "a counter per window of the clock; admits 2N around a tick",
    text: "Counts requests in windows [k·period, (k + 1)·period) of the run's clock and refuses \
           the rest of a window once the limit is reached. Over a tick it admits up to twice its \
           limit within any time, however short: its honest promise is a burst of 2N.",
    source: "the article, \"Window-boundary bursts\"; clock-anchored as Kong and many gateways do",
    example: "limiter = { fixed-window = { rate = \"120/min\" } }",
};

/// The limit and its window, written as a rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Requests per window; the period as written is the window (`"120/min"`: a minute).
    pub rate: Rate,
}

/// The limit per window as written, or in lowest terms when the written window holds a fraction.
pub(super) fn limit_and_window(rate: Rate) -> (u64, Span) {
    match rate.per_window() {
        Some(limit) => (limit, rate.window()),
        None => (rate.permits(), rate.per()),
    }
}

impl LimiterRole for Params {
    fn check(&self, _: &mut Findings) {}

    fn bank(&self, slots: usize) -> Box<dyn Bank> {
        let (limit, window) = limit_and_window(self.rate);
        bank(FixedWindow { limit, window }, slots)
    }

    /// Two full windows may touch.
    fn promise(&self) -> Option<Budget> {
        let (limit, _) = limit_and_window(self.rate);
        Some(Budget {
            rate: self.rate,
            burst: limit.saturating_mul(2),
        })
    }

    fn share(&self, shares: u64) -> Result<LimiterParams, TextError> {
        Ok(LimiterParams::FixedWindow(Self {
            rate: self.rate.divided(shares)?,
        }))
    }
}

struct FixedWindow {
    limit: u64,
    window: Span,
}

/// The end of the window that was counted last, and its count.
struct State {
    ends: Time,
    count: u64,
}

impl FixedWindow {
    fn settle(&self, state: &mut State, now: Time) {
        if now >= state.ends {
            let began = now.as_nanos() - now.as_nanos() % self.window.as_nanos();
            *state = State {
                ends: Time::from_nanos(began) + self.window,
                count: 0,
            };
        }
    }
}

impl Limiter for FixedWindow {
    type State = State;

    fn fresh(&self) -> State {
        State {
            ends: Time::START,
            count: 0,
        }
    }

    fn decide(&self, state: &mut State, now: Time, cost: u32) -> Decision {
        let cost = u64::from(cost);
        if cost > self.limit {
            return Decision::Never;
        }
        self.settle(state, now);
        if state.count + cost > self.limit {
            return Decision::WaitUntil(state.ends);
        }
        state.count += cost;
        Decision::Grant
    }

    /// The rest of the window is lost; a new window forgets.
    fn charge(&self, state: &mut State, now: Time, _: u32) {
        self.settle(state, now);
        state.count = self.limit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_the_limit_passes_around_a_tick() {
        let mut bank = Params {
            rate: "120/min".parse().expect("a rate"),
        }
        .bank(1);
        let late = Time::from_nanos(59_999_999_999);
        let early = Time::from_nanos(60_000_000_000);
        let passed = |bank: &mut Box<dyn Bank>, now| {
            (0..200)
                .filter(|_| bank.decide(0, now, 1) == Decision::Grant)
                .count()
        };
        assert_eq!(passed(&mut bank, late) + passed(&mut bank, early), 240);
        assert_eq!(
            bank.decide(0, early, 1),
            Decision::WaitUntil(Time::from_nanos(120_000_000_000))
        );
    }
}
