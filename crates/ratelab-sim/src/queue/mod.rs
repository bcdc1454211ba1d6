//! The event queue: earliest first, and at equal times first in, first out.
//!
//! Three structures, from the present to far away, each with what it is good at:
//!
//! ```text
//!          now      edge                         horizon
//!  ─────────┼────────┼──────────────────────────────┼──────────────────► time
//!   near: a heap     ladder: 2,048 slots of one width,    far: a heap
//!   + the open run   unsorted, sorted when they are due
//! ```
//!
//! Up to some sixty events a heap is best (measured), so a small fleet has nothing but `near`. A
//! step in a heap of a million events costs several cache misses; a slot of the `Ladder` is only
//! ever appended to and read from front to back, so its cost does not depend on how many there are.
//! The width of a slot follows from the times in the queue, and anew when `near` or `far` becomes
//! crowded. Nothing of this can be seen from outside: the order is that of one heap over (time,
//! insertion).
//!
//! Nothing is ever removed. An event that nobody waits for any more keeps its place and is dropped
//! by whoever takes it, by its mark.

mod chain;
mod heap;
mod ladder;

use ratelab_core::{Seed, Time, WorkerId};

use crate::event::Event;
use heap::Heap;
use ladder::Ladder;

/// The most events for which a heap alone is best.
const SMALL: usize = 64;

/// A queue of events in order of time.
pub struct EventQueue {
    /// Events before `edge`, beside the ladder's open run.
    near: Heap,
    /// Events from `edge` on to the ladder's horizon.
    ladder: Ladder,
    /// Events from the horizon on.
    far: Heap,
    /// Where `near` ends; [`Time::NEVER`] while it holds everything.
    edge: Time,
    /// The time of the latest event taken.
    now: Time,
    /// Pushes to `near` and `far` since slots were last laid out.
    missed: usize,
    /// Events that it usually holds.
    usual: usize,
    shuffled: bool,
}

impl EventQueue {
    /// An empty queue for about so many events at a time.
    pub fn new(events: usize) -> Self {
        Self {
            near: Heap::new(),
            ladder: Ladder::new(events),
            far: Heap::new(),
            edge: Time::NEVER,
            now: Time::START,
            missed: 0,
            usual: events,
            shuffled: false,
        }
    }

    /// Empties the queue; with a seed, ties are broken at random from here on.
    pub fn reset(&mut self, shuffle: Option<Seed>) {
        self.shuffled = shuffle.is_some();
        self.near.reset(shuffle);
        self.far.reset(None);
        self.ladder.clear();
        self.edge = Time::NEVER;
        self.now = Time::START;
        self.missed = 0;
    }

    /// How many events it holds.
    pub fn len(&self) -> usize {
        self.near.len() + self.ladder.len() + self.far.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an event, not before the latest event taken.
    #[inline(always)]
    pub fn push(&mut self, at: Time, event: Event) {
        if at < self.edge {
            self.push_near(at, event);
        } else if !self.ladder.push(at, event) {
            self.push_far(at, event);
        }
    }

    #[inline(never)]
    fn push_near(&mut self, at: Time, event: Event) {
        self.near.push(at, event);
        self.missed += 1;
        // Half of all, or a burst at one instant would be laid out again and again in vain.
        if self.near.len() > SMALL && self.missed > self.len() / 2 && !self.shuffled {
            self.lay_out(0);
        }
    }

    #[inline(never)]
    fn push_far(&mut self, at: Time, event: Event) {
        self.far.push(at, event);
        self.missed += 1;
        // Slots only become wider here, so it happens a few dozen times in all.
        if self.far.len() > SMALL && self.missed > self.len() / 64 && self.ladder.can_widen() {
            self.lay_out(self.ladder.width() + 1);
        }
    }

    /// Takes the earliest event. Now and then it tells whose events come soon, so that their state
    /// can be fetched from memory meanwhile.
    #[inline(always)]
    pub fn pop(&mut self, soon: impl FnMut(WorkerId) + Copy) -> Option<(Time, Event)> {
        loop {
            let run = self.ladder.first();
            let near = self.near.first();
            // The run was there before all that `near` holds, so it goes first at equal times.
            if run <= near && run != Time::NEVER {
                let event = self.ladder.take();
                self.now = run;
                return Some((run, event));
            }
            if near != Time::NEVER {
                self.now = near;
                return self.near.pop();
            }
            if !self.refill() {
                return self.last();
            }
            self.ladder.soon(soon);
        }
    }

    /// Events at the end of time, which compare as no event at all.
    #[cold]
    fn last(&mut self) -> Option<(Time, Event)> {
        self.near.pop().or_else(|| self.far.pop())
    }

    /// Opens the next part of the ladder; false when all is empty.
    #[inline(never)]
    fn refill(&mut self) -> bool {
        loop {
            if let Some(edge) = self.ladder.open_narrow() {
                self.edge = edge;
                return true;
            }
            if self.ladder.len() == 0 {
                if self.far.first() == Time::NEVER {
                    return false;
                }
                self.ladder.jump(self.far.first());
                self.reach();
            }
            if self.len() < SMALL / 8 {
                self.close();
                return true;
            }
            self.ladder.open_wide();
            self.reach();
        }
    }

    /// Takes what has come within the horizon from `far`.
    fn reach(&mut self) {
        let horizon = self.ladder.horizon();
        while self.far.first() < horizon {
            let (at, event) = self.far.pop().expect("there is a first");
            self.ladder.push(at, event);
        }
    }

    /// Lays slots out anew, at least so wide that the ring holds nearly all that waits now.
    #[cold]
    fn lay_out(&mut self, at_least: u32) {
        let width = Ladder::width_for(self.usual_delay(), self.len().max(self.usual)).max(at_least);
        let (far, mut opened) = (&mut self.far, Vec::new());
        self.ladder.drain(&mut opened);
        opened.extend(std::iter::from_fn(|| self.near.pop()));
        // The run goes first at equal times: a stable sort merges it with what `near` held.
        opened.sort_by_key(|(at, _)| *at);
        self.edge = (self.ladder).lay_out(self.now, width, |at, event| far.push(at, event));
        for (at, event) in opened {
            if !self.ladder.push(at, event) {
                self.far.push(at, event);
            }
        }
        self.reach();
        self.missed = 0;
    }

    /// A delay that hardly one in a hundred of some thousand events, taken evenly, exceeds.
    fn usual_delay(&self) -> u64 {
        let (now, step, mut seen) = (self.now, self.len() / 4_096 + 1, 0);
        let mut delays = Vec::new();
        let mut see = |at: Time| {
            if seen % step == 0 {
                delays.push(at.since(now).as_nanos());
            }
            seen += 1;
        };
        self.near.each(&mut see);
        self.ladder.each(&mut see);
        self.far.each(&mut see);
        let place = delays.len() * 127 / 128;
        *delays.select_nth_unstable(place).1
    }

    /// Leaves the ladder: what is left fits into `near`.
    #[cold]
    fn close(&mut self) {
        let mut rest = Vec::new();
        let far = &mut self.far;
        self.ladder.drain(&mut rest);
        self.ladder.empty(|at, event| rest.push((at, event)));
        rest.extend(std::iter::from_fn(|| far.pop()));
        for (at, event) in rest {
            self.near.push(at, event);
        }
        self.edge = Time::NEVER;
        self.missed = 0;
    }
}

#[cfg(test)]
mod tests;
