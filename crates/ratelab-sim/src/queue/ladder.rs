//! Ladder: events in slots by their time, sorted only when their slot is due.
//!
//! Two rungs. A ring of wide slots covers what most events wait for. When a wide slot is due, its
//! events are spread over narrow slots, a few in each; when a narrow slot is due, it is sorted and
//! becomes the run that events are taken from. An event is thus written twice and sorted among a
//! handful, always in memory that has just been touched (Tang, Goh and Thng, "Ladder queue", ACM
//! TOMACS 15(3), 2005; Brown's calendar queue, CACM 31(10), 1988, is the one-rung form).
//!
//! An entry is 64 bits: the low 39 bits of the time, of which its slot supplies the rest, and the
//! event. Lists only grow at their end and sorting is stable, so equal times stay in order.

// Places are cut out of times by shifting; what is cut off is meant to be.
#![allow(clippy::cast_possible_truncation)]

use ratelab_core::{Time, WorkerId};

use super::chain::{Chain, Pool};
use crate::event::Event;

/// Wide slots in the ring.
const SLOTS: usize = 2_048;
const WIDE: u64 = SLOTS as u64;
/// The most narrow slots that a wide one is spread over.
const MOST_NARROW: usize = 2_048;
/// Events in a narrow slot, about.
const HANDFUL: usize = 8;
/// Bits of the time in an entry.
const TIME_BITS: u32 = 64 - Event::BITS;
/// A slot is at most so wide, in powers of two nanoseconds, that its entries are told apart.
const WIDEST: u32 = TIME_BITS - 1;

fn fresh_ring() -> Box<[Chain; SLOTS]> {
    let ring = vec![Chain::EMPTY; SLOTS].into_boxed_slice();
    ring.try_into().expect("it has that many")
}

pub(super) struct Ladder {
    /// A wide slot lasts `2^width` nanoseconds.
    width: u32,
    ring: Box<[Chain; SLOTS]>,
    pool: Pool,
    /// The number of the first wide slot that is not spread yet: time over width.
    next_wide: u64,
    /// Narrow slots of the wide one that is open.
    narrow: Vec<Vec<u64>>,
    narrow_width: u32,
    /// Those of them in use, and the next one to be sorted.
    narrow_used: usize,
    next_narrow: usize,
    /// When the open wide slot began.
    begin: u64,
    /// Sorted entries, from `taken` on, and the slot they come from.
    run: Vec<u64>,
    taken: usize,
    run_begin: u64,
    /// Events in the ring and in narrow slots.
    waiting: usize,
}

impl Ladder {
    /// For about so many events.
    pub(super) fn new(events: usize) -> Self {
        Self {
            width: 0,
            ring: fresh_ring(),
            pool: Pool::new(events, SLOTS),
            next_wide: 0,
            narrow: Vec::new(),
            narrow_width: 0,
            narrow_used: 0,
            next_narrow: 0,
            begin: 0,
            run: Vec::new(),
            taken: 0,
            run_begin: 0,
            waiting: 0,
        }
    }

    /// The width at which the ring covers `delay` nanoseconds, and up to as much again; wider, when
    /// there are so few events that their slots would be nearly empty.
    pub(super) fn width_for(delay: u64, events: usize) -> u32 {
        let filled = (events / HANDFUL).clamp(1, SLOTS) as u64;
        let slot = delay / filled + 1;
        (64 - slot.leading_zeros()).min(WIDEST)
    }

    /// The width of a wide slot.
    pub(super) const fn width(&self) -> u32 {
        self.width
    }

    pub(super) const fn can_widen(&self) -> bool {
        self.width < WIDEST
    }

