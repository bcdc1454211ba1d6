//! Progress: a bar for work over a second, on a terminal only.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter work shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the bar is looked after.
const TICK: Duration = Duration::from_millis(50);

/// Does the work, and shows how much of `all` the counter has reached.
pub(crate) fn shown<T>(done: &AtomicU64, all: u64, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| watch(done, all, &over));
        let result = work();
        over.store(true, Ordering::Release);
        result
    })
}

fn watch(done: &AtomicU64, all: u64, over: &AtomicBool) {
    let began = Instant::now();
    let mut bar = None;
    while !over.load(Ordering::Acquire) {
        thread::sleep(TICK);
        if began.elapsed() > PATIENCE {
            let bar = bar.get_or_insert_with(|| new_bar(all));
            bar.set_position(done.load(Ordering::Relaxed));
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

fn new_bar(all: u64) -> ProgressBar {
    let template = "{bar:40} {pos}/{len} replications, {eta} left";
    let style = ProgressStyle::with_template(template).expect("a valid template");
    ProgressBar::new(all).with_style(style)
}
