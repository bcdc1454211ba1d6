//! A crowd that is counted against the same workers followed one by one: totals, and second by
//! second.

use ratelab_core::{JobEnd, Outcome, Record, Recorder, Seed, Time, WorkerId};
use ratelab_sim::{Cohort, World};
use ratelab_spec::{Fidelity, Scenario};

use crate::scenario;

/// What can be counted of either.
#[derive(Debug, Clone, Default)]
struct Counts {
    /// Requests in each second.
    seconds: Vec<f64>,
    /// Attempts by number, the fifth and later ones together.
    attempts: [f64; 5],
    served: f64,
    refused: f64,
    lost: f64,
    done: f64,
    failed: f64,
    pending: f64,
}

impl Counts {
    fn take(&mut self, at: Time, count: u32, record: &Record) {
        let many = f64::from(count);
        match *record {
            Record::Request { attempt } => {
                let second = usize::try_from(at.as_nanos() / 1_000_000_000).expect("few");
                self.seconds.resize(self.seconds.len().max(second + 1), 0.0);
                self.seconds[second] += many;
                self.attempts[(attempt as usize - 1).min(4)] += many;
            }
            Record::Answer { outcome, .. } if outcome.is_success() => self.served += many,
            Record::Answer {
                outcome: Outcome::Answer { .. },
                ..
            } => self.refused += many,
            Record::Answer { .. } => self.lost += many,
            Record::JobEnded {
                end: JobEnd::Done, ..
            } => self.done += many,
            Record::JobEnded { .. } => self.failed += many,
            Record::JobsPending { count, .. } => self.pending += many * count as f64,
            _ => {}
        }
    }

    fn totals(&self) -> Vec<(&'static str, f64)> {
        let [first, second, third, fourth, later] = self.attempts;
        vec![
            ("requests", self.seconds.iter().sum()),
            ("first attempts", first),
            ("second", second),
            ("third", third),
            ("fourth", fourth),
            ("later", later),
            ("served", self.served),
            ("refused", self.refused),
            ("lost", self.lost),
            ("done", self.done),
            ("failed", self.failed),
            ("pending", self.pending),
        ]
    }
}

impl Recorder for Counts {
    fn record(&mut self, at: Time, _: WorkerId, record: &Record) {
        self.take(at, 1, record);
    }

    fn crowd(&mut self, at: Time, count: u32, record: &Record) {
        self.take(at, count, record);
    }
}

fn both(text: &str) -> (Counts, Counts) {
    let counted = scenario(text);
    let followed = Scenario {
        fidelity: Fidelity::Worker,
        ..counted.clone()
    };
    let (mut crowd, mut workers) = (Counts::default(), Counts::default());
    for seed in 0..4 {
        Cohort::new(&counted).run(Seed(seed), &mut crowd);
        let mut world = World::new(&followed);
        world.run(Seed(seed), &mut workers).expect("time moves on");
    }
    (crowd, workers)
}

const HEAD: &str = "question = \"q\"\nduration = \"40s\"\nfidelity = \"cohort\"\n[fleet]\n\
    workers = 20000\nstart = { random = \"1s\" }\n";

const BACKS_OFF: &str = "jobs = { closed-loop = { think = { exponential = { mean = \"1s\" } } } }\n\
    [network]\none-way = { lognormal = { median = \"50ms\", sigma = \"50%\", cap = \"2s\" } }\n\
    [server]\nbudget = { token-bucket = { rate = \"4000/s\", burst = 4000 } }\n\
    service = \"25ms\"\n[retry]\n\
    backoff = { exponential = { base = \"2s\", cap = \"30s\", jitter = \"full\" } }\n";

const IS_DOWN: &str = "jobs = { closed-loop = { think = { uniform = { range = \"1s..3s\" } } } }\n\
    [network]\none-way = \"23ms\"\n[[server.outage]]\nfrom = \"5s\"\nuntil = \"15s\"\n\
    reply = { status = 503, retry-after = \"4s\" }\n[retry]\nattempts = 3\n\
    honour-retry-after = { jitter = \"0..2s\" }\n\
    backoff = { fixed = { wait = \"1s\", jitter = { add = \"50%\" } } }\n";

const HANGS: &str = "timeout = \"2500ms\"\n[network]\none-way = \"20ms\"\n[[server.outage]]\n\
    from = \"0s\"\nuntil = \"12s\"\nhang = true\n[[server.outage]]\nfrom = \"13s\"\n\
    until = \"14s\"\nrefuse = true\n[retry]\nattempts = 5\n\
    backoff = { exponential = { base = \"1s\", jitter = \"equal\" } }\n";

#[test]
fn a_crowd_does_what_its_workers_do() {
    for text in [BACKS_OFF, IS_DOWN, HANGS] {
        let (crowd, workers) = both(&format!("{HEAD}{text}"));
        for ((name, counted), (_, followed)) in crowd.totals().into_iter().zip(workers.totals()) {
            // Half a percent, or six standard deviations of a count where that is more.
            let near = (followed * 0.005).max(6.0 * followed.sqrt());
            assert!(
                (counted - followed).abs() <= near,
                "{name}: {counted}, {followed}\n{text}"
            );
        }
        let pairs = crowd.seconds.iter().zip(&workers.seconds);
        let apart: f64 = pairs
            .map(|(counted, followed)| (counted - followed).abs())
            .sum();
        let all: f64 = workers.seconds.iter().sum();
        assert!(
            apart / all < 0.015,
            "second by second: {:.3} %\n{text}",
            apart / all * 100.0
        );
    }
}

#[test]
fn nobody_is_lost() {
    let (crowd, _) = both(&format!("{HEAD}{HANGS}"));
    let ended = crowd.done + crowd.failed + crowd.pending;
    assert!(
        (ended - 80_000.0).abs() < 0.5,
        "{ended} of 4 times 20,000 jobs"
    );
}
