//! Scenarios that the benches and the gate share: one fleet in every placement.

use ratelab_spec::{Overrides, Scenario, parse};

/// Placements by name, each with its line of an experiment file.
pub const PLACEMENTS: [(&str, &str); 5] = [
    ("none", "gate = \"none\""),
    (
        "per-worker",
        "gate = { per-worker = { limiter = { token-bucket = { rate = \"1/s\" } } } }",
    ),
    (
        "static-share",
        "gate = { static-share = { of = 10000, \
         limiter = { token-bucket = { rate = \"10000/s\", burst = 10000 } } } }",
    ),
    (
        "shared",
        "gate = { shared = { store = { round-trip = \"400us\" }, \
         limiter = { token-bucket = { rate = \"12000/s\", burst = 100 } } } }",
    ),
    (
        "sidecar",
        "gate = { sidecar = { hop = \"200us\", \
         limiter = { nginx = { rate = \"2000/s\", burst = 100, nodelay = true } } } }",
    ),
];

/// The file of a closed loop of `workers` behind a network, four fifths of whose requests are
/// refused.
pub fn text(gate: &str, workers: u32, seconds: u32) -> String {
    format!(
        "question = \"what does an event cost?\"\nduration = \"{seconds}s\"\n{gate}\n[fleet]\n\
         workers = {workers}\njobs = {{ closed-loop = {{ think = \"1s\" }} }}\n\
         start = {{ random = \"1s\" }}\n[network]\none-way = \"20ms\"\n[server]\n\
         budget = {{ token-bucket = {{ rate = \"{rate}/s\", burst = {rate} }} }}\n",
        rate = (workers / 5).max(1)
    )
}

/// Its scenario.
///
/// # Panics
/// When the text is no valid experiment, which is a mistake in this file.
pub fn fleet(gate: &str, workers: u32, seconds: u32) -> Scenario {
    let text = text(gate, workers, seconds);
    let experiment = parse("bench.toml", &text, &Overrides::default());
    experiment
        .unwrap_or_else(|errors| panic!("{errors}"))
        .cases
        .remove(0)
        .scenario
}
