//! Rate: permits per period, exact. Three a second stays three a second for ever.
//!
//! governor 0.10 and redis-cell cut the interval of 3/s to 333,333,333 ns and let 3.000000003/s
//! through; keeping the ratio avoids that, and models of such libraries cut it themselves.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::span::{Span, clip};
use crate::text::{self, TextError, gcd};

/// A positive number of permits per period, reduced to lowest terms.
///
/// ```
/// use ratelab_core::Rate;
/// let rate: Rate = "0.25/s".parse()?;
/// assert_eq!((rate.permits(), rate.per().as_nanos()), (1, 4_000_000_000));
/// assert_eq!("100/min".parse::<Rate>()?.to_string(), "100/min");
/// # Ok::<(), ratelab_core::TextError>(())
/// ```
#[derive(Debug, Clone, Copy, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rate {
    /// Permits per `per`, in lowest terms with it.
    permits: u64,
    /// The period in lowest terms.
    per: Span,
    /// The period as written: the natural window of a limit, kept for windows and for print.
    window: Span,
}

/// The most permits a rate may name, per whatever period: a million million.
const MOST: u64 = 1_000_000_000_000;

impl PartialEq for Rate {
    fn eq(&self, other: &Self) -> bool {
        (self.permits, self.per) == (other.permits, other.per)
    }
}

impl Rate {
    /// `permits` per `window`; both must be positive.
    pub fn new(permits: u64, window: Span) -> Result<Self, TextError> {
        if permits == 0 || window.is_zero() {
            return Err(TextError::new(
                "a rate is more than zero",
                "write like \"1/s\"",
            ));
        }
        let common = gcd(permits, window.as_nanos());
        let per = Span::from_nanos(window.as_nanos() / common);
        Ok(Self {
            permits: permits / common,
            per,
            window,
        })
    }

    /// Permits per [`Rate::per`], in lowest terms.
    pub const fn permits(self) -> u64 {
        self.permits
    }

    /// The period in lowest terms.
    pub const fn per(self) -> Span {
        self.per
    }

    /// The period as it was written: a minute for `"100/min"`.
    pub const fn window(self) -> Span {
        self.window
    }

    /// Whole permits in one [`Rate::window`]; `None` when the rate has a fraction there.
    pub fn per_window(self) -> Option<u64> {
        let wide = u128::from(self.permits) * u128::from(self.window.as_nanos());
        let per = u128::from(self.per.as_nanos());
        (wide % per == 0)
            .then(|| u64::try_from(wide / per).ok())
            .flatten()
    }

    /// This rate split evenly over `shares`.
    pub fn divided(self, shares: u64) -> Result<Self, TextError> {
        let per = self.per.as_nanos().checked_mul(shares).ok_or_else(|| {
            TextError::new(
                "this share of the rate is too small to count",
                "use fewer shares",
            )
        })?;
        let mut share = Self::new(self.permits, Span::from_nanos(per))?;
        share.window = share.per;
        Ok(share)
    }

    /// Permits a second, for people and charts only.
    pub fn per_second(self) -> f64 {
        self.permits as f64 / self.per.as_secs_f64()
    }
}

/// The window a unit stands for; `None` for an unknown unit.
fn window(unit: &str) -> Option<Span> {
    let secs = match unit {
        "s" | "sec" | "second" => 1,
        "m" | "min" | "minute" => 60,
        "h" | "hr" | "hour" => 3_600,
        "d" | "day" => 86_400,
        "w" | "week" => 604_800,
        "ms" => return Some(Span::MILLI),
        other => return other.parse().ok().filter(|span: &Span| !span.is_zero()),
    };
    Some(Span::from_secs(secs))
}

