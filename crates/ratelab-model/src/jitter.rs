//! Jitter: the random part of a wait. Without it a fleet that fails together retries together.
//!
//! Names as in Brooker, "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015), plus the
//! additive kind of the article.

use ratelab_core::{Findings, Ratio, Span, SpanRange, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a wait is spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Jitter {
    /// The wait as it is: clients that fail together stay together.
    #[default]
    None,
    /// U(0, wait).
    Full,
    /// wait/2 + U(0, wait/2).
    Equal,
    /// wait + U(0, ratio · wait): never earlier than the wait, as in the article (50 %).
    Add(Ratio),
}

impl Jitter {
    /// The wait with its random part; draws at most once.
    #[inline]
    pub fn apply(self, wait: Span, stream: &mut Stream) -> Span {
        match self {
            Self::None => wait,
            Self::Full => stream.span_up_to(wait),
            Self::Equal => {
                let half = wait / 2;
                half + stream.span_up_to(wait - half)
            }
            Self::Add(ratio) => wait + stream.span_up_to(wait.scaled(ratio.num, ratio.den)),
        }
    }

    /// The range over which [`Jitter::apply`] is even.
    pub fn range(self, wait: Span) -> SpanRange {
        let (low, high) = match self {
            Self::None => (wait, wait),
            Self::Full => (Span::ZERO, wait),
            Self::Equal => (wait / 2, wait),
            Self::Add(ratio) => (wait, wait + wait.scaled(ratio.num, ratio.den)),
        };
        SpanRange { low, high }
    }

    /// Says what is wrong.
    pub fn check(self, findings: &mut Findings) {
        if let Self::Add(ratio) = self {
            let small = ratio.as_f64() <= 100.0;
            let instead = "write at most \"10000%\"";
            findings.demand(
                small,
                "jitter",
                "this jitter is out of all proportion",
                instead,
            );
        }
    }

    /// A few words for a table.
    pub fn about(self) -> String {
        match self {
            Self::None => String::new(),
            Self::Full => ", full jitter".to_owned(),
            Self::Equal => ", equal jitter".to_owned(),
            Self::Add(ratio) => format!(" + U(0, {ratio})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use ratelab_core::{Actor, Purpose, Seed};

    use super::*;

    #[test]
    fn every_kind_stays_in_its_support_and_reaches_its_ends() {
        let wait = Span::from_secs(1);
        let half = Ratio { num: 1, den: 2 };
        let kinds = [
            (Jitter::None, 1_000, 1_000),
            (Jitter::Full, 0, 1_000),
            (Jitter::Equal, 500, 1_000),
            (Jitter::Add(half), 1_000, 1_500),
        ];
        for (kind, low, high) in kinds {
            let waits: Vec<Span> = (0..2_000)
                .map(|n| {
                    kind.apply(
                        wait,
                        &mut Seed(1).draw(Actor::Worker(n), Purpose::Jitter, 0),
                    )
                })
                .collect();
            let (low, high) = (Span::from_millis(low), Span::from_millis(high));
            assert_eq!(kind.range(wait), SpanRange { low, high }, "{kind:?}");
            assert!(waits.iter().all(|w| *w >= low && *w <= high), "{kind:?}");
            let near = Span::from_millis(5);
            assert!(
                waits.iter().any(|w| *w <= low + near),
                "{kind:?} reaches its low end"
            );
            assert!(
                waits.iter().any(|w| *w + near >= high),
                "{kind:?} reaches its high end"
            );
        }
    }
}
