//! The simulator from outside: the article's rows by hand, invariants over random scenarios, and
//! the same records whatever the threads.

mod article;
mod checker;
mod cohort;
mod determinism;
mod queueing;
mod swarm;

use ratelab_core::{Record, Seed, Time, WorkerId};
use ratelab_sim::World;
use ratelab_spec::{Overrides, Scenario, parse};

/// All that happened, in order.
type Story = Vec<(Time, WorkerId, Record)>;

/// The scenarios of a file's text, by the title of their case.
fn scenarios(text: &str) -> Vec<(String, Scenario)> {
    let experiment = parse("test.toml", text, &Overrides::default());
    let experiment = experiment.unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    experiment
        .cases
        .into_iter()
        .map(|case| (case.title(), case.scenario))
        .collect()
}

/// The one scenario of a file's text.
fn scenario(text: &str) -> Scenario {
    scenarios(text).into_iter().next().expect("a case").1
}

/// One replication.
fn play(scenario: &Scenario, seed: u64) -> Story {
    let mut story = Story::new();
    World::new(scenario)
        .run(Seed(seed), &mut story)
        .expect("time moves on");
    story
}
