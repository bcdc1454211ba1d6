//! Words that must not be committed: leftovers, and paths that only one machine has.
//!
//! The needles are written in pieces, so that this file does not find itself.

use super::tree::{extension, numbered};

/// A word and where it is not allowed.
struct Banned {
    needle: String,
    /// Only in files with these extensions; in every file if empty.
    only: &'static [&'static str],
    why: &'static str,
}

const CODE: &[&str] = &["rs"];
const WRITTEN: &[&str] = &["rs", "md", "toml", "html", "css", "js", ""];
const EVERYWHERE: &[&str] = &[];
const MACHINE: &str = "a path of one machine";
const LEFTOVER: &str = "finish it, or write it in an issue";
const TEST: &str = "a test that tests nothing";

fn list() -> Vec<Banned> {
    let entry = |pieces: [&str; 2], only, why| Banned {
        needle: pieces.concat(),
        only,
        why,
    };
    vec![
        entry(["/wo", "rk/"], EVERYWHERE, MACHINE),
        entry(["/ro", "ot/"], EVERYWHERE, MACHINE),
        entry(["sha", "red/"], EVERYWHERE, MACHINE),
        entry(["../sha", "red/"], EVERYWHERE, MACHINE),
        entry(["/.libr", "ary"], EVERYWHERE, MACHINE),
        entry(["before", "-stop"], EVERYWHERE, MACHINE),
        entry(["to", "do!("], CODE, LEFTOVER),
        entry(["unimple", "mented!("], CODE, LEFTOVER),
        entry(["db", "g!("], CODE, LEFTOVER),
        entry(["#[ign", "ore"], CODE, TEST),
        entry(["assert!(tr", "ue"], CODE, TEST),
        entry(["FIX", "ME"], WRITTEN, LEFTOVER),
        entry(["TO", "DO"], WRITTEN, LEFTOVER),
        entry(["X", "XX"], WRITTEN, LEFTOVER),
    ]
}

/// The banned words of a file.
pub(super) fn banned(path: &str, text: &str) -> Vec<String> {
    let list = list();
    let here = |entry: &&Banned| entry.only.is_empty() || entry.only.contains(&extension(path));
    let mut found = Vec::new();
    for entry in list
        .iter()
        .filter(here)
        .filter(|entry| text.contains(&entry.needle))
    {
        found.extend(
            numbered(text)
                .filter(|(_, line)| has_word(line, &entry.needle))
                .map(|(number, _)| format!("{path}:{number}: `{}`: {}", entry.needle, entry.why)),
        );
    }
    found
}

/// Whether a line has a needle that is no part of a longer word or path.
fn has_word(line: &str, needle: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || "_-/".contains(letter);
    line.match_indices(needle).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + needle.len()..].chars().next();
        let ends_open = needle.ends_with(['/', '(']) || needle.starts_with("#[");
        let starts_open = needle.starts_with(['/', '.', '#']);
        (starts_open || !before.is_some_and(part)) && (ends_open || !after.is_some_and(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_found() {
        for entry in list() {
            let text = format!("fine\nsee {} here\n", entry.needle);
            let found = banned("a.rs", &text);
            let wanted = format!("a.rs:2: `{}`: {}", entry.needle, entry.why);
            assert!(found.contains(&wanted), "{wanted}: {found:?}");
        }
    }

    #[test]
    fn parts_of_words_are_not() {
        let triple = ["X", "XX"].concat();
        let folder = ["sha", "red/"].concat();
        for fine in [
            format!("mktemp a.{triple}{triple}"),
            format!("src/gate/{folder}mod.rs"),
        ] {
            assert_eq!(banned("a.rs", &fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn a_path_is_found_wherever_it_stands() {
        let home = ["/ro", "ot/"].concat();
        for text in [format!("\"{home}x\""), format!("file://{home}.cargo")] {
            assert_eq!(banned("a.svg", &text).len(), 1, "{text}");
        }
    }

    #[test]
    fn words_of_code_may_stand_in_prose() {
        assert_eq!(banned("a.md", &["to", "do!("].concat()), [""; 0]);
    }
}
