//! Fixed: the same wait every time, the article's naive loop.

use ratelab_core::catalog::About;
use ratelab_core::{Findings, Span, SpanRange};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Backoff, BackoffRole};
use crate::jitter::Jitter;

/// What it is.
pub const ABOUT: About = About {
    summary: "the same wait before every attempt; the article's naive loop",
    text: "Waits `wait` after every failure. Without jitter a fleet that fails together comes back \
           together, at full strength, the moment the server does.",
    source: "the article, \"Stop the Retry Storms\", naive row",
    example: "backoff = { fixed = { wait = \"1s\" } }",
};

/// The wait and its jitter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The wait before the next attempt.
    pub wait: Span,
    /// How it is spread.
    #[serde(default)]
    pub jitter: Jitter,
}

impl BackoffRole for Params {
    fn check(&self, findings: &mut Findings) {
        self.jitter.check(findings);
    }

    fn ready(&self) -> Backoff {
        let Self { wait, jitter } = *self;
        Box::new(move |_, stream| jitter.apply(wait, stream))
    }

    fn spread(&self, _: u32) -> SpanRange {
        self.jitter.range(self.wait)
    }

    fn is_random(&self) -> bool {
        self.jitter != Jitter::None
    }

    fn about(&self) -> String {
        format!("fixed {}{}", self.wait, self.jitter.about())
    }
}
