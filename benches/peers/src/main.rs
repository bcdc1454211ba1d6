//! One cell of the comparison: an engine runs a workload and prints one line of JSON.
//!
//! Usage: `peers ENGINE WORKLOAD WORKERS EVENTS`, see README.md.

mod floor;
mod line;
mod nexosim_peer;
mod simcore_peer;
mod w2;
mod w3;

use std::env;
use std::process::ExitCode;

use line::Outcome;

const USAGE: &str = "usage: peers floor|simcore|nexosim w1|w2|w3 WORKERS EVENTS
  w1: EVENTS = WORKERS x seconds; w3: EVENTS = 2 x customers, WORKERS is ignored";

/// The engines' keys have 24 bits for a worker.
const MOST_WORKERS: u32 = 1 << 24;

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).collect();
    match cell(&args) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Runs the cell that the arguments name and returns its line.
fn cell(args: &[String]) -> Result<String, String> {
    let [engine, workload, workers, events] = args else {
        return Err(USAGE.to_owned());
    };
    let workers: u32 = workers.parse().map_err(|_| USAGE)?;
    let events: u64 = events.parse().map_err(|_| USAGE)?;
    if events == 0 || workload != "w3" && !(1..=MOST_WORKERS).contains(&workers) {
        return Err(format!("WORKERS are 1 to {MOST_WORKERS}, EVENTS 1 or more"));
    }
    let outcome = run(engine, workload, workers, events)?;
    Ok(line::line(engine, workload, workers, &outcome))
}

fn run(engine: &str, workload: &str, workers: u32, events: u64) -> Result<Outcome, String> {
    let seconds = events / u64::from(workers.max(1));
    if workload == "w1" && !events.is_multiple_of(u64::from(workers)) {
        return Err("w1: EVENTS is a multiple of WORKERS".to_owned());
    }
    if workload == "w3" && !events.is_multiple_of(2) {
        return Err("w3: EVENTS is even".to_owned());
    }
    let outcome = match (engine, workload) {
        ("floor", "w1") => floor::w1(workers, seconds),
        ("floor", "w2") => floor::w2(workers, events),
        ("floor", "w3") => floor::w3(events / 2),
        ("simcore", "w1") => simcore_peer::w1(workers, seconds),
        ("simcore", "w2") => simcore_peer::w2(workers, events),
        ("simcore", "w3") => simcore_peer::w3(events / 2),
        ("nexosim", "w1") => nexosim_peer::w1(workers, seconds),
        ("nexosim", "w2") => nexosim_peer::w2(workers, events),
        ("nexosim", "w3") => nexosim_peer::w3(events / 2),
        _ => return Err(USAGE.to_owned()),
    };
    if outcome.events == events {
        Ok(outcome)
    } else {
        Err(format!("not the same work: {} events", outcome.events))
    }
}
