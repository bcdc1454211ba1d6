//! The words every ratelab crate shares: time, rates, identities, randomness, outcomes, records.
//!
//! Nothing here decides anything. A clock, I/O or another crate of the workspace is never needed:
//! virtual time is a number of nanoseconds since the run began, and whoever drives the machines
//! hands it in.

mod binomial;
pub mod budget;
pub mod catalog;
mod exp;
pub mod huge;
pub mod id;
pub mod outcome;
pub mod param;
pub mod rate;
pub mod ratio;
pub mod record;
pub mod rng;
pub mod span;
pub mod span_range;
pub mod text;
pub mod time;
mod ziggurat;

pub use budget::Budget;
pub use id::{JobNo, WorkerId};
pub use outcome::{Failure, Outcome, Status};
pub use param::{Finding, Findings};
pub use rate::Rate;
pub use ratio::Ratio;
pub use record::{GateRecord, JobEnd, Record, Recorder, RetryCause, Site};
pub use rng::{Actor, Exponential, Lognormal, Purpose, Seed, Stream, attempt_index};
pub use span::Span;
pub use span_range::SpanRange;
pub use text::TextError;
pub use time::Time;
