//! Placements in words: what `ratelab explain` says of each. The rules stand in [`crate::gate`].

use ratelab_core::catalog::About;

/// Name and description of each placement.
pub(crate) const ENTRIES: &[(&str, About)] = &[
    (
        "none",
        About {
            summary: "no limiter on the client's side",
            text: "Workers send as soon as they have a job or a retry is due.",
            source: "the article, repro.py",
            example: "gate = \"none\"",
        },
    ),
    (
        "per-worker",
        About {
            summary: "one limiter in each worker process: N workers send N times the rate",
            text: "Every worker is within its limit and the fleet is not: the violation is a \
                   property of the group. A burst multiplies in the same way.",
            source: "the article, its bug; AsyncLimiter at module scope under a pre-fork server",
            example: "gate = { per-worker = { limiter = { gcra = { rate = \"1/s\" } } } }",
        },
    ),
    (
        "static-share",
        About {
            summary: "rate ÷ N in each worker, with N as the configuration believes it",
            text: "Each worker gets the whole rate divided by `of`, and the burst divided by `of` \
                   but at least one. Right while `of` is the number of workers that work: a stale \
                   `of` multiplies the rate, an idle worker's share is lost, and workers that \
                   start together send together.",
            source: "the article, Fix 2",
            example: "gate = { static-share = \
                      { limiter = { gcra = { rate = \"1/s\" } }, of = 4 } }",
        },
    ),
    (
        "shared",
        About {
            summary: "one limiter in a store that all workers ask, at the price of a round trip",
            text: "A worker asks the store; the decision falls half-way through the round trip, \
                   atomically. Refused workers sleep as long as the limiter says (`wait = \
                   \"computed\"`) or ask again at an interval (`wait = { poll = \
                   \"50ms\" }`), \
                   which costs store operations. Nothing is reserved: all sleepers wake \
                   together and one of them wins.",
            source: "the article, Fix 1",
            example: "gate = { shared = { limiter = { gcra = { rate = \"1/s\" } } } }",
        },
    ),
    (
        "sidecar",
        About {
            summary: "a proxy in front of the server that refuses or delays",
            text: "No gate but a hop: workers send at once, and what is above the limit is refused \
                   by the proxy with `status` or delayed inside it. The origin is protected; the \
                   callers see every refusal. `key = \"client-address\"` gives each worker, on a \
                   host of its own, a budget of its own.",
            source: "the article, Fix 3; nginx limit_req",
            example: "gate = { sidecar = { limiter = { nginx = { rate = \"1/s\" } } } }",
        },
    ),
];
