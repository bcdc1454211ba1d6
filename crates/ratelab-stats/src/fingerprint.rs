//! Fingerprint: a hash of everything that happened, in order. Two runs are equal or they are not.

use ratelab_core::{Failure, GateRecord, Outcome, Record, Time, WorkerId};

/// A running 64-bit hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// Takes in a word: xor, multiply by an odd constant, fold the high half back.
    #[inline(always)]
    pub fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }

    /// Takes in three words at once: each is multiplied on its own, so that the processor does it
    /// side by side, and only their sum waits for the hash so far.
    #[inline(always)]
    fn words(&mut self, a: u64, b: u64, c: u64) {
        let sum = (a.wrapping_mul(0xd6e8_feb8_6659_fd93))
            .wrapping_add(b.wrapping_mul(0xa076_1d64_78bd_642f))
            .wrapping_add(c.wrapping_mul(0xe703_7ed1_a0b4_28db));
        self.word(sum ^ (sum >> 32));
    }

    /// Takes in a record.
    #[inline(always)]
    pub fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        let who = u64::from(worker.0) << 32;
        let at = at.as_nanos();
        match *record {
            Record::Gate(GateRecord::StoreOp) => self.words(at, who, 1),
            Record::Gate(GateRecord::Permit { asked }) => {
                self.words(at, who | 2, asked.as_nanos());
            }
            Record::Attempt {
                attempt,
                arrived,
                previous,
                cause,
            } => {
                let before = arrived.as_nanos() ^ previous.as_nanos().rotate_left(32);
                let kind = 3 | (cause as u64) << 4;
                self.words(at, who | kind, before ^ (u64::from(attempt) << 40));
            }
            Record::Request { attempt } => self.words(at, who | 6, u64::from(attempt)),
            Record::Answer {
                attempt,
                outcome,
                site,
                sent,
            } => {
                let (what, hint) = match outcome {
                    Outcome::Answer {
                        status,
                        retry_after,
                    } => (status.0, retry_after.map_or(0, |hint| hint.as_nanos() + 1)),
                    Outcome::Failed(Failure::ConnectionRefused) => (1, 0),
                    Outcome::Failed(Failure::TimedOut) => (2, 0),
                };
                let kind = 7 | (site as u64) << 4 | u64::from(what) << 8;
                let when = sent.as_nanos() ^ hint.rotate_left(32) ^ (u64::from(attempt) << 40);
                self.words(at, who | kind, when);
            }
            Record::Wasted => self.words(at, who, 8),
            Record::JobEnded {
                end,
                arrived,
                attempts,
            } => {
                let when = arrived.as_nanos() ^ (u64::from(attempts) << 40);
                self.words(at, who | 9 | (end as u64) << 4, when);
            }
            Record::WorkerEnded { done } => self.words(at, who | 0xb, u64::from(done)),
            Record::JobsPending {
                count,
                arrived,
                in_flight,
            } => {
                let kind = 0xa | u64::from(in_flight) << 4;
                self.words(at, who | kind, arrived.as_nanos() ^ count.rotate_left(40));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(records: &[(u64, u32, Record)]) -> u64 {
        let mut hash = Fingerprint::default();
        for (at, worker, record) in records {
            hash.record(Time::from_nanos(*at), WorkerId(*worker), record);
        }
        hash.0
    }

    #[test]
    fn every_part_of_a_record_and_their_order_count() {
        let request = |attempt| Record::Request { attempt };
        let base = [(5, 1, request(1)), (5, 2, request(1))];
        let others = [
            [(6, 1, request(1)), (5, 2, request(1))],
            [(5, 3, request(1)), (5, 2, request(1))],
            [(5, 1, request(2)), (5, 2, request(1))],
            [(5, 2, request(1)), (5, 1, request(1))],
            [(5, 1, Record::Wasted), (5, 2, request(1))],
        ];
        for other in others {
            assert_ne!(of(&base), of(&other), "{other:?}");
        }
        assert_eq!(of(&base), of(&base));
    }
}
