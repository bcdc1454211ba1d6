//! Reading experiment files for every subcommand that takes them, and `ratelab check`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ratelab::spec::{self, Experiment, Overrides};
use ratelab::stats::metric;

use crate::cli::{Changes, CheckArgs};
use crate::{Failure, print};

/// Whether a stream is to be coloured.
pub(crate) fn coloured(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none()
}

/// Reads and validates a file.
pub(crate) fn load(file: &Path, changes: &Changes) -> Result<Experiment, Failure> {
    let overrides = Overrides {
        set: changes.set.clone(),
        seed: changes.seed,
        replications: changes.replications,
        lists: changes.list.clone(),
    };
    let colour = coloured(std::io::stderr().is_terminal());
    let experiment = spec::load(file, &overrides).map_err(|errors| errors.render(colour))?;
    let known = |name: &str| name == "recovery.label" || metric::find(name).is_some();
    match experiment.unknown_metrics(&known) {
        Some(errors) => Err(errors.render(colour)),
        None => Ok(experiment),
    }
}

/// Reads and validates several files, and says what is wrong with any of them.
pub(crate) fn load_all(files: &[PathBuf], changes: &Changes) -> Result<Vec<Experiment>, Failure> {
    let (mut experiments, mut failures) = (Vec::new(), Vec::new());
    for file in files {
        match load(file, changes) {
            Ok(experiment) => experiments.push(experiment),
            Err(failure) => failures.push(failure),
        }
    }
    if failures.is_empty() {
        Ok(experiments)
    } else {
        Err(failures.concat())
    }
}

/// Validates files and says how much they would run.
pub(crate) fn check(args: &CheckArgs) -> Result<ExitCode, Failure> {
    for experiment in load_all(&args.files, &args.changes)? {
        let (rows, runs) = (experiment.cases.len(), experiment.replications);
        let path = &experiment.path;
        print(&format!(
            "{path}: fine, {rows} rows of {runs} replications\n"
        ));
    }
    Ok(ExitCode::SUCCESS)
}
