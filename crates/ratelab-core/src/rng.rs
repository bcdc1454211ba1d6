//! Randomness by identity: who draws, what for, and for which time. No stream is ever shared.
//!
//! A draw is named by (seed, actor, purpose, index) and nothing else, so adding a draw somewhere
//! disturbs nobody, variants under one seed meet the same luck (common random numbers), and a
//! worker needs no generator of its own: its attempt counter is its place in the stream. tower 0.5
//! clones its generator into every client and so gives four clients one jitter; [`Stream`] is
//! therefore not `Clone`.
//!
//! The generator is PCG XSL-RR 128/64 MCG (O'Neill 2014), which documents its output for ever; its
//! state is filled by the SplitMix64 finaliser (Steele, Lea and Flood 2014, variant 13 of Stafford)
//! over the name of the draw. Samples leave here as whole nanoseconds: no `f64` enters a state.

use rand::Rng;
use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;

use crate::span::Span;
use crate::span_range::SpanRange;

/// The number a run starts from; printed with every result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seed(pub u64);

/// Who draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// One worker, by its number.
    Worker(u32),
    /// The server.
    Server,
    /// The event queue, for shuffled ties.
    Ties,
}

/// What a draw is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// When a worker starts.
    Start,
    /// The gap before a job.
    Arrival,
    /// Jitter of a backoff.
    Jitter,
    /// Jitter on top of a server's hint.
    Hint,
    /// Order of simultaneous events.
    Order,
}

/// One random stream: 16 bytes, portable, not to be copied.
#[derive(Debug)]
pub struct Stream(Pcg64Mcg);

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Stafford's variant 13 of the 64-bit finaliser, as in SplitMix64.
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Seed {
    /// The seed of the `n`-th replication.
    #[must_use]
    pub const fn replication(self, n: u64) -> Self {
        Self(mix(
            mix(self.0.wrapping_add(GOLDEN)) ^ n.wrapping_mul(GOLDEN)
        ))
    }

    /// The stream of the `index`-th draw that `who` makes for `why`.
    pub fn draw(self, who: Actor, why: Purpose, index: u64) -> Stream {
        let (tag, id) = match who {
            Actor::Worker(id) => (1, u64::from(id)),
            Actor::Server => (2, 0),
            Actor::Ties => (3, 0),
        };
        let name = (tag << 40) | ((why as u64) << 32) | id;
        let key = mix(self.0 ^ mix(name.wrapping_add(GOLDEN)));
        let high = mix(key.wrapping_add(index.wrapping_mul(GOLDEN)));
        let low = mix(high ^ key.rotate_left(32));
        Stream(Pcg64Mcg::new((u128::from(high) << 64) | u128::from(low)))
    }

    /// The one long stream of an actor that draws in a fixed order by itself.
    pub fn stream(self, who: Actor, why: Purpose) -> Stream {
        self.draw(who, why, u64::MAX)
    }
}

impl Stream {
    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform over `0..=most`: the high half of a 64 × 64-bit product, biased by less than
    /// `most / 2^64`, and the same on every machine.
    pub fn up_to(&mut self, most: u64) -> u64 {
        let wide = u128::from(self.bits()) * (u128::from(most) + 1);
        u64::try_from(wide >> 64).expect("the high half of a product fits")
    }

    /// A span uniform over `[0, longest]`.
    pub fn span_up_to(&mut self, longest: Span) -> Span {
        Span::from_nanos(self.up_to(longest.as_nanos()))
    }

    /// A span uniform over a closed range.
    pub fn span_in(&mut self, range: SpanRange) -> Span {
        range.low + self.span_up_to(range.high - range.low)
    }

    /// An exponential span of the given mean, rounded to whole nanoseconds.
    pub fn exponential(&mut self, mean: Span) -> Span {
        let unit: f64 = Exp1.sample(&mut self.0);
        let nanos = (unit * mean.as_nanos() as f64).round();
        // `as` saturates here, which is what an exponential tail beyond the end of time should do.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Span::from_nanos(nanos as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: Seed = Seed(1);

    #[test]
    fn a_draw_depends_on_its_whole_name_and_on_nothing_else() {
        let bits = |seed: Seed, who, why, n| seed.draw(who, why, n).bits();
        let base = bits(SEED, Actor::Worker(0), Purpose::Jitter, 0);
        assert_eq!(base, bits(SEED, Actor::Worker(0), Purpose::Jitter, 0));
        assert_ne!(base, bits(Seed(2), Actor::Worker(0), Purpose::Jitter, 0));
        assert_ne!(base, bits(SEED, Actor::Worker(1), Purpose::Jitter, 0));
        assert_ne!(base, bits(SEED, Actor::Worker(0), Purpose::Hint, 0));
        assert_ne!(base, bits(SEED, Actor::Worker(0), Purpose::Jitter, 1));
        assert_ne!(SEED.replication(0), SEED.replication(1));
    }

    #[test]
    fn samples_never_change() {
        // A committed hash: rand_distr's values depend on how num-traits was built (its `std`
        // feature swaps libm for the platform's maths); rounding to nanoseconds removes that.
        let mut hash = 0u64;
        for worker in 0..1_000 {
            let mut stream = SEED.draw(Actor::Worker(worker), Purpose::Arrival, 7);
            for _ in 0..20 {
                hash = mix(hash ^ stream.exponential(Span::SECOND).as_nanos());
                hash = mix(hash ^ stream.span_up_to(Span::from_millis(500)).as_nanos());
            }
        }
        assert_eq!(hash, 7_767_548_252_993_518_734, "sample hash");
    }

    #[test]
    fn moments_are_those_of_the_laws() {
        let n = 200_000u32;
        let (mut uniform, mut exponential) = (0.0, 0.0);
        for worker in 0..n {
            let mut stream = SEED.draw(Actor::Worker(worker), Purpose::Jitter, 0);
            uniform += stream.span_up_to(Span::SECOND).as_secs_f64();
            exponential += stream.exponential(Span::SECOND).as_secs_f64();
        }
        let n = f64::from(n);
        // Five standard errors: 1/sqrt(12 n) and 1/sqrt(n).
        assert!(
            (uniform / n - 0.5).abs() < 5.0 / (12.0 * n).sqrt(),
            "{}",
            uniform / n
        );
        assert!(
            (exponential / n - 1.0).abs() < 5.0 / n.sqrt(),
            "{}",
            exponential / n
        );
    }

    #[test]
    fn bounds_are_reached_and_kept() {
        let mut seen = [false; 3];
        for worker in 0..100 {
            let n = SEED.draw(Actor::Worker(worker), Purpose::Order, 0).up_to(2);
            seen[usize::try_from(n).expect("at most two")] = true;
        }
        assert_eq!(seen, [true; 3]);
    }
}
