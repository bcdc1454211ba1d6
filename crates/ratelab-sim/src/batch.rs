//! Replications over threads: the same results in the same order whatever the number of threads.
//!
//! The replications are cut into chunks by their number alone. Threads take chunks as they come;
//! each chunk has a recorder of its own, and the recorders come back in order of their chunks.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use ratelab_core::{Recorder, Seed};
use ratelab_spec::{Fidelity, Scenario};

use crate::cohort::Cohort;
use crate::stuck::Stuck;
use crate::world::World;

/// The most chunks, and so the most recorders alive at once.
const CHUNKS: u64 = 32;

/// Replications of one scenario.
#[derive(Debug)]
pub struct Batch<'a> {
    /// What to run.
    pub scenario: &'a Scenario,
    /// What all randomness starts from.
    pub seed: Seed,
    /// How many runs.
    pub replications: u64,
    /// On how many threads; the results do not depend on it.
    pub threads: usize,
    /// Counts finished replications, for whoever shows progress.
    pub done: &'a AtomicU64,
}

impl Batch<'_> {
    /// Runs them; `fresh` makes the recorder of a chunk, by its number.
    ///
    /// The recorders come back in order, for the caller to merge.
    pub fn run<R, F>(&self, fresh: F) -> Result<Vec<R>, Stuck>
    where
        R: Recorder + Send,
        F: Fn(usize) -> R + Sync,
    {
        let size = self.replications.div_ceil(CHUNKS).max(1);
        let chunks = usize::try_from(self.replications.div_ceil(size)).expect("at most CHUNKS");
        let slots: Vec<Mutex<Option<Result<R, Stuck>>>> =
            (0..chunks).map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut engine = Engine::new(self.scenario);
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                let Some(slot) = slots.get(chunk) else { break };
                let first = chunk as u64 * size;
                let numbers = first..(first + size).min(self.replications);
                let done = self.run_chunk(&mut engine, numbers, fresh(chunk));
                *slot.lock().expect("no thread panics while it holds a slot") = Some(done);
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads.clamp(1, chunks.max(1)) {
                scope.spawn(work);
            }
            work();
        });
        let finished = |slot: Mutex<Option<_>>| slot.into_inner().expect("as above");
        slots
            .into_iter()
            .map(|slot| finished(slot).expect("every chunk ran"))
            .collect()
    }

    fn run_chunk<R: Recorder>(
        &self,
        engine: &mut Engine,
        numbers: std::ops::Range<u64>,
        mut recorder: R,
    ) -> Result<R, Stuck> {
        for number in numbers {
            recorder.begin(number);
            engine.run(self.seed.replication(number), &mut recorder)?;
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        recorder.settle();
        Ok(recorder)
    }
}

/// What plays a scenario: worker by worker, or the fleet as a crowd.
enum Engine {
    World(Box<World>),
    Cohort(Box<Cohort>),
}

impl Engine {
    fn new(scenario: &Scenario) -> Self {
        match scenario.fidelity {
            Fidelity::Worker => Self::World(Box::new(World::new(scenario))),
            Fidelity::Cohort => Self::Cohort(Box::new(Cohort::new(scenario))),
        }
    }

    fn run<R: Recorder>(&mut self, seed: Seed, recorder: &mut R) -> Result<(), Stuck> {
        match self {
            Self::World(world) => world.run(seed, recorder),
            Self::Cohort(cohort) => {
                cohort.run(seed, recorder);
                Ok(())
            }
        }
    }
}
