//! The world: the state of a run and the one loop that drives the machines.
//!
//! It decides nothing. It asks a machine, and when the answer lies in the future it puts the worker
//! into the queue until then. What happens at the same instant is followed through at once, worker
//! by worker, as a process would.

use prefetch_index::prefetch_index;
use ratelab_core::huge::{self, HugeVec};
use ratelab_core::{Failure, Outcome, Recorder, Seed, Site, Span, Time, WorkerId};
use ratelab_model::{
    Action, Context, Decision, Gate, Input, LaneState, MOST_WORKERS, Machines, Request, Step,
};
use ratelab_spec::{Scenario, Ties};

use crate::event::{Event, Kind};
use crate::queue::EventQueue;
use crate::stuck::{ROUNDS, Stuck};
use crate::wait::Wait;

/// What is known of a worker, side by side, for one event touches all of it.
#[derive(Debug, Clone, Copy)]

struct Worker {
    lane: LaneState,
    wait: Wait,
}

impl Worker {
    const NEW: Self = Self {
        lane: LaneState::NEW,
        wait: Wait::Start,
    };
}

const _: () = assert!(size_of::<Worker>() <= 56, "a million workers stay small");

/// Has memory send a worker's state, which may lie across two cache lines (the second is the one
/// that its neighbour begins in), and that of its limiter.
#[inline(always)]
fn fetch(workers: &[Worker], gate: &Gate, next: WorkerId) {
    prefetch_index(workers, next.index());
    prefetch_index(workers, next.index() + 1);
    gate.fetch(next);
}

/// Everything a run is made of; reused from replication to replication.
pub struct World {
    end: Time,
    ties: Ties,
    machines: Machines,
    queue: EventQueue,
    workers: HugeVec<Worker>,
    seed: Seed,
    events: u64,
}

impl World {
    /// The world of a scenario that has passed its checks, for a fleet that is followed.
    pub fn new(scenario: &Scenario) -> Self {
        let followed = scenario.fleet.workers <= MOST_WORKERS;
        assert!(followed, "a larger fleet is counted, as its check demands");
        Self {
            end: Time::from(scenario.duration),
            ties: scenario.ties,
            machines: Machines::new(scenario.setup()),
            queue: EventQueue::new(scenario.fleet.size() as usize),
            workers: huge::filled(Worker::NEW, scenario.fleet.size() as usize),
            seed: Seed(0),
            events: 0,
        }
    }

    /// Runs one replication: events in `[0, duration)`.
    pub fn run<R: Recorder>(&mut self, seed: Seed, recorder: &mut R) -> Result<(), Stuck> {
        self.reset(seed);
        while let Some((now, event)) = {
            let (workers, gate) = (&self.workers, &self.machines.gate);
            self.queue.pop(|next| fetch(workers, gate, next))
        } {
            self.events += 1;
            self.handle(now, event, recorder)?;
        }
        for (id, state) in (0..).zip(&self.workers) {
            let mut context = Context {
                now: self.end,
                worker: WorkerId(id),
                seed,
                recorder,
            };
            self.machines.lane.close(&state.lane, &mut context);
        }
        recorder.end(self.end, self.events);
        Ok(())
    }

    fn reset(&mut self, seed: Seed) {
        self.seed = seed;
        self.events = 0;
        self.machines.reset(seed);
        let shuffle = (self.ties == Ties::Shuffled).then_some(seed);
        self.queue.reset(shuffle);
        self.workers.fill(Worker::NEW);
        for (id, _) in (0..).zip(&self.workers) {
            let at = self.machines.lane.start_of(WorkerId(id), seed);
            let event = Event {
                worker: WorkerId(id),
                kind: Kind::Next,
            };
            if at < self.end {
                self.queue.push(at, event);
            }
        }
    }

