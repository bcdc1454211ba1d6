//! Exponential: base · factor^n up to a cap, then jitter, the article's backoff.

use ratelab_core::catalog::About;
use ratelab_core::{Findings, Ratio, Span, SpanRange};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Backoff, BackoffRole};
use crate::jitter::Jitter;

/// What it is.
pub const ABOUT: About = About {
    summary: "base times factor to the n, capped, with jitter; the article's backoff",
    text: "After the n-th failure (from 1) waits min(cap, base · factor^(n - 1)), then applies the \
           jitter to the capped wait. With `jitter = { add = \"50%\" }`, base 1 s and cap 30 s it \
           is the article's fetch_with_backoff.",
    source: "the article, \"Stop the Retry Storms\"; Brooker, AWS Architecture Blog 2015",
    example: "backoff = { exponential = { base = \"1s\", cap = \"30s\", jitter = \"full\" } }",
};

/// The curve and its jitter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The wait after the first failure.
    pub base: Span,
    /// What each further failure multiplies it by.
    #[serde(default = "double")]
    pub factor: Ratio,
    /// The longest wait before jitter; none by default.
    #[serde(default)]
    pub cap: Option<Span>,
    /// How the wait is spread.
    #[serde(default)]
    pub jitter: Jitter,
}

fn double() -> Ratio {
    Ratio { num: 2, den: 1 }
}

/// From here on the wait is longer than any run, whatever the factor above one.
const STEPS: usize = 20_000;

impl Params {
    /// The waits before jitter, up to the one that all later ones are equal to.
    fn curve(&self) -> Vec<Span> {
        let cap = self.cap.unwrap_or(Span::MAX);
        let mut curve = vec![self.base.min(cap)];
        while let Some(last) = curve.last().filter(|last| **last < cap)
            && self.factor.num > self.factor.den
            && curve.len() < STEPS
        {
            curve.push(last.scaled(self.factor.num, self.factor.den).min(cap));
        }
        curve
    }
}

impl BackoffRole for Params {
    fn check(&self, findings: &mut Findings) {
        self.jitter.check(findings);
        let grows = self.factor.num >= self.factor.den;
        findings.demand(
            grows,
            "factor",
            "a factor below one shrinks the waits",
            "write \"200%\"",
        );
        let positive = !self.base.is_zero();
        findings.demand(
            positive,
            "base",
            "a base of zero never grows",
            "write \"100ms\" or more",
        );
        if let Some(cap) = self.cap {
            let holds = cap >= self.base;
            findings.demand(
                holds,
                "cap",
                "the cap is below the base",
                "write a cap of the base or more",
            );
        }
    }

    fn ready(&self) -> Backoff {
        let (curve, jitter) = (self.curve(), self.jitter);
        Box::new(move |failed, stream| {
            let place = (failed as usize - 1).min(curve.len() - 1);
            jitter.apply(curve[place], stream)
        })
    }

    fn spread(&self, failed: u32) -> SpanRange {
        let curve = self.curve();
        let place = (failed as usize - 1).min(curve.len() - 1);
        self.jitter.range(curve[place])
    }

    fn is_random(&self) -> bool {
        self.jitter != Jitter::None
    }

    fn about(&self) -> String {
        let factor = if self.factor.den == 1 {
            self.factor.num.to_string()
        } else {
            format!("({})", self.factor)
        };
        let cap = self.cap.map(|cap| format!(" ≤ {cap}")).unwrap_or_default();
        format!("{}·{factor}^n{cap}{}", self.base, self.jitter.about())
    }
}

#[cfg(test)]
mod tests {
    use ratelab_core::{Actor, Purpose, Seed};

    use super::*;

    #[test]
    fn doubles_up_to_the_cap() {
        let cap = Some(Span::from_secs(30));
        let params = Params {
            base: Span::SECOND,
            factor: double(),
            cap,
            jitter: Jitter::None,
        };
        let (wait, stream) = (
            params.ready(),
            &mut Seed(1).draw(Actor::Worker(0), Purpose::Jitter, 0),
        );
        let waits: Vec<u64> = (1..=7)
            .map(|n| wait(n, stream).as_nanos() / Span::SECOND.as_nanos())
            .collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
        assert_eq!(wait(u32::MAX, stream), Span::from_secs(30));
    }

    #[test]
    fn without_a_cap_it_saturates() {
        let params = Params {
            base: Span::SECOND,
            factor: double(),
            cap: None,
            jitter: Jitter::None,
        };
        let stream = &mut Seed(1).draw(Actor::Worker(0), Purpose::Jitter, 0);
        assert_eq!(params.ready()(u32::MAX, stream), Span::MAX);
    }
}
