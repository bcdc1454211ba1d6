//! Sliding windows: the largest count in any window `[t, t + width)`, exact, in one pass.
//!
//! Several windows share one track of instants, and each keeps the place where it begins. Memory is
//! what the widest window holds, however long the run.

use ratelab_core::{Span, Time};

use crate::track::{Seen, Track};

/// A window of one width over a track.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    width: u64,
    /// What happens before this does not count.
    from: u64,
    /// Its first entry, and when that happened.
    begin: usize,
    begin_at: u64,
    most: u32,
}

impl Window {
    /// Of a width, over what happens from an instant on.
    pub fn new(width: Span, from: Time) -> Self {
        Self {
            width: width.as_nanos(),
            from: from.as_nanos(),
            begin: 0,
            begin_at: 0,
            most: 0,
        }
    }

    /// As new.
    pub fn reset(&mut self) {
        (self.begin, self.begin_at, self.most) = (0, 0, 0);
    }

    /// Whether it is wider than another.
    pub fn is_wider(&self, other: &Self) -> bool {
        self.width > other.width
    }

    /// Begins one entry later.
    #[inline(always)]
    fn step(&mut self, track: &Track) {
        self.begin += 1;
        self.begin_at += u64::from(track.gap(self.begin));
    }

    /// Holds what has happened after the first and by the second count, modulo 2^32.
    #[inline(always)]
    fn holds(&mut self, after: u32, before: u32) {
        self.most = self.most.max(after.wrapping_sub(before));
    }

    /// Slides over entries of its track, one by one.
    #[allow(clippy::cast_possible_truncation)] // Counts are modulo 2^32.
    pub fn slide(&mut self, track: &Track, batch: &[Seen]) {
        let mut window = *self;
        let oldest = track.oldest();
        if window.begin <= oldest.0 {
            (window.begin, window.begin_at) = oldest;
        }
        let batch = &batch[batch.partition_point(|seen| seen.at < window.from)..];
        if batch.is_empty() {
            return;
        }
        while window.begin_at < window.from {
            window.step(track);
        }
        // The entry that is looked at is inside, so the inner loops end.
        if track.is_plain() {
            for seen in batch {
                while seen.at - window.begin_at >= window.width {
                    window.step(track);
                }
                window.holds(seen.after, window.begin as u32);
            }
        } else {
            for seen in batch {
                while seen.at - window.begin_at >= window.width {
                    window.step(track);
                }
                window.holds(seen.after, track.before(window.begin));
            }
        }
        *self = window;
    }

    /// The largest count so far.
    pub fn most(&self) -> u64 {
        u64::from(self.most)
    }

    /// Its first entry, and when it happened.
    pub(crate) fn begin(&self) -> (usize, u64) {
        (self.begin, self.begin_at)
    }
}

/// One window with a track of its own.
#[derive(Debug, Clone)]
pub struct Sliding {
    track: Track,
    window: Window,
}

impl Sliding {
    /// Of this width, with about so many instants in it.
    pub fn new(width: Span, instants: usize) -> Self {
        Self {
            track: Track::for_about(instants),
            window: Window::new(width, Time::START),
        }
    }

    /// Something happened `count` times at `at`, not before what happened last.
    #[inline(always)]
    pub fn add(&mut self, at: Time, count: u32) {
        if self.track.add(at, count) {
            self.look();
        }
    }

    #[inline(never)]
    fn look(&mut self) {
        let batch = self.track.look();
        self.window.slide(&self.track, &batch);
        self.track.forget(&self.window, batch);
    }

    /// The largest count; nothing more is added.
    pub fn most(&mut self) -> u64 {
        self.look();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_half_open_and_slide() {
        let mut window = Sliding::new(Span::SECOND, 0);
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
        for count in [1, 2] {
            let mut track = Track::default();
            let mut windows =
                widths.map(|(millis, from)| Window::new(Span::from_millis(millis), from));
            let mut look = |track: &mut Track| {
                let batch = track.look();
                for window in &mut windows {
                    window.slide(track, &batch);
                }
                track.forget(&windows[2], batch);
            };
            for at in &instants {
                if track.add(Time::from_nanos(*at), count) {
                    look(&mut track);
                }
            }
            look(&mut track);
            compare(&instants, &widths, &windows, count);
        }
    }

    fn compare(instants: &[u64], widths: &[(u64, Time)], windows: &[Window], count: u32) {
        for (place, (millis, from)) in widths.iter().enumerate() {
            let late: Vec<u64> = instants
                .iter()
                .copied()
                .filter(|at| *at >= from.as_nanos())
                .collect();
            let width = *millis * 1_000_000;
            let inside = |end: u64| {
                late.iter()
                    .filter(|at| **at <= end && end - **at < width)
                    .count()
            };
            let most = late.iter().map(|end| inside(*end)).max();
            // The last of several at one instant sees them all.
            assert_eq!(
                windows[place].most(),
                u64::from(count) * most.unwrap_or(0) as u64,
                "{millis} ms"
            );
        }
    }

    #[test]
    fn gaps_of_any_width_are_gaps() {
        // Wider than 32 bits of nanoseconds, in a window that is wider still.
        let mut sliding = Sliding::new(Span::from_secs(60), 0);
        for second in [0u64, 1, 20, 59, 60, 61, 1_000, 1_050, 100_000] {
            sliding.add(Time::START + Span::from_secs(second), 1);
        }
        assert_eq!(
            sliding.most(),
            4,
            "0, 1, 20 and 59; 1 and 61 are a whole window apart"
        );
    }
}
