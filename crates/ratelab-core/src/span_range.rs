//! SpanRange: a range of spans from which a wait is drawn.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::span::{Span, clip};
use crate::text::{self, TextError};

/// A closed range of spans, from which a wait is drawn evenly: `"0..500ms"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SpanRange {
    /// The shortest span.
    pub low: Span,
    /// The longest span, included.
    pub high: Span,
}

impl FromStr for SpanRange {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let instead = "write like \"0..500ms\" or \"100ms..1s\"";
        let (low, high) = text.split_once("..").ok_or_else(|| {
            TextError::new(
                format!("`{}` is not a range of durations", clip(text)),
                instead,
            )
        })?;
        let high: Span = high.parse()?;
        let low: Span = if low.trim() == "0" {
            Span::ZERO
        } else {
            low.parse()?
        };
        if low > high {
            return Err(TextError::new("this range ends before it starts", instead));
        }
        Ok(Self { low, high })
    }
}

impl fmt::Display for SpanRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

impl TryFrom<String> for SpanRange {
    type Error = TextError;
    fn try_from(text: String) -> Result<Self, TextError> {
        text.parse()
    }
}

impl From<SpanRange> for String {
    fn from(range: SpanRange) -> Self {
        range.to_string()
    }
}

impl JsonSchema for SpanRange {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DurationRange".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        text::schema(
            "duration-range",
            "Shortest and longest duration.",
            &["0..500ms"],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_ordered() {
        let range: SpanRange = "0..500ms".parse().expect("a range");
        assert_eq!(
            (range.low, range.high),
            (Span::ZERO, Span::from_millis(500))
        );
        assert!("2s..1s".parse::<SpanRange>().is_err());
        assert!("5s".parse::<SpanRange>().is_err());
    }
}
