//! Unlimited: says yes. The absence of a limiter, as one that can be named.

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, TextError, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Bank, Decision, Limiter, LimiterParams, LimiterRole, bank};

/// What it is.
pub const ABOUT: About = About {
    summary: "lets everything through",
    text: "Grants every request at once and remembers nothing. Use it as a baseline.",
    source: "the article, before any limiter",
    example: "limiter = { unlimited = {} }",
};

/// No parameters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {}

impl LimiterRole for Params {
    fn check(&self, _: &mut Findings) {}

    fn bank(&self, slots: usize) -> Box<dyn Bank> {
        bank(Unlimited, slots)
    }

    fn promise(&self) -> Option<Budget> {
        None
    }

    fn share(&self, _: u64) -> Result<LimiterParams, TextError> {
        Ok(LimiterParams::Unlimited(Self {}))
    }
}

struct Unlimited;

impl Limiter for Unlimited {
    type State = ();

    fn fresh(&self) {}

    fn decide(&self, (): &mut (), _: Time, _: u32) -> Decision {
        Decision::Grant
    }

    fn charge(&self, (): &mut (), _: Time, _: u32) {}
}
