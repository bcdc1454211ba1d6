//! Experiment files: what a file says becomes scenarios to run, or errors with their place.
//!
//! A file is a tree. Variants and sweeps patch the tree before it is read into types, so every key
//! can be varied without code, and every error keeps its place in the file.

pub mod error;
pub mod expect;
pub mod experiment;
pub mod file;
mod reader;
mod select;
pub mod tree;

pub use error::SpecErrors;
pub use expect::{Expectation, Quote, Wanted};
pub use experiment::{Case, Experiment, Measure, Overrides, load, parse};
pub use file::{File, NetworkParams, Scenario, Ties};

/// The JSON Schema of experiment files, made from the types that read them.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(File).to_value()
}
