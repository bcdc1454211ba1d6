//! Heap: 4-ary, over keys of (time, order, event) packed into one 128-bit number.
//!
//! Four children share a cache line, so it is half as deep as a binary heap, and one number is
//! compared at once. `order` is the insertion number, or a random number when ties are shuffled.

use ratelab_core::{Actor, Purpose, Seed, Stream, Time};

use crate::event::Event;

const CHILDREN: usize = 4;
const ORDER_BITS: u32 = 64 - Event::BITS;

/// A small queue.
pub(super) struct Heap {
    keys: Vec<u128>,
    pushed: u64,
    shuffle: Option<Stream>,
}

impl Heap {
    pub(super) fn new() -> Self {
        Self {
            keys: Vec::new(),
            pushed: 0,
            shuffle: None,
        }
    }

    pub(super) fn reset(&mut self, shuffle: Option<Seed>) {
        self.keys.clear();
        self.pushed = 0;
        self.shuffle = shuffle.map(|seed| seed.stream(Actor::Ties, Purpose::Order));
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The earliest time; [`Time::NEVER`] when it is empty.
    #[inline]
    pub(super) fn first(&self) -> Time {
        self.keys.first().map_or(Time::NEVER, |key| time(*key))
    }

    #[inline]
    pub(super) fn push(&mut self, at: Time, event: Event) {
        let order = match &mut self.shuffle {
            Some(stream) => stream.bits() >> Event::BITS,
            None => self.next_order(),
        };
        let low = (order << Event::BITS) | event.pack();
        self.keys
            .push((u128::from(at.as_nanos()) << 64) | u128::from(low));
        self.rise(self.keys.len() - 1);
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<(Time, Event)> {
        let last = self.keys.pop()?;
        let first = match self.keys.first_mut() {
            Some(first) => {
                let first = std::mem::replace(first, last);
                self.sink(0);
                first
            }
            None => last,
        };
        Some((time(first), Event::unpack(low(first))))
    }

    pub(super) fn each(&self, mut see: impl FnMut(Time)) {
        for key in &self.keys {
            see(time(*key));
        }
    }

    /// Insertion numbers start again with an empty heap; should they ever run out all the same,
    /// those that are left are counted anew.
    fn next_order(&mut self) -> u64 {
        if self.keys.is_empty() {
            self.pushed = 0;
        }
        if self.pushed >> ORDER_BITS != 0 {
            self.renumber();
        }
        let order = self.pushed;
        self.pushed += 1;
        order
    }

    #[cold]
    fn renumber(&mut self) {
        // A sorted list is a heap.
        self.keys.sort_unstable();
        self.pushed = 0;
        for key in &mut self.keys {
            let event = low(*key) & ((1 << Event::BITS) - 1);
            let order = self.pushed << Event::BITS;
            *key = (*key >> 64 << 64) | u128::from(order | event);
            self.pushed += 1;
        }
    }

    fn rise(&mut self, mut place: usize) {
        let key = self.keys[place];
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if key >= self.keys[parent] {
                break;
            }
            self.keys[place] = self.keys[parent];
            place = parent;
        }
        self.keys[place] = key;
    }

    fn sink(&mut self, mut place: usize) {
        let key = self.keys[place];
        loop {
            let first = place * CHILDREN + 1;
            let children = self.keys.get(first..).unwrap_or_default();
            let mut least = first;
            let mut best = key;
            for (child, found) in children.iter().take(CHILDREN).enumerate() {
                if *found < best {
                    (least, best) = (first + child, *found);
                }
            }
            if best == key {
                break;
            }
            self.keys[place] = best;
            place = least;
        }
        self.keys[place] = key;
    }
}

#[inline]
const fn time(key: u128) -> Time {
    Time::from_nanos((key >> 64) as u64)
}

#[inline]
#[allow(clippy::cast_possible_truncation)] // The low half is what is wanted.
const fn low(key: u128) -> u64 {
    key as u64
}

#[cfg(test)]
mod tests {
    use ratelab_core::WorkerId;

    use super::*;
    use crate::event::Kind;

    #[test]
    fn order_survives_the_end_of_the_insertion_numbers() {
        let mut heap = Heap::new();
        let event = |id| Event {
            worker: WorkerId(id),
            kind: Kind::Next,
        };
        heap.push(Time::START, event(0));
        heap.pushed = (1 << ORDER_BITS) - 2;
        for id in 1..10 {
            heap.push(Time::START, event(id));
        }
        for id in 0..10 {
            assert_eq!(heap.pop(), Some((Time::START, event(id))));
        }
        assert!(heap.pushed < 20, "they were counted anew");
    }
}
