//! Poisson: jobs for the whole fleet at random, dealt to its workers at random.
//!
//! A Poisson stream dealt out at random is one independent Poisson stream per worker at rate ÷ N
//! (Kingman 1993, colouring theorem), so each worker draws its own gaps and no dealer is needed.

use ratelab_core::catalog::About;
use ratelab_core::{Exponential, Findings, Rate, Span, Stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Arrival, ArrivalRole, Asked};

/// What it is.
pub const ABOUT: About = About {
    summary: "random arrivals at a rate for the whole fleet (open loop)",
    text: "Jobs arrive as a Poisson process at `rate` over the fleet, each at a random worker. A \
           busy worker finds its jobs waiting.",
    source: "Kingman, Poisson Processes (1993), colouring theorem",
    example: "jobs = { poisson = { rate = \"90/min\" } }",
};

/// The rate of the whole fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Jobs per period over all workers.
    pub rate: Rate,
}

impl Params {
    fn mean(&self, workers: u32) -> Span {
        self.rate
            .per()
            .scaled(u64::from(workers), self.rate.permits())
    }
}

impl ArrivalRole for Params {
    fn check(&self, _: &mut Findings) {}

    fn ready(&self, workers: u32) -> Box<dyn Arrival> {
        let law = Exponential::of(self.mean(workers));
        Box::new(move |asked: Asked, stream: &mut Stream| {
            Some(asked.previous + stream.exponential(law))
        })
    }

    fn is_random(&self) -> bool {
        true
    }

    fn most(&self, duration: Span, _: u32) -> u128 {
        let wide = u128::from(duration.as_nanos()) * u128::from(self.rate.permits());
        wide / u128::from(self.rate.per().as_nanos()) + 1
    }

    fn about(&self) -> String {
        format!("{} jobs, Poisson", self.rate)
    }
}
