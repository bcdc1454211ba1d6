//! What an event costs in each placement, and that memory does not grow with the run: one line per
//! run, process CPU time and peak memory, so that it can be read on a busy machine too.
//!
//! `cost` runs every placement with 10,000 workers for 100 s and 1,000 s, each in a process of its
//! own; `cost PLACEMENT WORKERS SECONDS` runs one, for an instruction counter.
#![allow(clippy::print_stdout)]

use std::process::Command;
use std::sync::Arc;

use cpu_time::ProcessTime;
use ratelab_benches::{PLACEMENTS, fleet};
use ratelab_core::{Recorder, Seed};
use ratelab_sim::World;
use ratelab_stats::{Plan, Tally};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [] => all(),
        [placement, workers, seconds] => {
            let number = |text: &str| text.parse().expect("a whole number");
            one(placement, number(workers), number(seconds));
        }
        _ => println!("usage: cost [PLACEMENT WORKERS SECONDS]"),
    }
}

/// Every placement at two lengths, each in its own process, so that peaks do not mix.
fn all() {
    println!("placement     workers  seconds      events  ns/event  peak MiB");
    let program = std::env::current_exe().expect("this program has a path");
    for (placement, _) in PLACEMENTS {
        for seconds in ["100", "1000"] {
            let child = Command::new(&program)
                .args([placement, "10000", seconds])
                .output();
            print!(
                "{}",
                String::from_utf8_lossy(&child.expect("this program runs").stdout)
            );
        }
    }
}

/// One run with all accounting on.
fn one(placement: &str, workers: u32, seconds: u32) {
    let gate = PLACEMENTS
        .iter()
        .find(|(name, _)| *name == placement)
        .expect("a placement")
        .1;
    let scenario = fleet(gate, workers, seconds);
    let plan = Arc::new(Plan {
        duration: scenario.duration,
        workers,
        outages: Vec::new(),
        measures: Vec::new(),
        budget: scenario.server.promise(),
        statuses: vec![200, 429],
        headline: "requests.total".to_owned(),
    });
    let mut world = World::new(&scenario);
    let mut tally = Tally::new(plan);
    tally.begin(0);
    let began = ProcessTime::now();
    world.run(Seed(1), &mut tally).expect("time moves on");
    let nanos = began.elapsed().as_nanos() as f64;
    let events = tally.events();
    let each = nanos / events as f64;
    let peak = peak_mib().map_or("–".to_owned(), |mib| format!("{mib:.1}"));
    println!("{placement:12} {workers:8} {seconds:8} {events:11} {each:9.1} {peak:>9}");
}

/// Peak resident memory of this process, where the system tells it.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}
