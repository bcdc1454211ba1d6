//! Uniform: evenly over a range.

use ratelab_core::catalog::About;
use ratelab_core::{Findings, Span, SpanRange};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DelayRole, Sampler};

/// What it is.
pub const ABOUT: About = About {
    summary: "evenly over a range",
    text: "Every length from the shorter to the longer is equally likely, both ends included.",
    source: "any textbook; k6's randomIntBetween is its usual form in load scripts",
    example: "one-way = { uniform = { range = \"10ms..30ms\" } }",
};

/// The range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// From the shortest to the longest.
    pub range: SpanRange,
}

impl DelayRole for Params {
    fn check(&self, _: &mut Findings) {}

    fn sampler(&self) -> Sampler {
        let range = self.range;
        Sampler::Drawn(Box::new(move |stream| stream.span_in(range)))
    }

    fn mean(&self) -> Span {
        self.range.low + (self.range.high - self.range.low) / 2
    }

    fn below(&self, span: Span) -> f64 {
        let (low, high) = (self.range.low.as_secs_f64(), self.range.high.as_secs_f64());
        if span >= self.range.high {
            return 1.0;
        }
        ((span.as_secs_f64() - low) / (high - low)).max(0.0)
    }

    fn longest(&self) -> Option<Span> {
        Some(self.range.high)
    }

    fn about(&self) -> String {
        format!("uniform {}", self.range)
    }
}
