//! Line: a crowd that waits, and how many of it leave in each bin.
//!
//! Whoever enters under a distribution adds its expected departures to a schedule; in a bin each of
//! those who are still there leaves with the probability that the schedule gives it. So the number
//! is binomial, nobody is lost, and the cost of a bin does not depend on how many wait. A delay
//! that never varies has its departures counted out instead, for there is no luck in it.

use ratelab_core::Stream;

use super::law::Law;

/// Below this rest of the schedule, whoever is still there leaves.
const LAST: f64 = 0.001;

/// A waiting crowd.
pub(super) struct Line {
    /// The present bin's place in the rings, whose length is a power of two.
    now: usize,
    /// The first bin that newcomers may leave in: 0, or 1 when this bin's have already left.
    soonest: usize,
    /// Those whose bin is certain.
    certain: Vec<u64>,
    /// Expected departures by bin, and by how much an even part of them rises.
    weights: Vec<f64>,
    rises: Vec<f64>,
    height: f64,
    /// Expected departures that are still to come, and those who wait for them.
    rest: f64,
    scheduled: u64,
    /// Those who wait without memory, and the chance to leave.
    forgetful: u64,
    chance: f64,
}

impl Line {
    /// For laws that reach so many bins.
    pub(super) fn new(reach: usize, soonest: usize) -> Self {
        let length = (reach + 2).next_power_of_two();
        Self {
            now: 0,
            soonest,
            certain: vec![0; length],
            weights: vec![0.0; length],
            rises: vec![0.0; length],
            height: 0.0,
            rest: 0.0,
            scheduled: 0,
            forgetful: 0,
            chance: 0.0,
        }
    }

    /// As new.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.certain.len() - 2, self.soonest);
    }

    /// The place of a bin from the one that newcomers enter in, which for a line that has been left
    /// in it lies one back.
    fn place(&self, bin: usize) -> usize {
        (self.now + bin.max(self.soonest) - self.soonest) & (self.certain.len() - 1)
    }

    /// `count` enter in the present bin.
    pub(super) fn enter(&mut self, count: u64, law: &Law, stream: &mut Stream) {
        if count == 0 {
            return;
        }
        let crowd = count as f64;
        match law {
            Law::Shift(bins) => {
                let (bin, part) = split(*bins);
                let late = stream.binomial(count, part);
                let (early, next) = (self.place(bin), self.place(bin + 1));
                self.certain[early] += count - late;
                self.certain[next] += late;
            }
            Law::Memoryless(ends, first) => {
                let at_once = stream.binomial(count, *first);
                let place = self.place(0);
                self.certain[place] += at_once;
                self.forgetful += count - at_once;
                self.chance = *ends;
            }
            Law::Even(low, high) => {
                let each = crowd / (high - low);
                for (edge, rise) in [(low + 0.5, each), (high + 0.5, -each)] {
                    let (bin, part) = split(edge);
                    let (early, next) = (self.place(bin), self.place(bin + 1));
                    self.rises[early] += rise * (1.0 - part);
                    self.rises[next] += rise * part;
                    if bin < self.soonest {
                        // What this bin would have had goes with the next.
                        self.weights[early] += rise * (1.0 - part);
                    }
                }
                self.rest += crowd;
                self.scheduled += count;
            }
            Law::Table(table) => {
                for (bin, share) in table.iter().enumerate() {
                    let place = self.place(bin);
                    self.weights[place] += crowd * share;
                }
                self.rest += crowd;
                self.scheduled += count;
            }
        }
    }

    /// How many leave in the present bin, which is over for this line.
    pub(super) fn leave(&mut self, stream: &mut Stream) -> u64 {
        let here = self.now;
        self.height += std::mem::take(&mut self.rises[here]);
        let due = std::mem::take(&mut self.weights[here]) + self.height;
        let certain = std::mem::take(&mut self.certain[here]);
        let mut leaving = stream.binomial(self.forgetful, self.chance);
        self.forgetful -= leaving;
        let scheduled = if self.rest < LAST {
            self.scheduled
        } else {
            stream.binomial(self.scheduled, due / self.rest)
        };
        self.scheduled -= scheduled;
        self.rest = if self.scheduled == 0 && self.rest < 1.0 {
            (self.rest - due).max(0.0)
        } else {
            self.rest - due
        };
        leaving += certain + scheduled;
        self.now = (here + 1) & (self.certain.len() - 1);
        leaving
    }

    /// How many wait.
    pub(super) fn len(&self) -> u64 {
        self.certain.iter().sum::<u64>() + self.scheduled + self.forgetful
    }
}

