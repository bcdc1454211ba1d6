//! Host: what the tasks of a run share: the machines, what workers remember, the records.
//!
//! One thread runs all tasks, so a borrow never meets another: none is held across a wait.

use std::cell::RefCell;
use std::rc::Rc;

use ratelab_core::{Recorder, Seed, Span, Time, WorkerId};
use ratelab_model::{Action, Context, Decision, Input, LaneState, Machines, Place, Request, Step};
use ratelab_spec::Scenario;
use tokio::task::LocalSet;

use crate::clock::Clock;
use crate::worker;

/// Runs one replication in real time, or under a paused clock, and returns the recorder.
///
/// Must be called inside a tokio runtime with time enabled.
pub async fn run<R: Recorder + 'static>(scenario: &Scenario, seed: Seed, recorder: R) -> R {
    let workers = scenario.fleet.size();
    let clock = Clock::start(Time::from(scenario.duration));
    let mut machines = Machines::new(scenario.setup());
    machines.reset(seed);
    let state = State {
        machines,
        lanes: vec![LaneState::NEW; workers as usize],
        recorder,
    };
    let host = Rc::new(Host {
        clock,
        seed,
        state: RefCell::new(state),
    });
    let tasks = LocalSet::new();
    // Tasks run in the order in which they are spawned. Workers that start later go first, so that
    // their starts stand before whatever the others wait for, as they do in the simulator's queue.
    let (now, later): (Vec<_>, Vec<_>) = (0..workers)
        .map(WorkerId)
        .partition(|worker| host.start_of(*worker) == Time::START);
    for worker in later.into_iter().chain(now) {
        tasks.spawn_local(worker::live(Rc::clone(&host), worker));
    }
    let length = std::time::Duration::from_nanos(scenario.duration.as_nanos());
    tasks.run_until(tokio::time::sleep(length)).await;
    drop(tasks);
    let host = Rc::into_inner(host).expect("all tasks are gone");
    host.close(workers)
}

/// What tasks share.
pub(crate) struct Host<R> {
    pub(crate) clock: Clock,
    seed: Seed,
    state: RefCell<State<R>>,
}

struct State<R> {
    machines: Machines,
    lanes: Vec<LaneState>,
    recorder: R,
}

impl<R: Recorder> Host<R> {
    /// When `worker` starts.
    pub(crate) fn start_of(&self, worker: WorkerId) -> Time {
        self.state
            .borrow()
            .machines
            .lane
            .start_of(worker, self.seed)
    }

    /// Hands a worker's lane an input.
    pub(crate) fn handle(&self, worker: WorkerId, input: Input) -> Action {
        let State {
            machines,
            lanes,
            recorder,
        } = &mut *self.state.borrow_mut();
        let mut context = Context {
            now: self.clock.now(),
            worker,
            seed: self.seed,
            recorder,
        };
        machines
            .lane
            .handle(&mut lanes[worker.index()], input, &mut context)
    }

    /// The ways to the gate's state and back; `None` without a gate.
    pub(crate) fn legs(&self) -> Option<(Span, Span)> {
        let gate = &self.state.borrow().machines.gate;
        gate.exists().then(|| gate.legs())
    }

    /// The gate's decision on a worker's next attempt.
    pub(crate) fn decide(&self, worker: WorkerId) -> Decision {
        let State {
            machines,
            lanes,
            recorder,
        } = &mut *self.state.borrow_mut();
        let attempt = lanes[worker.index()].next_attempt();
        machines
            .gate
            .decide(self.clock.now(), worker, attempt, recorder)
    }

    /// A request leaves its worker.
    pub(crate) fn depart(&self, request: Request) -> Step {
        let State {
            machines, recorder, ..
        } = &mut *self.state.borrow_mut();
        machines.route.depart(self.clock.now(), request, recorder)
    }

    /// A request reaches a place.
    pub(crate) fn arrive(&self, place: Place, request: Request) -> Step {
        let State {
            machines, recorder, ..
        } = &mut *self.state.borrow_mut();
        machines
            .route
            .arrive(self.clock.now(), place, request, recorder)
    }

    /// An abandoned request of a worker reaches the server.
    pub(crate) fn haunt(&self, worker: WorkerId) {
        let State {
            machines, recorder, ..
        } = &mut *self.state.borrow_mut();
        machines.route.haunt(self.clock.now(), worker, recorder);
    }

    /// The run is over: records what is left.
    fn close(self, workers: u32) -> R {
        let State {
            machines,
            lanes,
            mut recorder,
        } = self.state.into_inner();
        let now = self.clock.end();
        for id in 0..workers {
            let worker = WorkerId(id);
            let mut context = Context {
                now,
                worker,
                seed: self.seed,
                recorder: &mut recorder,
            };
            machines.lane.close(&lanes[worker.index()], &mut context);
        }
        recorder.end(now, 0);
        recorder
    }
}
