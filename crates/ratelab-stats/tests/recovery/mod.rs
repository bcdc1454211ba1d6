//! Recovery shapes by hand: each label, and the numbers it is derived from.

use ratelab_core::RetryCause::{Backoff, Hint};
use ratelab_stats::{Recovery, Tally};

use crate::{plan, replication};

fn shape(tally: &Tally) -> (Recovery, impl Fn(&str) -> Option<f64>) {
    let metrics = tally.metrics();
    let recovery = tally.recovery(&metrics).remove(0);
    (recovery, move |name: &str| {
        metrics.get(name).map(|estimate| estimate.mean)
    })
}

#[test]
fn all_at_once_is_a_synchronised_burst() {
    let mut tally = Tally::new(plan());
    replication(&mut tally, 0, &[(&[0, 10_000][..], Backoff, true); 4]);
    let (recovery, value) = shape(&tally);
    assert_eq!(recovery.label, "synchronised burst");
    assert_eq!(value("recovery.peak-100ms"), Some(4.0));
    assert_eq!(value("recovery.synchrony"), Some(1.0));
    assert_eq!(value("recovery.pending"), Some(4.0));
    assert_eq!(value("recovery.first-success"), Some(0.0));
    assert_eq!(value("recovery.drained-100%"), Some(0.0));
    assert_eq!(value("requests.outage"), Some(4.0));
}

#[test]
fn one_after_the_other_is_a_staggered_ramp() {
    let mut tally = Tally::new(plan());
    let sends: [&[u64]; 4] = [&[0, 11_000], &[0, 13_000], &[0, 15_500], &[0, 18_750]];
    replication(&mut tally, 0, &sends.map(|sends| (sends, Backoff, true)));
    let (recovery, value) = shape(&tally);
    assert_eq!(recovery.label, "staggered ramp");
    assert_eq!(value("recovery.synchrony"), Some(0.25));
    assert_eq!(value("recovery.guided"), Some(0.0));
    assert_eq!(value("recovery.first-success"), Some(1.0));
    assert_eq!(
        value("recovery.drained-95%"),
        Some(8.75),
        "95 % of four jobs are all of them"
    );
    assert_eq!(value("recovery.extra-delay"), Some(8.75));
    assert_eq!(value("recovery.peak-1s"), Some(1.0));
}

#[test]
fn when_the_hint_spreads_them_they_follow_guidance() {
    let mut tally = Tally::new(plan());
    let sends: [&[u64]; 4] = [
        &[0, 5_000, 10_050],
        &[0, 5_100, 10_250],
        &[0, 5_300, 10_500],
        &[0, 5_400, 10_900],
    ];
    replication(&mut tally, 0, &sends.map(|sends| (sends, Hint, true)));
    let (recovery, value) = shape(&tally);
    assert_eq!(recovery.label, "follows guidance");
    assert_eq!(value("recovery.guided"), Some(1.0));
    assert_eq!(value("requests.outage"), Some(8.0));
}

#[test]
fn who_never_comes_back_is_stuck() {
    let mut tally = Tally::new(plan());
    let jobs: [(&[u64], _, bool); 4] = [
        (&[0, 12_000], Backoff, true),
        (&[0, 12_500], Backoff, false),
        (&[0, 20_000], Backoff, false),
        (&[0], Backoff, false),
    ];
    replication(&mut tally, 3, &jobs);
    let (recovery, value) = shape(&tally);
    assert_eq!(recovery.label, "never (stuck)");
    assert_eq!(value("recovery.drained-100%"), None);
    assert_eq!(value("jobs.pending"), Some(3.0));
    let chances = tally.chances();
    let stuck = chances
        .iter()
        .find(|chance| chance.outcome == "stuck")
        .expect("a chance");
    assert_eq!((stuck.hits, stuck.n, stuck.first), (1, 1, Some(3)));
}

#[test]
fn with_nothing_pending_there_is_nothing_to_name() {
    let mut tally = Tally::new(plan());
    replication(&mut tally, 0, &[(&[0][..], Backoff, true); 4]);
    let (recovery, value) = shape(&tally);
    assert_eq!(recovery.label, "–");
    assert_eq!(value("recovery.synchrony"), None);
}

#[test]
fn replications_that_disagree_show_their_shares() {
    let mut tally = Tally::new(plan());
    let apart: [&[u64]; 4] = [&[0, 11_000], &[0, 13_000], &[0, 15_500], &[0, 18_750]];
    for number in 0..3 {
        replication(
            &mut tally,
            number,
            &apart.map(|sends| (sends, Backoff, true)),
        );
    }
    replication(&mut tally, 3, &[(&[0, 10_000][..], Backoff, true); 4]);
    let (recovery, _) = shape(&tally);
    assert_eq!(recovery.label, "staggered ramp");
    assert_eq!(
        recovery.labels["staggered ramp"].to_bits(),
        0.75f64.to_bits()
    );
    assert_eq!(
        recovery.labels["synchronised burst"].to_bits(),
        0.25f64.to_bits()
    );
}

#[test]
fn one_job_alone_is_no_burst() {
    let mut tally = Tally::new(plan());
    replication(&mut tally, 0, &[(&[0, 10_000][..], Backoff, true)]);
    let (recovery, value) = shape(&tally);
    assert_eq!(recovery.label, "staggered ramp");
    assert_eq!(value("recovery.synchrony"), None);
}
