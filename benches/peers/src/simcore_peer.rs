//! SimCore: components with contexts that emit events, as its guide shows.
//!
//! W1 is one event to oneself an attempt, W2 a request and a response message.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use serde::Serialize;
use simcore::{Event, EventHandler, Id, Simulation, SimulationContext, cast};

use crate::line::{Outcome, timed};
use crate::w2::{Bucket, Draws, one_more};
use crate::w3::{ARRIVALS, SERVERS};

const SEED: u64 = 1;

/// Draws of the whole fleet.
type Stream = Rc<RefCell<Draws>>;

/// A worker's own timer in W1.
#[derive(Clone, Serialize)]
struct Attempt {}

struct Retrier {
    ctx: SimulationContext,
    refused: Rc<Cell<u64>>,
    attempts: u32,
    end: f64,
}

impl EventHandler for Retrier {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            Attempt {} => {
                self.attempts += 1;
                self.refused.set(self.refused.get() + 1);
                if event.time + 1.0 < self.end {
                    self.ctx.emit_self(Attempt {}, 1.0);
                }
            }
        });
    }
}

/// Runs the storm for so many seconds.
pub(crate) fn w1(workers: u32, seconds: u64) -> Outcome {
    let mut simulation = Simulation::new(SEED);
    let mut draws = Draws::new(SEED);
    let refused = Rc::new(Cell::new(0));
    let mut fleet = Vec::new();
    for worker in 0..workers {
        let name = worker.to_string();
        let ctx = simulation.create_context(&name);
        ctx.emit_self(Attempt {}, draws.offset());
        let retrier = Rc::new(RefCell::new(Retrier {
            ctx,
            refused: Rc::clone(&refused),
            attempts: 0,
            end: seconds as f64,
        }));
        simulation.add_handler(&name, retrier.clone());
        fleet.push(retrier);
    }
    let cpu = timed(|| simulation.step_until_no_events());
    let attempts = fleet.iter().map(|one| u64::from(one.borrow().attempts));
    Outcome {
        cpu,
        events: attempts.sum(),
        served: 0,
        refused: refused.get(),
        mean_wait: None,
    }
}

#[derive(Clone, Serialize)]
struct Request {}

#[derive(Clone, Serialize)]
struct Response {
    served: bool,
}

struct Server {
    ctx: SimulationContext,
    bucket: Bucket,
    draws: Stream,
    served: u64,
    refused: u64,
}

impl EventHandler for Server {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            Request {} => {
                let served = self.bucket.take(event.time);
                if served {
                    self.served += 1;
                } else {
                    self.refused += 1;
                }
                let latency = self.draws.borrow_mut().latency();
                self.ctx.emit(Response { served }, event.src, latency);
            }
        });
    }
}

struct Worker {
    ctx: SimulationContext,
    server: Id,
    draws: Stream,
    refusals: u8,
}

impl EventHandler for Worker {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            Response { served } => {
                let mut draws = self.draws.borrow_mut();
                let wait = if served {
                    self.refusals = 0;
                    draws.think()
                } else {
                    self.refusals = one_more(self.refusals);
                    draws.backoff(self.refusals)
                };
                self.ctx
                    .emit(Request {}, self.server, wait + draws.latency());
            }
        });
    }
}

/// Runs the fleet for so many events.
pub(crate) fn w2(workers: u32, events: u64) -> Outcome {
    let mut simulation = Simulation::new(SEED);
    let draws = Rc::new(RefCell::new(Draws::new(SEED)));
    let server = Rc::new(RefCell::new(Server {
        ctx: simulation.create_context("server"),
        bucket: Bucket::new(workers),
        draws: Rc::clone(&draws),
        served: 0,
        refused: 0,
    }));
    let id = simulation.add_handler("server", server.clone());
    for worker in 0..workers {
        let name = worker.to_string();
        let ctx = simulation.create_context(&name);
        let first = draws.borrow_mut().first();
        ctx.emit(Request {}, id, first);
        let worker = Worker {
            ctx,
            server: id,
            draws: Rc::clone(&draws),
            refusals: 0,
        };
        simulation.add_handler(&name, Rc::new(RefCell::new(worker)));
    }
    let mut done = false;
    let cpu = timed(|| done = simulation.steps(events));
    assert!(done, "every worker has a pending event");
    let server = server.borrow();
    Outcome {
        cpu,
        events,
        served: server.served,
        refused: server.refused,
        mean_wait: None,
    }
}

#[derive(Clone, Serialize)]
struct Arrival {}

#[derive(Clone, Serialize)]
struct Departure {}

struct Station {
    ctx: SimulationContext,
    draws: Draws,
    waiting: VecDeque<f64>,
    busy: u32,
    to_come: u64,
    events: u64,
    served: u64,
    waited: f64,
}

impl Station {
    fn next_arrival(&mut self) {
        if self.to_come > 0 {
            self.to_come -= 1;
            let delay = self.draws.exponential() / ARRIVALS;
            self.ctx.emit_self(Arrival {}, delay);
        }
    }

    fn serve(&mut self, waited: f64) {
        self.waited += waited;
        let delay = self.draws.exponential();
        self.ctx.emit_self(Departure {}, delay);
    }
}

impl EventHandler for Station {
    fn on(&mut self, event: Event) {
        self.events += 1;
        let now = event.time;
        cast!(match event.data {
            Arrival {} => {
                if self.busy < SERVERS {
                    self.busy += 1;
                    self.serve(0.0);
                } else {
                    self.waiting.push_back(now);
                }
                self.next_arrival();
            }
            Departure {} => {
                self.served += 1;
                match self.waiting.pop_front() {
                    Some(arrived) => self.serve(now - arrived),
                    None => self.busy -= 1,
                }
            }
        });
    }
}

/// Runs the station until the last customer has left.
pub(crate) fn w3(customers: u64) -> Outcome {
    let mut simulation = Simulation::new(SEED);
    let mut station = Station {
        ctx: simulation.create_context("station"),
        draws: Draws::new(SEED),
        waiting: VecDeque::new(),
        busy: 0,
        to_come: customers,
        events: 0,
        served: 0,
        waited: 0.0,
    };
    station.next_arrival();
    let station = Rc::new(RefCell::new(station));
    simulation.add_handler("station", station.clone());
    let cpu = timed(|| simulation.step_until_no_events());
    let station = station.borrow();
    Outcome {
        cpu,
        events: station.events,
        served: station.served,
        refused: 0,
        mean_wait: Some(station.waited / customers as f64),
    }
}
