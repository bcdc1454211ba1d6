//! How numbers are written: as short as they are exact, means with the half of their interval.

use ratelab_stats::Estimate;

/// What stands where there is no number. It is not a zero.
pub const ABSENT: &str = "–";

/// An estimate as it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// The mean: `15.917`.
    pub mean: String,
    /// Half of the 95 % interval: `±0.003`; `None` when all replications agree.
    pub half: Option<String>,
}

impl Figure {
    /// Both in one cell: `15.917 ±0.003`.
    pub fn text(&self) -> String {
        match &self.half {
            Some(half) => format!("{} {half}", self.mean),
            None => self.mean.clone(),
        }
    }
}

/// Writes an estimate; the interval says how many digits of the mean are worth printing.
pub fn estimate(estimate: &Estimate) -> Figure {
    let half = match (estimate.ci95_low, estimate.ci95_high) {
        (Some(low), Some(high)) if !estimate.is_exact() && high > low => (high - low) / 2.0,
        _ => {
            return Figure {
                mean: number(estimate.mean),
                half: None,
            };
        }
    };
    let decimals = decimals_for(half);
    Figure {
        mean: fixed(estimate.mean, decimals),
        half: Some(format!("±{}", fixed(half, decimals))),
    }
}

/// Decimals that leave one digit of an interval, two when it starts with a one.
fn decimals_for(half: f64) -> usize {
    let exponent = half.log10().floor();
    let lead = half / 10_f64.powf(exponent);
    let extra = f64::from(u8::from(lead < 1.95));
    whole((extra - exponent).clamp(0.0, 9.0))
}

/// A small non-negative whole number out of a float.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(crate) fn whole(x: f64) -> usize {
    x as usize
}

/// A number on its own: at most four significant digits after the point, none that are zero.
pub fn number(x: f64) -> String {
    if !x.is_finite() {
        return ABSENT.to_owned();
    }
    if x == 0.0 {
        return "0".to_owned();
    }
    let digits = x.abs().log10().floor();
    let decimals = whole((3.0 - digits).clamp(0.0, 9.0));
    let text = fixed(x, decimals);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A number to about three digits, for sentences and labels.
pub fn rough(x: f64) -> String {
    let scale = match x.abs() {
        size if size >= 100.0 => 1.0,
        size if size >= 10.0 => 10.0,
        _ => 100.0,
    };
    number((x * scale).round() / scale)
}

/// A number where there is little room: `10,000`, `250k`, `2.5M`, `4G`.
pub fn short(x: f64) -> String {
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let size = x.abs();
    match units.into_iter().find(|(unit, _)| size >= *unit) {
        Some((unit, letter)) if size >= 100_000.0 => format!("{}{letter}", number(x / unit)),
        _ => number(x),
    }
}

/// A number with so many decimals, thousands parted by commas from 10,000 on.
pub fn fixed(x: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", x.abs());
    let (whole, fraction) = text
        .split_once('.')
        .map_or((text.as_str(), None), |(whole, fraction)| {
            (whole, Some(fraction))
        });
    let mut out = String::new();
    if x < 0.0 && text.bytes().any(|b| b.is_ascii_digit() && b != b'0') {
        out.push('−');
    }
    out.push_str(&grouped(whole));
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

fn grouped(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count: `10,000`.
pub fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// A share of one: `62 %`.
pub fn share(x: f64) -> String {
    if x > 0.0 && x < 0.001 {
        return "< 0.1 %".to_owned();
    }
    if x < 1.0 && x > 0.999 {
        return "> 99.9 %".to_owned();
    }
    let percent = x * 100.0;
    let decimals = usize::from(!(9.95..=90.05).contains(&percent));
    let text = fixed(percent, decimals);
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

/// A length of time: `10 s`, `250 ms`, `5 min`.
pub fn seconds(x: f64) -> String {
    if x != 0.0 && x.abs() < 1.0 {
        format!("{} ms", number(x * 1000.0))
    } else if x >= 600.0 && x % 60.0 == 0.0 {
        format!("{} min", number(x / 60.0))
    } else {
        format!("{} s", number(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mean: f64, low: f64, high: f64) -> String {
        estimate(&Estimate {
            mean,
            ci95_low: Some(low),
            ci95_high: Some(high),
            se: 0.1,
            min: 0.0,
            max: 1.0,
            n: 10,
            unit: "1".to_owned(),
        })
        .text()
    }

    #[test]
    fn an_interval_says_how_many_digits_count() {
        assert_eq!(of(15.9168, 15.9138, 15.9198), "15.917 ±0.003");
        assert_eq!(of(15.9168, 15.9, 15.93), "15.917 ±0.015");
        assert_eq!(of(12_345.6, 12_300.0, 12_390.0), "12,346 ±45");
    }

    #[test]
    fn numbers_are_short() {
        let cases = [
            (40.0, "40"),
            (0.75, "0.75"),
            (8.125_04, "8.125"),
            (1_600_000.0, "1,600,000"),
            (-2.5, "−2.5"),
            (0.000_123, "0.000123"),
            (f64::NAN, "–"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
        assert_eq!(short(10_000.0), "10,000");
        assert_eq!(short(250_000.0), "250k");
        assert_eq!(short(2_500_000.0), "2.5M");
        assert_eq!(short(4e9), "4G");
        assert_eq!(share(0.634), "63 %");
        assert_eq!(share(1.0), "100 %");
        assert_eq!(share(0.9996), "> 99.9 %");
        assert_eq!(seconds(0.25), "250 ms");
        assert_eq!(seconds(600.0), "10 min");
    }
}
