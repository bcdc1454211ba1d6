//! Batch: every worker holds its jobs from the start, as in the article's outage table.

use ratelab_core::catalog::About;
use ratelab_core::{Findings, JobNo, Span, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Arrival, ArrivalRole, Asked};

/// What it is.
pub const ABOUT: About = About {
    summary: "each worker holds a number of jobs from its start",
    text: "All jobs of a worker arrive when it starts; it does them one after the other. With one \
           job each this is the article's fleet that was just refused.",
    source: "the article, \"Stop the Retry Storms\": four workers, each holding one job",
    example: "jobs = { batch = { per-worker = 1 } }",
};

/// How many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Jobs each worker holds.
    pub per_worker: u64,
}

impl ArrivalRole for Params {
    fn check(&self, findings: &mut Findings) {
        let instead = "write 1 or more";
        findings.demand(
            self.per_worker > 0,
            "per-worker",
            "a batch holds at least one job",
            instead,
        );
    }

    fn ready(&self, _: u32) -> Box<dyn Arrival> {
        let all = self.per_worker;
        Box::new(move |asked: Asked, _: &mut Stream| (asked.job < all).then_some(asked.previous))
    }

    fn together(&self, job: JobNo) -> u64 {
        self.per_worker - job
    }

    fn most(&self, _: Span, workers: u32) -> u128 {
        u128::from(self.per_worker) * u128::from(workers)
    }

    fn about(&self) -> String {
        format!(
            "{} {} each",
            self.per_worker,
            if self.per_worker == 1 { "job" } else { "jobs" }
        )
    }
}
