//! Ziggurat: normal and exponential numbers, the same bits on every machine.
//!
//! The area under the density is cut into 256 layers of equal area (Marsaglia and Tsang, "The
//! Ziggurat Method for Generating Random Variables", Journal of Statistical Software 5(8), 2000).
//! A layer is chosen by eight bits, a place in it by fifty-two others, and 98 times in 100 that
//! place lies under the curve for certain. The rest, the tail included, is decided exactly.
//!
//! Libraries do the same, but ask the platform for logarithms, whose last bit differs.

use std::sync::LazyLock;

use crate::exp::{exp, ln};
use crate::rng::Stream;

const LAYERS: usize = 256;

/// The edges of the layers, from the widest to nothing, and the density there.
pub(crate) struct Table {
    x: [f64; LAYERS + 1],
    f: [f64; LAYERS + 1],
}

/// Where the tail of the normal density begins, and the area of a layer.
const NORMAL: (f64, f64) = (3.654_152_885_361_009, 0.004_928_673_233_974_655);
/// The same of the exponential density.
const EXPONENTIAL: (f64, f64) = (7.697_117_470_131_05, 0.003_949_659_822_581_557);

static NORMAL_TABLE: LazyLock<Table> = LazyLock::new(|| {
    let inverse = |y: f64| (-2.0 * ln(y)).sqrt();
    Table::new(NORMAL, |x| exp(-x * x / 2.0), inverse)
});
static EXPONENTIAL_TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(EXPONENTIAL, |x| exp(-x), |y| -ln(y)));

impl Table {
    fn new(
        (tail, area): (f64, f64),
        density: impl Fn(f64) -> f64,
        inverse: impl Fn(f64) -> f64,
    ) -> Self {
        let mut x = [0.0; LAYERS + 1];
        x[0] = area / density(tail);
        x[1] = tail;
        for layer in 2..LAYERS {
            x[layer] = inverse(area / x[layer - 1] + density(x[layer - 1]));
        }
        Self {
            x,
            f: x.map(density),
        }
    }

    /// The layer of some bits, and whether the place in it lies under the curve for certain.
    #[inline(always)]
    fn place(&self, bits: u64, unit: f64) -> (usize, f64, bool) {
        let layer = (bits & 0xff) as usize;
        let x = unit * self.x[layer];
        (layer, x, x.abs() < self.x[layer + 1])
    }

    /// Whether a place beside the inner part of its layer lies under the curve.
    fn is_under(&self, layer: usize, density: f64, stream: &mut Stream) -> bool {
        let (low, high) = (self.f[layer], self.f[layer + 1]);
        high + (low - high) * open_unit(stream.bits()) < density
    }
}

/// The tables, worked out on first use.
#[derive(Clone, Copy)]
pub(crate) struct Ziggurat {
    table: &'static Table,
}

impl Ziggurat {
    /// Of the standard normal density.
    pub(crate) fn normal() -> Self {
        Self {
            table: &NORMAL_TABLE,
        }
    }

    /// Of the exponential density of mean one.
    pub(crate) fn exponential() -> Self {
        Self {
            table: &EXPONENTIAL_TABLE,
        }
    }
}

/// A standard normal number.
#[inline(always)]
pub(crate) fn normal(ziggurat: Ziggurat, stream: &mut Stream) -> f64 {
    let bits = stream.bits();
    let (_, x, certain) = ziggurat.table.place(bits, signed_unit(bits));
    if certain {
        x
    } else {
        normal_again(ziggurat.table, bits, stream)
    }
}

/// An exponential number of mean one.
#[inline(always)]
pub(crate) fn exponential(ziggurat: Ziggurat, stream: &mut Stream) -> f64 {
    let bits = stream.bits();
    let (_, x, certain) = ziggurat.table.place(bits, unit(bits));
    if certain {
        x
    } else {
        exponential_again(ziggurat.table, bits, stream)
    }
}

#[cold]
#[inline(never)]
fn normal_again(table: &Table, first: u64, stream: &mut Stream) -> f64 {
    let mut bits = first;
    loop {
        let (layer, x, certain) = table.place(bits, signed_unit(bits));
        if certain {
            return x;
        }
        if layer == 0 {
            return normal_tail(stream).copysign(x);
        }
        if table.is_under(layer, exp(-x * x / 2.0), stream) {
            return x;
        }
        bits = stream.bits();
    }
}

/// Beyond the widest layer (Marsaglia 1964).
fn normal_tail(stream: &mut Stream) -> f64 {
    loop {
        let beyond = -ln(open_unit(stream.bits())) / NORMAL.0;
        let height = -ln(open_unit(stream.bits()));
        if 2.0 * height >= beyond * beyond {
            return NORMAL.0 + beyond;
        }
    }
}

