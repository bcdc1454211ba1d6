//! Every invalid file has its whole message in the snapshot; none panics or hangs.

use ratelab_spec::{Overrides, parse};

mod hostile;

/// The smallest valid file, to which each case adds or from which it changes something.
const BASE: &str = "question = \"q\"\nduration = \"10s\"\n[fleet]\nworkers = 4\n";

/// `(what is tried, the file)`; a leading `+` is added to the base.
const CASES: &str = include_str!("invalid.txt");

/// A file with an outage, a variant and a sweep, for changes from the command line.
const WHOLE: &str = r#"
question = "q"
duration = "10s"
[fleet]
workers = 4
[[server.outage]]
from = "0s"
until = "4s"
hang = true
[variant.naive]
[variant.own]
"fleet.workers" = 2
retry = "none"
[sweep]
seed = [1, 2]
"#;

fn cases() -> Vec<(String, String)> {
    let blocks = CASES
        .split("\n### ")
        .map(|block| block.trim_start_matches("### "));
    blocks
        .filter_map(|block| block.split_once('\n'))
        .map(|(name, body)| match body.strip_prefix("+\n") {
            Some(more) => (name.to_owned(), format!("{BASE}{more}")),
            None => (name.to_owned(), body.to_owned()),
        })
        .collect()
}

/// The message of a file that must not pass.
fn message(name: &str, source: &str, overrides: &Overrides) -> String {
    match parse("mine.toml", source, overrides) {
        Ok(_) => panic!("{name} passes:\n{source}"),
        Err(errors) => errors.to_string(),
    }
}

fn set(values: &[&str]) -> Overrides {
    let set = values.iter().map(ToString::to_string).collect();
    Overrides {
        set,
        ..Overrides::default()
    }
}

fn lists(values: &[&str]) -> Overrides {
    let lists = values.iter().map(ToString::to_string).collect();
    Overrides {
        lists,
        ..Overrides::default()
    }
}

/// Fails when a message speaks of types that only the code has.
fn speaks_plainly(text: &str) {
    let words = [
        "serde", "u64", "i128", "untagged", "visitor", "Params", "enum",
    ];
    for word in words {
        let line = text.lines().find(|line| line.contains(word));
        assert_eq!(line, None, "`{word}`");
    }
    let steers = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(!text.contains(steers), "a control character is left");
}

#[test]
fn every_mistake_has_its_message() {
    let cases = cases();
    assert!(cases.len() >= 120, "{} cases", cases.len());
    let mut text = String::new();
    for (name, source) in &cases {
        let error = message(name, source, &Overrides::default());
        text += &format!("### {name}\n{error}\n");
    }
    speaks_plainly(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn every_flag_has_its_message() {
    let deep = format!("{}=1", vec!["a"; 65].join("."));
    let nested = format!("fleet.workers={}1{}", "[".repeat(70), "]".repeat(70));
    let sets = [
        "fleet.workers",
        "=5",
        " = 5",
        "fleet..workers=5",
        "fleet.=5",
        "fleet.wrkers=5",
        "fleet.workers=four",
        "fleet.workers=0",
        "fleet.workers.count=5",
        "duration=60",
        "duration.x=60",
        "question=3",
        "retry={ backoff = { fixd = { wait = 1 } } }",
        "retry=non",
        "server.outage.1.until=5s",
        "server.outage.0.until=soon",
        "server.outage.0.until=\u{1b}[31m",
        "server.outage.x=5s",
        "duration=",
        "gate={ per-worker = {}, shared = { limiter = 1 } }",
        "variant.naive=1",
        "sweep.seed=1",
        &deep,
        &nested,
    ];
    let list = [
        "fleet.workers",
        "fleet.workers=",
        "fleet.workers=1,,2",
        "fleet.workers=1,0,x",
        "fleet.wrkers=1,2",
        "=1,2",
        "expect.naive=1,2",
        "duration=5s,60",
    ];
    let mut text = String::new();
    for one in sets {
        let error = message(one, WHOLE, &set(&[one]));
        text += &format!("### --set {}\n{error}\n", one.escape_debug());
    }
    for one in list {
        let error = message(one, WHOLE, &lists(&[one]));
        text += &format!("### -L {}\n{error}\n", one.escape_debug());
    }
    speaks_plainly(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn flags_change_what_they_name() {
    let read = |overrides: &Overrides| parse("mine.toml", WHOLE, overrides).expect("a fine file");
    let plain = read(&Overrides::default());
    assert_eq!(
        plain.cases.len(),
        8,
        "two variants and two arms at two points"
    );

    let values = ["fleet.workers=8", "server.outage.0.until=5s", "seed=7"];
    let changed = read(&set(&values));
    assert!(changed.sweep.is_empty(), "a key that is set is not swept");
    for case in &changed.cases {
        assert_eq!(case.scenario.fleet.workers, 8, "{}", case.title());
        let until = case.scenario.server.outage[0].until;
        assert_eq!(until.to_string(), "5s", "{}", case.title());
    }

    let swept = read(&lists(&["seed=3", "fleet.timeout= 1s, \"2s\""]));
    let values = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    let wanted = [
        ("seed".to_owned(), values(&["3"])),
        ("fleet.timeout".to_owned(), values(&["1s", "2s"])),
    ];
    assert_eq!(swept.sweep, wanted);
    assert_eq!(
        swept.cases[0].title(),
        "naive, seed = 3, fleet.timeout = 1s"
    );
}

#[test]
fn the_excerpt_of_a_crlf_file_is_one_line() {
    let source = format!("{BASE}timeout = 10\nidle = 1.5\n").replace('\n', "\r\n");
    insta::assert_snapshot!(message("crlf", &source, &Overrides::default()));
}

#[test]
fn the_base_is_valid_with_and_without_crlf_and_bom() {
    for source in [
        BASE.to_owned(),
        BASE.replace('\n', "\r\n"),
        format!("\u{feff}{BASE}"),
    ] {
        let read = parse("mine.toml", &source, &Overrides::default());
        assert_eq!(
            read.map(|experiment| experiment.cases.len())
                .map_err(|e| e.to_string()),
            Ok(1)
        );
    }
}

#[test]
fn colour_is_for_terminals_only() {
    let errors = parse("mine.toml", "", &Overrides::default()).expect_err("an empty file");
    assert!(errors.render(true).contains("\u{1b}["));
    assert!(!errors.render(false).contains('\u{1b}'));
}

#[test]
fn flags_leave_expectations_out_and_typos_do_not() {
    let file = format!(
        "{BASE}[sweep]\n\"fleet.workers\" = [1, 2]\n[expect.\"fleet.workers = 2\"]\nserved = 2\n"
    );
    let lists = vec!["fleet.workers=1,3".to_owned()];
    let flags = Overrides {
        lists,
        ..Overrides::default()
    };
    let read = parse("mine.toml", &file, &flags).map_err(|errors| errors.to_string());
    let read = read.map(|experiment| (experiment.left_out, experiment.expectations.len()));
    assert_eq!(read, Ok((1, 0)));
    let typo = file.replace("= 2\"]", "= 3\"]");
    assert!(parse("mine.toml", &typo, &Overrides::default()).is_err());
}
