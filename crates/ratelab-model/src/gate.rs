//! Gate: where the limiter's state lives. The article's question, and the code's main seam.
//!
//! Placement is a closed set, so it is an enum: a new one makes the compiler walk through both
//! drivers. Every algorithm works in every placement, because a placement only says which slot of
//! a bank a worker's request belongs to, and how far away that bank is.

use ratelab_core::catalog::About;
use ratelab_core::{Budget, Findings, GateRecord, Record, Recorder, Span, Time, WorkerId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limiter::{Bank, Decision, LimiterParams};
use crate::outage::{OutageParams, Outages};
use crate::sidecar::SidecarParams;

/// Which placement, and its parameters.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GateParams {
    /// No limiter on the client's side.
    #[default]
    None,
    /// One limiter in each worker process: the article's bug.
    PerWorker(LocalParams),
    /// One limiter in each worker at rate ÷ N, with N as the configuration believes it.
    StaticShare(ShareParams),
    /// One limiter in a store that all workers ask.
    Shared(SharedParams),
    /// A proxy in front of the server that owns the budget.
    Sidecar(SidecarParams),
}

/// A limiter in each worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LocalParams {
    /// Which limiter.
    pub limiter: LimiterParams,
}

/// A share of one budget in each worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShareParams {
    /// The whole budget's limiter; each worker gets its rate divided by `of`.
    pub limiter: LimiterParams,
    /// The number of workers that the configuration believes in.
    pub of: u64,
}

/// One limiter for all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SharedParams {
    /// Which limiter.
    pub limiter: LimiterParams,
    /// The store that holds its state.
    #[serde(default)]
    pub store: StoreParams,
    /// What a worker does when it gets no permit.
    #[serde(default)]
    pub wait: WaitParams,
}

/// The store.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StoreParams {
    /// From asking to the answer; the decision falls half-way, atomically.
    #[serde(default)]
    pub round_trip: Span,
}

/// Waiting for a permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WaitParams {
    /// Sleep as long as the limiter says.
    #[default]
    Computed,
    /// Ask again at this interval, as the article's loop does.
    Poll(Span),
}

impl GateParams {
    /// The placement's name in experiment files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::PerWorker(_) => "per-worker",
            Self::StaticShare(_) => "static-share",
            Self::Shared(_) => "shared",
            Self::Sidecar(_) => "sidecar",
        }
    }

    /// Name and description of each placement.
    pub const ENTRIES: &'static [(&'static str, About)] = crate::placements::ENTRIES;

    /// Its limiter.
    pub const fn limiter(&self) -> Option<&LimiterParams> {
        match self {
            Self::None => None,
            Self::PerWorker(params) => Some(&params.limiter),
            Self::StaticShare(params) => Some(&params.limiter),
            Self::Shared(params) => Some(&params.limiter),
            Self::Sidecar(params) => Some(&params.limiter),
        }
    }

    /// How many states of the limiter it keeps for `workers`.
    pub fn slots(&self, workers: u32) -> u32 {
        match self {
            Self::None => 0,
            Self::PerWorker(_) | Self::StaticShare(_) => workers,
            Self::Shared(_) => 1,
            Self::Sidecar(params) => params.slots(workers),
        }
    }

    /// Says what is wrong, for a fleet of `workers`.
    pub fn check(&self, workers: u32, findings: &mut Findings) {
        let name = self.name();
        findings.within(name, |f| {
            if let Some(limiter) = self.limiter() {
                let kind = limiter.name();
                f.within("limiter", |f| {
                    f.within(&kind, |f| limiter.role().check(f));
                    let bytes = limiter.role().bytes_per_slot() * u64::from(self.slots(workers));
                    let what = "so many limiter states take more than 4 GiB";
                    f.demand(
                        bytes <= 4 << 30,
                        "",
                        what,
                        "use fewer workers or a leaner limiter",
                    );
                });
            }
            match self {
                Self::StaticShare(params) => params.check(f),
                Self::Shared(SharedParams {
                    wait: WaitParams::Poll(every),
                    ..
                }) => {
                    let instead = "write \"50ms\", as the article does";
                    f.demand(
                        !every.is_zero(),
                        "wait",
                        "polling needs time between asks",
                        instead,
                    );
                }
                Self::Sidecar(params) => params.check(f),
                _ => {}
            }
        });
    }

    /// What it promises to let through to the server over every window, all slots together.
    pub fn about(&self) -> String {
        match self {
            Self::None => "no limiter".to_owned(),
            Self::PerWorker(_) => "per worker".to_owned(),
            Self::StaticShare(params) => format!("rate ÷ {}", params.of),
            Self::Shared(params) => match params.wait {
                WaitParams::Computed => "shared, computed sleep".to_owned(),
                WaitParams::Poll(every) => format!("shared, polls every {every}"),
            },
            Self::Sidecar(_) => "sidecar".to_owned(),
        }
    }
}

