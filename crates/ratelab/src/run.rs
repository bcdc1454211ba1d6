//! `ratelab run` and `ratelab check`.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::thread;

use ratelab_report::table::{self, Style};
use ratelab_report::{View, page};
use ratelab_spec::{Experiment, Overrides};

use crate::cli::{FileArgs, RunArgs};
use crate::{Failure, assemble, print};

/// An expectation failed.
const BROKEN: u8 = 99;

/// Reads and validates a file.
pub(crate) fn load(args: &FileArgs) -> Result<Experiment, Failure> {
    let overrides = Overrides {
        set: args.set.clone(),
        seed: args.seed,
        replications: args.replications,
    };
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let experiment =
        ratelab_spec::load(&args.file, &overrides).map_err(|errors| errors.render(colour))?;
    let known =
        |name: &str| name == "recovery.label" || ratelab_stats::metric::find(name).is_some();
    match experiment.unknown_metrics(&known) {
        Some(errors) => Err(errors.render(colour)),
        None => Ok(experiment),
    }
}

/// Runs a file, prints it in the format asked for, and writes its report.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let format = table::format(&args.format).ok_or_else(|| {
        format!(
            "error: there is no format `{}`\nhelp: `ratelab list formats` shows all",
            args.format
        )
    })?;
    let experiment = load(&args.file)?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let done = assemble::assemble(&experiment, args.threads.unwrap_or(cores).max(1))?;
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let width = std::env::var("COLUMNS")
        .ok()
        .and_then(|w| w.parse().ok())
        .unwrap_or(80);
    let view = View::new(&done.summary, &done.series, &done.scene);
    print(&(format.render)(&view, &Style { colour, width }));
    if let Some(dir) = &args.out {
        page::write_report(
            dir,
            &done.summary,
            &done.series,
            &done.scene,
            &experiment.source,
        )
        .map_err(|error| format!("error: cannot write {}: {error}", dir.display()))?;
        eprintln!("wrote {}", dir.join("index.html").display());
    }
    let broken = done.summary.expectations.iter().any(|check| !check.pass);
    Ok(if broken {
        ExitCode::from(BROKEN)
    } else {
        ExitCode::SUCCESS
    })
}

/// Validates a file and says how much it would run.
pub(crate) fn check(args: &FileArgs) -> Result<ExitCode, Failure> {
    let experiment = load(args)?;
    let (rows, runs) = (experiment.cases.len(), experiment.replications);
    print(&format!(
        "{}: fine, {rows} rows of {runs} replications\n",
        experiment.path
    ));
    Ok(ExitCode::SUCCESS)
}
