//! Constant: a job at every tick of the worker's own metronome, whether it is free or not.

use ratelab_core::catalog::About;
use ratelab_core::{Findings, Span, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Arrival, ArrivalRole, Asked};

/// What it is.
pub const ABOUT: About = About {
    summary: "a job per worker at a constant interval, busy or not (open loop)",
    text: "Job n of a worker arrives n intervals after its start. A worker that falls behind finds \
           its jobs waiting: demand does not slow down because the server does.",
    source: "k6's constant-arrival-rate executor, per worker",
    example: "jobs = { constant = { every = \"200ms\", count = 10 } }",
};

/// Interval and count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Time between two jobs of one worker.
    pub every: Span,
    /// Jobs per worker; without end by default.
    #[serde(default)]
    pub count: Option<u64>,
}

impl ArrivalRole for Params {
    fn check(&self, findings: &mut Findings) {
        let instead = "write \"1ms\" or more; `batch` brings jobs all at once";
        findings.demand(
            !self.every.is_zero(),
            "every",
            "jobs need time between them",
            instead,
        );
    }

    fn ready(&self, _: u32) -> Box<dyn Arrival> {
        let Self { every, count } = *self;
        Box::new(move |asked: Asked, _: &mut Stream| {
            let more = count.is_none_or(|count| asked.job < count);
            let gap = if asked.job == 0 { Span::ZERO } else { every };
            more.then(|| asked.previous + gap)
        })
    }

    fn most(&self, duration: Span, workers: u32) -> u128 {
        let each = u128::from(duration.as_nanos() / self.every.as_nanos().max(1)) + 1;
        each.min(self.count.map_or(u128::MAX, u128::from)) * u128::from(workers)
    }

    fn about(&self) -> String {
        match self.count {
            Some(count) => format!("{count} jobs each, one every {}", self.every),
            None => format!("a job each every {}", self.every),
        }
    }
}
