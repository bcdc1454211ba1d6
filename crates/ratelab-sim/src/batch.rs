//! Replications over threads: the same results in the same order whatever the number of threads.
//!
//! The replications are cut into chunks by their number alone. Threads take chunks as they come;
//! each chunk has a recorder of its own, and the recorders come back in order of their chunks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use ratelab_core::{Recorder, Seed};
use ratelab_spec::{Fidelity, Scenario};

use crate::cohort::Cohort;
use crate::stuck::Stuck;
use crate::world::World;

/// The most chunks, and so the most recorders alive at once.
const CHUNKS: u64 = 32;

/// Finished replications that a thread tells at once.
const TOLD: u64 = 16;

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
        let chunks = self.replications.div_ceil(size);
        let next = AtomicU64::new(0);
        // Threads share the number of the next chunk and nothing else; what they have made they
        // hand back at their end.
        let work = || {
            let mut engine = Engine::new(self.scenario);
            let mut made = Vec::new();
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks {
                    return made;
                }
                let first = chunk * size;
                let numbers = first..(first + size).min(self.replications);
                let place = usize::try_from(chunk).expect("at most CHUNKS");
                made.push((place, self.run_chunk(&mut engine, numbers, fresh(place))));
            }
        };
        let most = usize::try_from(chunks.max(1)).expect("at most CHUNKS");
        let mut made = thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads.clamp(1, most))
                .map(|_| scope.spawn(work))
                .collect();
            let mut made = work();
            for other in others {
                made.extend(other.join().expect("a run does not panic"));
            }
            made
        });
        made.sort_by_key(|(place, _)| *place);
        made.into_iter().map(|(_, done)| done).collect()
    }

    fn run_chunk<R: Recorder>(
        &self,
        engine: &mut Engine,
        numbers: std::ops::Range<u64>,
        mut recorder: R,
    ) -> Result<R, Stuck> {
        let mut told = 0;
        for number in numbers {
            recorder.begin(number);
            engine.run(self.seed.replication(number), &mut recorder)?;
            told += 1;
            // Not at every one, or threads would pass the counter to and fro.
            if told == TOLD {
                self.done.fetch_add(told, Ordering::Relaxed);
                told = 0;
            }
        }
        self.done.fetch_add(told, Ordering::Relaxed);
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