    /// Handles an event. What usually comes of it stands here in a straight line; all that may
    /// follow at the same instant is left to [`World::follow`].
    #[inline(always)]
    fn handle<R: Recorder>(
        &mut self,
        now: Time,
        event: Event,
        recorder: &mut R,
    ) -> Result<(), Stuck> {
        let worker = event.worker;
        if event.kind == Kind::Ghost {
            self.machines.route.haunt(now, worker, recorder);
            return Ok(());
        }
        // Each arm tells the lane one kind of input, so that the compiler sees which.
        let action = match self.workers[worker.index()].wait {
            Wait::Travel(place) => {
                let request = self.request(worker);
                let step = self.machines.route.arrive(now, place, request, recorder);
                return self.take_step(now, request, step, recorder);
            }
            Wait::Wake => self.tell(now, worker, Input::Woken, recorder),
            Wait::Answer(status, site, hint) => {
                let retry_after = (hint != Span::MAX).then_some(hint);
                let outcome = Outcome::Answer {
                    status,
                    retry_after,
                };
                self.tell(now, worker, Input::Outcome(outcome, site), recorder)
            }
            rare => match self.rarely(now, worker, rare, recorder) {
                Some(action) => action,
                None => return Ok(()),
            },
        };
        let action = match action {
            Action::Ask => match self.ask(now, worker, recorder) {
                Some(decision) => self.tell(now, worker, Input::Permit(decision), recorder),
                None => return Ok(()),
            },
            other => other,
        };
        match action {
            Action::WakeAt(at) if at > now => self.wait(at, worker, Wait::Wake),
            Action::Send(request) => {
                let step = self.machines.route.depart(now, request, recorder);
                return self.take_step(now, request, step, recorder);
            }
            more => return self.follow(now, worker, more, recorder),
        }
        Ok(())
    }

    /// What a worker does after the waits that are not on every attempt's way.
    #[inline(never)]
    fn rarely<R: Recorder>(
        &mut self,
        now: Time,
        worker: WorkerId,
        wait: Wait,
        recorder: &mut R,
    ) -> Option<Action> {
        let input = match wait {
            Wait::Start => Input::Start,
            Wait::Permit(told, at) => Input::Permit(told.at(at)),
            Wait::Failed(failure, site) => Input::Outcome(Outcome::Failed(failure), site),
            Wait::Store => Input::Permit(self.ask_store(now, worker, recorder)?),
            Wait::Wake | Wait::Travel(_) | Wait::Answer(..) => {
                unreachable!("these are handled where they are frequent")
            }
        };
        Some(self.tell(now, worker, input, recorder))
    }

    /// Tells a worker's lane something.
    #[inline(always)]
    fn tell<R: Recorder>(
        &mut self,
        now: Time,
        worker: WorkerId,
        input: Input,
        recorder: &mut R,
    ) -> Action {
        let lane = &mut self.workers[worker.index()].lane;
        let mut context = Context {
            now,
            worker,
            seed: self.seed,
            recorder,
        };
        self.machines.lane.handle(lane, input, &mut context)
    }

    /// Follows a worker until it has to wait.
    #[inline(never)]
    fn follow<R: Recorder>(
        &mut self,
        now: Time,
        worker: WorkerId,
        first: Action,
        recorder: &mut R,
    ) -> Result<(), Stuck> {
        let mut action = first;
        for _ in 0..ROUNDS {
            action = match action {
                Action::Rest => return Ok(()),
                Action::WakeAt(at) => {
                    if self.waits_until(now, at, worker, Wait::Wake) {
                        return Ok(());
                    }
                    self.tell(now, worker, Input::Woken, recorder)
                }
                Action::Ask => match self.ask(now, worker, recorder) {
                    Some(decision) => self.tell(now, worker, Input::Permit(decision), recorder),
                    None => return Ok(()),
                },
                Action::Send(request) => {
                    let step = self.machines.route.depart(now, request, recorder);
                    match self.travel(now, request, step, recorder) {
                        Some((outcome, site)) => {
                            self.tell(now, worker, Input::Outcome(outcome, site), recorder)
                        }
                        None => return Ok(()),
                    }
                }
            };
        }
        Err(Stuck { at: now, worker })
    }