impl ShareParams {
    fn check(&self, findings: &mut Findings) {
        findings.demand(
            self.of > 0,
            "of",
            "a budget is shared by at least one",
            "write 1 or more",
        );
        if let Err(error) = self.limiter.role().share(self.of.max(1)) {
            findings.say("of", error.what, error.instead);
        }
    }

    /// The limiter that each worker gets.
    pub fn each(&self) -> LimiterParams {
        self.limiter
            .role()
            .share(self.of)
            .expect("checked: the share can be counted")
    }
}

/// The client's side of the gate, ready to decide.
pub struct Gate {
    bank: Option<Box<dyn Bank>>,
    /// One slot for all, in a store this far away.
    store: Option<Span>,
    /// Ask again at this interval instead of when told.
    poll: Option<Span>,
    /// The clairvoyant's knowledge, for the ideal arm.
    outages: Option<Outages>,
}

impl Gate {
    /// The gate of these parameters, which have passed their check.
    pub fn new(params: &GateParams, workers: u32) -> Self {
        let slots = workers as usize;
        let (bank, store, poll) = match params {
            GateParams::None | GateParams::Sidecar(_) => (None, None, None),
            GateParams::PerWorker(local) => (Some(local.limiter.role().bank(slots)), None, None),
            GateParams::StaticShare(share) => (Some(share.each().role().bank(slots)), None, None),
            GateParams::Shared(shared) => {
                let poll = match shared.wait {
                    WaitParams::Computed => None,
                    WaitParams::Poll(every) => Some(every),
                };
                (
                    Some(shared.limiter.role().bank(1)),
                    Some(shared.store.round_trip),
                    poll,
                )
            }
        };
        Self {
            bank,
            store,
            poll,
            outages: None,
        }
    }

    /// The ideal arm's gate: a fleet that knows when the outage ends and shares the budget without
    /// a round trip. Only its first attempts are caught by the outage.
    pub fn clairvoyant(budget: Option<Budget>, outages: &[OutageParams]) -> Self {
        let bank = budget.map(|Budget { rate, burst }| {
            let bucket = crate::limiter::token_bucket::Params { rate, burst };
            crate::limiter::LimiterRole::bank(&bucket, 1)
        });
        Self {
            bank,
            store: Some(Span::ZERO),
            poll: None,
            outages: Some(Outages::new(outages)),
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        if let Some(bank) = &mut self.bank {
            bank.reset();
        }
    }

    /// Has memory send the state of the limiter in a worker that soon asks it.
    #[inline(always)]
    pub fn fetch(&self, worker: WorkerId) {
        if let (Some(bank), None) = (&self.bank, &self.store) {
            bank.fetch(worker.index());
        }
    }

    /// Whether there is anything to ask.
    pub fn exists(&self) -> bool {
        self.bank.is_some() || self.outages.is_some()
    }

    /// The polling interval, when workers poll.
    pub fn poll(&self) -> Option<Span> {
        self.poll
    }

    /// The ways to the state and back; both zero when it lives in the worker.
    pub fn legs(&self) -> (Span, Span) {
        let round_trip = self.store.unwrap_or(Span::ZERO);
        (round_trip / 2, round_trip - round_trip / 2)
    }

    /// May attempt number `attempt` of `worker` pass at `now`? Decided where the state lives.
    #[inline(always)]
    pub fn decide<R: Recorder>(
        &mut self,
        now: Time,
        worker: WorkerId,
        attempt: u32,
        recorder: &mut R,
    ) -> Decision {
        if let Some(outages) = &self.outages {
            if let Some((end, _)) = outages.at(now).filter(|_| attempt > 1) {
                return Decision::WaitUntil(end);
            }
        } else if self.store.is_some() {
            recorder.record(now, worker, &Record::Gate(GateRecord::StoreOp));
        }
        let slot = if self.store.is_some() {
            0
        } else {
            worker.index()
        };
        match &mut self.bank {
            Some(bank) => bank.decide(slot, now, 1),
            None => Decision::Grant,
        }
    }
}
