//! Closed loop: the next job begins a think time after the last one ended, the article's repro.

use ratelab_core::catalog::About;
use ratelab_core::{Findings, Span, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Arrival, ArrivalRole, Asked};
use crate::delay::Delay;

/// What it is.
pub const ABOUT: About = About {
    summary: "the next job a think time after the last one ended",
    text: "A worker thinks for `think` after each job, then has the next: request, sleep, request. \
           With `think = \"1s\"` it is the article's repro.py, whose period is the answer time \
           plus one second. Slow answers slow the demand down (coordinated omission).",
    source: "the article, repro.py",
    example: "jobs = { closed-loop = { think = \"1s\" } }",
};

/// Think time and count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Time between the end of a job and the next.
    #[serde(default)]
    pub think: Delay,
    /// Jobs per worker; without end by default.
    #[serde(default)]
    pub count: Option<u64>,
}

impl ArrivalRole for Params {
    fn check(&self, findings: &mut Findings) {
        findings.within("think", |f| self.think.check(f));
    }

    fn ready(&self, _: u32) -> Box<dyn Arrival> {
        let (think, count) = (self.think.sampler(), self.count.unwrap_or(u64::MAX));
        Box::new(move |asked: Asked, stream: &mut Stream| {
            let span = match asked.job {
                0 => Span::ZERO,
                _ => think.sample_from(stream),
            };
            (asked.job < count).then(|| asked.free + span)
        })
    }

    fn is_random(&self) -> bool {
        self.think.is_random()
    }

    fn waits_for_the_worker(&self) -> bool {
        true
    }

    fn most(&self, duration: Span, workers: u32) -> u128 {
        // With no think time the service sets the pace; a millisecond stands for it.
        let pace = self.think.mean().max(Span::MILLI).as_nanos();
        let each = u128::from(duration.as_nanos() / pace) + 1;
        each.min(self.count.map_or(u128::MAX, u128::from)) * u128::from(workers)
    }

    fn about(&self) -> String {
        format!("closed loop, think {}", self.think)
    }
}
