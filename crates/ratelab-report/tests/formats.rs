//! Every format as a snapshot.

use insta::assert_snapshot;
use ratelab_report::table::{FORMATS, Style, csv, format, github};

use crate::fixture;

fn of(name: &str, run: &fixture::Run, style: Style) -> String {
    (format(name).expect("a format").render)(&run.view(), &style)
}

#[test]
fn the_terminal_at_80_columns() {
    let text = of("table", &fixture::outage(), Style::default());
    assert!(text.lines().all(|line| line.chars().count() <= 80));
    assert_snapshot!(text);
}

#[test]
fn no_row_is_wider_than_the_terminal() {
    for run in [fixture::hostile(), fixture::crowd(), fixture::sweep()] {
        for width in [60, 80, 100, 160] {
            let text = of(
                "table",
                &run,
                Style {
                    colour: false,
                    width,
                },
            );
            // Expectations and notices are one line each, however long.
            let rows = text.lines().take_while(|line| !line.starts_with('✗'));
            for row in rows {
                assert!(row.chars().count() <= width, "{width}: {row}");
            }
        }
    }
}

#[test]
fn the_terminal_at_140_columns() {
    assert_snapshot!(of(
        "table",
        &fixture::troubled(),
        Style {
            colour: false,
            width: 140
        }
    ));
}

#[test]
fn colour_changes_nothing_but_the_mark() {
    let coloured = of(
        "table",
        &fixture::outage(),
        Style {
            colour: true,
            width: 110,
        },
    );
    assert!(coloured.contains("\u{1b}[1m"));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((front, back)) = rest.split_once('\u{1b}') {
        plain.push_str(front);
        rest = back.split_once('m').expect("a whole sequence").1;
    }
    plain.push_str(rest);
    let squeeze = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with('*'));
        lines
            .map(|l| {
                l.replace('*', "")
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect()
    };
    let bare = of(
        "table",
        &fixture::outage(),
        Style {
            colour: false,
            width: 110,
        },
    );
    assert_eq!(squeeze(&plain), squeeze(&bare));
}

#[test]
fn a_sweep_has_its_points_in_front() {
    assert_snapshot!(of("table", &fixture::sweep(), Style::default()));
}

#[test]
fn markdown() {
    assert_snapshot!(of("md", &fixture::troubled(), Style::default()));
}

#[test]
fn csv_long() {
    assert_snapshot!(of("csv", &fixture::sweep(), Style::default()));
}

#[test]
fn csv_timelines() {
    let text = csv::timelines(&fixture::outage().view());
    assert_eq!(text.lines().count(), 5 * 240 + 1);
    assert_snapshot!(text.lines().take(8).collect::<Vec<_>>().join("\n"));
}

#[test]
fn json_is_the_summary() {
    let run = fixture::troubled();
    let text = of("json", &run, Style::default());
    assert!(text.ends_with("}\n"));
    let back: ratelab_stats::Summary = serde_json::from_str(&text).expect("a summary");
    assert_eq!(back, run.summary);
}

#[test]
fn junit() {
    assert_snapshot!(of("junit", &fixture::troubled(), Style::default()));
}

#[test]
fn github_annotations() {
    assert_snapshot!(of("github", &fixture::troubled(), Style::default()));
}

#[test]
fn github_shows_ten_annotations_at_most() {
    let mut run = fixture::troubled();
    let failed = run.summary.expectations[2].clone();
    for count in [9, 10, 11, 500] {
        run.summary.expectations = vec![failed.clone(); count];
        let text = of("github", &run, Style::default());
        let commands = text.lines().filter(|line| line.starts_with("::")).count();
        assert_eq!(commands, 10, "{count} broken expectations");
    }
    assert!(text_of_last(&run).contains("491 more expectations do not hold"));
}

fn text_of_last(run: &fixture::Run) -> String {
    of("github", run, Style::default())
}

#[test]
fn a_step_summary_fits() {
    let mut run = fixture::outage();
    let row = run.summary.results[0].clone();
    run.summary.results = vec![row; 20_000];
    let text = github::step_summary(&run.view());
    assert!(text.len() < 1024 * 1024);
    assert!(text.ends_with("does not fit into a step summary of 1 MiB.\n"));
}

#[test]
fn names_are_unique_and_texts_end_in_one_line_break() {
    for (at, one) in FORMATS.iter().enumerate() {
        assert!(FORMATS[at + 1..].iter().all(|other| other.name != one.name));
        let text = (one.render)(&fixture::troubled().view(), &Style::default());
        assert!(
            text.ends_with('\n') && !text.ends_with("\n\n"),
            "{}",
            one.name
        );
    }
}
