//! Randomness by identity: who draws, what for, and for which time. No stream is ever shared.
//!
//! A draw is named by (seed, actor, purpose, index) and nothing else, so adding a draw somewhere
//! disturbs nobody, variants under one seed meet the same luck (common random numbers), and a
//! worker needs no generator of its own: its attempt counter is its place in the stream. tower 0.5
//! clones its generator into every client and so gives four clients one jitter; [`Stream`] is
//! therefore not `Clone`.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood 2014, finaliser: variant 13 of Stafford), the
//! whole state of which is a counter: a stream is eight bytes, is made in a dozen instructions and
//! never changes. Samples leave here as whole nanoseconds: no `f64` enters a state.

use crate::binomial::binomial;
use crate::exp::exp;
use crate::span::Span;
use crate::span_range::SpanRange;
use crate::ziggurat::{Ziggurat, exponential, normal};

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
    /// The fleet as a whole, where workers are counted and not told apart.
    Fleet,
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
    /// The way of a request to the server.
    Out,
    /// The way of an answer back.
    Back,
    /// How long the server works on a request.
    Service,
    /// Order of simultaneous events.
    Order,
}

/// One random stream: 8 bytes, portable, not to be copied.
#[derive(Debug)]
pub struct Stream(u64);

/// The step within a stream: 2^64 over the golden ratio, odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The step from one draw's stream to the next: 2^64 over the positive root of x^4 = x + 1 (Roberts
/// 2018), odd and far from multiples of the other, so that streams do not run into each other.
const STRIDE: u64 = 0xd1b5_4a32_d192_ed03;

/// Stafford's variant 13 of the 64-bit finaliser, as in SplitMix64.
#[inline]
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
    #[inline]
    pub fn draw(self, who: Actor, why: Purpose, index: u64) -> Stream {
        let (tag, id) = match who {
            Actor::Worker(id) => (1, u64::from(id)),
            Actor::Server => (2, 0),
            Actor::Ties => (3, 0),
            Actor::Fleet => (4, 0),
        };
        let name = (tag << 40) | ((why as u64) << 32) | id;
        let key = mix(self.0 ^ name.wrapping_mul(GOLDEN));
        Stream(key.wrapping_add(index.wrapping_mul(STRIDE)))
    }

    /// The one long stream of an actor that draws in a fixed order by itself.
    pub fn stream(self, who: Actor, why: Purpose) -> Stream {
        self.draw(who, why, u64::MAX)
    }
}

/// The index of a draw that belongs to one attempt of one of an actor's jobs.
#[inline]
pub const fn attempt_index(job: u64, attempt: u32) -> u64 {
    job.wrapping_mul(GOLDEN).wrapping_add(attempt as u64)
}

impl Stream {
    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// Uniform over `0..=most`: the high half of a 64 × 64-bit product, biased by less than
    /// `most / 2^64`, and the same on every machine.
    #[inline]
    pub fn up_to(&mut self, most: u64) -> u64 {
        let wide = u128::from(self.bits()) * (u128::from(most) + 1);
        (wide >> 64) as u64
    }

    /// A span uniform over `[0, longest]`.
    #[inline]
    pub fn span_up_to(&mut self, longest: Span) -> Span {
        Span::from_nanos(self.up_to(longest.as_nanos()))
    }

    /// A span uniform over a closed range.
    #[inline]
    pub fn span_in(&mut self, range: SpanRange) -> Span {
        range.low + self.span_up_to(range.high - range.low)
    }

    /// How many of `n` do it, each with probability `p`.
    pub fn binomial(&mut self, n: u64, p: f64) -> u64 {
        binomial(n, p, self)
    }

    /// An exponential span of the given mean.
    #[inline(always)]
    pub fn exponential(&mut self, law: Exponential) -> Span {
        Span::rounded(law.mean * exponential(law.unit, self))
    }

    /// A lognormal span.
    #[inline(always)]
    pub fn lognormal(&mut self, law: Lognormal) -> Span {
        let z = normal(law.normal, self);
        Span::rounded(law.median * exp(law.sigma * z))
    }
}

/// An exponential law, ready to be drawn from.
#[derive(Clone, Copy)]
pub struct Exponential {
    mean: f64,
    unit: Ziggurat,
}

impl Exponential {
    /// Of a mean.
    pub fn of(mean: Span) -> Self {
        Self {
            mean: mean.as_nanos() as f64,
            unit: Ziggurat::exponential(),
        }
    }
}

/// A lognormal law, ready to be drawn from: `median · e^(sigma · z)` with z standard normal.
#[derive(Clone, Copy)]
pub struct Lognormal {
    median: f64,
    sigma: f64,
    normal: Ziggurat,
}

impl Lognormal {
    /// Of a median, and the standard deviation of the logarithm, up to 60.
    pub fn of(median: Span, sigma: f64) -> Self {
        Self {
            median: median.as_nanos() as f64,
            sigma,
            normal: Ziggurat::normal(),
        }
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
        // A committed hash: no platform, build or dependency may move a bit.
        let mut hash = 0u64;
        for worker in 0..1_000 {
            let mut stream = SEED.draw(Actor::Worker(worker), Purpose::Arrival, 7);
            for _ in 0..20 {
                hash = mix(hash ^ stream.exponential(Exponential::of(Span::SECOND)).as_nanos());
                hash = mix(hash ^ stream.span_up_to(Span::from_millis(500)).as_nanos());
                hash = mix(hash
                    ^ stream
                        .lognormal(Lognormal::of(Span::SECOND, 0.5))
                        .as_nanos());
            }
        }
        assert_eq!(hash, 11_035_173_139_732_372_593, "sample hash");
    }

    #[test]
    fn moments_are_those_of_the_laws() {
        let n = 200_000u32;
        let (mut uniform, mut exponential) = (0.0, 0.0);
        for worker in 0..n {
            let mut stream = SEED.draw(Actor::Worker(worker), Purpose::Jitter, 0);
            uniform += stream.span_up_to(Span::SECOND).as_secs_f64();
            exponential += stream
                .exponential(Exponential::of(Span::SECOND))
                .as_secs_f64();
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
