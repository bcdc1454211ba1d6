//! Expectations and quotes: what a file says of its results.

use ratelab_core::{Rate, Span};

/// What the recovery after an outage can be called.
pub(crate) const LABELS: [&str; 5] = [
    "synchronised burst",
    "staggered ramp",
    "follows guidance",
    "never (stuck)",
    "–",
];

/// A figure somebody published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The row's title.
    pub row: String,
    /// The metric.
    pub metric: String,
    /// As printed.
    pub text: String,
}

/// What one metric of one row must be.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// The row's title.
    pub row: String,
    /// The metric.
    pub metric: String,
    /// All of these must hold.
    pub wanted: Vec<Wanted>,
    /// As written.
    pub text: String,
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its place in the file, in bytes.
    pub span: std::ops::Range<usize>,
}

/// One condition on a mean.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// This value in every replication.
    Exact(f64),
    /// Within these, ends included.
    Between(f64, f64),
    /// No more.
    AtMost(f64),
    /// No less.
    AtLeast(f64),
    /// Less.
    Below(f64),
    /// More.
    Above(f64),
    /// Within a share of the value: `66 ± 4%`.
    Near {
        /// The value.
        value: f64,
        /// The share, as a fraction.
        ratio: f64,
    },
    /// Within so many standard errors of the mean: `15.9 ± 3 se`.
    Se {
        /// The value.
        value: f64,
        /// Standard errors.
        times: f64,
    },
    /// This label.
    Label(String),
}

/// A number, with a percent sign, a unit of time (seconds then) or a period (per second then).
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Some(percent) = text.strip_suffix('%') {
        return percent
            .trim()
            .parse::<f64>()
            .ok()
            .map(|n| n / 100.0)
            .filter(|n| n.is_finite());
    }
    let plain = text
        .replace('_', "")
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite());
    plain
        .or_else(|| text.parse::<Span>().ok().map(Span::as_secs_f64))
        .or_else(|| rate(text))
}

/// A rate per second: `2/s`, `120/min`, `5 per hour`; unlike a limiter's it may be zero.
fn rate(text: &str) -> Option<f64> {
    let (count, period) = text.split_once('/').or_else(|| text.split_once(" per "))?;
    let count = count.trim().trim_end_matches('r').replace('_', "");
    let count: f64 = count.parse().ok()?;
    let one: Rate = format!("1/{}", period.trim()).parse().ok()?;
    Some(count * one.per_second()).filter(|rate| rate.is_finite())
}

/// Makes a condition of a sign's number.
type Sign = fn(f64) -> Wanted;

/// Reads a condition: `40`, `15.7 .. 16.1`, `<= 5s`, `66 ± 4%`, `15.9 ± 3 se`.
pub fn wanted(text: &str) -> Option<Wanted> {
    let text = text.trim();
    if let Some((value, width)) = text.split_once('±') {
        let value = number(value)?;
        if let Some(times) = width.trim().strip_suffix("se") {
            return Some(Wanted::Se {
                value,
                times: number(times)?,
            });
        }
        let share = width
            .trim()
            .ends_with('%')
            .then(|| number(width))
            .flatten()?;
        return Some(Wanted::Near {
            value,
            ratio: share,
        });
    }
    if let Some((low, high)) = text.split_once("..") {
        return Some(Wanted::Between(number(low)?, number(high)?))
            .filter(|_| number(low) <= number(high));
    }
    let signs: [(&str, Sign); 5] = [
        ("<=", Wanted::AtMost),
        (">=", Wanted::AtLeast),
        ("<", Wanted::Below),
        (">", Wanted::Above),
        ("=", Wanted::Exact),
    ];
    for (sign, make) in signs {
        if let Some(rest) = text.strip_prefix(sign) {
            return number(rest).map(make);
        }
    }
    number(text).map(Wanted::Exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_form() {
        let cases = [
            ("40", Wanted::Exact(40.0)),
            ("15.7 .. 16.1", Wanted::Between(15.7, 16.1)),
            ("<= 5s", Wanted::AtMost(5.0)),
            ("> 700", Wanted::Above(700.0)),
            (
                "66 ± 4%",
                Wanted::Near {
                    value: 66.0,
                    ratio: 0.04,
                },
            ),
            (
                "15.9 ± 3 se",
                Wanted::Se {
                    value: 15.9,
                    times: 3.0,
                },
            ),
            ("5%", Wanted::Exact(0.05)),
            ("2/s", Wanted::Exact(2.0)),
            ("<= 120/min", Wanted::AtMost(2.0)),
            ("0/s .. 18 per hour", Wanted::Between(0.0, 0.005)),
        ];
        for (text, condition) in cases {
            assert_eq!(wanted(text), Some(condition), "{text}");
        }
        for bad in [
            "", "many", "3 .. 1", "5 ± 1", "<= x", "nan", "inf", "2/x", "/s",
        ] {
            assert_eq!(wanted(bad), None, "{bad}");
        }
    }
}
