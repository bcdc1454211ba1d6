//! The world: the state of a run and the one loop that drives the machines.
//!
//! It decides nothing. It asks a machine, and when the answer lies in the future it puts the worker
//! into the queue until then. What happens at the same instant is followed through at once, worker
//! by worker, as a process would.

use std::fmt;

use ratelab_core::{Outcome, Recorder, Seed, Site, Time, WorkerId};
use ratelab_model::{Action, Context, Decision, Input, LaneState, Machines, Place, Request, Step};
use ratelab_spec::{Scenario, Ties};

use crate::event::{Event, Kind};
use crate::queue::EventQueue;

/// What a worker waits for.
#[derive(Debug, Clone, Copy)]
enum Wait {
    /// The time it asked for.
    Wake,
    /// Its question reaches the store.
    Store,
    /// The store's answer reaches it.
    Permit(Decision),
    /// Its request reaches a place.
    Travel(Place),
    /// Its outcome reaches it.
    Learn(Outcome, Site),
}

/// Time stands still: a worker went round without the clock moving on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stuck {
    /// Where the clock stands.
    pub at: Time,
    /// Whose loop it is.
    pub worker: WorkerId,
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "time stands still at {}: worker {} goes round without waiting; give it a limiter, a \
             think time, a backoff above zero, a service time or a network",
            self.at, self.worker
        )
    }
}

impl std::error::Error for Stuck {}

/// Rounds one worker may make at one instant before it counts as stuck.
const ROUNDS: u32 = 5_000_000;

/// Everything a run is made of; reused from replication to replication.
pub struct World {
    end: Time,
    ties: Ties,
    workers: u32,
    machines: Machines,
    queue: EventQueue,
    states: Vec<LaneState>,
    waits: Vec<Wait>,
    deadlines: Vec<Time>,
    seed: Seed,
    events: u64,
}

impl World {
    /// The world of a scenario that has passed its checks.
    pub fn new(scenario: &Scenario) -> Self {
        let workers = scenario.fleet.size();
        Self {
            end: Time::from(scenario.duration),
            ties: scenario.ties,
            workers,
            machines: Machines::new(scenario.setup()),
            queue: EventQueue::new(),
            states: vec![LaneState::NEW; workers as usize],
            waits: vec![Wait::Wake; workers as usize],
            deadlines: vec![Time::NEVER; workers as usize],
            seed: Seed(0),
            events: 0,
        }
    }

    /// Runs one replication: events in `[0, duration)`.
    pub fn run<R: Recorder>(&mut self, seed: Seed, recorder: &mut R) -> Result<(), Stuck> {
        self.reset(seed);
        while let Some((now, event)) = self.queue.pop() {
            if now >= self.end {
                break;
            }
            self.events += 1;
            self.handle(now, event, recorder)?;
        }
        for id in 0..self.workers {
            let worker = WorkerId(id);
            let mut state = self.states[worker.index()];
            let mut context = Context {
                now: self.end,
                worker,
                seed,
                recorder,
            };
            self.machines.lane.close(&mut state, &mut context);
        }
        recorder.end(self.end, self.events);
        Ok(())
    }

    fn reset(&mut self, seed: Seed) {
        self.seed = seed;
        self.events = 0;
        self.machines.reset();
        self.queue
            .reset((self.ties == Ties::Shuffled).then_some(seed));
        self.states.fill(LaneState::NEW);
        for id in 0..self.workers {
            let worker = WorkerId(id);
            let at = self.machines.lane.start_of(worker, seed);
            self.queue.push(
                at,
                Event {
                    worker,
                    kind: Kind::Start,
                },
            );
        }
    }

    fn handle<R: Recorder>(
        &mut self,
        now: Time,
        event: Event,
        recorder: &mut R,
    ) -> Result<(), Stuck> {
        let worker = event.worker;
        let place = worker.index();
        match event.kind {
            Kind::Start => self.live(now, worker, Input::Start, recorder),
            Kind::Ghost => {
                let request = self.request(worker);
                self.machines
                    .route
                    .arrive(now, Place::Ghost, request, recorder);
                Ok(())
            }
            Kind::Next => match self.waits[place] {
                Wait::Wake => self.live(now, worker, Input::Woken, recorder),
                Wait::Permit(decision) => self.live(now, worker, Input::Permit(decision), recorder),
                Wait::Learn(outcome, site) => {
                    self.live(now, worker, Input::Outcome(outcome, site), recorder)
                }
                Wait::Store => match self.ask_store(now, worker, recorder) {
                    Some(decision) => self.live(now, worker, Input::Permit(decision), recorder),
                    None => Ok(()),
                },
                Wait::Travel(at) => {
                    let step = self
                        .machines
                        .route
                        .arrive(now, at, self.request(worker), recorder);
                    match self.travel(now, worker, step, recorder) {
                        Some(input) => self.live(now, worker, input, recorder),
                        None => Ok(()),
                    }
                }
            },
        }
    }

