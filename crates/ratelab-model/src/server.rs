//! Server: what becomes of a request that arrives. Outage first, then the budget, then service.

use ratelab_core::{Budget, Findings, Outcome, Stream, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::delay::{Delay, Sampler};
use crate::desk::Desk;
use crate::limiter::{Bank, Decision, LimiterParams};
use crate::outage::{Fault, OutageParams, Outages, RefusalParams};

/// The server as written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ServerParams {
    /// How long it works on a request that it lets in.
    #[serde(default)]
    pub service: Delay,
    /// How many requests it works on at once; the others queue, first come, first served. Without
    /// it there is no limit.
    #[serde(default)]
    pub concurrency: Option<u32>,
    /// What it tolerates; without one it takes everything.
    #[serde(default)]
    pub budget: Option<LimiterParams>,
    /// Whether a refused request counts against the budget too.
    #[serde(default)]
    pub count_refused: bool,
    /// How it says no when the budget is spent.
    #[serde(default)]
    pub refusal: RefusalParams,
    /// When it is down.
    #[serde(default)]
    pub outage: Vec<OutageParams>,
}

/// The most requests that a server works on at once.
const MOST_SLOTS: u32 = 1_000_000;

impl ServerParams {
    /// Says what is wrong.
    pub fn check(&self, findings: &mut Findings) {
        if let Some(budget) = &self.budget {
            let name = budget.name();
            findings.within("budget", |f| f.within(&name, |f| budget.role().check(f)));
        }
        findings.within("service", |f| self.service.check(f));
        let some = self
            .concurrency
            .is_none_or(|slots| (1..=MOST_SLOTS).contains(&slots));
        let instead = "write 1 to 1000000, or leave it out for no limit";
        let what = "a server works on at least one request and at most a million at once";
        findings.demand(some, "concurrency", what, instead);
        findings.within("refusal", |f| self.refusal.check(f));
        let instead = "add budget = { token-bucket = { rate = \"1/s\", burst = 1 } }";
        let known = self.budget.is_some() || !self.count_refused;
        findings.demand(
            known,
            "count-refused",
            "there is no budget to count against",
            instead,
        );
        for (place, outage) in self.outage.iter().enumerate() {
            findings.within("outage", |f| {
                f.within(&place.to_string(), |f| outage.check(f));
            });
        }
    }

    /// What it tolerates over every window; `None` when it takes everything.
    pub fn promise(&self) -> Option<Budget> {
        self.budget
            .as_ref()
            .and_then(|budget| budget.role().promise())
    }
}

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The answer leaves the server at that time.
    Answer {
        /// When.
        at: Time,
        /// What.
        outcome: Outcome,
    },
    /// No answer ever leaves.
    Silence,
}

/// The server, ready to decide.
pub struct Server {
    service: Sampler,
    desk: Option<Desk>,
    budget: Option<Box<dyn Bank>>,
    count_refused: bool,
    refusal: Outcome,
    outages: Outages,
}

impl Server {
    /// The server of these parameters, which have passed their check.
    pub fn new(params: &ServerParams) -> Self {
        Self {
            service: params.service.sampler(),
            desk: params.concurrency.map(Desk::new),
            budget: params.budget.as_ref().map(|budget| budget.role().bank(1)),
            count_refused: params.count_refused,
            refusal: params.refusal.outcome(),
            outages: Outages::new(&params.outage),
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        if let Some(budget) = &mut self.budget {
            budget.reset();
        }
        if let Some(desk) = &mut self.desk {
            desk.reset();
        }
    }

    /// A request arrives at `now`; `stream` is that of its service time.
    #[inline(always)]
    pub fn arrive(&mut self, now: Time, stream: impl FnOnce() -> Stream) -> Fate {
        if let Some((_, fault)) = self.outages.at(now) {
            return match fault {
                Fault::Reply(outcome) => Fate::Answer { at: now, outcome },
                Fault::Hang => Fate::Silence,
            };
        }
        let starts = match self.admit(now) {
            Decision::Grant => now,
            Decision::GrantAt(at) => at,
            Decision::WaitUntil(_) | Decision::Never => {
                return Fate::Answer {
                    at: now,
                    outcome: self.refusal,
                };
            }
        };
        let service = self.service.sample(stream);
        let at = match &mut self.desk {
            None => starts + service,
            Some(desk) => desk.serve(starts, service),
        };
        Fate::Answer {
            at,
            outcome: Outcome::OK,
        }
    }

    fn admit(&mut self, now: Time) -> Decision {
        let Some(budget) = &mut self.budget else {
            return Decision::Grant;
        };
        let decision = budget.decide(0, now, 1);
        if self.count_refused && matches!(decision, Decision::WaitUntil(_)) {
            budget.charge(0, now, 1);
        }
        decision
    }
}
