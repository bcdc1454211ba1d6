//! Where a value comes from: the file, or a flag of the command line.
//!
//! A span is a range of bytes. Flags get ranges of their own past the end of the file, so that a
//! value keeps its place through every patch, whichever of the two it was written in.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::DeValue;

use crate::tree::{Key, Value};

/// The texts that values come from.
pub(crate) struct Places<'i> {
    file: &'i str,
    flags: Vec<(usize, String)>,
}

impl<'i> Places<'i> {
    pub(crate) fn new(file: &'i str) -> Self {
        let flags = Vec::new();
        Self { file, flags }
    }

    /// Adds a flag as given; returns where its text begins.
    pub(crate) fn add(&mut self, flag: String) -> usize {
        let last = self.flags.last();
        let start = last.map_or(self.file.len(), |(start, text)| start + text.len()) + 1;
        self.flags.push((start, flag));
        start
    }

    /// The flag that a span lies in, and where that begins.
    fn flag_at(&self, span: &Range<usize>) -> Option<&(usize, String)> {
        let before = |flag: &&(usize, String)| flag.0 <= span.start;
        self.flags.iter().rev().find(before)
    }

    /// The flag that a span lies in.
    pub(crate) fn flag(&self, span: &Range<usize>) -> Option<&str> {
        self.flag_at(span).map(|(_, text)| text.as_str())
    }

    /// What is written at a span.
    fn text(&self, span: &Range<usize>) -> Option<&str> {
        match self.flag_at(span) {
            Some((start, text)) => text.get(span.start - start..span.end - start),
            None => self.file.get(span.clone()),
        }
    }

    /// A value as it is written, on one line and without quotes.
    pub(crate) fn written(&self, value: &Value<'_>) -> String {
        let text = match value.get_ref() {
            DeValue::String(text) => text.as_ref(),
            _ => self.text(&value.span()).unwrap_or("?"),
        };
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        line.replace(char::is_control, "\u{fffd}")
    }
}

/// A value as TOML, else as text, so that shells need no second quotes; `at` is where it begins.
pub(crate) fn flag_value(text: &str, at: usize) -> Value<'_> {
    // Nothing stands at its equals sign.
    let whole = at - usize::from(text.is_empty())..at + text.len();
    match DeValue::parse(text) {
        Ok(value) => moved(value.into_inner(), whole, &|span| {
            at + span.start..at + span.end
        }),
        Err(_) => Spanned::new(whole, DeValue::String(text.into())),
    }
}

/// A value of which everything stands at one place.
pub(crate) fn placed<'i>(value: DeValue<'i>, at: &Range<usize>) -> Value<'i> {
    moved(value, at.clone(), &|_| at.clone())
}

fn moved<'i>(
    value: DeValue<'i>,
    at: Range<usize>,
    to: &dyn Fn(Range<usize>) -> Range<usize>,
) -> Value<'i> {
    let inner = |value: Value<'i>| {
        let span = to(value.span());
        moved(value.into_inner(), span, to)
    };
    let value = match value {
        DeValue::Table(table) => {
            let entry = |(key, value): (Key<'i>, Value<'i>)| {
                let place = to(key.span());
                let key: Cow<'i, str> = key.into_inner();
                (Spanned::new(place, key), inner(value))
            };
            DeValue::Table(table.into_iter().map(entry).collect())
        }
        DeValue::Array(items) => DeValue::Array(items.into_iter().map(inner).collect()),
        other => other,
    };
    Spanned::new(at, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_have_places_of_their_own() {
        let mut places = Places::new("a = 1\n");
        let first = places.add("--set b=[1,  2]".to_owned());
        let second = places.add("--set c=x".to_owned());
        let value = flag_value("[1,  2]", first + "--set b=".len());
        assert_eq!(places.written(&value), "[1, 2]");
        assert_eq!(places.flag(&value.span()), Some("--set b=[1,  2]"));
        let text = flag_value("x", second + "--set c=".len());
        assert_eq!(places.flag(&text.span()), Some("--set c=x"));
        assert_eq!(places.flag(&(0..1)), None);
        let DeValue::Array(items) = value.get_ref() else {
            panic!("a list");
        };
        assert_eq!(places.written(&items[1]), "2");
    }
}
