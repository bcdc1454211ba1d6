//! Leaky bucket, also called pacer: requests leave at a fixed spacing, however they come.
//!
//! With a `queue` it is the leaky bucket as a queue: a request is given its place and told when it
//! leaves. Without one it is a pacer that says when to come back.

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, Rate, Span, TextError, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::exact::Exact;
use super::{Bank, Decision, Limiter, LimiterParams, LimiterRole, bank};

/// What it is.
pub const ABOUT: About = About {
    summary: "lets requests out at a fixed spacing; no burst, optional queue",
    text: "A request leaves one interval after the one before it. Up to `queue` requests may wait \
           inside with a reserved place; a request that finds the queue full is told when a place \
           comes free. No two requests ever leave closer than the interval.",
    source: "Turner 1986; nginx limit_req and Uber's ratelimit are of this family",
    example: "limiter = { leaky-bucket = { rate = \"1/s\", queue = 10 } }",
};

/// Rate and queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Requests that leave per period.
    pub rate: Rate,
    /// Requests that may wait inside.
    #[serde(default)]
    pub queue: u64,
}

impl LimiterRole for Params {
    fn check(&self, findings: &mut Findings) {
        let most = "write at most 1000000000";
        let small = self.queue <= 1_000_000_000;
        findings.demand(small, "queue", "this queue is too long to count", most);
        let fits = (self.queue.saturating_add(1))
            .checked_mul(self.rate.per().as_nanos())
            .is_some_and(|whole| whole <= ratelab_core::span::LONGEST.as_nanos());
        let instead = "use a shorter queue or a higher rate";
        findings.demand(
            fits,
            "queue",
            "this queue takes longer than a century to drain",
            instead,
        );
    }

    fn bank(&self, slots: usize) -> Box<dyn Bank> {
        bank(
            LeakyBucket {
                rate: self.rate,
                queue: self.queue,
            },
            slots,
        )
    }

    fn promise(&self) -> Option<Budget> {
        Some(Budget {
            rate: self.rate,
            burst: 1,
        })
    }

    fn share(&self, shares: u64) -> Result<LimiterParams, TextError> {
        let rate = self.rate.divided(shares)?;
        Ok(LimiterParams::LeakyBucket(Self {
            rate,
            queue: self.queue / shares.max(1),
        }))
    }
}

struct LeakyBucket {
    rate: Rate,
    queue: u64,
}

impl LeakyBucket {
    /// `count` more requests leave, one interval after the other.
    fn advance(&self, next: &mut Exact, now: Time, count: u64) {
        let intervals = Exact::intervals(self.rate, count);
        *next = (*next).max(Exact::at(now)).plus(self.rate, intervals);
    }

    /// How long a full queue takes to drain, rounded down.
    fn room(&self) -> Span {
        self.rate.per().scaled(self.queue, self.rate.permits())
    }
}

impl Limiter for LeakyBucket {
    /// When the next request may leave.
    type State = Exact;

    fn fresh(&self) -> Exact {
        Exact::START
    }

    fn decide(&self, next: &mut Exact, now: Time, cost: u32) -> Decision {
        let leaves = next.less(Exact::START).max(now);
        if leaves > now + self.room() {
            return Decision::WaitUntil(leaves.back(self.room()));
        }
        self.advance(next, now, u64::from(cost));
        if leaves == now {
            Decision::Grant
        } else {
            Decision::GrantAt(leaves)
        }
    }

    /// The queue is full and the interval begins anew.
    fn charge(&self, next: &mut Exact, now: Time, _: u32) {
        *next = Exact::at(now);
        self.advance(next, now, self.queue + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_reserves_places_and_then_refuses() {
        let params = Params {
            rate: "1/s".parse().expect("a rate"),
            queue: 2,
        };
        let mut bank = params.bank(1);
        let at = |secs| Time::START + Span::from_secs(secs);
        assert_eq!(bank.decide(0, at(0), 1), Decision::Grant);
        assert_eq!(bank.decide(0, at(0), 1), Decision::GrantAt(at(1)));
        assert_eq!(bank.decide(0, at(0), 1), Decision::GrantAt(at(2)));
        assert_eq!(bank.decide(0, at(0), 1), Decision::WaitUntil(at(1)));
        assert_eq!(bank.decide(0, at(1), 1), Decision::GrantAt(at(3)));
    }
}
