//! Chains: many lists that only grow at their end and are read once, in pieces of 512 bytes from
//! one pool. A list costs eight bytes an entry however uneven the lists are.

use ratelab_core::huge::{self, HugeVec};

/// Entries of a piece.
const PIECE: usize = 64;
const NONE: u32 = u32::MAX;

/// One list: its first and last piece and its length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chain {
    first: u32,
    last: u32,
    len: u32,
}

impl Chain {
    pub(super) const EMPTY: Self = Self {
        first: NONE,
        last: NONE,
        len: 0,
    };

    pub(super) const fn len(self) -> usize {
        self.len as usize
    }
}

/// The pieces of all lists.
pub(super) struct Pool {
    pieces: HugeVec<[u64; PIECE]>,
    /// The piece after each, in a list or among the free ones.
    next: Vec<u32>,
    free: u32,
}

impl Pool {
    /// For so many entries in so many lists, set aside at once: what is not used costs nothing,
    /// while growing would copy.
    pub(super) fn new(entries: usize, lists: usize) -> Self {
        let pieces = entries / PIECE + lists.min(entries);
        Self {
            pieces: huge::with_room(pieces),
            next: Vec::with_capacity(pieces),
            free: NONE,
        }
    }

    /// Appends to a list.
    #[inline(always)]
    pub(super) fn push(&mut self, chain: &mut Chain, entry: u64) {
        let place = chain.len() % PIECE;
        if place == 0 {
            return self.push_first(chain, entry);
        }
        self.pieces[chain.last as usize][place] = entry;
        chain.len += 1;
    }

    /// Appends the first entry of a piece.
    #[inline(never)]
    fn push_first(&mut self, chain: &mut Chain, entry: u64) {
        let piece = self.free_piece();
        if chain.len == 0 {
            chain.first = piece;
        } else {
            self.next[chain.last as usize] = piece;
        }
        self.pieces[piece as usize][0] = entry;
        chain.last = piece;
        chain.len += 1;
    }

    fn free_piece(&mut self) -> u32 {
        if self.free == NONE {
            self.pieces.push([0; PIECE]);
            self.next.push(NONE);
            return u32::try_from(self.pieces.len() - 1).expect("16 million events are few pieces");
        }
        let piece = self.free;
        self.free = self.next[piece as usize];
        self.next[piece as usize] = NONE;
        piece
    }

    /// Empties a list, front to back; its pieces become free.
    #[inline]
    pub(super) fn drain(&mut self, chain: &mut Chain, mut take: impl FnMut(u64)) {
        self.each(*chain, &mut take);
        if chain.len > 0 {
            self.next[chain.last as usize] = self.free;
            self.free = chain.first;
        }
        *chain = Chain::EMPTY;
    }

    /// Takes the first piece out of a list: its entries and how many they are.
    pub(super) fn take_piece(&mut self, chain: &mut Chain) -> Option<([u64; PIECE], usize)> {
        if chain.len == 0 {
            return None;
        }
        let (piece, count) = (chain.first, chain.len().min(PIECE));
        let entries = self.pieces[piece as usize];
        chain.first = self.next[piece as usize];
        chain.len -= u32::try_from(count).expect("a piece is small");
        self.next[piece as usize] = self.free;
        self.free = piece;
        if chain.len == 0 {
            *chain = Chain::EMPTY;
        }
        Some((entries, count))
    }

    /// Reads a list, front to back.
    #[inline]
    pub(super) fn each(&self, chain: Chain, mut see: impl FnMut(u64)) {
        let (mut left, mut piece) = (chain.len(), chain.first);
        while left > 0 {
            let count = left.min(PIECE);
            for entry in &self.pieces[piece as usize][..count] {
                see(*entry);
            }
            left -= count;
            piece = self.next[piece as usize];
        }
    }
}
