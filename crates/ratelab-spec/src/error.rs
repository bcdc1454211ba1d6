//! Errors of experiment files: what is wrong, where, what to write instead; all of them at once.

use std::fmt;
use std::ops::Range;

/// One error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// What is wrong.
    pub what: String,
    /// Where in the source, in bytes; `None` when it has no place there.
    pub span: Option<Range<usize>>,
    /// What stands under the caret.
    pub instead: String,
    /// A further hint.
    pub help: Option<String>,
}

/// All errors of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecErrors {
    /// The file's name as given.
    pub path: String,
    /// Its text.
    pub source: String,
    /// What is wrong.
    pub list: Vec<SpecError>,
}

/// The longest line that is shown whole.
const WIDEST: usize = 160;

impl SpecErrors {
    /// One error of a file that has no text to point at.
    pub fn plain(path: &str, what: String, help: &str) -> Self {
        let error = SpecError {
            what,
            span: None,
            instead: String::new(),
            help: Some(help.to_owned()),
        };
        Self {
            path: path.to_owned(),
            source: String::new(),
            list: vec![error],
        }
    }

    /// The whole message, as rustc would lay it out.
    pub fn render(&self, colour: bool) -> String {
        let (red, bold, off) = if colour {
            ("\x1b[31m", "\x1b[1m", "\x1b[0m")
        } else {
            ("", "", "")
        };
        let mut text = String::new();
        for error in &self.list {
            text += &format!("{red}error{off}{bold}: {}{off}\n", visible(&error.what));
            text += &self.place(error);
            if let Some(help) = &error.help {
                text += &format!("   = help: {}\n", visible(help));
            }
        }
        let count = self.list.len();
        text += &format!(
            "{count} error{}; nothing was run\n",
            if count == 1 { "" } else { "s" }
        );
        text
    }

    fn place(&self, error: &SpecError) -> String {
        let Some(span) = &error.span else {
            return format!("  --> {}\n", visible(&self.path));
        };
        let start = floor(&self.source, span.start);
        let line_start = self.source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.source[start..]
            .find('\n')
            .map_or(self.source.len(), |at| start + at);
        let number = self.source[..start].matches('\n').count() + 1;
        let column = self.source[line_start..start].chars().count() + 1;
        let end = floor(&self.source, span.end.min(line_end)).max(start);
        let carets = self.source[start..end].chars().count().clamp(1, WIDEST);
        let line = visible(self.source[line_start..line_end].trim_end());
        let pad = " ".repeat(number.to_string().len());
        let mut text = format!("{pad} --> {}:{number}:{column}\n", visible(&self.path));
        if line.chars().count() <= WIDEST {
            let blank = " ".repeat(column - 1);
            let under = format!("{blank}{} {}", "^".repeat(carets), visible(&error.instead));
            text += &format!("{pad} |\n{number} | {line}\n{pad} | {}\n", under.trim_end());
        } else {
            text += &format!("{pad} = note: {}\n", visible(&error.instead));
        }
        text
    }
}

/// The nearest character boundary at or below `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// Untrusted text with control characters made harmless, one column each.
fn visible(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

impl fmt::Display for SpecErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for SpecErrors {}

/// The candidate nearest to `word`, when it is near at all.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates
        .into_iter()
        .map(|c| (strsim::jaro_winkler(word, c), c));
    scored
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, c)| c)
}

/// What serde says, in our words: `(what, under the caret, help)`.
pub(crate) fn explain(message: &str) -> (String, String, Option<String>) {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    for (start, kind) in [("unknown field", "key"), ("unknown variant", "name")] {
        if message.starts_with(start) && !quoted.is_empty() {
            let near = nearest(quoted[0], quoted[1..].iter().copied());
            let all = quoted[1..].join(", ");
            let help = near.map_or_else(
                || format!("known here: {all}"),
                |near| format!("did you mean `{near}`? known here: {all}"),
            );
            return (
                format!("unknown {kind} `{}`", quoted[0]),
                format!("not a {kind} here"),
                Some(help),
            );
        }
    }
    if message.starts_with("invalid type: integer") && message.ends_with("expected a string") {
        let number = quoted.first().copied().unwrap_or("60");
        let instead = format!("write \"{number}s\" for a duration, \"{number}/s\" for a rate");
        return ("this value needs a unit".to_owned(), instead, None);
    }
    if let Some((what, instead)) = message.split_once(": at most ") {
        return (what.to_owned(), format!("at most {instead}"), None);
    }
    if let Some((what, instead)) = message.split_once(": write ") {
        return (what.to_owned(), format!("write {instead}"), None);
    }
    (message.to_owned(), String::new(), None)
}
