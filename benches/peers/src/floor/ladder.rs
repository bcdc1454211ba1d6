//! A two-level ladder queue of packed 64-bit keys, for events of many workers.
//!
//! A push appends to one of 4,096 coarse buckets, a chain of small chunks. When its turn comes, a
//! coarse bucket is dealt out to at most 256 fine ones, and each of those is sorted shortly before
//! its first event is popped; so the queue knows who comes next, and `ahead` tells for a prefetch.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bits of a key for the worker; the other 40 are its time in nanoseconds, modulo 2^40.
const ID: u32 = 24;
/// Logarithm of a coarse bucket's width: 16.8 ms.
const WIDTH: u32 = 24;
/// Coarse buckets in the ring: 68.7 s.
const RING: usize = 1 << 12;
/// Logarithm of the most fine buckets of a coarse one.
const MOST_FINE: u32 = 8;
/// Keys that a fine bucket should have, as a logarithm.
const FEW: u32 = 4;
/// Words of a chunk: 512 bytes, the first of them the chunk before.
const CHUNK: usize = 64;
/// No chunk.
const NONE: u32 = u32::MAX;
/// How many events ahead of the last popped one `ahead` looks.
const AHEAD: usize = 12;

/// The last chunk of a coarse bucket's chain and how many of its words are in use.
#[derive(Clone, Copy)]
struct Tail {
    chunk: u32,
    used: u32,
}

const EMPTY: Tail = Tail {
    chunk: NONE,
    used: CHUNK as u32,
};

pub(super) struct Ladder {
    ring: Vec<Tail>,
    chunks: Vec<[u64; CHUNK]>,
    /// Chunks that are not in use.
    spare: Vec<u32>,
    /// Keys in the ring.
    pending: usize,
    /// Number of the open coarse bucket: its start is this by its width.
    bucket: u64,
    /// Keys of the open bucket by fine bucket.
    open: Vec<u64>,
    /// The same before they are dealt out.
    dealt: Vec<u64>,
    /// Where each fine bucket ends in `open`.
    ends: Vec<u32>,
    /// Fine buckets that are sorted.
    sorted: usize,
    /// The next key of `open`.
    at: usize,
    /// Where in `open` the next fine bucket must be sorted.
    limit: usize,
    /// Keys of the open bucket that came after it was opened.
    late: BinaryHeap<Reverse<u64>>,
    /// The first of them, or the largest number.
    first_late: u64,
}

impl Ladder {
    pub(super) fn new() -> Self {
        Self {
            ring: vec![EMPTY; RING],
            chunks: Vec::new(),
            spare: Vec::new(),
            pending: 0,
            bucket: 0,
            open: Vec::new(),
            dealt: Vec::new(),
            ends: Vec::new(),
            sorted: 0,
            at: 0,
            limit: 0,
            late: BinaryHeap::new(),
            first_late: u64::MAX,
        }
    }

    /// Adds a worker's event, not before the last popped one.
    #[inline]
    pub(super) fn push(&mut self, time: u64, worker: u32) {
        let key = time << ID | u64::from(worker);
        let bucket = time >> WIDTH;
        if bucket <= self.bucket {
            self.push_late(key);
            return;
        }
        assert!(bucket - self.bucket < RING as u64, "farther than the ring");
        let tail = &mut self.ring[bucket as usize % RING];
        if tail.used as usize == CHUNK {
            grow(tail, &mut self.chunks, &mut self.spare);
        }
        self.chunks[tail.chunk as usize][tail.used as usize % CHUNK] = key;
        tail.used += 1;
        self.pending += 1;
    }

    #[cold]
    fn push_late(&mut self, key: u64) {
        self.late.push(Reverse(key));
        self.first_late = self.first_late.min(key);
    }

