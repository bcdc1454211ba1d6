//! Errors of experiment files: what is wrong, where, what to write instead; all of them at once.

use std::fmt;
use std::ops::Range;

use crate::render;

/// One error.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpecError {
    /// The flag of the command line that it is in, as given; `None` for the file.
    pub flag: Option<String>,
    /// Where in the source, in bytes; `None` when it has no place there.
    pub span: Option<Place>,
    /// What is wrong.
    pub what: String,
    /// What stands under the caret.
    pub instead: String,
    /// A further hint.
    pub help: Option<String>,
}

/// A place in the source, in bytes; ordered by its begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl From<Range<usize>> for Place {
    fn from(range: Range<usize>) -> Self {
        let (start, end) = (range.start, range.end);
        Self { start, end }
    }
}

/// All errors of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecErrors {
    /// The file's name as given.
    pub path: String,
    /// Its text.
    pub source: String,
    /// What is wrong, in the file's order.
    pub list: Vec<SpecError>,
}

impl SpecErrors {
    /// One error of a file that has no text to point at.
    pub fn plain(path: &str, what: String, help: &str) -> Self {
        let help = Some(help.to_owned());
        let error = SpecError {
            what,
            help,
            ..SpecError::default()
        };
        Self {
            path: path.to_owned(),
            source: String::new(),
            list: vec![error],
        }
    }

    /// The whole message, as rustc would lay it out.
    pub fn render(&self, colour: bool) -> String {
        render::render(self, colour)
    }
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for SpecErrors {}

/// The longest word that a nearest one is looked for.
const LONGEST_WORD: usize = 64;

/// The candidate nearest to `word`, when it is near at all.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_WORD {
        return None;
    }
    let scored = candidates
        .into_iter()
        .map(|c| (strsim::jaro_winkler(word, c), c));
    scored
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

/// A hint: the candidate nearest to `word`, and all of them.
pub(crate) fn suggest(word: &str, known: &[&str], all: &str) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {all}"),
        None => all.to_owned(),
    }
}

/// Untrusted text, short enough for a message.
pub(crate) fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