#[cold]
#[inline(never)]
fn exponential_again(table: &Table, first: u64, stream: &mut Stream) -> f64 {
    let mut bits = first;
    loop {
        let (layer, x, certain) = table.place(bits, unit(bits));
        if certain {
            return x;
        }
        if layer == 0 {
            // What is left beyond any point is exponential again.
            return EXPONENTIAL.0 - ln(open_unit(stream.bits()));
        }
        if table.is_under(layer, exp(-x), stream) {
            return x;
        }
        bits = stream.bits();
    }
}

/// In `[0, 1)`, from the high 52 bits.
#[inline(always)]
fn unit(bits: u64) -> f64 {
    f64::from_bits((bits >> 12) | 1.0f64.to_bits()) - 1.0
}

/// In `[-1, 1)`, from the high 52 bits.
#[inline(always)]
fn signed_unit(bits: u64) -> f64 {
    f64::from_bits((bits >> 12) | 2.0f64.to_bits()) - 3.0
}

/// In `(0, 1)`, from the high 52 bits.
fn open_unit(bits: u64) -> f64 {
    unit(bits) + f64::EPSILON / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Actor, Purpose, Seed};

    /// The largest distance between the empirical distribution of many draws and the true one.
    fn distance(draw: impl Fn(&mut Stream) -> f64, cdf: impl Fn(f64) -> f64) -> f64 {
        let mut draws: Vec<f64> = (0..400_000)
            .map(|n| draw(&mut Seed(3).draw(Actor::Worker(n), Purpose::Arrival, 0)))
            .collect();
        draws.sort_by(f64::total_cmp);
        let n = draws.len() as f64;
        let places = draws.iter().zip(0u32..);
        places.fold(0.0f64, |worst, (x, place)| {
            let (low, high) = (f64::from(place) / n, f64::from(place + 1) / n);
            worst.max((cdf(*x) - low).abs()).max((cdf(*x) - high).abs())
        })
    }

    /// The normal distribution function by its series and continued fraction.
    fn normal_cdf(x: f64) -> f64 {
        let z = x.abs();
        let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let upper = if z < 3.0 {
            let (mut term, mut sum) = (z, z);
            for n in 1..100 {
                term *= z * z / f64::from(2 * n + 1);
                sum += term;
            }
            0.5 - density * sum
        } else {
            density / (1..60).rev().fold(z, |below, n| z + f64::from(n) / below)
        };
        if x > 0.0 { 1.0 - upper } else { upper }
    }

    /// Kolmogorov's bound at one in a thousand.
    const BOUND: f64 = 1.95 / 632.455_532;

    #[test]
    fn the_whole_distribution_is_right() {
        let (norm, expo) = (Ziggurat::normal(), Ziggurat::exponential());
        let worst = distance(|stream| normal(norm, stream), normal_cdf);
        assert!(worst < BOUND, "normal: {worst}");
        let worst = distance(|stream| exponential(expo, stream), |x| 1.0 - (-x).exp());
        assert!(worst < BOUND, "exponential: {worst}");
    }

    #[test]
    fn the_tails_are_reached_as_often_as_they_should() {
        let mut stream = Seed(5).stream(Actor::Server, Purpose::Service);
        let (norm, expo) = (Ziggurat::normal(), Ziggurat::exponential());
        let (mut wide, mut long) = (0.0, 0.0);
        let n = 4_000_000;
        for _ in 0..n {
            wide += f64::from(u8::from(normal(norm, &mut stream).abs() > NORMAL.0));
            long += f64::from(u8::from(exponential(expo, &mut stream) > EXPONENTIAL.0));
        }
        for (seen, chance) in [
            (wide, 2.0 * normal_cdf(-NORMAL.0)),
            (long, (-EXPONENTIAL.0).exp()),
        ] {
            let wanted = chance * f64::from(n);
            assert!(
                (seen - wanted).abs() < 4.0 * wanted.sqrt(),
                "{seen} of {wanted}"
            );
        }
    }

    #[test]
    fn the_layers_have_one_area_and_close_at_the_top() {
        for (table, area) in [
            (&*NORMAL_TABLE, NORMAL.1),
            (&*EXPONENTIAL_TABLE, EXPONENTIAL.1),
        ] {
            for layer in 1..LAYERS {
                let slab = table.x[layer] * (table.f[layer + 1] - table.f[layer]);
                assert!((slab - area).abs() < 1e-9, "layer {layer}: {slab}");
            }
        }
    }
}
