//! Fleet: how many workers, when they start, what they do.

use ratelab_core::{Actor, Findings, Purpose, Seed, Span, Time, WorkerId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::arrival::{ArrivalParams, batch};

/// The largest fleet that is simulated worker by worker.
pub const MOST_WORKERS: u64 = 16_000_000;

/// When workers start, relative to the fleet's beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StartParams {
    /// All at once, as after a deploy or a shared failure.
    #[default]
    Together,
    /// Evenly over this span: worker i starts i/N of the way.
    Spread(Span),
    /// Each at a random point of this span.
    Random(Span),
}

impl StartParams {
    /// The span that the starts are spread over.
    pub const fn over(self) -> Span {
        match self {
            Self::Together => Span::ZERO,
            Self::Spread(over) | Self::Random(over) => over,
        }
    }
}

/// The fleet as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FleetParams {
    /// Worker processes.
    pub workers: u64,
    /// How many of them have nothing to do.
    #[serde(default)]
    pub idle: u64,
    /// Where a worker's jobs come from.
    #[serde(default = "one_each")]
    pub jobs: ArrivalParams,
    /// When the fleet begins.
    #[serde(default)]
    pub begin: Span,
    /// How its workers' starts are spread.
    #[serde(default)]
    pub start: StartParams,
    /// How long a client waits for an answer.
    #[serde(default = "ten_seconds")]
    pub timeout: Span,
}

fn one_each() -> ArrivalParams {
    ArrivalParams::Batch(batch::Params { per_worker: 1 })
}

fn ten_seconds() -> Span {
    Span::from_secs(10)
}

impl FleetParams {
    /// Says what is wrong; `most` workers can be simulated.
    pub fn check(&self, most: u64, findings: &mut Findings) {
        findings.demand(
            self.workers > 0,
            "workers",
            "a fleet has at least one worker",
            "write 1 or more",
        );
        let small = self.workers <= most;
        let instead = if most == MOST_WORKERS {
            "write at most 16000000, or count the fleet as a crowd: fidelity = \"cohort\""
                .to_owned()
        } else {
            format!("write at most {most}")
        };
        findings.demand(
            small,
            "workers",
            "this fleet is too large to simulate",
            &instead,
        );
        let some = self.idle < self.workers.max(1);
        findings.demand(
            some,
            "idle",
            "no worker is left to work",
            "write fewer than workers",
        );
        let instead = "write \"10s\", as most HTTP clients do";
        findings.demand(
            !self.timeout.is_zero(),
            "timeout",
            "a client waits at least a moment",
            instead,
        );
        let name = self.jobs.name();
        findings.within("jobs", |f| f.within(&name, |f| self.jobs.role().check(f)));
    }

    /// The number of workers, once checked.
    pub fn size(&self) -> u32 {
        u32::try_from(self.workers).expect("checked against MOST_WORKERS")
    }

    /// The number of workers that have jobs.
    pub fn busy(&self) -> u32 {
        self.size() - u32::try_from(self.idle).expect("fewer idle workers than workers")
    }

    /// When `worker` starts.
    pub fn start_of(&self, worker: WorkerId, seed: Seed) -> Time {
        let begin = Time::from(self.begin);
        match self.start {
            StartParams::Together => begin,
            StartParams::Spread(over) => begin + over.scaled(u64::from(worker.0), self.workers),
            StartParams::Random(over) => {
                let mut stream = seed.draw(Actor::Worker(worker.0), Purpose::Start, 0);
                begin + stream.span_up_to(over)
            }
        }
    }
}
