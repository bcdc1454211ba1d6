//! Names that want to break out, in every format.

use ratelab_report::table::{Style, csv, format, github};
use ratelab_report::{chart, page};

use crate::fixture;

fn of(name: &str) -> String {
    (format(name).expect("a format").render)(&fixture::hostile().view(), &Style::default())
}

/// Nothing in a text acts on the terminal, hides or reverses.
fn assert_visible(text: &str, what: &str) {
    for c in text.chars() {
        let acts = c.is_control() && c != '\n'
            || ('\u{202a}'..='\u{202e}').contains(&c)
            || c == '\u{fffe}';
        assert!(!acts, "{what} holds {:?}", c.escape_unicode().to_string());
    }
}

#[test]
fn terminal() {
    let text = of("table");
    assert_visible(&text, "the table");
    assert!(text.contains("\\u{1b}"));
}

#[test]
fn markdown() {
    let text = of("md");
    assert_visible(&text, "Markdown");
    assert!(!text.contains("<script"));
    let bars = |line: &str| line.replace("\\|", "").matches('|').count();
    let rows: Vec<usize> = text
        .lines()
        .filter(|l| l.starts_with("| "))
        .map(bars)
        .collect();
    assert_eq!(rows.len(), 7);
    assert!(rows.iter().all(|n| *n == rows[0]), "{rows:?}");
}

#[test]
fn csv_cells_do_not_run() {
    let run = fixture::hostile();
    for text in [of("csv"), csv::timelines(&run.view())] {
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        for record in reader.records() {
            let record = record.expect("equal lengths");
            assert!(!record[0].starts_with(['=', '+', '-', '@']), "{record:?}");
            assert_visible(&record[0], "CSV");
        }
    }
}

#[test]
fn junit() {
    let text = of("junit");
    assert_visible(&text, "JUnit");
    assert!(!text.contains("<script"));
    assert_eq!(text.matches("<testcase").count(), 3);
}

#[test]
fn github_commands_cannot_be_forged() {
    let text = of("github");
    assert_visible(&text, "the commands");
    // One broken expectation, one notice, one closing line.
    let starts: Vec<&str> = text.lines().map(|l| l.split(' ').next().unwrap()).collect();
    assert_eq!(starts, ["::error", "::notice", "ratelab"]);
    let properties = text
        .lines()
        .next()
        .unwrap()
        .strip_prefix("::error ")
        .unwrap();
    let properties = properties.split("::").next().unwrap();
    assert_eq!(properties.matches(',').count(), 2, "{properties}");
    assert!(github::step_summary(&fixture::hostile().view()).contains("&lt;script"));
}

#[test]
fn pages_and_pictures_run_only_their_own_script() {
    let run = fixture::hostile();
    for (name, bytes) in page::render(&run.view(), &run.source) {
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        match name.as_str() {
            "index.html" => {
                assert_eq!(
                    text.matches("<script").count(),
                    2,
                    "the data and the script"
                );
                assert_eq!(text.matches("</script").count(), 2);
                assert_eq!(text.matches("</pre").count(), 2);
                assert!(text.contains("default-src 'none'"));
                assert_visible(&text, &name);
            }
            "README.md" => {
                // Inside a fence everything is text.
                let prose: Vec<&str> = text.split("```").step_by(2).collect();
                assert!(!prose.join("").contains("<script"));
            }
            _ if name.starts_with("charts/") => {
                assert!(!text.contains("<script"), "{name}");
                assert_visible(&text, &name);
            }
            _ => {}
        }
    }
    assert!(!chart::charts(&run.view()).is_empty());
}
