//! Fingerprint: a hash of everything that happened, in order. Two runs are equal or they are not.

use ratelab_core::{Failure, GateRecord, Outcome, Record, Time, WorkerId};

/// A running 64-bit hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// Takes in a word: xor, multiply by an odd constant, fold the high half back.
    pub fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }

    /// Takes in a record.
    pub fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        self.word(at.as_nanos());
        let (kind, a, b) = match *record {
            Record::Gate(GateRecord::StoreOp) => (1, 0, 0),
            Record::Gate(GateRecord::Permit { asked }) => (2, asked.as_nanos(), 0),
            Record::Attempt {
                attempt,
                arrived,
                previous,
                cause,
            } => {
                let words = arrived.as_nanos() ^ previous.as_nanos().rotate_left(32);
                (3 + ((cause as u64) << 4), u64::from(attempt), words)
            }
            Record::Request { attempt } => (6, u64::from(attempt), 0),
            Record::Answer {
                attempt,
                outcome,
                site,
                sent,
            } => {
                let what = match outcome {
                    Outcome::Answer {
                        status,
                        retry_after,
                    } => u64::from(status.0) | (retry_after.map_or(0, |s| s.as_nanos() + 1) << 16),
                    Outcome::Failed(Failure::ConnectionRefused) => 1,
                    Outcome::Failed(Failure::TimedOut) => 2,
                };
                let kind = 7 + ((site as u64) << 4) + (u64::from(attempt) << 8);
                (kind, what, sent.as_nanos())
            }
            Record::Wasted => (8, 0, 0),
            Record::JobEnded {
                end,
                arrived,
                attempts,
            } => (
                9 + ((end as u64) << 4),
                arrived.as_nanos(),
                u64::from(attempts),
            ),
            Record::JobsPending {
                count,
                arrived,
                in_flight,
            } => (10 + (u64::from(in_flight) << 4), arrived.as_nanos(), count),
        };
        self.word((u64::from(worker.0) << 32) ^ kind);
        self.word(a);
        self.word(b);
    }
}
