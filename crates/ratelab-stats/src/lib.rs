//! Records to numbers. Statistics see records and nothing else: no model, no clock, no simulator.

pub mod chance;
pub mod compare;
pub mod fingerprint;
pub mod headline;
pub mod latency;
mod lookup;
mod meter;
pub mod metric;
pub mod moments;
pub mod overrun;
pub mod plan;
pub mod recovery;
mod results;
pub mod series;
pub mod strip;
pub mod summary;
pub mod tally;
pub mod timeline;
pub mod track;
pub mod unit;
pub mod values;
pub mod window;

pub use chance::Chance;
pub use headline::Paired;
pub use metric::{Better, METRICS, Metric, Unit};
pub use plan::Plan;
pub use series::{Attempt, Close, Scene, Series, StripRow, Timeline, Window};
pub use strip::Strip;
pub use summary::{Check, Counted, Estimate, Notice, Quote, Recovery, Row, Summary};
pub use tally::Tally;
