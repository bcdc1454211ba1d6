//! Every invalid file has its whole message in the snapshot; none panics or hangs.

use ratelab_spec::{Overrides, parse};

/// The smallest valid file, to which each case adds or from which it changes something.
const BASE: &str = "question = \"q\"\nduration = \"10s\"\n[fleet]\nworkers = 4\n";

/// `(what is tried, the file)`; a leading `+` is added to the base.
const CASES: &str = include_str!("invalid.txt");

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

#[test]
fn every_mistake_has_its_message() {
    let cases = cases();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let mut text = String::new();
    for (name, source) in &cases {
        let error = parse("mine.toml", source, &Overrides::default());
        let error = error
            .err()
            .unwrap_or_else(|| panic!("{name} passes:\n{source}"));
        text += &format!("### {name}\n{error}\n");
    }
    insta::assert_snapshot!(text);
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
