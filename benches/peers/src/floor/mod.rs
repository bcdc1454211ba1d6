//! The floor: loops written by hand for one workload each, around a queue that suits it.
//!
//! No engine: what an event costs when nothing is general.

mod fleet;
mod ladder;
mod station;
mod storm;

pub(crate) use fleet::w2;
pub(crate) use station::w3;
pub(crate) use storm::w1;

const SEED: u64 = 1;
const SECOND: u64 = 1_000_000_000;

/// Whole nanoseconds of a span in seconds.
#[inline]
fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9) as u64
}

/// Attempts of each virtual second.
#[derive(Default)]
struct Seconds(Vec<u64>);

impl Seconds {
    #[inline]
    fn count(&mut self, time: u64) {
        let second = (time / SECOND) as usize;
        if second >= self.0.len() {
            self.0.resize(second + 1, 0);
        }
        self.0[second] += 1;
    }

    fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}
