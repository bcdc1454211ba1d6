//! Records to numbers. Statistics see records and nothing else: no model, no clock, no simulator.

pub mod metric;
pub mod series;
pub mod summary;

pub use metric::{Better, METRICS, Metric, Unit};
pub use series::{Attempt, Close, Scene, Series, StripRow, Timeline, Window};
pub use summary::{Check, Estimate, Notice, Quote, Recovery, Row, Summary};
