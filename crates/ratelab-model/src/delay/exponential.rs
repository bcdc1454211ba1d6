//! Exponential: without memory; the service of M/M/c and the think time of closed models.

use ratelab_core::catalog::About;
use ratelab_core::{Exponential, Findings, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DelayRole, Sampler};

/// What it is.
pub const ABOUT: About = About {
    summary: "without memory, of a mean; the service of M/M/c",
    text: "However long it has lasted, the rest is as long as the whole. Drawn by the ziggurat \
           with an exact tail.",
    source: "Marsaglia and Tsang 2000, exponential numbers",
    example: "think = { exponential = { mean = \"1s\" } }",
};

/// The mean.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The mean.
    pub mean: Span,
}

impl DelayRole for Params {
    fn check(&self, findings: &mut Findings) {
        let what = "a mean of zero is no distribution";
        let instead = "write \"1ms\" or more, or a plain \"0s\" for none";
        findings.demand(!self.mean.is_zero(), "mean", what, instead);
    }

    fn sampler(&self) -> Sampler {
        Sampler::Exponential(Exponential::of(self.mean))
    }

    fn mean(&self) -> Span {
        self.mean
    }

    fn below(&self, span: Span) -> f64 {
        1.0 - (-span.as_secs_f64() / self.mean.as_secs_f64()).exp()
    }

    fn about(&self) -> String {
        format!("exponential {}", self.mean)
    }
}
