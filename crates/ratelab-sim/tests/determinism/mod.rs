//! Same file, same seed, same records: twice, on any number of threads, in any build.

use std::sync::atomic::AtomicU64;

use ratelab_core::{Record, Recorder, Seed, Time, WorkerId};
use ratelab_sim::Batch;
use ratelab_spec::Scenario;
use ratelab_stats::fingerprint::Fingerprint;

use crate::scenario;

/// A hash of a chunk's records.
#[derive(Default)]
struct Hash(Fingerprint);

impl Recorder for Hash {
    fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        self.0.record(at, worker, record);
    }
}

fn fingerprint(scenario: &Scenario, replications: u64, threads: usize) -> u64 {
    let done = AtomicU64::new(0);
    let batch = Batch {
        scenario,
        seed: Seed(7),
        replications,
        threads,
        done: &done,
    };
    let mut all = Fingerprint::default();
    for chunk in batch.run(|_| Hash::default()).expect("time moves on") {
        all.word(chunk.0.0);
    }
    assert_eq!(
        done.into_inner(),
        replications,
        "every replication is counted"
    );
    all.0
}

const BACKOFF: &str = "question = \"q\"\nduration = \"60s\"\n[fleet]\nworkers = 4\n[retry]\n\
    backoff = { exponential = { base = \"1s\", cap = \"30s\", jitter = { add = \"50%\" } } }\n\
    [[server.outage]]\nfrom = \"0s\"\nuntil = \"10s\"\nreply = { status = 429 }\n";

const POISSON: &str = "question = \"q\"\nduration = \"30s\"\n[fleet]\nworkers = 20\n\
    jobs = { poisson = { rate = \"30/s\" } }\n[network]\none-way = \"20ms\"\n[gate.shared]\n\
    limiter = { token-bucket = { rate = \"25/s\", burst = 5 } }\n\
    store = { round-trip = \"400us\" }\n";

const SHUFFLED: &str = "question = \"q\"\nduration = \"30s\"\nties = \"shuffled\"\n[fleet]\n\
    workers = 8\njobs = { closed-loop = { think = \"1s\" } }\n[server]\nservice = \"3ms\"\n\
    budget = { gcra = { rate = \"3/s\", burst = 2 } }\n";

#[test]
fn threads_change_nothing() {
    for text in [BACKOFF, POISSON, SHUFFLED] {
        let scenario = scenario(text);
        let one = fingerprint(&scenario, 100, 1);
        for threads in [1, 2, 3, 8] {
            assert_eq!(
                fingerprint(&scenario, 100, threads),
                one,
                "{threads} threads\n{text}"
            );
        }
    }
}

#[test]
fn committed_fingerprints_hold_in_every_build() {
    // The same when this crate is tested alone and with the whole workspace, and on every machine:
    // samples are made of our own arithmetic.
    let wanted = [
        (BACKOFF, 0x6405_888d_a507_ab28),
        (POISSON, 0xb36c_c0c6_b985_cc71),
        (SHUFFLED, 0xeb9c_9367_3495_9fad),
    ];
    let got: Vec<u64> = wanted
        .iter()
        .map(|(text, _)| fingerprint(&scenario(text), 100, 2))
        .collect();
    let wanted: Vec<u64> = wanted.iter().map(|(_, hash)| *hash).collect();
    assert_eq!(got, wanted, "{got:#x?}");
}
