//! `ratelab run` and `ratelab check`.

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::Instant;

use ratelab::report::table::{self, Style};
use ratelab::report::{View, page};
use ratelab::spec::{self, Experiment, Overrides};
use ratelab::{Done, Settings, assemble};

use crate::cli::{FileArgs, RunArgs};
use crate::{Failure, compare, print, progress};

/// An expectation failed.
const BROKEN: u8 = 99;

/// Whether a stream is to be coloured.
fn coloured(terminal: bool) -> bool {
    terminal && std::env::var_os("NO_COLOR").is_none()
}

/// Reads and validates a file.
pub(crate) fn load(args: &FileArgs) -> Result<Experiment, Failure> {
    let overrides = Overrides {
        set: args.set.clone(),
        seed: args.seed,
        replications: args.replications,
        lists: args.list.clone(),
    };
    let colour = coloured(std::io::stderr().is_terminal());
    let experiment = spec::load(&args.file, &overrides).map_err(|e| e.render(colour))?;
    let known =
        |name: &str| name == "recovery.label" || ratelab::stats::metric::find(name).is_some();
    match experiment.unknown_metrics(&known) {
        Some(errors) => Err(errors.render(colour)),
        None => Ok(experiment),
    }
}

/// Columns of the terminal, else 80.
fn width() -> usize {
    let told = std::env::var("COLUMNS")
        .ok()
        .and_then(|width| width.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(asked).unwrap_or(80)
}

/// Runs a file, prints it in the format asked for, and writes its report.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let format = table::format(&args.format).ok_or_else(|| {
        let help = "`ratelab list formats` shows all";
        format!("error: there is no format `{}`\nhelp: {help}", args.format)
    })?;
    let experiment = load(&args.file)?;
    let began = Instant::now();
    let mut settings = Settings::default();
    settings.threads = args.threads.map_or(settings.threads, usize::from);
    let all = experiment.replications * experiment.cases.len() as u64;
    let done = progress::shown(&settings.done, all, || assemble(&experiment, &settings))
        .map_err(|stuck| format!("error: {}: {stuck}", experiment.path))?;
    let took = began.elapsed().as_secs_f64();
    let style = Style {
        colour: coloured(std::io::stdout().is_terminal()),
        width: width(),
    };
    let view = View::new(&done.summary, &done.series, &done.scene);
    print(&(format.render)(&view, &style));
    save(args, &done, &experiment)?;
    if args.format == "table" {
        footer(&done, took);
    }
    let worse = match &args.baseline {
        Some(path) => {
            let (text, worse) = compare::against(&compare::read(path)?, &done.summary);
            eprint!("{text}");
            worse
        }
        None => false,
    };
    let broken = worse || done.summary.expectations.iter().any(|check| !check.pass);
    Ok(if broken {
        ExitCode::from(BROKEN)
    } else {
        ExitCode::SUCCESS
    })
}

/// Writes the report and the JUnit file, each whole or not at all.
fn save(args: &RunArgs, done: &Done, experiment: &Experiment) -> Result<(), Failure> {
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
    if let Some(path) = &args.junit {
        let view = View::new(&done.summary, &done.series, &done.scene);
        let junit = table::format("junit").expect("junit is a format");
        let text = (junit.render)(&view, &Style::default());
        page::write_whole(path, text.as_bytes())
            .map_err(|error| format!("error: cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

/// What the run cost; on stderr, since it differs from run to run.
fn footer(done: &Done, took: f64) {
    let events = done.summary.events as f64;
    let (shown, unit) = if events < 1e6 {
        (events / 1e3, "k")
    } else {
        (events / 1e6, "M")
    };
    let rate = events / took.max(1e-9) / 1e6;
    eprintln!("{shown:.1} {unit} events in {took:.2} s ({rate:.1} M/s)");
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
