//! Track: instants in order, four bytes each, as far back as a sliding window needs them.
//!
//! Instants are written down as they come and looked at a hundred at a time, in a loop that does
//! nothing else. Kept are the gaps between them, in a ring.

use ratelab_core::Time;

use crate::window::Window;

/// Instants that are looked at together.
const BATCH: usize = 100;

/// Instants in order, as far back as somebody needs them: a ring of the gaps between them.
#[derive(Debug, Clone, Default)]
pub struct Track {
    /// Nanoseconds since the entry before; their number is a power of two.
    gaps: Vec<u32>,
    /// How much had happened before each, modulo 2^32; empty as long as that is its own number,
    /// because each has happened once.
    before: Vec<u32>,
    /// Entries ever added; those in the ring end here. The latest of them, and all that has
    /// happened, modulo 2^32.
    end: usize,
    latest: u64,
    total: u32,
    /// Entries before this one have been looked at; when the one before it happened.
    seen: usize,
    seen_at: u64,
    /// No window begins before this entry; when it happened.
    oldest: usize,
    oldest_at: u64,
    batch: Vec<Seen>,
    /// Entries to set memory aside for at once; what is not used costs nothing, while growing would
    /// leave holes.
    room: usize,
}

/// An entry that is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    pub(crate) at: u64,
    /// How much had happened before it and with it, modulo 2^32.
    pub(crate) before: u32,
    pub(crate) after: u32,
}

impl Seen {
    /// When it happened.
    #[inline(always)]
    pub const fn at(self) -> Time {
        Time::from_nanos(self.at)
    }

    /// How often.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.after.wrapping_sub(self.before)
    }
}

impl Track {
    /// For about so many instants in the widest window.
    pub fn for_about(instants: usize) -> Self {
        Self {
            room: instants.next_power_of_two(),
            ..Self::default()
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        let (gaps, mut before) = (
            std::mem::take(&mut self.gaps),
            std::mem::take(&mut self.before),
        );
        before.clear();
        *self = Self {
            gaps,
            before,
            batch: std::mem::take(&mut self.batch),
            room: self.room,
            ..Self::default()
        };
    }

    /// As new, with no memory.
    pub fn settle(&mut self) {
        *self = Self::for_about(self.room);
    }

    /// Something happened `count` times at `at`, not before what happened last. Whether it is time
    /// to look at what has come.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // It is looked at first whether it fits.
    pub fn add(&mut self, at: Time, count: u32) -> bool {
        let at = at.as_nanos();
        let gap = at - self.latest;
        let plain = u32::try_from(gap).is_ok() && count == 1 && self.end > self.oldest;
        if plain && self.before.is_empty() && self.end - self.oldest < self.gaps.len() {
            let place = self.end & (self.gaps.len() - 1);
            self.gaps[place] = gap as u32;
            self.latest = at;
            self.end += 1;
            self.total = self.total.wrapping_add(1);
        } else {
            self.add_slowly(at, count);
        }
        self.end - self.seen > BATCH
    }

    /// Adds what is the first, or more than one, or far from the last, or needs room.
    #[inline(never)]
    fn add_slowly(&mut self, at: u64, count: u32) {
        if self.end == self.oldest {
            (self.latest, self.oldest_at, self.seen_at) = (at, at, at);
        }
        let wide = at - self.latest > u64::from(u32::MAX);
        if self.before.is_empty() && (count != 1 || wide) {
            self.count_from_now_on();
        }
        // A gap that is too wide is filled with entries at which nothing happens.
        let gap = loop {
            match u32::try_from(at - self.latest) {
                Ok(gap) => break gap,
                Err(_) => self.enter(u32::MAX),
            }
            self.latest += u64::from(u32::MAX);
        };
        self.latest = at;
        self.enter(gap);
        self.total = self.total.wrapping_add(count);
    }

    fn enter(&mut self, gap: u32) {
        if self.end - self.oldest >= self.gaps.len() {
            self.grow();
        }
        let place = self.end & (self.gaps.len() - 1);
        self.gaps[place] = gap;
        if let Some(before) = self.before.get_mut(place) {
            *before = self.total;
        }
        self.end += 1;
    }

    /// From here on entries are no longer one event each.
    #[allow(clippy::cast_possible_truncation)] // Modulo 2^32 is meant.
    fn count_from_now_on(&mut self) {
        self.before.resize(self.gaps.len().max(64), 0);
        self.gaps.resize(self.before.len(), 0);
        for entry in self.oldest..self.end {
            let place = entry & (self.gaps.len() - 1);
            self.before[place] = entry as u32;
        }
    }

    /// Doubles the ring, in place.
    #[cold]
    fn grow(&mut self) {
        let old = self.gaps.len();
        let new = (old * 2).max(64);
        if old == 0 {
            self.gaps.reserve_exact(self.room);
        }
        self.gaps.resize(new, 0);
        if !self.before.is_empty() {
            self.before.resize(new, 0);
        }
        for entry in self.oldest..self.end {
            let (from, to) = (entry & old.wrapping_sub(1), entry & (new - 1));
            if from != to {
                self.gaps[to] = self.gaps[from];
                if let Some(before) = self.before.get(from).copied() {
                    self.before[to] = before;
                }
            }
        }
    }

    /// The entries that have come since the last time. The list goes back through
    /// [`Track::forget`].
    #[must_use]
    pub fn look(&mut self) -> Vec<Seen> {
        let mut batch = std::mem::take(&mut self.batch);
        batch.clear();
        let (mut at, mut total) = (self.seen_at, self.before(self.seen));
        let plain = self.is_plain();
        batch.extend((self.seen..self.end).map(|entry| {
            at += u64::from(self.gap(entry));
            let before = total;
            total = if plain {
                before.wrapping_add(1)
            } else {
                self.before(entry + 1)
            };
            Seen {
                at,
                before,
                after: total,
            }
        }));
        self.seen_at = at;
        self.seen = self.end;
        batch
    }

    /// Forgets what comes before the widest window.
    pub fn forget(&mut self, widest: &Window, batch: Vec<Seen>) {
        let (begin, begin_at) = widest.begin();
        if begin > self.oldest {
            (self.oldest, self.oldest_at) = (begin, begin_at);
        }
        self.batch = batch;
    }

    /// Its first entry that is still needed, and when it happened.
    pub(crate) fn oldest(&self) -> (usize, u64) {
        (self.oldest, self.oldest_at)
    }

    /// Whether every entry has happened once.
    pub(crate) fn is_plain(&self) -> bool {
        self.before.is_empty()
    }

    /// Nanoseconds between an entry and the one before.
    #[inline(always)]
    pub(crate) fn gap(&self, entry: usize) -> u32 {
        self.gaps[entry & (self.gaps.len() - 1)]
    }

    /// How much had happened before an entry, modulo 2^32; the entry may be the next to come.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // Modulo 2^32 is meant.
    pub(crate) fn before(&self, entry: usize) -> u32 {
        if self.before.is_empty() {
            entry as u32
        } else if entry == self.end {
            self.total
        } else {
            self.before[entry & (self.before.len() - 1)]
        }
    }
}
