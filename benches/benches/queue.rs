//! The event queue under the hold model: take the earliest event, put one back later.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ratelab_core::{Actor, Purpose, Seed, Span, Time, WorkerId};
use ratelab_sim::event::{Event, Kind};
use ratelab_sim::queue::EventQueue;

fn hold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("queue/hold");
    for pending in [100u32, 10_000, 1_000_000] {
        let mut queue = EventQueue::new(pending as usize);
        let mut stream = Seed(1).stream(Actor::Server, Purpose::Arrival);
        for id in 0..pending {
            let at = Time::START + stream.span_up_to(Span::SECOND);
            queue.push(
                at,
                Event {
                    worker: WorkerId(id),
                    kind: Kind::Next,
                },
            );
        }
        group.bench_function(BenchmarkId::from_parameter(pending), |bencher| {
            bencher.iter(|| {
                let (at, event) = queue.pop(|_| {}).expect("it never empties");
                queue.push(at + stream.span_up_to(Span::SECOND), event);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, hold);
criterion_main!(benches);
