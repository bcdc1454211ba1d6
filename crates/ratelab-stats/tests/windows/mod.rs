//! Windows against brute force over every start.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use ratelab_core::{Budget, Span, Time};
use ratelab_stats::{overrun::Overrun, window::Sliding};

fn times(gaps: &[u64]) -> Vec<Time> {
    let mut now = Time::START;
    let mut list = Vec::new();
    for gap in gaps {
        now = now + Span::from_nanos(*gap);
        list.push(now);
    }
    list
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_fullest_window_is_found(
        gaps in prop::collection::vec(0u64..40, 1..100),
        width in 1u64..200,
    ) {
        let list = times(&gaps);
        let mut window = Sliding::new(Span::from_nanos(width), 0);
        for now in &list {
            window.add(*now, 1);
        }
        // A fullest half-open window may be moved until it begins with an event.
        let fullest = list.iter().map(|from| {
            list.iter().filter(|now| **now >= *from && now.since(*from).as_nanos() < width).count()
        });
        prop_assert_eq!(window.most(), fullest.max().expect("an event") as u64);
    }

    #[test]
    fn the_worst_overrun_is_that_of_some_window(
        gaps in prop::collection::vec(0u64..3_000_000_000, 1..60),
        burst in 1u64..5,
    ) {
        let list = times(&gaps);
        let rate = "2/s".parse().expect("a rate");
        let mut overrun = Overrun::new(Budget { rate, burst });
        for now in &list {
            overrun.add(*now, 1);
        }
        let mut worst = 0.0f64;
        for (first, from) in list.iter().enumerate() {
            for (count, until) in list[first..].iter().enumerate() {
                let allowed = until.since(*from).as_secs_f64() * 2.0 + burst as f64;
                worst = worst.max(count as f64 + 1.0 - allowed);
            }
        }
        prop_assert!((overrun.worst() - worst).abs() < 1e-6, "{} and {}", overrun.worst(), worst);
    }
}
