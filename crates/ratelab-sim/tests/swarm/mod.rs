//! Random scenarios with subsets of features, watched by the checker.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

use crate::checker::check;
use crate::{play, scenarios};

fn limiter() -> impl Strategy<Value = String> {
    let rate = select(vec!["1/s", "3/s", "7/s", "100/min", "0.3/s", "5/700ms"]);
    let name = select(vec![
        "token-bucket",
        "gcra",
        "fixed-window",
        "sliding-log",
        "leaky-bucket",
        "nginx",
    ]);
    (name, rate, 1u64..5).prop_map(|(name, rate, burst)| match name {
        "fixed-window" | "sliding-log" => format!("{{ {name} = {{ rate = \"{rate}\" }} }}"),
        "leaky-bucket" => format!("{{ {name} = {{ rate = \"{rate}\", queue = {burst} }} }}"),
        _ => format!("{{ {name} = {{ rate = \"{rate}\", burst = {burst} }} }}"),
    })
}

fn gate() -> impl Strategy<Value = String> {
    let kind = select(vec![
        "none",
        "per-worker",
        "static-share",
        "poll",
        "shared",
        "sidecar",
    ]);
    (kind, limiter(), 0u64..40_000).prop_map(|(kind, limiter, us)| match kind {
        "none" => "gate = \"none\"".to_owned(),
        "per-worker" => format!("gate = {{ per-worker = {{ limiter = {limiter} }} }}"),
        "static-share" => format!("gate = {{ static-share = {{ limiter = {limiter}, of = 3 }} }}"),
        "poll" => format!(
            "gate = {{ shared = {{ limiter = {limiter}, wait = {{ poll = \"{}us\" }} }} }}",
            us + 3_000
        ),
        "shared" => format!(
            "gate = {{ shared = {{ limiter = {limiter}, store = {{ round-trip = \"{us}us\" }} }} }}"
        ),
        _ => format!("gate = {{ sidecar = {{ limiter = {limiter}, hop = \"{us}us\" }} }}"),
    })
}

fn retry() -> impl Strategy<Value = String> {
    let jitter = select(vec![
        "\"none\"",
        "\"full\"",
        "\"equal\"",
        "{ add = \"50%\" }",
    ]);
    let attempts = select(vec!["", "attempts = 3,", "attempts = 7,"]);
    let hint = select(vec!["", "honour-retry-after = { jitter = \"0..300ms\" },"]);
    let flags = (any::<bool>(), any::<bool>());
    (attempts, hint, jitter, flags).prop_map(|(attempts, hint, jitter, (bypass, fixed))| {
        let backoff = if fixed {
            format!("fixed = {{ wait = \"333ms\", jitter = {jitter} }}")
        } else {
            format!("exponential = {{ base = \"100ms\", cap = \"3s\", jitter = {jitter} }}")
        };
        format!(
            "retry = {{ {attempts} {hint} bypass-limiter = {bypass}, backoff = {{ {backoff} }} }}"
        )
    })
}

fn jobs() -> impl Strategy<Value = &'static str> {
    select(vec![
        "{ batch = { per-worker = 3 } }",
        "{ constant = { every = \"123456us\" } }",
        "{ closed-loop = { think = \"77ms\" } }",
        "{ poisson = { rate = \"11/s\" } }",
    ])
}

fn outage() -> impl Strategy<Value = String> {
    let how = select(vec![
        "",
        "hang = true",
        "refuse = true",
        "reply = { status = 503 }",
        "reply = { status = 429, retry-after = \"1s\" }",
    ]);
    (how, 0u64..3_000_000, 1u64..3_000_000).prop_map(|(how, from, length)| match how {
        "" => String::new(),
        _ => format!(
            "[[server.outage]]\nfrom = \"{from}us\"\nuntil = \"{}us\"\n{how}\n",
            from + length
        ),
    })
}

prop_compose! {
    fn any_file()(
        fleet in (1u64..6, jobs(), 1u64..2_000, select(vec!["\"together\"",
            "{ spread = \"900ms\" }", "{ random = \"1s\" }"])),
        world in (1u64..60_000, 0u64..50_000, any::<bool>(), limiter()),
        gate in gate(), retry in retry(), outage in outage(),
        ties in select(vec!["fifo", "shuffled"]),
    ) -> String {
        let (workers, jobs, timeout, start) = fleet;
        let (one_way, service, counted, budget) = world;
        format!(
            "question = \"q\"\nduration = \"5s\"\nties = \"{ties}\"\n{gate}\n{retry}\n\
             [fleet]\nworkers = {workers}\njobs = {jobs}\ntimeout = \"{timeout}ms\"\n\
             start = {start}\n[network]\none-way = \"{one_way}us\"\n[server]\n\
             service = \"{service}us\"\nbudget = {budget}\ncount-refused = {counted}\n{outage}"
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 600,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn nothing_impossible_happens(file in any_file(), seed in any::<u64>()) {
        for (title, scenario) in scenarios(&file) {
            let verdict = check(&scenario, &play(&scenario, seed));
            prop_assert_eq!(verdict, Ok(()), "{}\n{}", title, file);
        }
    }
}
