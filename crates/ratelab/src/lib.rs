//! ratelab as a library: read a file, run it, get a summary. The command is a thin shell over this.
//!
//! ```no_run
//! use std::path::Path;
//!
//! let experiment = ratelab::spec::load(Path::new("mine.toml"), &Default::default())?;
//! let done = ratelab::assemble(&experiment, &ratelab::Settings::default())?;
//! println!("{}", done.summary.results[0].metrics["requests.total"].mean);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod counted;
mod judge;
pub mod notice;
mod ties;
mod words;

pub use assemble::{Done, Settings, assemble, plan};
pub use ratelab_core as core;
pub use ratelab_model as model;
pub use ratelab_report as report;
pub use ratelab_sim as sim;
pub use ratelab_spec as spec;
pub use ratelab_stats as stats;
