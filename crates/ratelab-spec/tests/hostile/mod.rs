//! Files that nobody would write: too long, too many, a wrong value in every place.

use ratelab_spec::{Overrides, parse};

use super::{BASE, message, speaks_plainly};

#[test]
fn long_lines_and_large_sweeps_end_in_time() {
    let million = "x".repeat(1_000_000);
    let list = |count: usize| vec!["0"; count].join(", ");
    let swept = |n: usize| format!("\"measure.m{n}.from\" = [{}]\n", list(100));
    let axes: Vec<String> = (0..40).map(swept).collect();
    let sources = [
        format!("question = \"{million}\"\nduration = 60\nfleet.workers = 4\n"),
        format!("fleet = {{ {million} = 1, workers = 0 }}\nquestion = \"q\"\nduration = \"10s\"\n"),
        format!("{BASE}timeout = \"{million}\"\n"),
        format!("{BASE}[sweep]\n\"fleet.workers\" = [{}]\n", list(10_000)),
        format!("{BASE}[sweep]\n\"fleet.workers\" = [{}]\n", list(10_001)),
        format!("{BASE}[sweep]\n{}", axes.concat()),
    ];
    let mut text = String::new();
    for source in &sources {
        let message = message("long", source, &Overrides::default());
        // A flood is cut; its first error and its end say enough.
        let lines: Vec<&str> = message.lines().collect();
        let end = &lines[lines.len().saturating_sub(2).max(5.min(lines.len()))..];
        for line in lines.iter().take(5).chain(end) {
            text += &format!("{line}\n");
        }
    }
    assert!(
        text.lines().all(|line| line.chars().count() < 400),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

/// A file with most keys there are.
const RICH: &str = r#"
question = "q"
duration = "10s"
replications = 3
seed = 1
ties = "shuffled"
columns = ["served"]
arms = ["ideal"]
[fleet]
workers = 4
idle = 1
jobs = { constant = { every = "1s", count = 2 } }
begin = "1s"
start = { spread = "1s" }
timeout = "1s"
[gate.shared]
limiter = { token-bucket = { rate = "1/s", burst = 2 } }
store = { round-trip = "1ms" }
wait = { poll = "1s" }
[network]
one-way = "1ms"
[server]
service = "1ms"
budget = { nginx = { rate = "1/s", burst = 1, nodelay = true } }
count-refused = true
refusal = { status = 429, retry-after = "1s" }
[[server.outage]]
from = "0s"
until = "4s"
hang = true
[retry]
attempts = 3
on = ["429"]
honour-retry-after = { jitter = "0..1s" }
backoff = { exponential = { base = "1s", cap = "2s", factor = "200%", jitter = { add = "5%" } } }
bypass-limiter = true
[measure.x]
from = "1s"
until = "2s"
"#;

/// Where a value begins and ends: everything after an equals sign, up to its own end.
fn values(text: &str) -> Vec<(usize, usize)> {
    let starts = text.match_indices("= ").map(|(at, _)| at + 2);
    let end = |start: usize| {
        let mut depth = 0_i32;
        let ends = |(_, letter): &(usize, char)| {
            let closed = depth == 0 && matches!(letter, ',' | '\n' | '}' | ']');
            depth +=
                i32::from(matches!(letter, '{' | '[')) - i32::from(matches!(letter, '}' | ']'));
            closed || (depth == 0 && matches!(letter, ' ') && !text[start..].starts_with('"'))
        };
        let found = text[start..].char_indices().find(ends);
        (start, found.map_or(text.len(), |(at, _)| start + at))
    };
    starts.map(end).collect()
}

#[test]
fn the_walk_finds_all_that_the_types_find() {
    assert!(parse("mine.toml", RICH, &Overrides::default()).is_ok());
    let wrong = [
        "3",
        "-1",
        "1.5",
        "nan",
        "-inf",
        "0x1F",
        "1e9",
        "\"x\"",
        "\"\"",
        "\"10\"",
        "true",
        "[]",
        "{}",
        "[1]",
        "[\"429\", \"none\"]",
        "{ x = 1 }",
        "{ none = {} }",
        "2026-01-01",
        "\"none\"",
        "\"shared\"",
        "{ token-bucket = {}, gcra = {} }",
        "99999999999999999999999999999999999999999999",
        "18446744073709551615",
        "\"token-bucket\"",
        "[{}]",
        "\"nan%\"",
        "\"1/0\"",
        "{ add = \"1/3\" }",
    ];
    let theirs = [
        "invalid",
        "unknown field",
        "unknown variant",
        "missing field",
        "expected",
    ];
    let mut refused = 0;
    for (start, end) in values(RICH) {
        for value in wrong {
            let source = format!("{}{value}{}", &RICH[..start], &RICH[end..]);
            let Err(errors) = parse("mine.toml", &source, &Overrides::default()) else {
                continue;
            };
            refused += 1;
            let text = errors.to_string();
            speaks_plainly(&text);
            for words in theirs {
                assert!(!text.contains(words), "{words}: {value}\n{text}");
            }
        }
    }
    assert!(refused > 800, "{refused} files are refused");
}

#[test]
fn twenty_thousand_keys_end_in_time() {
    let keys: Vec<String> = (0..20_000).map(|n| format!("k{n} = {n}\n")).collect();
    let keys = keys.concat();
    let sources = [
        format!("{keys}{BASE}"),
        format!("{BASE}[variant.x]\n{keys}"),
        format!("{BASE}[measure]\n{keys}"),
    ];
    for source in sources {
        let text = message("keys", &source, &Overrides::default());
        assert!(
            text.ends_with("\n20000 errors; nothing was run\n"),
            "{text}"
        );
    }
}
