//! The words of error messages: kinds of values, kinds of alternatives, texts in a format.

use std::ops::RangeInclusive;

use ratelab_core::{Rate, Ratio, Span, SpanRange, TextError};
use toml::de::DeValue;

use crate::error::{clip, suggest};
use crate::shape::Shape;

/// What a value is.
pub(crate) fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or a time of day",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// What a place wants.
pub(crate) fn wanted(shape: &Shape<'_>) -> &'static str {
    match shape {
        Shape::Table => "a table",
        Shape::List(_) => "a list",
        Shape::Choice(choice) if choice.tagged.is_empty() && choice.plain.is_none() => "a name",
        Shape::Choice(choice) if choice.words.is_empty() => "a table",
        Shape::Choice(_) => "a name or a table",
        Shape::Whole(..) => "a whole number",
        Shape::Text(Some("duration")) => "a duration",
        Shape::Text(Some("duration-range")) => "a range of durations",
        Shape::Text(Some("rate")) => "a rate",
        Shape::Text(Some("ratio")) => "a ratio",
        Shape::Text(_) => "text",
        Shape::Flag => "true or false",
        Shape::Any => "something else",
    }
}

/// A kind of alternatives: its name, and the list that shows all.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// `limiter`.
    pub(crate) name: &'static str,
    list: Option<&'static str>,
}

impl Kind {
    /// The kind of a type's alternatives.
    pub(crate) fn of(type_name: &str) -> Self {
        let (name, list) = match type_name {
            "LimiterParams" => ("limiter", Some("limiters")),
            "BackoffParams" => ("backoff", Some("backoffs")),
            "ArrivalParams" => ("arrival process", Some("arrivals")),
            "GateParams" => ("placement", Some("placements")),
            "RetryParams" => ("retry preset", None),
            "Delay" => ("distribution", Some("delays")),
            "Jitter" => ("jitter", None),
            "Ties" => ("order of ties", None),
            "Fidelity" => ("fidelity", None),
            "Arm" => ("arm", None),
            "Class" => ("outcome", None),
            "Key" => ("sidecar key", None),
            "StartParams" => ("start", None),
            "WaitParams" => ("way to wait", None),
            _ => ("name", None),
        };
        Self { name, list }
    }

    /// With its article.
    pub(crate) fn one(self) -> String {
        let vowel = self.name.starts_with(['a', 'e', 'i', 'o', 'u']);
        format!("{} {}", if vowel { "an" } else { "a" }, self.name)
    }

    /// Where all alternatives are shown.
    pub(crate) fn all(self, names: &[&str]) -> String {
        match self.list {
            Some(list) => format!("`ratelab list {list}` shows all"),
            None => format!("known here: {}", names.join(", ")),
        }
    }

    /// What helps against an unknown alternative.
    pub(crate) fn help(self, word: &str, names: &[&str]) -> String {
        suggest(word, names, &self.all(names))
    }
}

/// Reads a text in one of our formats; the parser's own words when that fails.
pub(crate) fn read(format: &str, text: &str) -> Result<(), TextError> {
    match format {
        "duration" => text.parse::<Span>().map(drop),
        "duration-range" => text.parse::<SpanRange>().map(drop),
        "rate" => text.parse::<Rate>().map(drop),
        "ratio" => text.parse::<Ratio>().map(drop),
        _ => Ok(()),
    }
}

/// What to say of a bare number where a format wants its unit: what is wrong, what to write.
pub(crate) fn bare(format: &str, number: &str) -> (String, String) {
    let short = clip(number);
    let (what, write) = match format {
        "duration" => ("a duration needs a unit", format!("{short}s")),
        "duration-range" => ("a range of durations has two ends", format!("0..{short}s")),
        "rate" => ("a rate needs a period", format!("{short}/s")),
        "ratio" => ("a ratio needs a % or a /", percent(number)),
        _ => ("this is text", short),
    };
    (what.to_owned(), format!("write \"{write}\""))
}

/// A fraction as percent; a whole number is taken for one already.
fn percent(number: &str) -> String {
    match number.parse::<f64>() {
        Ok(share) if number.contains('.') && share.is_finite() => {
            format!("{}%", (share * 1e6).round() / 1e4)
        }
        _ => format!("{}%", clip(number)),
    }
}

/// What to say of a whole number outside its bounds; `None` when it is fine.
pub(crate) fn bounds(
    number: Option<i128>,
    negative: bool,
    range: &RangeInclusive<i128>,
) -> Option<(&'static str, String)> {
    let (low, high) = (range.start(), range.end());
    match number {
        Some(number) if range.contains(&number) => None,
        _ if negative && *low == 0 => Some(("is never negative", "write 0 or more".to_owned())),
        Some(number) if number < *low => Some(("is too small", format!("write {low} or more"))),
        _ => Some(("is too large", format!("write at most {high}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_numbers_get_the_unit_of_their_place() {
        let cases = [
            ("duration", "60", "write \"60s\""),
            ("rate", "5", "write \"5/s\""),
            ("ratio", "0.5", "write \"50%\""),
            ("ratio", "5", "write \"5%\""),
            ("duration-range", "2", "write \"0..2s\""),
        ];
        for (format, number, write) in cases {
            assert_eq!(bare(format, number).1, write, "{format} {number}");
        }
    }

    #[test]
    fn numbers_have_bounds() {
        let range = 0..=65_535;
        assert_eq!(bounds(Some(65_535), false, &range), None);
        let small = bounds(Some(-1), true, &range).expect("too small");
        assert_eq!(small.0, "is never negative");
        let large = bounds(None, false, &range).expect("too large");
        assert_eq!(large.1, "write at most 65535");
    }
}
