//! What a cell prints, and its two meters: CPU time of the run section and peak memory.

use std::fs;
use std::time::Duration;

use cpu_time::ProcessTime;

/// What one run did.
pub(crate) struct Outcome {
    /// CPU time of the run section.
    pub(crate) cpu: Duration,
    /// Events of the workload, not of the engine.
    pub(crate) events: u64,
    pub(crate) served: u64,
    pub(crate) refused: u64,
    /// Mean wait in the queue, in seconds (w3).
    pub(crate) mean_wait: Option<f64>,
}

/// CPU time of this process over a piece of work.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let start = ProcessTime::now();
    work();
    start.elapsed()
}

/// The line of a cell.
pub(crate) fn line(engine: &str, workload: &str, workers: u32, outcome: &Outcome) -> String {
    let Outcome {
        events,
        served,
        refused,
        ..
    } = *outcome;
    let ns = outcome.cpu.as_secs_f64() * 1e9 / events as f64;
    let peak = number(peak_mib(), 1);
    let wait = number(outcome.mean_wait, 4);
    format!(
        "{{\"engine\":\"{engine}\",\"workload\":\"{workload}\",\"workers\":{workers},\
         \"events\":{events},\"ns_per_event\":{ns:.2},\"served\":{served},\
         \"refused\":{refused},\"peak_mib\":{peak},\"mean_wait\":{wait}}}"
    )
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("null".to_owned(), |value| format!("{value:.digits$}"))
}

/// Peak resident memory of this process in MiB, where the system tells.
fn peak_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024.0)
}
