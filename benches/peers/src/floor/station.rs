//! W3 by hand: at most nine pending events, in a small binary heap.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::{SEED, nanoseconds};
use crate::line::{Outcome, timed};
use crate::w2::Draws;
use crate::w3::{ARRIVALS, SERVERS};

/// An event is its time with one bit more: set for an arrival.
type Event = Reverse<u64>;

struct Station {
    draws: Draws,
    queue: BinaryHeap<Event>,
    waiting: VecDeque<u64>,
    busy: u32,
    to_come: u64,
    events: u64,
    served: u64,
    waited: u64,
}

/// Runs the station until the last customer has left.
pub(crate) fn w3(customers: u64) -> Outcome {
    let mut station = Station {
        draws: Draws::new(SEED),
        queue: BinaryHeap::new(),
        waiting: VecDeque::new(),
        busy: 0,
        to_come: customers,
        events: 0,
        served: 0,
        waited: 0,
    };
    station.next_arrival(0);
    let cpu = timed(|| {
        while let Some(Reverse(event)) = station.queue.pop() {
            station.events += 1;
            if event & 1 == 1 {
                station.arrival(event >> 1);
            } else {
                station.departure(event >> 1);
            }
        }
    });
    Outcome {
        cpu,
        events: station.events,
        served: station.served,
        refused: 0,
        mean_wait: Some(station.waited as f64 * 1e-9 / customers as f64),
    }
}

impl Station {
    fn next_arrival(&mut self, now: u64) {
        if self.to_come > 0 {
            self.to_come -= 1;
            let at = now + nanoseconds(self.draws.exponential() / ARRIVALS);
            self.queue.push(Reverse(at << 1 | 1));
        }
    }

    fn arrival(&mut self, now: u64) {
        if self.busy < SERVERS {
            self.busy += 1;
            self.serve(now, now);
        } else {
            self.waiting.push_back(now);
        }
        self.next_arrival(now);
    }

    fn departure(&mut self, now: u64) {
        self.served += 1;
        match self.waiting.pop_front() {
            Some(arrived) => self.serve(arrived, now),
            None => self.busy -= 1,
        }
    }

    fn serve(&mut self, arrived: u64, now: u64) {
        self.waited += now - arrived;
        let until = now + nanoseconds(self.draws.exponential());
        self.queue.push(Reverse(until << 1));
    }
}
