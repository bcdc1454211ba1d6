//! The queue against a reference: one binary heap over (time, insertion).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use ratelab_core::{Actor, Purpose, Seed, Span, Stream, WorkerId};

use super::*;
use crate::event::Kind;

/// The plainest queue there is.
#[derive(Default)]
struct Reference {
    heap: BinaryHeap<Reverse<(Time, u64, u64)>>,
    pushed: u64,
}

impl Reference {
    fn push(&mut self, at: Time, event: Event) {
        self.heap.push(Reverse((at, self.pushed, event.pack())));
        self.pushed += 1;
    }

    fn pop(&mut self) -> Option<(Time, Event)> {
        let Reverse((at, _, event)) = self.heap.pop()?;
        Some((at, Event::unpack(event)))
    }
}

/// Delays of one kind.
#[derive(Debug, Clone, Copy)]
enum Delays {
    /// None at all: ties.
    Zero,
    /// One of a few: ties and waves.
    Few,
    /// Even up to this many nanoseconds.
    Even(u64),
    /// Mostly short, with a long tail: every power of two is as likely.
    Octaves(u32),
}

impl Delays {
    fn draw(self, stream: &mut Stream) -> Span {
        Span::from_nanos(match self {
            Self::Zero => 0,
            Self::Few => stream.up_to(3) * 1_000_000,
            Self::Even(most) => stream.up_to(most),
            Self::Octaves(most) => stream.bits() >> (64 - 1 - stream.up_to(u64::from(most))),
        })
    }
}

const KINDS: [Delays; 6] = [
    Delays::Zero,
    Delays::Few,
    Delays::Even(1_000_000_000),
    Delays::Even(50),
    Delays::Octaves(34),
    Delays::Octaves(56),
];

/// A hash of what came out, in order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Order(u64);

impl Order {
    fn take(&mut self, (at, event): (Time, Event)) {
        let mixed = (self.0 ^ at.as_nanos().rotate_left(25) ^ event.pack())
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

/// Plays `steps` pops, each followed by a push, over `held` events; the kind of delay changes on
/// the way. Half of the events are timers that nobody waits for any more by the time they come:
/// they keep their place, and whoever takes them drops them by their mark.
fn play(seed: u64, held: u32, steps: u64) {
    let mut stream = Seed(seed).stream(Actor::Server, Purpose::Order);
    let (mut queue, mut reference) = (EventQueue::new(0), Reference::default());
    let (mut order, mut wanted) = (Order::default(), Order::default());
    let (mut kind, mut now) = (KINDS[2], Time::START);
    for step in 0..steps + u64::from(held) {
        if step.is_multiple_of(10_000) {
            kind = KINDS[usize::try_from(stream.up_to(5)).expect("few")];
        }
        let worker = if step < u64::from(held) {
            WorkerId(u32::try_from(step).expect("below held"))
        } else {
            let next = queue.pop(|_| {}).expect("as many go in as come out");
            let right = reference.pop().expect("the same");
            assert_eq!(next, right, "step {step} of seed {seed}");
            assert!(next.0 >= now, "time never runs back");
            order.take(next);
            wanted.take(right);
            now = next.0;
            next.1.worker
        };
        let cancelled = stream.up_to(1) == 0;
        let event = Event {
            worker,
            kind: if cancelled { Kind::Ghost } else { Kind::Next },
        };
        let at = now + kind.draw(&mut stream);
        queue.push(at, event);
        reference.push(at, event);
    }
    assert_eq!(queue.len(), held as usize);
    while let Some(next) = queue.pop(|_| {}) {
        order.take(next);
        wanted.take(reference.pop().expect("the same"));
    }
    assert_eq!(order, wanted, "the hash of the order");
}

#[test]
fn ten_million_events_come_out_in_the_reference_order() {
    // Each size in turn: a heap alone, the ladder, and the ladder with rebuilding.
    for (seed, held, steps) in [
        (1, 300, 1_000_000),
        (2, 5_000, 3_000_000),
        (3, 60_000, 6_000_000),
    ] {
        play(seed, held, steps);
    }
}

#[test]
fn a_queue_that_has_been_used_is_as_good_as_new() {
    let mut queue = EventQueue::new(0);
    for round in 0..3 {
        queue.reset(None);
        let mut reference = Reference::default();
        let mut stream = Seed(round).stream(Actor::Server, Purpose::Order);
        for id in 0..20_000 {
            let event = Event {
                worker: WorkerId(id),
                kind: Kind::Next,
            };
            let at = Time::START + Delays::Octaves(40).draw(&mut stream);
            queue.push(at, event);
            reference.push(at, event);
        }
        for _ in 0..15_000 {
            assert_eq!(queue.pop(|_| {}), reference.pop());
        }
    }
}

#[test]
fn the_end_of_time_comes_last() {
    let mut queue = EventQueue::new(0);
    let event = |id| Event {
        worker: WorkerId(id),
        kind: Kind::Next,
    };
    for id in 0..5_000 {
        let at = if id % 2 == 0 {
            Time::NEVER
        } else {
            Time::from_nanos(u64::MAX - u64::from(id))
        };
        queue.push(at, event(id));
    }
    let mut last = Time::START;
    let mut count = 0;
    while let Some((at, _)) = queue.pop(|_| {}) {
        assert!(at >= last);
        (last, count) = (at, count + 1);
    }
    assert_eq!((last, count), (Time::NEVER, 5_000));
}

#[test]
fn shuffled_ties_are_in_another_order_and_no_others() {
    let order = |seed: Option<Seed>| {
        let mut queue = EventQueue::new(0);
        queue.reset(seed);
        for id in 0..4_000 {
            let event = Event {
                worker: WorkerId(id),
                kind: Kind::Next,
            };
            queue.push(Time::from_nanos(u64::from(id / 1_000)), event);
        }
        let taken: Vec<_> = std::iter::from_fn(|| queue.pop(|_| {})).collect();
        assert!(taken.is_sorted_by_key(|(at, _)| *at));
        taken
            .into_iter()
            .map(|(_, event)| event.worker.0)
            .collect::<Vec<_>>()
    };
    let (plain, one, two) = (order(None), order(Some(Seed(1))), order(Some(Seed(2))));
    assert!(plain.is_sorted());
    assert!(one != plain && one != two);
    assert!(one[..1_000].iter().all(|id| *id < 1_000));
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        cases: 64,
        ..ProptestConfig::default()
    })]

    #[test]
    fn order_is_time_then_insertion(seed in any::<u64>(), held in 1u32..6_000) {
        play(seed, held, 20_000);
    }

    #[test]
    fn pushes_and_pops_in_any_order(
        steps in prop::collection::vec((0u64..50, any::<bool>()), 0..500),
    ) {
        let (mut queue, mut reference) = (EventQueue::new(0), Reference::default());
        let mut now = Time::START;
        for (n, (delay, pop)) in steps.into_iter().enumerate() {
            let worker = WorkerId(u32::try_from(n).expect("few"));
            let event = Event { worker, kind: Kind::Next };
            queue.push(now + Span::from_nanos(delay), event);
            reference.push(now + Span::from_nanos(delay), event);
            if pop {
                let wanted = reference.pop();
                now = wanted.map_or(now, |(at, _)| at);
                prop_assert_eq!(queue.pop(|_| {}), wanted);
            }
        }
    }
}
