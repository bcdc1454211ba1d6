//! Ratio: a share or probability as a fraction of integers, written `"5%"` or `"1/20"`.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use crate::span::clip;
use crate::text::{self, TextError, gcd};

/// A fraction of integers in lowest terms; may exceed one (`"150%"`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Ratio {
    /// The numerator.
    pub num: u64,
    /// The denominator, never zero.
    pub den: u64,
}

impl Ratio {
    /// `num / den` in lowest terms; `None` for a zero denominator.
    pub fn new(num: u64, den: u64) -> Option<Self> {
        let common = gcd(num, den).max(1);
        (den != 0).then(|| Self {
            num: num / common,
            den: den / common,
        })
    }

    /// For people and charts only.
    pub fn as_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

impl FromStr for Ratio {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let instead = "write like \"5%\" or \"1/20\"";
        let text = text.trim();
        let wrong = || TextError::new(format!("`{}` is not a ratio", clip(text)), instead);
        let (number, scale, rest) = text::decimal(text).ok_or_else(wrong)?;
        let den = match rest.trim() {
            "%" => scale.checked_mul(100).ok_or_else(wrong)?,
            "" => return Err(TextError::new("a ratio needs a % or a /", instead)),
            other => {
                let below = other.strip_prefix('/').ok_or_else(wrong)?.trim();
                let below: u64 = below.parse().map_err(|_| wrong())?;
                scale.checked_mul(below).ok_or_else(wrong)?
            }
        };
        let ratio = Self::new(number, den).ok_or_else(wrong)?;
        if ratio.num > 1_000_000_000 || ratio.den > 1_000_000_000 {
            return Err(TextError::new("this ratio has too many digits", instead));
        }
        Ok(ratio)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if 100 % self.den == 0 {
            write!(f, "{}%", self.num * (100 / self.den))
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

impl TryFrom<String> for Ratio {
    type Error = TextError;
    fn try_from(text: String) -> Result<Self, TextError> {
        text.parse()
    }
}

impl From<Ratio> for String {
    fn from(ratio: Ratio) -> Self {
        ratio.to_string()
    }
}

impl JsonSchema for Ratio {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Ratio".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        text::schema("ratio", "A share or probability.", &["5%", "1/20"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_percents_and_fractions() {
        let cases = [
            ("5%", 1, 20),
            ("1/20", 1, 20),
            ("150%", 3, 2),
            ("0%", 0, 1),
            ("2.5%", 1, 40),
        ];
        for (text, num, den) in cases {
            assert_eq!(text.parse(), Ok(Ratio { num, den }), "{text}");
        }
        for bad in ["0.5", "", "x", "1/0", "-5%", "1/x", "99999999999%"] {
            assert!(bad.parse::<Ratio>().is_err(), "{bad}");
        }
    }

    #[test]
    fn prints_what_people_write() {
        assert_eq!(Ratio { num: 1, den: 20 }.to_string(), "5%");
        assert_eq!(Ratio { num: 1, den: 3 }.to_string(), "1/3");
    }
}
