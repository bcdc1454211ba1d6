//! Route: the way of an attempt from its worker through sidecar and network to the server and back.
//!
//! The route answers with the next place and time, or with the outcome and when the worker learns
//! it. It knows the client's deadline, so a client never holds a timer beside its answer: which of
//! the two comes first is known as soon as the server has decided.

use ratelab_core::{
    Actor, Failure, JobNo, Outcome, Purpose, Record, Recorder, Seed, Site, Span, Stream, Time,
    WorkerId, attempt_index,
};

use crate::delay::Sampler;
use crate::server::{Fate, Server};
use crate::sidecar::{Passage, Sidecar};

/// Where a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Arriving at the sidecar.
    Sidecar,
    /// Let through by the sidecar, about to set out for the server.
    Leaving,
    /// Arriving at the server.
    Server,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The request is at that place at that time.
    Travel(Time, Place),
    /// The worker learns its outcome at that time.
    Learn(Time, Outcome, Site),
    /// The worker gives up at the first time; its request reaches the server at the second.
    Abandon(Time, Time),
}

/// A request under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Who sent it.
    pub worker: WorkerId,
    /// Of which of its jobs.
    pub job: JobNo,
    /// The attempt's number within its job.
    pub attempt: u32,
    /// When its client stops waiting.
    pub deadline: Time,
}

/// The way to the server.
pub struct Route {
    /// The proxy on it.
    pub sidecar: Option<Sidecar>,
    /// From the last hop to the server, and back.
    pub one_way: Sampler,
    /// The server at its end.
    pub server: Server,
    /// The seed of the replication.
    pub seed: Seed,
    /// How many abandoned requests have reached the server.
    pub ghosts: u64,
}

impl Request {
    /// The stream of one of its delays.
    #[inline(always)]
    fn draw(self, seed: Seed, why: Purpose) -> Stream {
        let index = attempt_index(self.job, self.attempt);
        seed.draw(Actor::Worker(self.worker.0), why, index)
    }
}

impl Route {
    /// As new, for a replication.
    pub fn reset(&mut self, seed: Seed) {
        self.seed = seed;
        self.ghosts = 0;
        self.server.reset();
        if let Some(sidecar) = &mut self.sidecar {
            sidecar.reset();
        }
    }

    /// The worker sends the request at `now`.
    #[inline(always)]
    pub fn depart<R: Recorder>(&self, now: Time, request: Request, recorder: &mut R) -> Step {
        match &self.sidecar {
            Some(sidecar) => Step::Travel(now + sidecar.hop(), Place::Sidecar),
            None => self.leave(now, request, recorder),
        }
    }

    /// The request is at `place` at `now`.
    #[inline(always)]
    pub fn arrive<R: Recorder>(
        &mut self,
        now: Time,
        place: Place,
        request: Request,
        recorder: &mut R,
    ) -> Step {
        match place {
            Place::Sidecar => self.pass(now, request),
            Place::Leaving => self.leave(now, request, recorder),
            Place::Server => self.serve(now, request, recorder),
        }
    }

    /// A request of `worker` that was abandoned on its way reaches the server at `now`.
    pub fn haunt<R: Recorder>(&mut self, now: Time, worker: WorkerId, recorder: &mut R) {
        // Its worker may be further on, so that nothing tells which of its attempts this was: the
        // server draws from a stream of its own, by the order of arrival.
        let (seed, ghost) = (self.seed, self.ghosts);
        self.ghosts += 1;
        let stream = || seed.draw(Actor::Server, Purpose::Service, ghost);
        if let Fate::Answer { outcome, .. } = self.server.arrive(now, stream)
            && outcome.is_success()
        {
            recorder.record(now, worker, &Record::Wasted);
        }
    }

    fn pass(&mut self, now: Time, request: Request) -> Step {
        let sidecar = self
            .sidecar
            .as_mut()
            .expect("only a route with a sidecar leads there");
        let hop = sidecar.hop();
        match sidecar.arrive(now, request.worker) {
            // nginx drops a delayed request whose client has gone; its place stays charged.
            Passage::ForwardAt(at) if at >= request.deadline => timeout(request, Site::Sidecar),
            Passage::ForwardAt(at) => Step::Travel(at, Place::Leaving),
            Passage::Refuse(outcome) => learn(now + hop, outcome, Site::Sidecar, request),
        }
    }

    #[inline(always)]
    fn leave<R: Recorder>(&self, now: Time, request: Request, recorder: &mut R) -> Step {
        recorder.record(
            now,
            request.worker,
            &Record::Request {
                attempt: request.attempt,
            },
        );
        let way = self
            .one_way
            .sample(|| request.draw(self.seed, Purpose::Out));
        let arrives = now + way;
        if arrives > request.deadline {
            Step::Abandon(request.deadline, arrives)
        } else {
            Step::Travel(arrives, Place::Server)
        }
    }

    #[inline(always)]
    fn serve<R: Recorder>(&mut self, now: Time, request: Request, recorder: &mut R) -> Step {
        let seed = self.seed;
        let service = || request.draw(seed, Purpose::Service);
        let Fate::Answer { at, outcome } = self.server.arrive(now, service) else {
            return timeout(request, Site::Server);
        };
        let hop = self.sidecar.as_ref().map_or(Span::ZERO, Sidecar::hop);
        let way = self
            .one_way
            .sample(|| request.draw(self.seed, Purpose::Back));
        let step = learn(at + way + hop, outcome, Site::Server, request);
        if outcome.is_success() && step == timeout(request, Site::Server) {
            recorder.record(now, request.worker, &Record::Wasted);
        }
        step
    }
}

/// The answer, or the deadline when that comes first; at the same instant the answer wins.
#[inline(always)]
fn learn(at: Time, outcome: Outcome, site: Site, request: Request) -> Step {
    if at > request.deadline {
        timeout(request, site)
    } else {
        Step::Learn(at, outcome, site)
    }
}

#[inline(always)]
fn timeout(request: Request, site: Site) -> Step {
    Step::Learn(request.deadline, Outcome::Failed(Failure::TimedOut), site)
}
