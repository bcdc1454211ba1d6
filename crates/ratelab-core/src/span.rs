//! Span: a length of virtual time in whole nanoseconds.
//!
//! A `u64` of nanoseconds reaches 584 years. Sums saturate: a wait that would end after the end of
//! time simply never ends, and nothing wraps round to the past.

use std::fmt;
use std::ops::{Add, Div, Mul, Sub};
use std::str::FromStr;

use jiff::SignedDuration;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::text::{self, TextError};

/// A length of virtual time in nanoseconds.
///
/// ```
/// use ratelab_core::Span;
/// let span: Span = "1m30s".parse()?;
/// assert_eq!(span, Span::from_secs(90));
/// assert_eq!(span.to_string(), "1m30s");
/// assert!("90".parse::<Span>().is_err(), "a duration needs a unit");
/// # Ok::<(), ratelab_core::TextError>(())
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(try_from = "String", into = "String")]
pub struct Span(u64);

/// The longest span an experiment file may name: a hundred years.
pub const LONGEST: Span = Span(100 * 365 * 86_400 * 1_000_000_000);

impl Span {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// Longer than any run.
    pub const MAX: Self = Self(u64::MAX);
    /// One second.
    pub const SECOND: Self = Self(1_000_000_000);
    /// One millisecond.
    pub const MILLI: Self = Self(1_000_000);

    /// A span of nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Of nanoseconds with a fraction, half up. Below zero it is none, and beyond the end of time
    /// it is 292 years, which is what the tail of a distribution should do.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn rounded(nanos: f64) -> Self {
        // Through a signed number: processors convert to one in a step.
        Self((nanos + 0.5) as i64 as u64)
    }

    /// A span of milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// A span of seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000_000))
    }

    /// In nanoseconds.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// In seconds, for people and charts only: never feed it back into a run.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Whether the span is empty.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// This span times `num / den`, rounded down, saturating.
    pub fn scaled(self, num: u64, den: u64) -> Self {
        let wide = u128::from(self.0) * u128::from(num) / u128::from(den.max(1));
        Self(u64::try_from(wide).unwrap_or(u64::MAX))
    }

    /// The longer piece left after taking `other` away; zero when nothing is left.
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for Span {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Span {
    type Output = Self;
    /// Panics when `other` is longer: a negative span is a broken invariant.
    fn sub(self, other: Self) -> Self {
        Self(
            self.0
                .checked_sub(other.0)
                .expect("a span is never negative"),
        )
    }
}

impl Mul<u64> for Span {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Div<u64> for Span {
    type Output = Self;
    fn div(self, parts: u64) -> Self {
        Self(self.0 / parts)
    }
}

/// Units from the largest down; days and years are fixed lengths of 24 h and 365 days.
const UNITS: [(&str, u64); 7] = [
    ("d", 86_400_000_000_000),
    ("h", 3_600_000_000_000),
    ("m", 60_000_000_000),
    ("s", 1_000_000_000),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("ns", 1),
];

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0s");
        }
        let mut left = self.0;
        for (name, size) in UNITS {
            if left >= size {
                write!(f, "{}{name}", left / size)?;
                left %= size;
            }
        }
        Ok(())
    }
}

/// Reads a whole number of days or years off the front: jiff's exact durations stop at hours.
fn long_unit(text: &str) -> Option<u128> {
    let (number, scale, unit) = text::decimal(text)?;
    let size: u128 = match unit.trim_start() {
        "d" | "day" | "days" => 86_400,
        "w" | "week" | "weeks" => 7 * 86_400,
        "y" | "year" | "years" => 365 * 86_400,
        _ => return None,
    };
    Some(u128::from(number) * size * 1_000_000_000 / u128::from(scale))
}

impl FromStr for Span {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let text = text.trim();
        let needs_unit = |n: &str| {
            TextError::new(
                "a duration needs a unit",
                format!("write \"{n}s\" or \"{n}ms\""),
            )
        };
        if !text.is_empty()
            && text
                .bytes()
                .all(|b| b.is_ascii_digit() || b == b'.' || b == b'_')
        {
            return Err(needs_unit(text));
        }
        if text.starts_with('-') {
            return Err(TextError::new(
                "a duration is never negative",
                "write \"0s\" or more",
            ));
        }
        let too_long = || {
            TextError::new(
                "this duration is too long to simulate",
                "at most \"100 years\"",
            )
        };
        let nanos = match long_unit(text) {
            Some(nanos) => nanos,
            None => match text.parse::<SignedDuration>() {
                Ok(exact) => u128::try_from(exact.as_nanos()).map_err(|_| too_long())?,
                Err(_) if looks_huge(text) => return Err(too_long()),
                Err(_) => {
                    let what = format!("`{}` is not a duration", clip(text));
                    return Err(TextError::new(
                        what,
                        "write like \"250ms\", \"10s\" or \"1m30s\"",
                    ));
                }
            },
        };
        if nanos > u128::from(LONGEST.0) {
            return Err(too_long());
        }
        Ok(Self(u64::try_from(nanos).expect("a hundred years fit")))
    }
}

/// A number with a plausible unit that is merely too big for the parser.
fn looks_huge(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits > 9
        && text[digits..]
            .trim()
            .chars()
            .all(|c| c.is_ascii_alphabetic())
}

/// The start of an untrusted text, short enough for an error message.
pub(crate) fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl TryFrom<String> for Span {
    type Error = TextError;
    fn try_from(text: String) -> Result<Self, TextError> {
        text.parse()
    }
}

impl From<Span> for String {
    fn from(span: Span) -> Self {
        span.to_string()
    }
}

impl JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Duration".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        text::schema(
            "duration",
            "A duration with its unit.",
            &["250ms", "10s", "1m30s"],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        let cases = [
            ("250ms", 250_000_000),
            ("0.4ms", 400_000),
            ("1m30s", 90_000_000_000),
            ("1h", 3_600_000_000_000),
            ("2 days", 172_800_000_000_000),
            ("0s", 0),
            ("100us", 100_000),
            ("1.5s", 1_500_000_000),
        ];
        for (text, nanos) in cases {
            assert_eq!(text.parse(), Ok(Span(nanos)), "{text}");
        }
    }

    #[test]
    fn says_what_to_write_instead() {
        let cases = [
            ("60", "a duration needs a unit: write \"60s\" or \"60ms\""),
            ("-1s", "a duration is never negative: write \"0s\" or more"),
            (
                "soon",
                "`soon` is not a duration: write like \"250ms\", \"10s\" or \"1m30s\"",
            ),
            (
                "",
                "`` is not a duration: write like \"250ms\", \"10s\" or \"1m30s\"",
            ),
            (
                "1000000 years",
                "this duration is too long to simulate: at most \"100 years\"",
            ),
            (
                "99999999999999999999999s",
                "this duration is too long to simulate: at most \"100 years\"",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(
                text.parse::<Span>().unwrap_err().to_string(),
                message,
                "{text}"
            );
        }
    }

    #[test]
    fn text_round_trips() {
        for nanos in [
            0,
            1,
            999,
            1_000,
            90_000_000_000,
            86_400_000_000_001,
            LONGEST.0,
        ] {
            let span = Span(nanos);
            let text = span.to_string();
            // Days and smaller units together are for people; exact re-reading is per unit.
            if !text.contains('d') {
                assert_eq!(text.parse(), Ok(span), "{text}");
            }
        }
    }
}
