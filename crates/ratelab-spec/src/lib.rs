//! Experiment files: what a file says becomes scenarios to run, or errors with their place.
//!
//! A file is a tree. Variants and sweeps patch the tree before it is read into types, so every key
//! can be varied without code, and every error keeps its place in the file. Each merged tree is
//! first held against the schema of the types, which finds every mistake of shape at once; then it
//! is read into the types, which are asked whether their values make sense.

mod cases;
pub mod error;
pub mod expect;
pub mod experiment;
pub mod fidelity;
pub mod file;
mod flags;
mod places;
mod presets;
mod reader;
mod render;
mod schema;
mod select;
mod shape;
pub mod tree;
mod walk;
mod words;

pub use error::SpecErrors;
pub use expect::{Expectation, Quote, Wanted};
pub use experiment::{Case, Experiment, Measure, Overrides, load, parse};
pub use file::{Fidelity, File, NetworkParams, Scenario, Ties};

/// The JSON Schema of experiment files, made from the types that read them.
pub fn schema() -> serde_json::Value {
    schema::public()
}