/// Whole bins and the part of one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Lengths are not negative.
fn split(bins: f64) -> (usize, f64) {
    let whole = bins as usize;
    (whole, bins - whole as f64)
}

#[cfg(test)]
mod tests {
    use ratelab_core::{Actor, Purpose, Seed, Span, SpanRange};
    use ratelab_model::Delay;

    use super::*;
    use crate::cohort::law::BIN;

    fn mean_of(law: &Law) -> (f64, u64) {
        let mut stream = Seed(1).stream(Actor::Fleet, Purpose::Jitter);
        // A line without memory is one that was left before it is entered.
        let forgets = matches!(law, Law::Memoryless(..));
        let mut line = Line::new(law.reach(), usize::from(forgets));
        if forgets {
            line.leave(&mut stream);
        }
        let (count, mut sum, mut left) = (2_000_000u64, 0.0, 0);
        line.enter(count, law, &mut stream);
        for bin in 0..200_000 {
            let leaving = line.leave(&mut stream);
            sum += leaving as f64 * f64::from(bin + u32::from(forgets));
            left += leaving;
            if line.len() == 0 {
                break;
            }
        }
        (sum / count as f64 * BIN.as_secs_f64(), left)
    }

    #[test]
    fn a_crowd_leaves_whole_and_after_the_mean_delay() {
        let span = Span::from_millis;
        let even = |low, high| {
            Law::even(SpanRange {
                low: span(low),
                high: span(high),
            })
        };
        let lognormal = "{ lognormal = { median = \"50ms\", sigma = \"50%\", cap = \"2s\" } }";
        let exponential = "{ exponential = { mean = \"1s\" } }";
        let law = |text: &str| Law::think(&delay(text));
        let laws = [
            (Law::Shift(2.25), 0.0225),
            (even(0, 2_000), 1.0),
            (even(1_003, 1_017), 1.010),
            (law(exponential), 1.0),
            (law(lognormal), delay(lognormal).mean().as_secs_f64()),
        ];
        for (law, wanted) in laws {
            let (mean, left) = mean_of(&law);
            assert_eq!(left, 2_000_000, "nobody is lost");
            assert!(
                (mean - wanted).abs() < 0.000_1 + wanted / 500.0,
                "{law:?}: {mean} for {wanted}"
            );
        }
    }

    #[test]
    fn a_steady_stream_keeps_its_crowd() {
        // Little's law: who enters in a second, times the mean wait, is who is there.
        let law = |text: &str| Law::think(&delay(text));
        let laws = [
            law("{ exponential = { mean = \"1s\" } }"),
            law("{ uniform = { range = \"0..2s\" } }"),
            law("\"1s\""),
            law("{ lognormal = { median = \"1s\", sigma = \"10%\" } }"),
        ];
        for (law, mean) in laws.into_iter().zip([1.0, 1.0, 1.0, 1.005]) {
            let mut stream = Seed(1).stream(Actor::Fleet, Purpose::Jitter);
            let mut line = Line::new(law.reach(), 1);
            let (mut there, mut bins) = (0, 0.0);
            for bin in 0..6_000 {
                line.leave(&mut stream);
                line.enter(10_000, &law, &mut stream);
                if bin >= 2_000 {
                    there += line.len();
                    bins += 1.0;
                }
            }
            let wanted = 10_000.0 / BIN.as_secs_f64() * mean;
            let found = there as f64 / bins;
            assert!(
                (found / wanted - 1.0).abs() < 0.002,
                "{law:?}: {found} for {wanted}"
            );
        }
    }

    fn delay(text: &str) -> Delay {
        let file = format!(
            "question = \"q\"\nduration = \"1s\"\nfleet.workers = 1\nnetwork.one-way = {text}"
        );
        let experiment = ratelab_spec::parse("t.toml", &file, &ratelab_spec::Overrides::default());
        experiment
            .expect("a file")
            .cases
            .remove(0)
            .scenario
            .network
            .one_way
    }
}
