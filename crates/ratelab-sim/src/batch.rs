//! Replications over threads: the same results in the same order whatever the number of threads.
//!
//! The replications are cut into chunks by their number alone. Threads take chunks as they come;
//! each chunk has a recorder of its own, and the recorders come back in order of their chunks.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ratelab_core::{Recorder, Seed};
use ratelab_spec::Scenario;

use crate::world::{Stuck, World};

/// The most chunks, and so the most recorders alive at once.
const CHUNKS: u64 = 32;

/// Runs `replications` of a scenario on `threads` threads; `fresh` makes a chunk's recorder.
///
/// The recorders come back in order, for the caller to merge.
pub fn run<R, F>(
    scenario: &Scenario,
    seed: Seed,
    replications: u64,
    threads: usize,
    fresh: F,
) -> Result<Vec<R>, Stuck>
where
    R: Recorder + Send,
    F: Fn() -> R + Sync,
{
    let chunk_size = replications.div_ceil(CHUNKS).max(1);
    let chunks = usize::try_from(replications.div_ceil(chunk_size)).expect("at most CHUNKS");
    let slots: Vec<Mutex<Option<Result<R, Stuck>>>> =
        (0..chunks).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut world = World::new(scenario);
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = slots.get(chunk) else { break };
            let first = chunk as u64 * chunk_size;
            let numbers = first..(first + chunk_size).min(replications);
            let done = run_chunk(&mut world, seed, numbers, fresh());
            *slot.lock().expect("no thread panics while it holds a slot") = Some(done);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.clamp(1, chunks.max(1)) {
            scope.spawn(work);
        }
        work();
    });
    slots
        .into_iter()
        .map(|slot| {
            slot.into_inner()
                .expect("as above")
                .expect("every chunk ran")
        })
        .collect()
}

fn run_chunk<R: Recorder>(
    world: &mut World,
    seed: Seed,
    numbers: std::ops::Range<u64>,
    mut recorder: R,
) -> Result<R, Stuck> {
    for number in numbers {
        recorder.begin(number);
        world.run(seed.replication(number), &mut recorder)?;
    }
    Ok(recorder)
}
