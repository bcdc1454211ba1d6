//! Errors as text, in rustc's layout: the line, carets under the place, what to write instead.
//!
//! What a file or a command line says is untrusted: characters that steer a terminal are shown as
//! pictures of themselves, long lines are cut, and a flood of errors ends after the first fifty.

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::error::{Place, SpecError, SpecErrors};

/// The most errors that are shown.
const MOST_SHOWN: usize = 50;
/// The widest line of source that is shown whole, in columns.
const WIDEST: usize = 140;

pub(crate) fn render(errors: &SpecErrors, colour: bool) -> String {
    let renderer = if colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.term_width(WIDEST);
    let mut text = String::new();
    for error in errors.list.iter().take(MOST_SHOWN) {
        text += &renderer.render(&[group(errors, error)]);
        text.push('\n');
    }
    let count = errors.list.len();
    if count > MOST_SHOWN {
        text += &format!("… and {} more\n", count - MOST_SHOWN);
    }
    let plural = if count == 1 { "" } else { "s" };
    text + &format!("{count} error{plural}; nothing was run\n")
}

fn group<'a>(errors: &'a SpecErrors, error: &'a SpecError) -> Group<'a> {
    let path = visible(&errors.path);
    let title = Level::ERROR.primary_title(visible(&error.what));
    let instead = Some(&error.instead).filter(|text| !text.is_empty());
    let group = match (&error.flag, error.span) {
        (None, Some(place)) => {
            let (number, line, place) = line(&errors.source, place);
            let mark = AnnotationKind::Primary.span(place.start..place.end);
            let mark = mark.label(instead.map(|text| visible(text)));
            let snippet = Snippet::source(line).path(path).line_start(number);
            title.element(snippet.annotation(mark))
        }
        (flag, _) => {
            let place = flag.as_ref().map_or(path, |flag| visible(flag));
            // Without a caret there is nothing for a caption to stand under.
            let hint = instead.filter(|_| error.help.is_none());
            let hint = hint.map(|text| Level::HELP.message(visible(text)));
            title.element(Origin::path(place)).elements(hint)
        }
    };
    let help = error.help.as_ref();
    group.elements(help.map(|help| Level::HELP.message(visible(help))))
}

/// The first line of a place: its number, its text, and the place within it.
fn line(source: &str, place: Place) -> (usize, Cow<'_, str>, Place) {
    let start = floor(source, place.start);
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = source[start..]
        .find('\n')
        .map_or(source.len(), |at| start + at);
    let line = source[line_start..line_end].trim_end_matches('\r');
    let number = source[..start].matches('\n').count() + 1;
    let start = (start - line_start).min(line.len());
    let end = floor(source, place.end.min(line_end)).saturating_sub(line_start);
    let end = end.min(line.len()).max(start);
    (number, same_length(line), Place { start, end })
}

/// The nearest character boundary at or below `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}

/// Control characters that the layout leaves alone, replaced so that no byte moves.
fn same_length(line: &str) -> Cow<'_, str> {
    let steers = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
    if line.contains(steers) {
        Cow::Owned(line.replace(steers, "·"))
    } else {
        Cow::Borrowed(line)
    }
}

/// Untrusted text with everything that steers a terminal made visible.
fn visible(text: &str) -> String {
    let picture = |c: char| match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('·'),
        '\u{7f}' => '␡',
        '\u{80}'..='\u{9f}' => '·',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        other => other,
    };
    text.chars().map(picture).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(visible("a\u{1b}[31m\nb\u{9b}\u{202e}"), "a␛[31m␊b·\u{fffd}");
        assert_eq!(same_length("x\u{9b}y").len(), "x\u{9b}y".len());
    }

    #[test]
    fn the_place_stays_in_its_line() {
        let source = "é = 1\r\nlong = \"x\r\ny\"\r\n";
        let at = source.find('"').expect("a quote");
        let place = Place::from(at..source.len());
        let (number, line, place) = line(source, place);
        assert_eq!((number, line.as_ref()), (2, "long = \"x"));
        assert_eq!(&line[place.start..place.end], "\"x");
    }

    #[test]
    fn a_flood_ends() {
        let error = SpecError {
            what: "wrong".to_owned(),
            ..SpecError::default()
        };
        let errors = SpecErrors {
            path: "mine.toml".to_owned(),
            source: String::new(),
            list: vec![error; 60],
        };
        let text = render(&errors, false);
        assert!(text.ends_with("… and 10 more\n60 errors; nothing was run\n"));
        assert!(!text.contains('\u{1b}'));
    }
}