    /// Lays the ring out anew at `now` with slots of that width; returns where it begins. What is
    /// in it goes over piece by piece, so that no memory is needed beside; the narrow slots and the
    /// run must be empty. Events that the new ring does not reach go to `beyond`.
    pub(super) fn lay_out(
        &mut self,
        now: Time,
        width: u32,
        mut beyond: impl FnMut(Time, Event),
    ) -> Time {
        let (old_width, first) = (self.width, self.next_wide);
        let mut old = std::mem::replace(&mut self.ring, fresh_ring());
        self.narrow.resize_with(MOST_NARROW, Vec::new);
        self.width = width;
        self.next_wide = now.as_nanos() >> width;
        self.close_wide();
        for wide in first..first + WIDE {
            let slot = &mut old[(wide % WIDE) as usize];
            while let Some((entries, count)) = self.pool.take_piece(slot) {
                self.waiting -= count;
                for entry in &entries[..count] {
                    let (at, event) = (time_of(*entry, wide << old_width), Event::unpack(*entry));
                    if !self.push(at, event) {
                        beyond(at, event);
                    }
                }
            }
        }
        Time::from_nanos(self.next_wide << width)
    }

    fn close_wide(&mut self) {
        (self.narrow_used, self.next_narrow) = (0, 0);
        self.begin = self.next_wide << self.width;
    }

    pub(super) fn clear(&mut self) {
        // A small fleet's queue never comes here, and most runs end with nothing in it.
        if self.len() > 0 {
            self.drain(&mut Vec::new());
            self.empty(|_, _| {});
        }
    }

    /// Takes all that is in the ring, in order of slots.
    pub(super) fn empty(&mut self, mut take: impl FnMut(Time, Event)) {
        for wide in self.next_wide..self.next_wide + WIDE {
            let begin = wide << self.width;
            self.pool
                .drain(&mut self.ring[(wide % WIDE) as usize], |entry| {
                    take(time_of(entry, begin), Event::unpack(entry));
                });
        }
        self.waiting = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.waiting + (self.run.len() - self.taken)
    }

    /// Adds an event from the run's end on; false when it lies beyond the horizon.
    #[inline(always)]
    pub(super) fn push(&mut self, at: Time, event: Event) -> bool {
        let nanos = at.as_nanos();
        let wide = nanos >> self.width;
        let entry = (nanos << Event::BITS) | event.pack();
        // Before the first slot of the ring this wraps round to a great distance.
        let ahead = wide.wrapping_sub(self.next_wide);
        if ahead < WIDE {
            self.waiting += 1;
            let slot = &mut self.ring[(wide % WIDE) as usize];
            self.pool.push(slot, entry);
            return true;
        }
        wide < self.next_wide && self.push_narrow(nanos, entry)
    }

    #[inline(never)]
    fn push_narrow(&mut self, nanos: u64, entry: u64) -> bool {
        let place = (nanos - self.begin) >> self.narrow_width;
        self.narrow[place as usize].push(entry);
        self.waiting += 1;
        true
    }

    /// The time of the next event of the run; [`Time::NEVER`] when it is used up.
    #[inline(always)]
    pub(super) fn first(&self) -> Time {
        match self.run.get(self.taken) {
            Some(entry) => time_of(*entry, self.run_begin),
            None => Time::NEVER,
        }
    }

