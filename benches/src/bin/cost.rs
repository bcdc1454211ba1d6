//! What an event costs in process CPU time, with all accounting on, so that it can be read on a
//! busy machine too. Under an instruction counter it is the program of the gate.
//!
//! `cost WHAT [KEY=VALUE]...` runs one replication on one thread and prints a line of JSON. WHAT is
//! an experiment file, of which the first variant is run, or a placement of `ratelab_benches`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use cpu_time::ProcessTime;
use ratelab::plan;
use ratelab_benches::{PLACEMENTS, text};
use ratelab_core::{Recorder, Seed};
use ratelab_sim::World;
use ratelab_spec::{Experiment, Overrides, SpecErrors, load, parse};
use ratelab_stats::Tally;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((what, set)) = args.split_first() else {
        eprintln!("usage: cost FILE|PLACEMENT [KEY=VALUE]...");
        return ExitCode::from(2);
    };
    match read(what, set) {
        Ok(experiment) => {
            measure(&experiment);
            ExitCode::SUCCESS
        }
        Err(errors) => {
            eprintln!("{errors}");
            ExitCode::FAILURE
        }
    }
}

fn measure(experiment: &Experiment) {
    let scenario = &experiment.cases[0].scenario;
    let mut world = World::new(scenario);
    let mut tally = Tally::new(Arc::new(plan(experiment, scenario, "requests.total")));
    let before = peak_mib();
    tally.begin(0);
    let began = ProcessTime::now();
    let seed = Seed(experiment.seed).replication(0);
    world.run(seed, &mut tally).expect("time moves on");
    let nanos = began.elapsed().as_nanos() as f64;
    let metrics = tally.metrics();
    let count = |name: &str| metrics.get(name).map_or(0.0, |metric| metric.mean);
    let (events, attempts) = (tally.events(), count("attempts.total"));
    println!(
        "{{\"what\":\"{}\",\"workers\":{},\"events\":{events},\"attempts\":{attempts},\
         \"served\":{},\"mean_wait\":{:.6},\"ns_per_event\":{:.2},\"ns_per_attempt\":{:.2},\
         \"before_mib\":{before:.1},\"peak_mib\":{:.1}}}",
        experiment.name,
        scenario.fleet.size(),
        count("served"),
        count("latency.job.mean"),
        nanos / events as f64,
        nanos / attempts,
        peak_mib(),
    );
}

fn read(what: &str, set: &[String]) -> Result<Experiment, SpecErrors> {
    let overrides = Overrides {
        set: set.to_vec(),
        ..Overrides::default()
    };
    let placement = PLACEMENTS.iter().find(|(name, _)| *name == what);
    match placement {
        Some((_, gate)) => parse(what, &text(gate, 10_000, 10), &overrides),
        None => load(Path::new(what), &overrides),
    }
}

/// Peak resident memory of this process, where the system tells it.
fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB"));
    kib.and_then(|kib| kib.trim().parse::<f64>().ok())
        .map_or(0.0, |kib| kib / 1024.0)
}
