//! NeXosim on one thread: a model a worker that schedules itself and queries a server model.
//!
//! A query takes no virtual time, so the two events of an attempt in W2 are the worker's: one when
//! its request arrives at the server, one when the response is back.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{QuerySource, UniRequestor};
use nexosim::simulation::{Address, Mailbox, QueryId, SimInit, Simulation};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};

use crate::line::{Outcome, timed};
use crate::w2::{Bucket, Draws, one_more};
use crate::w3::{ARRIVALS, SERVERS};

const SEED: u64 = 1;
const START: MonotonicTime = MonotonicTime::EPOCH;

/// A delay that the scheduler takes: not zero.
fn delay(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds).max(Duration::from_nanos(1))
}

/// The server of W1, which has no bucket and refuses all, and of W2.
#[derive(Serialize, Deserialize)]
struct Server {
    bucket: Option<Bucket>,
    served: u64,
    refused: u64,
}

#[Model]
impl Server {
    /// Whether an arrival is served.
    async fn arrival(&mut self, (): (), cx: &Context<Self>) -> bool {
        let served = self.bucket.as_mut().is_some_and(|bucket| {
            let now = cx.time().duration_since(START);
            bucket.take(now.as_secs_f64())
        });
        if served {
            self.served += 1;
        } else {
            self.refused += 1;
        }
        served
    }

    async fn totals(&mut self) -> (u64, u64) {
        (self.served, self.refused)
    }
}

#[derive(Serialize, Deserialize)]
struct Retrier {
    server: UniRequestor<(), bool>,
    offset: Duration,
    end: Duration,
    attempts: u32,
}

#[Model]
impl Retrier {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        cx.schedule_event(self.offset, schedulable!(Self::attempt), ())
            .expect("a delay is not zero");
    }

    #[nexosim(schedulable)]
    async fn attempt(&mut self, (): (), cx: &Context<Self>) {
        let served = self.server.send(()).await;
        let done = self.offset + Duration::from_secs(u64::from(self.attempts));
        self.attempts += 1;
        if !served && done + Duration::from_secs(1) < self.end {
            cx.schedule_event(Duration::from_secs(1), schedulable!(Self::attempt), ())
                .expect("a delay is not zero");
        }
    }
}

/// A worker's mailbox: no worker has two messages at a time.
fn mailbox<M: Model>() -> Mailbox<M> {
    Mailbox::with_capacity(1)
}

/// A simulation with a server, and what it takes to know the server.
struct Bench {
    init: SimInit,
    address: Address<Server>,
    totals: QueryId<(), (u64, u64)>,
}

impl Bench {
    fn new(bucket: Option<Bucket>) -> Self {
        let server = Server {
            bucket,
            served: 0,
            refused: 0,
        };
        let mailbox = Mailbox::new();
        let address = mailbox.address();
        let mut init = SimInit::with_num_threads(1).add_model(server, mailbox, "server");
        let totals = QuerySource::new()
            .connect(Server::totals, &address)
            .register(&mut init);
        Self {
            init,
            address,
            totals,
        }
    }

    /// Runs the work and asks the server what it did.
    fn run(self, work: impl FnOnce(&mut Simulation)) -> Outcome {
        let mut simulation = self.init.init(START).expect("a valid bench");
        let cpu = timed(|| work(&mut simulation));
        let (served, refused) = simulation
            .process_query(&self.totals, ())
            .expect("the server replies");
        Outcome {
            cpu,
            events: served + refused,
            served,
            refused,
            mean_wait: None,
        }
    }
}

/// Runs the storm for so many seconds.
pub(crate) fn w1(workers: u32, seconds: u64) -> Outcome {
    let mut draws = Draws::new(SEED);
    let mut bench = Bench::new(None);
    for worker in 0..workers {
        let retrier = Retrier {
            server: UniRequestor::new(Server::arrival, &bench.address),
            offset: delay(draws.offset()),
            end: Duration::from_secs(seconds),
            attempts: 0,
        };
        let name = worker.to_string();
        bench.init = bench.init.add_model(retrier, mailbox(), &name);
    }
    bench.run(|simulation| simulation.run().expect("no model fails"))
}

#[derive(Serialize, Deserialize)]
struct Worker {
    server: UniRequestor<(), bool>,
    draws: Draws,
    refusals: u8,
    /// Events of the whole fleet.
    #[serde(skip)]
    events: Arc<AtomicU64>,
}