    /// Takes that event.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Event {
        let entry = self.run[self.taken];
        self.taken += 1;
        Event::unpack(entry)
    }

    /// Sees whose events stand in the narrow slot after the run: they come soon.
    #[inline(always)]
    pub(super) fn soon(&self, mut see: impl FnMut(WorkerId)) {
        if self.next_narrow < self.narrow_used {
            for entry in &self.narrow[self.next_narrow] {
                see(Event::unpack(*entry).worker);
            }
        }
    }

    /// With nothing in it, the ring may turn to where the next event is.
    pub(super) fn jump(&mut self, to: Time) {
        debug_assert!(self.len() == 0, "nothing is jumped over");
        self.next_wide = to.as_nanos() >> self.width;
        self.close_wide();
    }

    /// Where the ring ends.
    pub(super) fn horizon(&self) -> Time {
        let end = self.next_wide + WIDE;
        let fits = end <= u64::MAX >> self.width;
        Time::from_nanos(if fits { end << self.width } else { u64::MAX })
    }

    /// Sorts the next narrow slot that has events and makes it the run; returns where it ends.
    pub(super) fn open_narrow(&mut self) -> Option<Time> {
        let used = &self.narrow[self.next_narrow..self.narrow_used];
        let Some(skip) = used.iter().position(|slot| !slot.is_empty()) else {
            self.next_narrow = self.narrow_used;
            return None;
        };
        let place = self.next_narrow + skip;
        self.next_narrow = place + 1;
        self.run_begin = self.begin + ((place as u64) << self.narrow_width);
        self.run.clear();
        self.taken = 0;
        std::mem::swap(&mut self.run, &mut self.narrow[place]);
        sort(&mut self.run);
        self.waiting -= self.run.len();
        Some(Time::from_nanos(
            self.run_begin.saturating_add(1 << self.narrow_width),
        ))
    }

    /// Spreads the next wide slot over narrow ones.
    pub(super) fn open_wide(&mut self) {
        let slot = &mut self.ring[(self.next_wide % WIDE) as usize];
        let wanted = (slot.len() / HANDFUL).next_power_of_two();
        let bits = wanted.min(MOST_NARROW).ilog2().min(self.width);
        self.narrow_width = self.width - bits;
        self.begin = self.next_wide << self.width;
        (self.narrow_used, self.next_narrow) = (1 << bits, 0);
        // A slot begins at a multiple of its width, so the place within it is a piece of the time.
        let (narrow, shift) = (
            &mut self.narrow[..1 << bits],
            Event::BITS + self.narrow_width,
        );
        let mask = narrow.len() - 1;
        self.pool.drain(slot, |entry| {
            narrow[(entry >> shift) as usize & mask].push(entry);
        });
        self.next_wide += 1;
    }

    /// Sees the time of every event.
    pub(super) fn each(&self, mut see: impl FnMut(Time)) {
        for entry in &self.run[self.taken..] {
            see(time_of(*entry, self.run_begin));
        }
        for entry in self.narrow[self.next_narrow..self.narrow_used]
            .iter()
            .flatten()
        {
            see(time_of(*entry, self.begin));
        }
        for (slot, begin) in self.slots() {
            self.pool.each(slot, |entry| see(time_of(entry, begin)));
        }
    }

    /// The wide slots and their beginnings, in order of time.
    fn slots(&self) -> impl Iterator<Item = (Chain, u64)> {
        let first = self.next_wide;
        let places = first..first + WIDE;
        places.map(|wide| (self.ring[(wide % WIDE) as usize], wide << self.width))
    }

    /// Takes the rest of the run and what waits in narrow slots; equal times stay in order.
    pub(super) fn drain(&mut self, into: &mut Vec<(Time, Event)>) {
        let begin = self.run_begin;
        let rest = self.run.drain(..).skip(self.taken);
        into.extend(rest.map(|entry| (time_of(entry, begin), Event::unpack(entry))));
        self.taken = 0;
        let begin = self.begin;
        for entry in self.narrow.iter_mut().flat_map(|slot| slot.drain(..)) {
            into.push((time_of(entry, begin), Event::unpack(entry)));
            self.waiting -= 1;
        }
        self.close_wide();
    }
}

/// Sorts by time and keeps the order of equal times.
fn sort(run: &mut [u64]) {
    if run.len() > 3 * HANDFUL {
        return run.sort_by_key(|entry| entry >> Event::BITS);
    }
    // By insertion, which is best for a handful.
    for next in 1..run.len() {
        let entry = run[next];
        let mut place = next;
        while place > 0 && run[place - 1] >> Event::BITS > entry >> Event::BITS {
            run[place] = run[place - 1];
            place -= 1;
        }
        run[place] = entry;
    }
}

/// The whole time of an entry whose slot is not wider than its time bits.
#[inline(always)]
const fn time_of(entry: u64, begin: u64) -> Time {
    let after = (entry >> Event::BITS).wrapping_sub(begin) & (u64::MAX >> Event::BITS);
    Time::from_nanos(begin + after)
}
