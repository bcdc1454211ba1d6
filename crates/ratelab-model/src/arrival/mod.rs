//! Arrivals: when a worker has its next job.
//!
//! A worker pulls: when it is free it asks for the time of its next job. A job that arrived while
//! the worker was busy simply lies in the past and starts at once, so no queue is kept and memory
//! does not grow with the backlog. The gap before job `n` is a draw by identity.

use std::fmt;

use ratelab_core::{Findings, JobNo, Span, Stream, Time, catalog};

/// What a worker knows when it asks for its next job.
#[derive(Debug, Clone, Copy)]
pub struct Asked {
    /// The number of the job asked for, from 0.
    pub job: JobNo,
    /// When its previous job arrived; its start for the first.
    pub previous: Time,
    /// When the worker became free.
    pub free: Time,
}

/// An arrival process, ready to be asked.
pub trait Arrival: Send {
    /// When the job arrives; `None` when there is no further job. `stream` is that job's.
    fn next(&self, asked: Asked, stream: &mut Stream) -> Option<Time>;
}

/// Of a function; most processes are one.
impl<F: Fn(Asked, &mut Stream) -> Option<Time> + Send> Arrival for F {
    #[inline]
    fn next(&self, asked: Asked, stream: &mut Stream) -> Option<Time> {
        self(asked, stream)
    }
}

/// What every arrival process can do.
pub trait ArrivalRole: fmt::Debug + Send + Sync {
    /// Says what is wrong with the parameters.
    fn check(&self, findings: &mut Findings);

    /// The process over `workers` that have jobs, with all constants worked out.
    fn ready(&self, workers: u32) -> Box<dyn Arrival>;

    /// Whether the times depend on when the worker is free; then nothing arrives while it is busy.
    fn waits_for_the_worker(&self) -> bool {
        false
    }

    /// Whether its times are drawn.
    fn is_random(&self) -> bool {
        false
    }

    /// How many jobs, from this one on, arrive at this one's instant.
    fn together(&self, job: JobNo) -> u64 {
        let _ = job;
        1
    }

    /// Jobs a run of this length brings at most, over all workers, for the cap on work.
    fn most(&self, duration: Span, workers: u32) -> u128;

    /// A few words for a headline: `1 job each`.
    fn about(&self) -> String;
}

catalog! {
    /// Which arrival process, and its parameters.
    pub enum ArrivalParams as dyn ArrivalRole {
        batch: Batch,
        constant: Constant,
        closed_loop: ClosedLoop,
        poisson: Poisson,
    }
}
