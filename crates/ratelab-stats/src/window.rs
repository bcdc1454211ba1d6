//! Sliding windows: the largest count in any window `[t, t + width)`, exact, in one pass.
//!
//! Several windows share one track of instants, and each keeps the place where it begins. Equal
//! times share an entry. Memory is what the widest window holds, however long the run.

use ratelab_core::{Budget, Span, Time};

/// Instants in order, as far back as somebody needs them: a ring.
#[derive(Debug, Clone, Default)]
pub struct Track {
    /// Instants, and how much had happened before each, modulo 2^32. Their length is a power of
    /// two.
    times: Vec<u64>,
    before: Vec<u32>,
    /// Entries ever added; those in the ring end here.
    end: usize,
    /// No window begins before this entry.
    oldest: usize,
    /// The latest instant, and all that has happened, modulo 2^32.
    latest: u64,
    total: u32,
}

/// A window of one width over a track.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    width: u64,
    /// What happens before this does not count.
    from: u64,
    /// Its first entry.
    begin: usize,
    most: u32,
}

impl Track {
    /// As new.
    pub fn reset(&mut self) {
        (self.end, self.oldest, self.total) = (0, 0, 0);
    }

    /// As new, with no memory.
    pub fn settle(&mut self) {
        *self = Self::default();
    }

    /// Something happened `count` times at `at`, not before what happened last. What the `widest`
    /// of the windows over this track holds is kept.
    #[inline(always)]
    pub fn add(&mut self, at: Time, count: u32, widest: &Window) {
        let at = at.as_nanos();
        if at != self.latest || self.end == 0 {
            if self.end - self.oldest >= self.times.len() {
                self.make_room(widest.begin);
            }
            let place = self.end & (self.times.len() - 1);
            self.times[place] = at;
            self.before[place] = self.total;
            self.latest = at;
            self.end += 1;
        }
        self.total = self.total.wrapping_add(count);
    }

    /// Forgets what comes before an entry; doubles the ring when that is not enough.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, first: usize) {
        self.oldest = self.oldest.max(first);
        // Half must be free, or room would have to be made again at once.
        if (self.end - self.oldest) * 2 >= self.times.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let old = self.times.len();
        let new = (old * 2).max(64);
        let (mut times, mut before) = (vec![0; new], vec![0; new]);
        for place in self.oldest..self.end {
            times[place & (new - 1)] = self.times[place & (old - 1)];
            before[place & (new - 1)] = self.before[place & (old - 1)];
        }
        (self.times, self.before) = (times, before);
    }
}

impl Window {
    /// Of a width, over what happens from an instant on.
    pub fn new(width: Span, from: Time) -> Self {
        Self {
            width: width.as_nanos(),
            from: from.as_nanos(),
            begin: 0,
            most: 0,
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        (self.begin, self.most) = (0, 0);
    }

    /// Whether it is wider than another.
    #[inline(always)]
    pub fn is_wider(&self, other: &Self) -> bool {
        self.width > other.width
    }

    #[inline(always)]
    fn is_out(&self, at: u64, now: u64) -> bool {
        now - at >= self.width || at < self.from
    }

    /// Slides to the latest entry of its track.
    #[inline(always)]
    pub fn slide(&mut self, track: &Track) {
        if track.latest < self.from {
            return;
        }
        let times = &track.times[..];
        let mask = times.len() - 1;
        self.begin = self.begin.max(track.oldest);
        // The latest entry is inside, so this ends.
        while self.is_out(times[self.begin & mask], track.latest) {
            self.begin += 1;
        }
        let inside = track.total.wrapping_sub(track.before[self.begin & mask]);
        self.most = self.most.max(inside);
    }

    /// The largest count so far.
    pub fn most(&self) -> u64 {
        u64::from(self.most)
    }
}

/// One window with a track of its own.
#[derive(Debug, Clone)]
pub struct Sliding {
    track: Track,
    window: Window,
}

impl Sliding {
    /// Of this width.
    pub fn new(width: Span) -> Self {
        Self {
            track: Track::default(),
            window: Window::new(width, Time::START),
        }
    }

