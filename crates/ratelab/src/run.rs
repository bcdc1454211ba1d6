//! `ratelab run`.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use ratelab::report::table::{self, Format, Style, github, junit};
use ratelab::report::{View, page};
use ratelab::spec::Experiment;
use ratelab::{Done, Settings, assemble};

use crate::cli::RunArgs;
use crate::load::{coloured, load_all};
use crate::{Failure, compare, print, progress};

/// An expectation failed.
const BROKEN: u8 = 99;

/// Columns of the terminal, else 80.
fn width() -> usize {
    let told = std::env::var("COLUMNS")
        .ok()
        .and_then(|width| width.parse().ok());
    let asked = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    told.or_else(asked).unwrap_or(80)
}

/// Runs files, prints them in the format asked for, and writes their reports.
pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let format = table::format(&args.format).ok_or_else(|| {
        let help = "`ratelab list formats` shows all";
        format!("error: there is no format `{}`\nhelp: {help}", args.format)
    })?;
    let experiments = load_all(&args.files, &args.changes)?;
    if args.baseline.is_some() && experiments.len() > 1 {
        return Err("error: --baseline takes one experiment file".to_owned());
    }
    let mut finished = Vec::new();
    for experiment in &experiments {
        let began = Instant::now();
        let done = play(args, experiment)?;
        let took = began.elapsed().as_secs_f64();
        if format.name != "junit" {
            show(format, &done);
        }
        if format.name == "table" {
            footer(&done, took);
        }
        if let Some(dir) = folder(args, experiment) {
            save(&dir, &done, experiment)?;
        }
        finished.push(done);
    }
    let summaries: Vec<_> = finished.iter().map(|done| &done.summary).collect();
    let junit = junit::all(&summaries);
    if format.name == "junit" {
        print(&junit);
    }
    if let Some(path) = &args.junit {
        let shown = path.display();
        page::write_whole(path, junit.as_bytes())
            .map_err(|error| format!("error: cannot write {shown}: {error}"))?;
    }
    let mut broken = summaries
        .iter()
        .any(|summary| summary.expectations.iter().any(|c| !c.pass));
    if let (Some(path), [summary]) = (&args.baseline, summaries.as_slice()) {
        let (text, worse) = compare::against(&compare::read(path)?, summary);
        eprint!("{text}");
        broken |= worse;
    }
    Ok(if broken {
        ExitCode::from(BROKEN)
    } else {
        ExitCode::SUCCESS
    })
}

/// Runs one file, with a bar when it takes long.
fn play(args: &RunArgs, experiment: &Experiment) -> Result<Done, Failure> {
    let mut settings = Settings::default();
    settings.threads = args.threads.map_or(settings.threads, usize::from);
    let all = experiment.replications * experiment.cases.len() as u64;
    progress::shown(&settings.done, all, || assemble(experiment, &settings))
        .map_err(|stuck| format!("error: {}: {stuck}", experiment.path))
}

/// Prints a run; on GitHub also into the summary of the step.
fn show(format: &Format, done: &Done) {
    let colour = coloured(std::io::stdout().is_terminal());
    let view = View::new(&done.summary, &done.series, &done.scene);
    print(&(format.render)(
        &view,
        &Style {
            colour,
            width: width(),
        },
    ));
    let step = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|_| format.name == "github");
    if let Some(path) = step {
        let file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path);
        let text = github::step_summary(&view);
        if let Err(error) = file.and_then(|mut file| file.write_all(text.as_bytes())) {
            eprintln!("warning: cannot write the step summary: {error}");
        }
    }
}

/// Where the report of an experiment goes: the folder asked for, or one of its name in there.
fn folder(args: &RunArgs, experiment: &Experiment) -> Option<PathBuf> {
    let dir = args.out.as_ref()?;
    Some(if args.files.len() > 1 {
        dir.join(&experiment.name)
    } else {
        dir.clone()
    })
}

/// Writes the report, whole or not at all.
fn save(dir: &Path, done: &Done, experiment: &Experiment) -> Result<(), Failure> {
    let Done {
        summary,
        series,
        scene,
    } = done;
    page::write_report(dir, summary, series, scene, &experiment.source)
        .map_err(|error| format!("error: cannot write {}: {error}", dir.display()))?;
    eprintln!("wrote {}", dir.join("index.html").display());
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
