//! Desk: c requests are worked on at once, the others queue, first come, first served.
//!
//! A request's start is known when it arrives: the moment the first of the c places is free (Kiefer
//! and Wolfowitz 1955). So no queue is kept, nobody is woken, and a place is one number.

use ratelab_core::{Span, Time};

/// When each place is free again, the soonest first: a binary heap.
pub(crate) struct Desk {
    free: Vec<Time>,
}

impl Desk {
    /// Of `places`, all free.
    pub(crate) fn new(places: u32) -> Self {
        Self {
            free: vec![Time::START; places as usize],
        }
    }

    /// As new.
    pub(crate) fn reset(&mut self) {
        self.free.fill(Time::START);
    }

    /// Works on a request that arrives at `now` for `service`, as soon as a place is free; returns
    /// when it is done. Requests arrive in order of time.
    pub(crate) fn serve(&mut self, now: Time, service: Span) -> Time {
        let done = self.free[0].max(now) + service;
        self.replace_first(done);
        done
    }

    fn replace_first(&mut self, done: Time) {
        let mut place = 0;
        loop {
            let left = 2 * place + 1;
            let Some(pair) = self.free.get(left..(left + 2).min(self.free.len())) else {
                break;
            };
            let Some(first) = pair.iter().min().copied() else {
                break;
            };
            if first >= done {
                break;
            }
            let child = left + usize::from(pair[0] != first);
            self.free[place] = first;
            place = child;
        }
        self.free[place] = done;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(secs: u64) -> Time {
        Time::from_nanos(secs * 1_000_000_000)
    }

    #[test]
    fn two_places_and_a_queue() {
        let mut desk = Desk::new(2);
        assert_eq!(desk.serve(at(0), Span::from_secs(10)), at(10));
        assert_eq!(desk.serve(at(1), Span::from_secs(2)), at(3));
        assert_eq!(
            desk.serve(at(1), Span::from_secs(4)),
            at(7),
            "waits until 3"
        );
        assert_eq!(
            desk.serve(at(2), Span::from_secs(1)),
            at(8),
            "waits until 7"
        );
        assert_eq!(desk.serve(at(20), Span::SECOND), at(21), "nobody is there");
    }

    #[test]
    fn the_first_place_is_always_the_soonest() {
        let mut desk = Desk::new(7);
        for n in 0..1_000u64 {
            desk.serve(at(n), Span::from_secs(n * 37 % 11));
            assert_eq!(desk.free.iter().min(), Some(&desk.free[0]));
        }
    }
}
