//! Values that are written as text in experiment files: what every one of them needs.
//!
//! A duration, a rate and a ratio are strings with a unit, never bare numbers. They share one error
//! type, which says what is wrong and what to write instead, and one way into a JSON Schema: a
//! string with a `format` of ours, by which the file reader knows which parser to try on a leaf.

use std::fmt;

use schemars::Schema;

/// Why a text is not the value it should be, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextError {
    /// What is wrong, one sentence in lower case without a full stop.
    pub what: String,
    /// What to write instead; goes under the caret.
    pub instead: String,
}

impl TextError {
    /// An error from its two halves.
    pub fn new(what: impl Into<String>, instead: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            instead: instead.into(),
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.instead)
    }
}

impl std::error::Error for TextError {}

/// The JSON Schema of a text value: a string with a `format` of ours and examples for editors.
pub fn schema(format: &str, about: &str, examples: &[&str]) -> Schema {
    schemars::json_schema!({
        "type": "string",
        "format": format,
        "description": about,
        "examples": examples,
    })
}

/// Splits an exact decimal number from the start of `text`: `(numerator, denominator, rest)`.
///
/// `"0.25/s"` gives `(25, 100, "/s")`. Returns `None` when the text does not start with a digit or
/// the number does not fit.
pub(crate) fn decimal(text: &str) -> Option<(u64, u64, &str)> {
    let digits = |s: &str| {
        s.bytes()
            .take_while(|b| b.is_ascii_digit() || *b == b'_')
            .count()
    };
    let whole_len = digits(text);
    let (whole, mut rest) = text.split_at(whole_len);
    if !whole.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let mut number: u64 = whole.replace('_', "").parse().ok()?;
    let mut scale: u64 = 1;
    if let Some(fraction) = rest.strip_prefix('.') {
        let len = digits(fraction);
        if len == 0 || fraction.starts_with('_') {
            return None;
        }
        for digit in fraction[..len].bytes().filter(u8::is_ascii_digit) {
            number = number
                .checked_mul(10)?
                .checked_add(u64::from(digit - b'0'))?;
            scale = scale.checked_mul(10)?;
        }
        rest = &fraction[len..];
    }
    Some((number, scale, rest))
}

/// The greatest common divisor; `gcd(0, n)` is `n`.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_and_keep_their_rest() {
        assert_eq!(decimal("0.25/s"), Some((25, 100, "/s")));
        assert_eq!(decimal("1_000 x"), Some((1000, 1, " x")));
        assert_eq!(decimal("7"), Some((7, 1, "")));
        for bad in ["", ".5", "-1", "1.", "x", "_1", "99999999999999999999"] {
            assert_eq!(decimal(bad), None, "{bad}");
        }
    }
}