#[Model]
impl Worker {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        let offset = self.draws.offset();
        self.request(offset, cx);
    }

    /// Sends the next request after a wait.
    fn request(&mut self, wait: f64, cx: &Context<Self>) {
        let until = delay(wait + self.draws.latency());
        cx.schedule_event(until, schedulable!(Self::arrival), ())
            .expect("a delay is not zero");
    }

    /// The request is at the server.
    #[nexosim(schedulable)]
    async fn arrival(&mut self, (): (), cx: &Context<Self>) {
        self.events.fetch_add(1, Ordering::Relaxed);
        let served = self.server.send(()).await;
        let until = delay(self.draws.latency());
        cx.schedule_event(until, schedulable!(Self::response), served)
            .expect("a delay is not zero");
    }

    /// The response is back.
    #[nexosim(schedulable)]
    fn response(&mut self, served: bool, cx: &Context<Self>) {
        self.events.fetch_add(1, Ordering::Relaxed);
        let wait = if served {
            self.refusals = 0;
            self.draws.think()
        } else {
            self.refusals = one_more(self.refusals);
            self.draws.backoff(self.refusals)
        };
        self.request(wait, cx);
    }
}

/// Runs the fleet for so many events.
pub(crate) fn w2(workers: u32, events: u64) -> Outcome {
    let counter = Arc::new(AtomicU64::new(0));
    let mut bench = Bench::new(Some(Bucket::new(workers)));
    for worker in 0..workers {
        let model = Worker {
            server: UniRequestor::new(Server::arrival, &bench.address),
            draws: Draws::new(SEED << 32 | u64::from(worker)),
            refusals: 0,
            events: Arc::clone(&counter),
        };
        let name = worker.to_string();
        bench.init = bench.init.add_model(model, mailbox(), &name);
    }
    let mut outcome = bench.run(|simulation| {
        while counter.load(Ordering::Relaxed) < events {
            simulation.step().expect("no model fails");
        }
    });
    outcome.events = counter.load(Ordering::Relaxed);
    outcome
}

/// What a station has done: events, customers served, seconds waited by all.
type Tally = (u64, u64, f64);

#[derive(Serialize, Deserialize)]
struct Station {
    draws: Draws,
    waiting: VecDeque<MonotonicTime>,
    busy: u32,
    to_come: u64,
    tally: Tally,
}

#[Model]
impl Station {
    #[nexosim(init)]
    async fn init(&mut self, cx: &Context<Self>) {
        self.next_arrival(cx);
    }

    fn next_arrival(&mut self, cx: &Context<Self>) {
        if self.to_come > 0 {
            self.to_come -= 1;
            let until = delay(self.draws.exponential() / ARRIVALS);
            cx.schedule_event(until, schedulable!(Self::arrival), ())
                .expect("a delay is not zero");
        }
    }

    fn serve(&mut self, waited: Duration, cx: &Context<Self>) {
        self.tally.2 += waited.as_secs_f64();
        let until = delay(self.draws.exponential());
        cx.schedule_event(until, schedulable!(Self::departure), ())
            .expect("a delay is not zero");
    }

    #[nexosim(schedulable)]
    fn arrival(&mut self, (): (), cx: &Context<Self>) {
        self.tally.0 += 1;
        if self.busy < SERVERS {
            self.busy += 1;
            self.serve(Duration::ZERO, cx);
        } else {
            self.waiting.push_back(cx.time());
        }
        self.next_arrival(cx);
    }

    #[nexosim(schedulable)]
    fn departure(&mut self, (): (), cx: &Context<Self>) {
        self.tally.0 += 1;
        self.tally.1 += 1;
        match self.waiting.pop_front() {
            Some(arrived) => self.serve(cx.time().duration_since(arrived), cx),
            None => self.busy -= 1,
        }
    }

    async fn tally(&mut self) -> Tally {
        self.tally
    }
}

/// Runs the station until the last customer has left.
pub(crate) fn w3(customers: u64) -> Outcome {
    let station = Station {
        draws: Draws::new(SEED),
        waiting: VecDeque::new(),
        busy: 0,
        to_come: customers,
        tally: (0, 0, 0.0),
    };
    let mailbox = Mailbox::new();
    let address = mailbox.address();
    let mut init = SimInit::with_num_threads(1).add_model(station, mailbox, "station");
    let tally = QuerySource::new()
        .connect(Station::tally, &address)
        .register(&mut init);
    let mut simulation = init.init(START).expect("a valid bench");
    let cpu = timed(|| simulation.run().expect("no model fails"));
    let (events, served, waited) = simulation
        .process_query(&tally, ())
        .expect("the station replies");
    Outcome {
        cpu,
        events,
        served,
        refused: 0,
        mean_wait: Some(waited / customers as f64),
    }
}