impl FromStr for Rate {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let instead = "write like \"1/s\", \"100/min\" or \"5 per hour\"";
        let text = text.trim();
        let wrong = || TextError::new(format!("`{}` is not a rate", clip(text)), instead);
        let (number, scale, rest) = match text::decimal(text) {
            Some(parts) => parts,
            None if text.len() > 12 && text.starts_with(|c: char| c.is_ascii_digit()) => {
                return Err(TextError::new(
                    "this rate is too high to count",
                    "at most \"10^12/s\"",
                ));
            }
            None => return Err(wrong()),
        };
        let rest = rest.trim_start();
        if rest.is_empty() {
            let write = format!("write \"{}/s\" or \"{}/min\"", clip(text), clip(text));
            return Err(TextError::new("a rate needs a period", write));
        }
        let unit = rest
            .strip_prefix("r/")
            .or_else(|| rest.strip_prefix('/'))
            .or_else(|| rest.strip_prefix("per "))
            .ok_or_else(wrong)?;
        let window = window(unit.trim()).ok_or_else(wrong)?;
        if number > MOST {
            return Err(TextError::new(
                "this rate is too high to count",
                "at most \"10^12/s\"",
            ));
        }
        let span = window.as_nanos().checked_mul(scale).map(Span::from_nanos);
        let span = span.filter(|s| *s <= crate::span::LONGEST).ok_or_else(|| {
            TextError::new(
                "this rate is too low to count",
                "at least one in \"100 years\"",
            )
        })?;
        let mut rate = Self::new(number, span)?;
        rate.window = window;
        Ok(rate)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (permits, window) = match self.per_window() {
            Some(permits) => (permits, self.window),
            None => (self.permits, self.per),
        };
        match window.as_nanos() {
            1_000_000_000 => write!(f, "{permits}/s"),
            60_000_000_000 => write!(f, "{permits}/min"),
            3_600_000_000_000 => write!(f, "{permits}/h"),
            86_400_000_000_000 => write!(f, "{permits}/day"),
            _ => write!(f, "{permits}/{window}"),
        }
    }
}

impl TryFrom<String> for Rate {
    type Error = TextError;
    fn try_from(text: String) -> Result<Self, TextError> {
        text.parse()
    }
}

impl From<Rate> for String {
    fn from(rate: Rate) -> Self {
        rate.to_string()
    }
}

impl JsonSchema for Rate {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rate".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let examples = &["1/s", "100/min", "5 per hour", "0.25/s"];
        text::schema("rate", "Permits per period, exact.", examples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(text: &str) -> Rate {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn reads_what_people_write() {
        let cases = [
            ("1/s", 1, 1_000_000_000),
            ("1r/s", 1, 1_000_000_000),
            ("100/min", 1, 600_000_000),
            ("5 per hour", 1, 720_000_000_000),
            ("3/s", 3, 1_000_000_000),
            ("10/5s", 1, 500_000_000),
            ("0.25/s", 1, 4_000_000_000),
            ("1 / s", 1, 1_000_000_000),
        ];
        for (text, permits, per) in cases {
            let rate = rate(text);
            assert_eq!(
                (rate.permits(), rate.per().as_nanos()),
                (permits, per),
                "{text}"
            );
        }
    }

    #[test]
    fn keeps_the_written_window() {
        assert_eq!(rate("120/min").window(), Span::from_secs(60));
        assert_eq!(rate("120/min").per_window(), Some(120));
        assert_eq!(rate("0.25/s").per_window(), None);
        assert_eq!(rate("120/min"), rate("2/s"), "the same rate in other words");
    }

    #[test]
    fn says_what_to_write_instead() {
        let cases = [
            ("5", "a rate needs a period: write \"5/s\" or \"5/min\""),
            (
                "fast",
                "`fast` is not a rate: write like \"1/s\", \"100/min\" or \"5 per hour\"",
            ),
            ("0/s", "a rate is more than zero: write like \"1/s\""),
            (
                "1/parsec",
                "`1/parsec` is not a rate: write like \"1/s\", \"100/min\" or \"5 per hour\"",
            ),
            (
                "1000000000000000000000000000000/s",
                "this rate is too high to count: at most \"10^12/s\"",
            ),
        ];
        for (text, message) in cases {
            assert_eq!(
                text.parse::<Rate>().unwrap_err().to_string(),
                message,
                "{text}"
            );
        }
    }

    #[test]
    fn shares_are_exact() {
        let share = rate("1/s").divided(3).expect("a third");
        assert_eq!(
            (share.permits(), share.per().as_nanos()),
            (1, 3_000_000_000)
        );
        assert_eq!(share.to_string(), "1/3s");
    }
}
