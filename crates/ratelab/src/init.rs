//! `ratelab init` and `ratelab schema`.

use std::process::ExitCode;

use crate::{Failure, print};

/// Prints a commented experiment file.
pub(crate) fn init() -> ExitCode {
    print(include_str!("example.toml"));
    ExitCode::SUCCESS
}

/// Prints the JSON Schema of experiment files.
pub(crate) fn schema() -> Result<ExitCode, Failure> {
    let schema = serde_json::to_string_pretty(&ratelab::spec::schema());
    print(&(schema.map_err(|error| format!("error: {error}"))? + "\n"));
    Ok(ExitCode::SUCCESS)
}