    /// Puts a request where it will be next, when that is later.
    #[inline(always)]
    fn take_step<R: Recorder>(
        &mut self,
        now: Time,
        request: Request,
        step: Step,
        recorder: &mut R,
    ) -> Result<(), Stuck> {
        match step {
            Step::Travel(at, place) if at > now => {
                self.wait(at, request.worker, Wait::Travel(place));
            }
            Step::Learn(at, outcome, site) if at > now => {
                self.wait(at, request.worker, Wait::learn(outcome, site));
            }
            more => return self.step_on(now, request, more, recorder),
        }
        Ok(())
    }

    /// Follows a request that goes on at this instant, as all do without a network: it arrives, is
    /// answered, and its worker waits again, in a straight line. What takes more steps is left to
    /// the loops of [`World::travel`] and [`World::follow`].
    #[inline(never)]
    fn step_on<R: Recorder>(
        &mut self,
        now: Time,
        request: Request,
        step: Step,
        recorder: &mut R,
    ) -> Result<(), Stuck> {
        let step = match step {
            Step::Travel(at, place) if at <= now => {
                self.machines.route.arrive(now, place, request, recorder)
            }
            other => other,
        };
        let told = match step {
            Step::Learn(at, outcome, site) if at <= now => Some((outcome, site)),
            other => self.travel(now, request, other, recorder),
        };
        let Some((outcome, site)) = told else {
            return Ok(());
        };
        let input = Input::Outcome(outcome, site);
        match self.tell(now, request.worker, input, recorder) {
            Action::WakeAt(at) if at > now => {
                self.wait(at, request.worker, Wait::Wake);
                Ok(())
            }
            more => self.follow(now, request.worker, more, recorder),
        }
    }

    /// Waits until `at`, unless that is now: whether it waits.
    #[inline(always)]
    fn waits_until(&mut self, now: Time, at: Time, worker: WorkerId, wait: Wait) -> bool {
        let later = at > now;
        if later {
            self.wait(at, worker, wait);
        }
        later
    }

    #[inline(always)]
    fn wait(&mut self, at: Time, worker: WorkerId, wait: Wait) {
        self.workers[worker.index()].wait = wait;
        self.come(at, worker, Kind::Next);
    }

    /// What would come at the end of the run or later never comes.
    #[inline(always)]
    fn come(&mut self, at: Time, worker: WorkerId, kind: Kind) {
        if at < self.end {
            self.queue.push(at, Event { worker, kind });
        }
    }

    #[inline(always)]
    fn ask<R: Recorder>(
        &mut self,
        now: Time,
        worker: WorkerId,
        recorder: &mut R,
    ) -> Option<Decision> {
        let (there, _) = self.machines.gate.legs();
        if there.is_zero() {
            return self.ask_store(now, worker, recorder);
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
        let attempt = self.workers[worker.index()].lane.next_attempt();
        let decision = self.machines.gate.decide(now, worker, attempt, recorder);
        let (_, back) = self.machines.gate.legs();
        if back.is_zero() {
            return Some(decision);
        }
        self.wait(now + back, worker, Wait::permit(decision));
        None
    }

    /// The request of a worker that is under way.
    #[inline(always)]
    fn request(&self, worker: WorkerId) -> Request {
        let lane = &self.workers[worker.index()].lane;
        self.machines.lane.request(worker, lane)
    }

    /// Follows a request as far as it goes at this instant.
    #[inline(never)]
    fn travel<R: Recorder>(
        &mut self,
        now: Time,
        request: Request,
        first: Step,
        recorder: &mut R,
    ) -> Option<(Outcome, Site)> {
        let worker = request.worker;
        let mut step = first;
        loop {
            match step {
                Step::Travel(at, place) if at <= now => {
                    step = self.machines.route.arrive(now, place, request, recorder);
                }
                Step::Travel(at, place) => {
                    self.wait(at, worker, Wait::Travel(place));
                    return None;
                }
                Step::Learn(at, outcome, site) => {
                    let waits = self.waits_until(now, at, worker, Wait::learn(outcome, site));
                    return (!waits).then_some((outcome, site));
                }
                Step::Abandon(at, arrives) => {
                    self.come(arrives, worker, Kind::Ghost);
                    let outcome = Outcome::Failed(Failure::TimedOut);
                    self.wait(at, worker, Wait::learn(outcome, Site::Server));
                    return None;
                }
            }
        }
    }
}
