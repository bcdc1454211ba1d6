//! The registry of metrics: every number that comes out is in it, and everything in it comes out.

use std::sync::Arc;

use ratelab_core::RetryCause::Backoff;
use ratelab_stats::{METRICS, Tally, metric};

use crate::{plan, replication};

fn tally() -> Tally {
    let mut tally = Tally::new(plan());
    let sends: [&[u64]; 4] = [&[0, 11_000], &[0, 13_000], &[0, 15_500], &[0, 18_750]];
    replication(&mut tally, 0, &sends.map(|sends| (sends, Backoff, true)));
    tally
}

#[test]
fn every_number_is_in_the_registry_with_its_unit() {
    for (name, estimate) in tally().metrics() {
        let metric = metric::find(&name).unwrap_or_else(|| panic!("{name} is not in the registry"));
        assert_eq!(metric.unit.name(), estimate.unit, "{name}");
    }
}

#[test]
fn every_metric_of_the_registry_comes_out() {
    let metrics = tally().metrics();
    // Without a gate nothing waits for a permit.
    let plain = METRICS.iter().filter(|metric| !metric.name.contains('<'));
    for metric in plain.filter(|metric| metric.name != "wait.p99") {
        assert!(
            metrics.contains_key(metric.name),
            "{} never comes out",
            metric.name
        );
    }
}

#[test]
fn families_are_found_by_their_members() {
    let members = [
        "status.418",
        "requests.comeback",
        "attempt.12.peak-100ms",
        "recovery-2.peak-1s",
    ];
    for name in members {
        assert!(metric::find(name).is_some(), "{name}");
    }
    for name in [
        "status.",
        "nonsense",
        "attempt..peak-100ms",
        "recovery-2.nonsense",
        "requests",
    ] {
        assert!(metric::find(name).is_none(), "{name}");
    }
}

#[test]
fn chunks_merge_into_what_one_pass_gives() {
    let sends: [&[u64]; 4] = [&[0, 10_000], &[0, 13_000], &[0, 15_500], &[0, 18_750]];
    let play = |tally: &mut Tally, number: u64| {
        let jobs = sends.map(|sends| {
            (
                &sends[..=usize::from(!number.is_multiple_of(3))],
                Backoff,
                true,
            )
        });
        replication(tally, number, &jobs);
    };
    let mut whole = Tally::new(plan());
    (0..9).for_each(|number| play(&mut whole, number));
    let mut parts = Tally::new(plan());
    for chunk in [0..4, 4..5, 5..9] {
        let mut part = Tally::new(Arc::clone(&plan()));
        chunk.for_each(|number| play(&mut part, number));
        parts.merge(&part);
    }
    let (one, two) = (whole.metrics(), parts.metrics());
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        two.keys().collect::<Vec<_>>()
    );
    for (name, estimate) in &one {
        let other = &two[name];
        assert!((estimate.mean - other.mean).abs() < 1e-9, "{name}");
        assert!((estimate.se - other.se).abs() < 1e-9, "{name}");
        assert_eq!(
            (estimate.min, estimate.max, estimate.n),
            (other.min, other.max, other.n),
            "{name}"
        );
    }
    assert_eq!(whole.series(), parts.series());
    assert_eq!(whole.chances(), parts.chances());
    assert_eq!(whole.events(), parts.events());
}
