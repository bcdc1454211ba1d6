//! `ratelab trace`: one replication as the article's log lines, or as JSON lines.

use std::process::ExitCode;

use ratelab::core::{Record, Seed, Time, WorkerId};
use ratelab::sim::World;
use ratelab::spec::{Case, Fidelity};

use crate::cli::{TraceArgs, TraceFormat};
use crate::{Failure, load, print};

/// The pid of worker 0, as in the article's log.
const FIRST_PID: u32 = 4181;

/// Prints the answers of one replication in order.
pub(crate) fn trace(args: &TraceArgs) -> Result<ExitCode, Failure> {
    let experiment = load::load(&args.file, &args.changes)?;
    let case = match &args.variant {
        None => &experiment.cases[0],
        Some(name) => experiment
            .cases
            .iter()
            .find(|case| case.title() == *name)
            .ok_or_else(|| {
                let all: Vec<String> = experiment.cases.iter().map(Case::title).collect();
                format!(
                    "error: there is no row `{name}`\nhelp: rows are {}",
                    all.join(", ")
                )
            })?,
    };
    if case.scenario.fidelity == Fidelity::Cohort {
        return Err("error: a crowd is counted, it has no workers to trace\n\
                    help: follow a few: --set fidelity=worker --set fleet.workers=1000"
            .to_owned());
    }
    let mut records: Vec<(Time, WorkerId, Record)> = Vec::new();
    let seed = Seed(experiment.seed).replication(args.replication);
    World::new(&case.scenario)
        .run(seed, &mut records)
        .map_err(|stuck| format!("error: {stuck}"))?;
    let mut text = String::new();
    for (at, worker, record) in &records {
        if let Record::Answer {
            attempt, outcome, ..
        } = record
        {
            text += &match args.format {
                TraceFormat::Jsonl => format!(
                    "{{\"t_ns\":{},\"worker\":{worker},\"attempt\":{attempt},\
                     \"status\":\"{outcome}\"}}\n",
                    at.as_nanos()
                ),
                TraceFormat::Text => {
                    format!("{} pid={} -> {outcome}\n", clock(*at), FIRST_PID + worker.0)
                }
            };
        }
    }
    print(&text);
    Ok(ExitCode::SUCCESS)
}

/// Hours, minutes, seconds and milliseconds since the run began.
fn clock(at: Time) -> String {
    let ms = at.as_nanos() / 1_000_000;
    let (s, m, h) = (ms / 1000, ms / 60_000, ms / 3_600_000);
    format!("{h:02}:{:02}:{:02}.{:03}", m % 60, s % 60, ms % 1000)
}
