//! A decision of every limiter of the catalog, with the parameters of its example.
#![allow(missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ratelab_core::{Span, Time};
use ratelab_model::LimiterParams;

fn decide(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("limiter/decide");
    for entry in LimiterParams::ENTRIES {
        let table: toml::Table = entry.about.example.parse().expect("an example is TOML");
        let params: LimiterParams = table["limiter"]
            .clone()
            .try_into()
            .expect("an example is a limiter");
        let mut bank = params.role().bank(1);
        let mut now = Time::START;
        group.bench_function(BenchmarkId::from_parameter(entry.name()), |bencher| {
            bencher.iter(|| {
                now = now + Span::from_millis(300);
                bank.decide(0, now, 1)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, decide);
criterion_main!(benches);
