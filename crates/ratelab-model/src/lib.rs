//! Every decision a fleet makes, and nothing that makes it happen.
//!
//! The rule of this crate (sans-IO): a machine takes `now` and an input and returns what to do. It
//! never asks the time, sleeps, locks, opens a file or allocates per decision. The simulator and
//! the live mode drive the same values, so what one proves holds for the other.
//!
//! * [`limiter`]: may this request pass now, and if not, when to ask again
//! * [`backoff`], [`retry`]: whether and when a failed attempt is tried again
//! * [`arrival`]: when a worker has its next job
//! * [`gate`]: where the limiter's state lives: with each worker, in a shared store, in a sidecar
//! * [`server`], [`outage`]: what becomes of a request that arrives
//! * [`sidecar`], [`route`]: the way there and back, past a proxy and over a network
//! * [`fleet`], [`lane`]: who works; the worker's loop, one input in, one action out
//! * [`machines`]: all of them for one run

pub mod arrival;
pub mod backoff;
pub mod delay;
mod desk;
pub mod fleet;
pub mod gate;
pub mod jitter;
pub mod lane;
pub mod limiter;
pub mod machines;
pub mod outage;
mod placements;
pub mod retry;
pub mod route;
pub mod server;
pub mod sidecar;

pub use arrival::ArrivalParams;
pub use backoff::BackoffParams;
pub use delay::Delay;
pub use fleet::{FleetParams, MOST_WORKERS};
pub use gate::{Gate, GateParams};
pub use lane::{Action, Context, Input, Lane, LaneState};
pub use limiter::{Bank, Decision, Limiter, LimiterParams};
pub use machines::{Machines, Setup};
pub use outage::OutageParams;
pub use retry::{Retry, RetryParams, Verdict};
pub use route::{Place, Request, Route, Step};
pub use server::{Fate, Server, ServerParams};
pub use sidecar::{Sidecar, SidecarParams};
