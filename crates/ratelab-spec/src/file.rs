//! The file as written, once its variants and sweeps are worked in; and the scenario it means.

use ratelab_core::{Findings, Span};
use ratelab_model::backoff::fixed;
use ratelab_model::jitter::Jitter;
use ratelab_model::{
    BackoffParams, Delay, FleetParams, GateParams, MOST_WORKERS, RetryParams, ServerParams, Setup,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How simultaneous events are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// First in, first out.
    #[default]
    Fifo,
    /// At random, from a stream of their own.
    Shuffled,
}

/// How closely the fleet is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fidelity {
    /// Worker by worker.
    #[default]
    Worker,
    /// As a crowd: workers are counted by class and attempt in bins of 10 ms.
    Cohort,
}

/// The network between the last hop and the server.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NetworkParams {
    /// To the server, and back.
    #[serde(default)]
    pub one_way: Delay,
}

/// A control arm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Nothing is retried.
    NoRetry,
    /// A fleet that knows when the outage ends and shares the budget.
    Ideal,
}

impl Arm {
    /// Every arm, in the order of tables.
    pub const ALL: [Self; 2] = [Self::NoRetry, Self::Ideal];

    /// Its name, of which no variant may be.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoRetry => "no-retry",
            Self::Ideal => "ideal",
        }
    }
}

/// A window in which requests are counted by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasureParams {
    /// Its begin.
    pub from: Span,
    /// Its end, not included.
    pub until: Span,
}

/// An experiment file without its variants, sweep, expectations and quotes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The question the file answers.
    pub question: String,
    /// Length of a run.
    pub duration: Span,
    /// Runs with random numbers of their own.
    #[serde(default = "one")]
    pub replications: u64,
    /// What all randomness starts from.
    #[serde(default = "one")]
    pub seed: u64,
    /// How simultaneous events are ordered.
    #[serde(default)]
    pub ties: Ties,
    /// How closely the fleet is followed.
    #[serde(default)]
    pub fidelity: Fidelity,
    /// What a reader must know beside the numbers.
    #[serde(default)]
    pub note: String,
    /// Metrics worth a column, most important first.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Control arms; both by default when there is an outage.
    #[serde(default)]
    pub arms: Option<Vec<Arm>>,
    /// Who works.
    pub fleet: FleetParams,
    /// Where the limiter lives.
    #[serde(default)]
    pub gate: GateParams,
    /// The way to the server.
    #[serde(default)]
    pub network: NetworkParams,
    /// The server.
    #[serde(default)]
    pub server: ServerParams,
    /// What becomes of failed attempts.
    #[serde(default)]
    pub retry: RetryParams,
    /// Windows in which requests are counted by name.
    #[serde(default)]
    pub measure: std::collections::BTreeMap<String, MeasureParams>,
}

fn one() -> u64 {
    1
}

/// Jobs one run may bring at most.
const MOST_JOBS: u128 = 20_000_000_000;

impl File {
    /// Says what is wrong.
    pub fn check(&self, findings: &mut Findings) {
        let instead = "write \"10s\" or more";
        findings.demand(
            !self.duration.is_zero(),
            "duration",
            "a run takes time",
            instead,
        );
        let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        let plain = !self.question.contains(steers);
        let instead = "write letters, digits and punctuation";
        findings.demand(
            plain,
            "question",
            "this question has a control character",
            instead,
        );
        let some = (1..=10_000_000).contains(&self.replications);
        let what = "replications are 1 to 10000000";
        findings.demand(some, "replications", what, "write 1000");
        let most = match self.fidelity {
            Fidelity::Worker => MOST_WORKERS,
            Fidelity::Cohort => crate::fidelity::MOST_COUNTED,
        };
        findings.within("fleet", |f| self.fleet.check(most, f));
        findings.within("network", |f| {
            f.within("one-way", |f| self.network.one_way.check(f));
        });
        findings.within("server", |f| self.server.check(f));
        findings.within("retry", |f| self.retry.check(f));
        for (name, measure) in &self.measure {
            let ordered = measure.from < measure.until;
            let what = "this window ends before it begins";
            findings.within("measure", |f| {
                f.within(name, |f| {
                    f.demand(ordered, "until", what, "write a later time");
                });
            });
        }
        // The gate's memory depends on the fleet's size, and the fleet's jobs on its parameters.
        if findings.list().is_empty() {
            findings.within("gate", |f| self.gate.check(self.fleet.size(), f));
            if self.fidelity == Fidelity::Cohort {
                return crate::fidelity::check(self, findings);
            }
            let jobs = self
                .fleet
                .jobs
                .role()
                .most(self.duration, self.fleet.size());
            let instead = "use fewer workers, a lower rate or a shorter duration";
            findings.within("fleet", |f| {
                f.demand(
                    jobs <= MOST_JOBS,
                    "jobs",
                    "these are more jobs than a run can do",
                    instead,
                );
            });
        }
    }

    /// The scenario of this file.
    pub fn scenario(&self) -> Scenario {
        Scenario {
            duration: self.duration,
            ties: self.ties,
            fidelity: self.fidelity,
            fleet: self.fleet.clone(),
            gate: self.gate.clone(),
            network: self.network.clone(),
            server: self.server.clone(),
            retry: self.retry.clone(),
            ideal: false,
        }
    }

    /// The scenario of a control arm.
    pub fn arm(&self, arm: Arm) -> Scenario {
        let mut scenario = self.scenario();
        match arm {
            Arm::NoRetry => scenario.retry = RetryParams::default(),
            Arm::Ideal => {
                let wait = fixed::Params {
                    wait: Span::ZERO,
                    jitter: Jitter::None,
                };
                scenario.ideal = true;
                scenario.gate = GateParams::None;
                scenario.retry = RetryParams {
                    attempts: None,
                    backoff: Some(BackoffParams::Fixed(wait)),
                    ..RetryParams::default()
                };
            }
        }
        scenario
    }
}

/// What is run: one file, one variant, one point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scenario {
    /// Length of a run.
    pub duration: Span,
    /// How simultaneous events are ordered.
    pub ties: Ties,
    /// How closely the fleet is followed.
    pub fidelity: Fidelity,
    /// Who works.
    pub fleet: FleetParams,
    /// Where the limiter lives.
    pub gate: GateParams,
    /// The way to the server.
    pub network: NetworkParams,
    /// The server.
    pub server: ServerParams,
    /// What becomes of failed attempts.
    pub retry: RetryParams,
    /// Whether the fleet is clairvoyant: the ideal arm.
    pub ideal: bool,
}

impl Scenario {
    /// What its machines are built from.
    pub fn setup(&self) -> Setup<'_> {
        Setup {
            fleet: &self.fleet,
            gate: &self.gate,
            retry: &self.retry,
            server: &self.server,
            one_way: &self.network.one_way,
            ideal: self.ideal,
        }
    }
}
