//! Laws that every catalog entry obeys; a new entry is tested by being listed, with the parameters
//! of its own example.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use ratelab_core::{Findings, Span, Time};
use ratelab_model::{Decision, LimiterParams};
use serde::Deserialize;

#[derive(Deserialize)]
struct Example {
    limiter: LimiterParams,
}

/// Every limiter with the parameters of its example.
fn limiters() -> Vec<(String, LimiterParams)> {
    let parse =
        |text: &str| toml::from_str::<Example>(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let entries = LimiterParams::ENTRIES.iter();
    entries
        .map(|entry| (entry.name(), parse(entry.about.example).limiter))
        .collect()
}

#[test]
fn examples_pass_their_own_checks() {
    for (name, limiter) in limiters() {
        let mut findings = Findings::default();
        limiter.role().check(&mut findings);
        assert!(findings.list().is_empty(), "{name}: {:?}", findings.list());
        assert_eq!(limiter.name(), name);
    }
}

/// When a request passes, now or at its reserved time.
fn passes(decision: Decision, now: Time) -> Option<Time> {
    match decision {
        Decision::Grant => Some(now),
        Decision::GrantAt(at) => Some(at),
        Decision::WaitUntil(_) | Decision::Never => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_wait_is_exact_and_refusing_changes_nothing(
        gaps in prop::collection::vec(0u64..3_000_000_000, 1..60),
    ) {
        for (name, limiter) in limiters() {
            let (mut asked, mut twin) = (limiter.role().bank(1), limiter.role().bank(1));
            let mut now = Time::START;
            for gap in &gaps {
                now = now + Span::from_nanos(*gap);
                let decision = asked.decide(0, now, 1);
                prop_assert_eq!(decision, twin.decide(0, now, 1), "{}", name);
                if let Decision::WaitUntil(at) = decision {
                    prop_assert!(at > now, "{} waits for the future", name);
                    let just_before = at.back(Span::from_nanos(1));
                    if just_before > now {
                        let early = asked.decide(0, just_before, 1);
                        prop_assert!(passes(early, just_before).is_none(), "{}", name);
                    }
                    // The twin was not asked in between: the refusals changed nothing.
                    let here = asked.decide(0, at, 1);
                    prop_assert!(passes(here, at).is_some(), "{} grants when it said", name);
                    prop_assert_eq!(here, twin.decide(0, at, 1), "{}", name);
                    now = at;
                }
            }
        }
    }

    #[test]
    fn no_window_holds_more_than_promised(
        gaps in prop::collection::vec(0u64..1_500_000_000, 1..80),
    ) {
        for (name, limiter) in limiters() {
            let Some(budget) = limiter.role().promise() else { continue };
            let mut bank = limiter.role().bank(1);
            let mut now = Time::START;
            let mut passed = Vec::new();
            for gap in &gaps {
                now = now + Span::from_nanos(*gap);
                passed.extend(passes(bank.decide(0, now, 1), now));
            }
            for (first, from) in passed.iter().enumerate() {
                for (count, until) in passed[first..].iter().enumerate() {
                    let window = *until - *from + limiter.role().tick();
                    let permits = u128::from(window.as_nanos()) * u128::from(budget.rate.permits());
                    let whole = permits / u128::from(budget.rate.per().as_nanos());
                    let bound = whole + u128::from(budget.burst);
                    prop_assert!((count as u128) < bound, "{}: {} in {}", name, count + 1, window);
                }
            }
        }
    }

    #[test]
    fn a_charge_closes_the_door_until_a_permit_is_back(at in 0u64..10_000_000_000) {
        for (name, limiter) in limiters() {
            let Some(budget) = limiter.role().promise() else { continue };
            let mut bank = limiter.role().bank(1);
            let now = Time::from_nanos(at);
            while passes(bank.decide(0, now, 1), now).is_some() {}
            bank.charge(0, now, 1);
            let decision = bank.decide(0, now, 1);
            prop_assert!(passes(decision, now).is_none(), "{} is closed after a charge", name);
            if let Decision::WaitUntil(back) = decision {
                let period = budget.rate.window().max(budget.rate.per()) + Span::SECOND;
                prop_assert!(back.since(now) <= period, "{} forgives within a period", name);
            }
        }
    }

    #[test]
    fn a_token_bucket_is_gcra(
        gaps in prop::collection::vec(0u64..1_000_000_000, 1..80),
        burst in 1u64..6,
        rate in 1u64..9,
    ) {
        let parse = |kind: &str| {
            let inner = format!("rate = \"{rate}/s\", burst = {burst}");
            let text = format!("limiter = {{ {kind} = {{ {inner} }} }}");
            toml::from_str::<Example>(&text).expect("an example").limiter
        };
        let mut bucket = parse("token-bucket").role().bank(1);
        let mut gcra = parse("gcra").role().bank(1);
        let mut now = Time::START;
        for gap in gaps {
            now = now + Span::from_nanos(gap);
            prop_assert_eq!(bucket.decide(0, now, 1), gcra.decide(0, now, 1));
        }
    }
}
