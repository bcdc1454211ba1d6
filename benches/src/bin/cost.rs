//! What an event of an experiment file costs in process CPU time, with all accounting on, so that
//! it can be read on a busy machine too; under an instruction counter it is the gate's program.
//!
//! `cost FILE [KEY=VALUE]...` runs one replication of the file's first variant on one thread.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::sync::Arc;

use cpu_time::ProcessTime;
use ratelab::plan;
use ratelab_core::{Recorder, Seed};
use ratelab_sim::World;
use ratelab_spec::{Overrides, load};
use ratelab_stats::Tally;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((file, set)) = args.split_first() else {
        return println!("usage: cost FILE [KEY=VALUE]...");
    };
    let overrides = Overrides {
        set: set.to_vec(),
        ..Overrides::default()
    };
    let experiment = load(Path::new(file), &overrides).unwrap_or_else(|error| panic!("{error}"));
    let case = &experiment.cases[0];
    let workers = case.scenario.fleet.size();
    let mut world = World::new(&case.scenario);
    let mut tally = Tally::new(Arc::new(plan(
        &experiment,
        &case.scenario,
        "requests.total",
    )));
    let before = peak_mib();
    tally.begin(0);
    let began = ProcessTime::now();
    let seed = Seed(experiment.seed).replication(0);
    world.run(seed, &mut tally).expect("time moves on");
    let nanos = began.elapsed().as_nanos() as f64;
    let metric = |name: &str| tally.metrics().get(name).map_or(0.0, |m| m.mean);
    let (events, attempts) = (tally.events(), metric("attempts.total"));
    println!(
        "{} workers={workers} events={events} attempts={attempts} served={} \
         ns/event={:.1} ns/attempt={:.1} peak={:.1}MiB (before the run {before:.1})",
        experiment.name,
        metric("served"),
        nanos / events as f64,
        nanos / attempts,
        peak_mib(),
    );
}

/// Peak resident memory of this process, where the system tells it.
fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB"));
    kib.and_then(|kib| kib.trim().parse::<f64>().ok())
        .map_or(0.0, |kib| kib / 1024.0)
}
