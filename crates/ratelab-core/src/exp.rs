//! The exponential function and the logarithm, the same bits on every machine.
//!
//! `f64::exp` is the platform's, whose last bit differs from C library to C library and even from
//! processor to processor. This one is made of multiplications and additions alone: the argument is
//! a number of 32nds of a power of two, from a table, and a rest so small that five terms of the
//! series are exact to the last digits (Tang 1989).

/// 2^(1/32).
const STEP: f64 = 1.021_897_148_654_116_7;

/// 2^(j/32).
const POWERS: [f64; 32] = {
    let mut powers = [1.0; 32];
    let mut j = 1;
    while j < 32 {
        // Half way the product is replaced by the exact root, so that errors do not pile up.
        powers[j] = if j == 16 {
            std::f64::consts::SQRT_2
        } else {
            powers[j - 1] * STEP
        };
        j += 1;
    }
    powers
};

/// 32 / ln 2.
const PER_STEP: f64 = 32.0 * std::f64::consts::LOG2_E;
/// ln 2 / 32, cut so that its product with a small whole number is exact.
const STEP_HIGH: f64 = f64::from_bits(std::f64::consts::LN_2.to_bits() & !0xff_ffff) / 32.0;
/// What was cut off: the rest of ln 2 to 70 bits, over 32.
const STEP_LOW: f64 = (std::f64::consts::LN_2
    - f64::from_bits(std::f64::consts::LN_2.to_bits() & !0xff_ffff)
    + 2.319_046_813_846_299_6e-17)
    / 32.0;
/// Added and taken away again it rounds to a whole number.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// e^x to a relative error below 10^-14, for |x| up to 700.
#[inline(always)]
pub(crate) fn exp(x: f64) -> f64 {
    debug_assert!(x.abs() <= 700.0, "no sample comes near");
    let rounded = x * PER_STEP + ROUND;
    let steps = rounded.to_bits().wrapping_sub(ROUND.to_bits());
    let whole = rounded - ROUND;
    let rest = x - whole * STEP_HIGH - whole * STEP_LOW;
    let square = rest * rest;
    let series =
        rest + square * (0.5 + rest * (1.0 / 6.0) + square * (1.0 / 24.0 + rest * (1.0 / 120.0)));
    let power = POWERS[(steps & 31) as usize];
    // Adding to the exponent multiplies by a power of two; arithmetic shift keeps its sign.
    let shift = ((steps.cast_signed() >> 5) << 52).cast_unsigned();
    let scale = f64::from_bits(power.to_bits().wrapping_add(shift));
    scale + scale * series
}

/// The natural logarithm of a positive number: Halley's steps on [`exp`], each of which triples the
/// number of right digits. Too slow for every event, and not meant for it.
pub(crate) fn ln(y: f64) -> f64 {
    debug_assert!(y > 0.0 && y.is_finite(), "only positive numbers have one");
    // The exponent alone is right to one half; four steps from there reach the last digits.
    let exponent = ((y.to_bits() >> 52).cast_signed() - 1_023) as f64;
    let mut x = (exponent + 0.5) * std::f64::consts::LN_2;
    for _ in 0..4 {
        let power = exp(x);
        x += 2.0 * (y - power) / (y + power);
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_undoes_it() {
        for step in 1..=200_000 {
            let y = f64::from(step) / 1_000.0;
            assert!(
                (ln(y) - y.ln()).abs() < 1e-14 * (1.0 + y.ln().abs()) * 2.0,
                "{y}"
            );
        }
        let tiny = f64::EPSILON / 4.0;
        assert!((ln(tiny) - tiny.ln()).abs() < 1e-12);
    }

    #[test]
    fn it_is_the_exponential_function() {
        let mut worst = 0.0f64;
        for step in -700_000..=700_000 {
            let x = f64::from(step) / 1_000.001;
            worst = worst.max((exp(x) / x.exp() - 1.0).abs());
        }
        assert!(worst < 1e-14, "{worst}");
        assert_eq!(exp(0.0).to_bits(), 1.0f64.to_bits());
    }
}
