//! Random experiment files in whole milliseconds: every placement, retry, outage and arrival.

use proptest::prelude::*;
use proptest::sample::select;

/// A limiter whose answers are whole milliseconds.
fn limiter() -> impl Strategy<Value = String> {
    let name = select(vec![
        "token-bucket",
        "gcra",
        "fixed-window",
        "sliding-log",
        "leaky-bucket",
    ]);
    (name, select(vec!["1/s", "2/s", "4/s", "10/s", "5/2s"]))
        .prop_map(|(name, rate)| format!("{{ {name} = {{ rate = \"{rate}\" }} }}"))
}

fn gate() -> impl Strategy<Value = String> {
    let wait = select(vec![
        "\"computed\"",
        "{ poll = \"50ms\" }",
        "{ poll = \"7ms\" }",
    ]);
    let placement = select(vec![
        "none",
        "per-worker",
        "static-share",
        "shared",
        "sidecar",
    ]);
    (placement, limiter(), wait, 0u64..20).prop_map(
        |(placement, limiter, wait, ms)| match placement {
            "none" => "gate = \"none\"\n".to_owned(),
            "per-worker" => format!("gate = {{ per-worker = {{ limiter = {limiter} }} }}\n"),
            "static-share" => {
                format!("gate = {{ static-share = {{ limiter = {limiter}, of = 4 }} }}\n")
            }
            "shared" => format!(
                "gate = {{ shared = {{ limiter = {limiter}, wait = {wait}, \
                 store = {{ round-trip = \"{}ms\" }} }} }}\n",
                2 * ms
            ),
            _ => format!(
                "gate = {{ sidecar = {{ hop = \"{ms}ms\", limiter = {{ nginx = {{ \
                 rate = \"2/s\", burst = {ms}, nodelay = {} }} }} }} }}\n",
                ms % 2 == 0
            ),
        },
    )
}

fn jobs() -> impl Strategy<Value = &'static str> {
    select(vec![
        "{ batch = { per-worker = 1 } }",
        "{ batch = { per-worker = 5 } }",
        "{ constant = { every = \"300ms\" } }",
        "{ closed-loop = { think = \"1s\" } }",
        "{ closed-loop = { think = \"7ms\", count = 30 } }",
    ])
}

fn retry() -> impl Strategy<Value = &'static str> {
    select(vec![
        "retry = \"none\"\n",
        "retry = { backoff = { fixed = { wait = \"1s\" } } }\n",
        "retry = { attempts = 4, \
         backoff = { exponential = { base = \"100ms\", cap = \"2s\" } } }\n",
        "retry = { attempts = 6, honour-retry-after = {}, bypass-limiter = true, \
         backoff = { fixed = { wait = \"250ms\" } } }\n",
    ])
}

fn outage() -> impl Strategy<Value = String> {
    let how = select(vec![
        "",
        "hang = true",
        "refuse = true",
        "reply = { status = 503 }",
        "reply = { status = 429, retry-after = \"2s\" }",
    ]);
    (how, 0u64..3000, 1u64..4000).prop_map(|(how, from, length)| match how {
        "" => String::new(),
        how => {
            let until = from + length;
            format!("[[server.outage]]\nfrom = \"{from}ms\"\nuntil = \"{until}ms\"\n{how}\n")
        }
    })
}

/// A whole file.
pub(super) fn any_file() -> impl Strategy<Value = String> {
    let fleet = (1u64..7, jobs(), 1u64..2000, 0u64..4);
    let server = (0u64..60, 0u64..30, any::<bool>(), limiter());
    (fleet, server, gate(), retry(), outage()).prop_map(|(fleet, server, gate, retry, outage)| {
        let (workers, jobs, timeout, spread) = fleet;
        let (one_way, service, counted, budget) = server;
        // A fleet whose clock never moves would be refused; the network always takes a moment.
        format!(
            "question = \"q\"\nduration = \"8s\"\n{gate}{retry}[fleet]\nworkers = {workers}\n\
             jobs = {jobs}\ntimeout = \"{timeout}ms\"\nstart = {{ spread = \"{}ms\" }}\n\
             [network]\none-way = \"{}ms\"\n[server]\nservice = \"{service}ms\"\n\
             budget = {budget}\ncount-refused = {counted}\n{outage}",
            spread * workers,
            one_way + 1
        )
    })
}
