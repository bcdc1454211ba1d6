//! A server that works on a few requests at once, against Erlang's formula.

use ratelab_core::{Record, Recorder, Seed, Time, WorkerId};
use ratelab_sim::World;

use crate::scenario;

/// The mean time from arrival to success.
#[derive(Default)]
struct Sojourn {
    seconds: f64,
    count: f64,
}

impl Recorder for Sojourn {
    fn record(&mut self, at: Time, _: WorkerId, record: &Record) {
        if let Record::JobEnded { arrived, .. } = record {
            self.seconds += at.since(*arrived).as_secs_f64();
            self.count += 1.0;
        }
    }
}

/// The mean wait of M/M/c (Erlang 1917).
fn erlang_c(servers: u32, load: f64) -> f64 {
    let mut blocked = 1.0;
    for server in 1..=servers {
        blocked = load * blocked / (f64::from(server) + load * blocked);
    }
    let free = 1.0 - load / f64::from(servers);
    let waits = blocked / (1.0 - (1.0 - free) * (1.0 - blocked));
    waits / (f64::from(servers) - load)
}

#[test]
fn the_mean_wait_is_erlangs() {
    let wanted = 1.0 + erlang_c(8, 7.2);
    assert!(
        (wanted - 1.876_916).abs() < 1e-6,
        "the published figure: {wanted}"
    );
    let scenario = scenario(
        "question = \"q\"\nduration = \"7000s\"\n[fleet]\nworkers = 2000\n\
         jobs = { poisson = { rate = \"36 per 5s\" } }\ntimeout = \"1h\"\n[server]\n\
         service = { exponential = { mean = \"1s\" } }\nconcurrency = 8\n",
    );
    let mut world = World::new(&scenario);
    let means: Vec<f64> = (0..40)
        .map(|seed| {
            let mut sojourn = Sojourn::default();
            world.run(Seed(seed), &mut sojourn).expect("time moves on");
            sojourn.seconds / sojourn.count
        })
        .collect();
    let n = means.len() as f64;
    let mean = means.iter().sum::<f64>() / n;
    let variance = means.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (n - 1.0);
    // Student's t for 99.9 % and 39 degrees of freedom.
    let half = 3.558 * (variance / n).sqrt();
    assert!((mean - wanted).abs() < half, "{mean} ± {half} for {wanted}");
    assert!(half < 0.08, "the interval says something: {half}");
}
