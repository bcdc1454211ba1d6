//! Limiters: may this request pass now, and if not, when is it worth asking again?
//!
//! An algorithm is a rule and a small state. Where the state lives is not its business: a
//! [`Bank`] holds one state per slot, and the gate says which slot a worker's request belongs to
//! (its own, its host's, the one shared slot). So every algorithm works in every placement.
//!
//! The laws, tested over the whole catalog:
//! 1. after [`Decision::WaitUntil`] `(t)`, `t` is later than now, asking alone at `t` grants and
//!    asking just before does not;
//! 2. grants in any window of length `w` are at most `rate · w + burst` of
//!    [`LimiterRole::promise`];
//! 3. refusing changes nothing, unless the refused are counted by [`Limiter::charge`];
//! 4. equal inputs give equal answers.

use std::fmt;

use prefetch_index::prefetch_index;
use ratelab_core::huge::{self, HugeVec};
use ratelab_core::{Budget, Findings, Rate, Span, TextError, Time, catalog};

/// A limiter's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Pass now.
    Grant,
    /// Pass at that time; the place is reserved, do not ask again.
    GrantAt(Time),
    /// Not now. Asking alone at that time would pass; nothing is reserved.
    WaitUntil(Time),
    /// This cost can never pass.
    Never,
}

/// One algorithm: a rule over a state that it does not own.
pub trait Limiter: Send {
    /// What it remembers per slot.
    type State: Send;

    /// The state of a slot nobody has used.
    fn fresh(&self) -> Self::State;

    /// May a request of `cost` pass at `now`? Time never runs back between calls.
    fn decide(&self, state: &mut Self::State, now: Time, cost: u32) -> Decision;

    /// Counts a refused request against the slot, for servers that do. After it nothing passes
    /// until a whole permit has come back.
    fn charge(&self, state: &mut Self::State, now: Time, cost: u32);
}

/// Many slots of one algorithm behind one dynamic call.
pub trait Bank: Send {
    /// [`Limiter::decide`] for a slot.
    fn decide(&mut self, slot: usize, now: Time, cost: u32) -> Decision;
    /// [`Limiter::charge`] for a slot.
    fn charge(&mut self, slot: usize, now: Time, cost: u32);
    /// Has memory send the state of a slot that is soon asked.
    fn fetch(&self, slot: usize);
    /// All slots as new.
    fn reset(&mut self);
}

struct Slots<L: Limiter> {
    rule: L,
    states: HugeVec<L::State>,
}

impl<L: Limiter> Bank for Slots<L> {
    fn decide(&mut self, slot: usize, now: Time, cost: u32) -> Decision {
        self.rule.decide(&mut self.states[slot], now, cost)
    }

    fn charge(&mut self, slot: usize, now: Time, cost: u32) {
        self.rule.charge(&mut self.states[slot], now, cost);
    }

    fn fetch(&self, slot: usize) {
        prefetch_index(&self.states, slot);
    }

    fn reset(&mut self) {
        for state in &mut self.states {
            *state = self.rule.fresh();
        }
    }
}

/// A bank of `slots` fresh states of `rule`.
pub fn bank<L: Limiter + 'static>(rule: L, slots: usize) -> Box<dyn Bank> {
    let mut states = huge::with_room(slots);
    states.extend((0..slots).map(|_| rule.fresh()));
    Box::new(Slots { rule, states })
}

/// What every limiter's parameters can do.
pub trait LimiterRole: fmt::Debug {
    /// Says what is wrong with the parameters.
    fn check(&self, findings: &mut Findings);

    /// A bank of `slots` fresh states.
    fn bank(&self, slots: usize) -> Box<dyn Bank>;

    /// The bound it promises over every window; `None` when it promises none.
    fn promise(&self) -> Option<Budget>;

    /// These parameters with the rate divided over `shares` (rate ÷ N, burst ÷ N but at least 1).
    fn share(&self, shares: u64) -> Result<LimiterParams, TextError>;

    /// The tick of the limiter's own clock: its promise holds for windows longer by one tick.
    fn tick(&self) -> Span {
        Span::from_nanos(1)
    }

    /// Bytes of state per slot beyond a few words, for the memory cap.
    fn bytes_per_slot(&self) -> u64 {
        32
    }
}

mod exact;

catalog! {
    /// Which algorithm, and its parameters.
    pub enum LimiterParams as dyn LimiterRole {
        unlimited: Unlimited,
        token_bucket: TokenBucket,
        leaky_bucket: LeakyBucket,
        gcra: Gcra,
        fixed_window: FixedWindow,
        sliding_log: SlidingLog,
        nginx: Nginx,
    }
}

/// `burst` divided over `shares`, at least one.
pub(crate) fn share_of_burst(burst: u64, shares: u64) -> u64 {
    (burst / shares.max(1)).max(1)
}

/// What every `rate` with a `burst` needs.
pub(crate) fn check_bucket(findings: &mut Findings, rate: Rate, burst: u64) {
    let instead = "write 1 or more: with 0 nothing ever passes";
    findings.demand(burst > 0, "burst", "a burst is at least 1", instead);
    let instead = "write at most 1000000000";
    findings.demand(
        burst <= 1_000_000_000,
        "burst",
        "this burst is too large to count",
        instead,
    );
    let fits = burst.checked_mul(rate.per().as_nanos()).is_some();
    let instead = "use a smaller burst, or a rate with a shorter period";
    findings.demand(
        fits,
        "burst",
        "burst times period is too large to count exactly",
        instead,
    );
}
