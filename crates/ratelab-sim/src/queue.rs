//! The event queue: earliest first, and at equal times first in, first out.
//!
//! A 4-ary heap over (time, order) keys: four children share a cache line or two, so it is half as
//! deep as a binary heap. `order` is the insertion number, or a random number when ties are
//! shuffled. Nothing outside knows more than [`EventQueue::push`] and [`EventQueue::pop`], so that
//! another structure can take its place.

use ratelab_core::{Actor, Purpose, Seed, Stream, Time};

use crate::event::Event;

#[derive(Clone, Copy)]
struct Entry {
    at: Time,
    order: u64,
    event: Event,
}

impl Entry {
    fn before(&self, other: &Self) -> bool {
        (self.at, self.order) < (other.at, other.order)
    }
}

/// A queue of events in order of time.
pub struct EventQueue {
    heap: Vec<Entry>,
    pushed: u64,
    shuffle: Option<Stream>,
}

const CHILDREN: usize = 4;

impl EventQueue {
    /// An empty queue.
    pub fn new() -> Self {
        Self {
            heap: Vec::new(),
            pushed: 0,
            shuffle: None,
        }
    }

    /// Empties the queue; with a seed, ties are broken at random from here on.
    pub fn reset(&mut self, shuffle: Option<Seed>) {
        self.heap.clear();
        self.pushed = 0;
        self.shuffle = shuffle.map(|seed| seed.stream(Actor::Ties, Purpose::Order));
    }

    /// Adds an event.
    pub fn push(&mut self, at: Time, event: Event) {
        self.pushed += 1;
        let order = match &mut self.shuffle {
            Some(stream) => stream.bits(),
            None => self.pushed,
        };
        self.heap.push(Entry { at, order, event });
        self.rise(self.heap.len() - 1);
    }

    /// Takes the earliest event.
    pub fn pop(&mut self) -> Option<(Time, Event)> {
        let last = self.heap.pop()?;
        let Some(first) = self.heap.first_mut() else {
            return Some((last.at, last.event));
        };
        let first = std::mem::replace(first, last);
        self.sink(0);
        Some((first.at, first.event))
    }

    fn rise(&mut self, mut place: usize) {
        let entry = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if !entry.before(&self.heap[parent]) {
                break;
            }
            self.heap[place] = self.heap[parent];
            place = parent;
        }
        self.heap[place] = entry;
    }

    fn sink(&mut self, mut place: usize) {
        let entry = self.heap[place];
        loop {
            let first = place * CHILDREN + 1;
            let end = (first + CHILDREN).min(self.heap.len());
            let Some(least) = (first..end).reduce(|least, child| {
                if self.heap[child].before(&self.heap[least]) {
                    child
                } else {
                    least
                }
            }) else {
                break;
            };
            if !self.heap[least].before(&entry) {
                break;
            }
            self.heap[place] = self.heap[least];
            place = least;
        }
        self.heap[place] = entry;
    }
}

impl Default for EventQueue {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;
    use ratelab_core::WorkerId;

    use super::*;
    use crate::event::Kind;

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: RngSeed::Fixed(1),
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn order_is_time_then_insertion(
            steps in prop::collection::vec((0u64..50, any::<bool>()), 0..500),
        ) {
            let mut queue = EventQueue::new();
            let mut reference = BTreeMap::new();
            for (n, (at, pop)) in steps.into_iter().enumerate() {
                let worker = WorkerId(u32::try_from(n).expect("few"));
                let event = Event { worker, kind: Kind::Next };
                queue.push(Time::from_nanos(at), event);
                reference.insert((Time::from_nanos(at), n), event);
                if pop {
                    let wanted = reference.pop_first().map(|((at, _), event)| (at, event));
                    prop_assert_eq!(queue.pop(), wanted);
                }
            }
            while let Some(((at, _), event)) = reference.pop_first() {
                prop_assert_eq!(queue.pop(), Some((at, event)));
            }
            prop_assert_eq!(queue.pop(), None);
        }
    }
}