    /// Something happened `count` times at `at`, not before what happened last.
    #[inline(always)]
    pub fn add(&mut self, at: Time, count: u32) {
        self.track.add(at, count, &self.window);
        self.window.slide(&self.track);
    }

    /// The largest count so far.
    pub fn most(&self) -> u64 {
        self.window.most()
    }

    /// As new.
    pub fn reset(&mut self) {
        self.track.reset();
        self.window.reset();
    }

    /// As new, with no memory.
    pub fn settle(&mut self) {
        self.track.settle();
        self.window.reset();
    }
}

/// Requests above `rate · t + burst` in the worst window of any length: the highest level of a
/// bucket that fills by one a request and leaks at the rate, less the burst.
#[derive(Debug, Clone, Copy)]
pub struct Overrun {
    budget: Budget,
    level: u128,
    worst: u128,
    at: Time,
}

impl Overrun {
    /// Against this budget.
    pub fn new(budget: Budget) -> Self {
        Self {
            budget,
            level: 0,
            worst: 0,
            at: Time::START,
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        *self = Self::new(self.budget);
    }

    /// `count` requests set out at `at`.
    #[inline]
    pub fn add(&mut self, at: Time, count: u32) {
        let leaked =
            u128::from(at.since(self.at).as_nanos()) * u128::from(self.budget.rate.permits());
        let added = u128::from(self.budget.rate.per().as_nanos()) * u128::from(count);
        self.level = self.level.saturating_sub(leaked) + added;
        self.worst = self.worst.max(self.level);
        self.at = at;
    }

    /// Whole and part requests above the budget.
    pub fn worst(&self) -> f64 {
        let one = u128::from(self.budget.rate.per().as_nanos());
        let over = self
            .worst
            .saturating_sub(one * u128::from(self.budget.burst));
        over as f64 / one as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_half_open_and_slide() {
        let mut window = Sliding::new(Span::SECOND);
        for millis in [0, 0, 500, 999, 1000, 1400, 1499] {
            window.add(Time::START + Span::from_millis(millis), 1);
        }
        assert_eq!(window.most(), 5, "500, 999, 1000, 1400 and 1499");
    }

    #[test]
    fn many_windows_are_each_what_they_would_be_alone() {
        // Against counting by hand, with a ring that has to grow and windows that begin late.
        let mut instants = Vec::new();
        let mut now = 0u64;
        for n in 0..3_000u64 {
            now += (n * n * 7_919) % 3_000_000 * u64::from(n % 4 != 0);
            instants.push(now);
        }
        let from = Time::from_nanos(now / 3);
        let widths = [
            (1u64, Time::START),
            (40, Time::START),
            (1_000, Time::START),
            (40, from),
        ];
        let mut track = Track::default();
        let mut windows = widths.map(|(millis, from)| Window::new(Span::from_millis(millis), from));
        for at in &instants {
            track.add(Time::from_nanos(*at), 2, &windows[2]);
            for window in &mut windows {
                window.slide(&track);
            }
        }
        for (place, (millis, from)) in widths.into_iter().enumerate() {
            let late: Vec<u64> = instants
                .iter()
                .copied()
                .filter(|at| *at >= from.as_nanos())
                .collect();
            let width = millis * 1_000_000;
            let inside = |end: u64| {
                late.iter()
                    .filter(|at| **at <= end && end - **at < width)
                    .count()
            };
            let most = late.iter().map(|end| inside(*end)).max();
            // The last of several at one instant sees them all.
            assert_eq!(
                windows[place].most(),
                2 * most.unwrap_or(0) as u64,
                "{millis} ms"
            );
        }
    }

    #[test]
    fn four_workers_overrun_one_a_second_by_what_they_send_above_it() {
        let rate = "1/s".parse().expect("a rate");
        let mut overrun = Overrun::new(Budget { rate, burst: 1 });
        for second in 0..10 {
            for _ in 0..4 {
                overrun.add(Time::START + Span::from_secs(second), 1);
            }
        }
        // 40 requests in 9 s against 9 + 1.
        assert!((overrun.worst() - 30.0).abs() < 1e-9);
    }
}