    /// Follows a worker until it has to wait.
    fn live<R: Recorder>(
        &mut self,
        now: Time,
        worker: WorkerId,
        first: Input,
        recorder: &mut R,
    ) -> Result<(), Stuck> {
        let mut input = first;
        for _ in 0..ROUNDS {
            let state = &mut self.states[worker.index()];
            let mut context = Context {
                now,
                worker,
                seed: self.seed,
                recorder: &mut *recorder,
            };
            let next = match self.machines.lane.handle(state, input, &mut context) {
                Action::Rest => None,
                Action::WakeAt(at) => {
                    (!self.waits_until(now, at, worker, Wait::Wake)).then_some(Input::Woken)
                }
                Action::Ask => self.ask(now, worker, recorder),
                Action::Send { attempt, deadline } => {
                    self.deadlines[worker.index()] = deadline;
                    let request = Request {
                        worker,
                        attempt,
                        deadline,
                    };
                    let step = self.machines.route.depart(now, request, recorder);
                    self.travel(now, worker, step, recorder)
                }
            };
            match next {
                Some(more) => input = more,
                None => return Ok(()),
            }
        }
        Err(Stuck { at: now, worker })
    }

    /// Waits until `at`, unless that is now: whether it waits.
    fn waits_until(&mut self, now: Time, at: Time, worker: WorkerId, wait: Wait) -> bool {
        let later = at > now;
        if later {
            self.wait(at, worker, wait);
        }
        later
    }

    fn wait(&mut self, at: Time, worker: WorkerId, wait: Wait) {
        self.waits[worker.index()] = wait;
        self.queue.push(
            at,
            Event {
                worker,
                kind: Kind::Next,
            },
        );
    }

    fn ask<R: Recorder>(&mut self, now: Time, worker: WorkerId, recorder: &mut R) -> Option<Input> {
        if !self.machines.gate.exists() {
            return Some(Input::Permit(Decision::Grant));
        }
        let (there, _) = self.machines.gate.legs();
        if there.is_zero() {
            return self.ask_store(now, worker, recorder).map(Input::Permit);
        }
        self.wait(now + there, worker, Wait::Store);
        None
    }

    /// The question is where the limiter's state is.
    fn ask_store<R: Recorder>(
        &mut self,
        now: Time,
        worker: WorkerId,
        recorder: &mut R,
    ) -> Option<Decision> {
        let attempt = self.states[worker.index()].next_attempt();
        let decision = self.machines.gate.decide(now, worker, attempt, recorder);
        let (_, back) = self.machines.gate.legs();
        if back.is_zero() {
            return Some(decision);
        }
        self.wait(now + back, worker, Wait::Permit(decision));
        None
    }

    fn request(&self, worker: WorkerId) -> Request {
        let attempt = self.states[worker.index()].next_attempt() - 1;
        Request {
            worker,
            attempt,
            deadline: self.deadlines[worker.index()],
        }
    }

    /// Follows a request as far as it goes at this instant.
    fn travel<R: Recorder>(
        &mut self,
        now: Time,
        worker: WorkerId,
        first: Step,
        recorder: &mut R,
    ) -> Option<Input> {
        let mut step = first;
        loop {
            match step {
                Step::Travel(at, place) if at <= now => {
                    step = self
                        .machines
                        .route
                        .arrive(now, place, self.request(worker), recorder);
                }
                Step::Travel(at, place) => {
                    self.wait(at, worker, Wait::Travel(place));
                    return None;
                }
                Step::Learn(at, outcome, site) => {
                    let waits = self.waits_until(now, at, worker, Wait::Learn(outcome, site));
                    return (!waits).then_some(Input::Outcome(outcome, site));
                }
                Step::Abandon(at, arrives) => {
                    self.queue.push(
                        arrives,
                        Event {
                            worker,
                            kind: Kind::Ghost,
                        },
                    );
                    let outcome = Outcome::Failed(ratelab_core::Failure::TimedOut);
                    self.wait(at, worker, Wait::Learn(outcome, Site::Server));
                    return None;
                }
                Step::Gone => return None,
            }
        }
    }
}
