//! Sidecar: a proxy in front of the server that owns the budget; the article's Fix 3.
//!
//! No gate but a hop: workers send at once, and what is refused is refused here. The article's "0
//! refusals" are true at the origin only; its callers see many.

use ratelab_core::{Findings, Outcome, Span, Status, Time, WorkerId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limiter::{Bank, Decision, LimiterParams};
use crate::outage::{check_status, too_many};

/// The proxy as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SidecarParams {
    /// Which limiter.
    pub limiter: LimiterParams,
    /// Whose requests share a state.
    #[serde(default)]
    pub key: Key,
    /// The status of a refusal (`limit_req_status`; nginx's own default is 503).
    #[serde(default = "too_many")]
    pub status: u16,
    /// From a worker to the proxy.
    #[serde(default)]
    pub hop: Span,
}

/// Whose requests share a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Key {
    /// One budget for all (`limit_req_zone $server_name`).
    #[default]
    Constant,
    /// One budget per client address (`$binary_remote_addr`), each worker on a host of its own.
    ClientAddress,
}

impl SidecarParams {
    /// How many states it keeps.
    pub fn slots(&self, workers: u32) -> u32 {
        match self.key {
            Key::Constant => 1,
            Key::ClientAddress => workers,
        }
    }

    /// Says what is wrong.
    pub fn check(&self, findings: &mut Findings) {
        check_status(self.status, findings);
    }
}

/// The proxy's answer to an arriving request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passage {
    /// Goes on to the server at that time.
    ForwardAt(Time),
    /// Is answered here.
    Refuse(Outcome),
}

/// The proxy, ready to decide.
pub struct Sidecar {
    bank: Box<dyn Bank>,
    key: Key,
    refusal: Outcome,
    hop: Span,
}

impl Sidecar {
    /// The proxy of these parameters, which have passed their check.
    pub fn new(params: &SidecarParams, workers: u32) -> Self {
        Self {
            bank: params.limiter.role().bank(params.slots(workers) as usize),
            key: params.key,
            refusal: Outcome::Answer {
                status: Status(params.status),
                retry_after: None,
            },
            hop: params.hop,
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        self.bank.reset();
    }

    /// From a worker to the proxy, and back.
    pub fn hop(&self) -> Span {
        self.hop
    }

    /// A request of `worker` arrives at `now`.
    pub fn arrive(&mut self, now: Time, worker: WorkerId) -> Passage {
        let slot = match self.key {
            Key::Constant => 0,
            Key::ClientAddress => worker.index(),
        };
        match self.bank.decide(slot, now, 1) {
            Decision::Grant => Passage::ForwardAt(now),
            Decision::GrantAt(at) => Passage::ForwardAt(at),
            Decision::WaitUntil(_) | Decision::Never => Passage::Refuse(self.refusal),
        }
    }
}