    /// Takes the first event: its time and its worker.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u64, u32)> {
        if self.at >= self.limit {
            self.refill();
        }
        let key = self.open.get(self.at).copied().unwrap_or(u64::MAX);
        if self.first_late < key {
            return self.pop_late();
        }
        if self.at >= self.open.len() {
            return None;
        }
        self.at += 1;
        Some(self.unpacked(key))
    }

    #[cold]
    fn pop_late(&mut self) -> Option<(u64, u32)> {
        let Reverse(key) = self.late.pop()?;
        self.first_late = self.late.peek().map_or(u64::MAX, |first| first.0);
        Some(self.unpacked(key))
    }

    /// The worker of an event some places after the last popped one, if it is in the open bucket.
    #[inline]
    pub(super) fn ahead(&self) -> Option<u32> {
        self.open.get(self.at + AHEAD - 1).map(|key| id(*key))
    }

    #[inline]
    fn unpacked(&self, key: u64) -> (u64, u32) {
        let within = (key >> ID) & ((1 << WIDTH) - 1);
        (self.bucket << WIDTH | within, id(key))
    }

    /// Sorts fine buckets until enough is sorted, and opens coarse ones when all is popped.
    #[inline(never)]
    fn refill(&mut self) {
        while self.at >= self.limit {
            if self.sorted < self.ends.len() {
                self.sort_next();
            } else if self.at < self.open.len() || !self.late.is_empty() || self.pending == 0 {
                return;
            } else {
                self.open_next();
            }
        }
    }

    fn sort_next(&mut self) {
        let end = self.ends[self.sorted] as usize;
        let start = match self.sorted {
            0 => 0,
            fine => self.ends[fine - 1] as usize,
        };
        self.open[start..end].sort_unstable();
        self.sorted += 1;
        self.limit = if self.sorted == self.ends.len() {
            end
        } else {
            end.saturating_sub(AHEAD)
        };
    }

    /// Opens the next coarse bucket that is not empty, and deals its keys out.
    fn open_next(&mut self) {
        let slot = loop {
            self.bucket += 1;
            let slot = self.bucket as usize % RING;
            if self.ring[slot].chunk != NONE {
                break slot;
            }
        };
        let tail = std::mem::replace(&mut self.ring[slot], EMPTY);
        self.collect(tail);
        let count = self.dealt.len();
        self.pending -= count;
        let fine = (count >> FEW).checked_ilog2().unwrap_or(0).min(MOST_FINE);
        let shift = ID + WIDTH - fine;
        let mask = (1_usize << fine) - 1;
        self.ends.clear();
        self.ends.resize(mask + 1, 0);
        for key in &self.dealt {
            self.ends[(key >> shift) as usize & mask] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        self.open.resize(count, 0);
        for key in &self.dealt {
            let place = &mut self.ends[(key >> shift) as usize & mask];
            self.open[*place as usize] = *key;
            *place += 1;
        }
        self.at = 0;
        self.sorted = 0;
        self.limit = 0;
    }

    /// Moves the keys of a chain to `dealt` and its chunks to the spare ones.
    fn collect(&mut self, tail: Tail) {
        self.dealt.clear();
        let Tail {
            mut chunk,
            mut used,
        } = tail;
        while chunk != NONE {
            let words = &self.chunks[chunk as usize];
            self.dealt.extend_from_slice(&words[1..used as usize]);
            self.spare.push(chunk);
            chunk = words[0] as u32;
            used = CHUNK as u32;
        }
    }
}

#[inline]
fn id(key: u64) -> u32 {
    key as u32 & ((1 << ID) - 1)
}

/// Gives a chain a chunk more.
#[cold]
#[inline(never)]
fn grow(tail: &mut Tail, chunks: &mut Vec<[u64; CHUNK]>, spare: &mut Vec<u32>) {
    let chunk = spare.pop().unwrap_or_else(|| {
        chunks.push([0; CHUNK]);
        chunks.len() as u32 - 1
    });
    chunks[chunk as usize][0] = u64::from(tail.chunk);
    *tail = Tail { chunk, used: 1 };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::w2::Draws;

    /// Times that go on past 2^40 ns, with delays from 0 to 60 s.
    #[test]
    fn events_come_in_order_of_time_and_worker() {
        for workers in [1, 100, 30_000] {
            let mut draws = Draws::new(7);
            let mut ladder = Ladder::new();
            let mut heap = BinaryHeap::new();
            for worker in 0..workers {
                ladder.push(u64::from(worker) / 3, worker);
                heap.push(Reverse((u64::from(worker) / 3, worker)));
            }
            for _ in 0..200_000 {
                let Reverse((time, worker)) = heap.pop().unwrap();
                assert_eq!(ladder.pop(), Some((time, worker)));
                let later = time + (draws.offset().powi(4) * 60e9) as u64;
                ladder.push(later, worker);
                heap.push(Reverse((later, worker)));
            }
        }
    }

    #[test]
    fn a_queue_runs_empty() {
        let mut ladder = Ladder::new();
        ladder.push(5, 2);
        ladder.push(30_000_000_000, 1);
        assert_eq!(ladder.pop(), Some((5, 2)));
        assert_eq!(ladder.pop(), Some((30_000_000_000, 1)));
        assert_eq!(ladder.pop(), None);
    }
}
