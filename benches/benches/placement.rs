//! Whole runs: 10,000 workers for ten seconds in every placement, events a second.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use ratelab_benches::{PLACEMENTS, fleet};
use ratelab_core::{Record, Recorder, Seed, Time, WorkerId};
use ratelab_sim::World;

/// Keeps the number of events alone.
#[derive(Default)]
struct Events(u64);

impl Recorder for Events {
    fn record(&mut self, _: Time, _: WorkerId, _: &Record) {}
    fn end(&mut self, _: Time, events: u64) {
        self.0 = events;
    }
}

fn run(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("placement/10k");
    group.sample_size(10);
    for (name, gate) in PLACEMENTS {
        let mut world = World::new(&fleet(gate, 10_000, 10));
        let mut events = Events::default();
        world.run(Seed(1), &mut events).expect("time moves on");
        group.throughput(Throughput::Elements(events.0));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter(|| world.run(Seed(1), &mut ()));
        });
    }
    group.finish();
}

criterion_group!(benches, run);
criterion_main!(benches);
