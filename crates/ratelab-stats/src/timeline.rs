//! Timelines: counts per bin, summed over replications, with the range of each bin.

use ratelab_core::{Span, Time};

use crate::series::Timeline;
use crate::track::Seen;

/// Counts per bin of one width from a start on.
#[derive(Debug, Clone)]
pub struct Bins {
    from: Time,
    width: Span,
    /// The present bin, and when the next one begins.
    bin: usize,
    next: Time,
    run: Vec<u32>,
    sum: Vec<u64>,
    min: Vec<u32>,
    max: Vec<u32>,
    runs: u64,
}

/// Widths a reader can make sense of.
const WIDTHS: [u64; 12] = [
    1,
    10,
    100,
    1_000,
    10_000,
    60_000,
    600_000,
    3_600_000,
    21_600_000,
    86_400_000,
    604_800_000,
    31_536_000_000,
];

/// The narrowest sensible width that cuts `duration` into at most 120 bins.
pub fn width_for(duration: Span) -> Span {
    let fits = |ms: &&u64| duration.as_nanos().div_ceil(**ms * 1_000_000) <= 120;
    Span::from_millis(WIDTHS.iter().find(fits).copied().unwrap_or(31_536_000_000))
}

impl Bins {
    /// Bins of `width` over `[from, until)`.
    pub fn new(from: Time, until: Time, width: Span) -> Self {
        let count = until
            .since(from)
            .as_nanos()
            .div_ceil(width.as_nanos().max(1));
        let count = usize::try_from(count).expect("bins are few").max(1);
        let (run, sum) = (vec![0; count], vec![0; count]);
        Self {
            from,
            width,
            bin: usize::MAX,
            next: from,
            run,
            sum,
            min: vec![u32::MAX; count],
            max: vec![0; count],
            runs: 0,
        }
    }

    /// Something happened `count` times, not before what happened last.
    #[inline(always)]
    pub fn add(&mut self, at: Time, count: u32) {
        if at >= self.next {
            self.turn(at);
        }
        if let Some(bin) = self.run.get_mut(self.bin) {
            *bin += count;
        }
    }

    /// Takes in a batch, in order.
    pub fn add_all(&mut self, batch: &[Seen]) {
        for seen in batch {
            self.add(seen.at(), seen.count());
        }
    }

    /// Goes on to the bin of `at`; before the first and after the last there is none.
    #[cold]
    fn turn(&mut self, at: Time) {
        let bin = at.since(self.from).as_nanos() / self.width.as_nanos().max(1);
        self.bin = usize::try_from(bin).unwrap_or(usize::MAX);
        self.next = self.from + self.width * bin.saturating_add(1);
    }

    /// The replication is over.
    pub fn close(&mut self) {
        self.runs += 1;
        (self.bin, self.next) = (usize::MAX, self.from);
        for (bin, count) in self.run.iter_mut().enumerate() {
            self.sum[bin] += u64::from(*count);
            self.min[bin] = self.min[bin].min(*count);
            self.max[bin] = self.max[bin].max(*count);
            *count = 0;
        }
    }

    /// Takes in another chunk.
    pub fn merge(&mut self, other: &Self) {
        self.runs += other.runs;
        for bin in 0..self.sum.len() {
            self.sum[bin] += other.sum[bin];
            self.min[bin] = self.min[bin].min(other.min[bin]);
            self.max[bin] = self.max[bin].max(other.max[bin]);
        }
    }

    /// Means and ranges.
    pub fn timeline(&self) -> Timeline {
        let runs = self.runs.max(1) as f64;
        Timeline {
            from: self.from.as_secs_f64(),
            width: self.width.as_secs_f64(),
            mean: self.sum.iter().map(|sum| *sum as f64 / runs).collect(),
            min: self
                .min
                .iter()
                .map(|min| if *min == u32::MAX { 0 } else { *min })
                .collect(),
            max: self.max.clone(),
        }
    }
}
