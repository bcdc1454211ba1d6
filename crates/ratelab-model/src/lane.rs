//! Lane: a worker's loop as a machine. One input in, exactly one action out.
//!
//! ```text
//!            job due          permit           outcome
//!  (start) ─────────► Ask ─────────────► Send ─────────► job ended ──► next job
//!                      ▲  ◄── WaitUntil ──┘  └─ retry ─┐
//!                      └─────────── WakeAt ◄───────────┘
//! ```
//!
//! The rule is one for the whole fleet; what a worker remembers is a small `Copy` state. The lane
//! writes the records of what its worker does, so both drivers tell the same story.

use ratelab_core::{
    Actor, GateRecord, JobEnd, JobNo, Outcome, Purpose, Record, Recorder, RetryCause, Seed, Site,
    Span, Time, WorkerId,
};

use crate::arrival::Asked;
use crate::fleet::FleetParams;
use crate::limiter::Decision;
use crate::retry::{Retry, RetryParams, Verdict};

/// What a lane is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// The worker process has started.
    Start,
    /// The time it asked for has come.
    Woken,
    /// The gate has answered.
    Permit(Decision),
    /// The attempt has its outcome.
    Outcome(Outcome, Site),
}

/// What a lane wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Ask the gate for a permit.
    Ask,
    /// Send the attempt; stop waiting at the deadline.
    Send {
        /// The attempt's number within its job.
        attempt: u32,
        /// When the client stops waiting.
        deadline: Time,
    },
    /// Be woken at that time.
    WakeAt(Time),
    /// Nothing more to do, ever.
    Rest,
}

/// Why a lane sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Until its next job arrives.
    Due,
    /// Until it asks the gate (again).
    Ask,
    /// Until its reserved place, or a retry past the limiter.
    Send,
    /// It does not sleep: the gate is asked.
    Asking,
    /// It does not sleep: an attempt is under way.
    Flying,
    /// It has nothing more to do.
    Rest,
}

/// What a worker remembers.
#[derive(Debug, Clone, Copy)]
pub struct LaneState {
    /// When its present or coming job arrived.
    arrived: Time,
    /// When the present attempt first asked the gate.
    asked: Time,
    /// When its latest attempt went out; [`Time::NEVER`] before a job's first.
    sent: Time,
    /// The number of the present job.
    job: JobNo,
    /// Failed attempts in its life: the place of its next jitter in its stream.
    failures: u32,
    /// Attempts of the present job so far.
    attempts: u32,
    /// Why the next attempt goes out when it does.
    cause: RetryCause,
    phase: Phase,
}

impl LaneState {
    /// A worker that has not started.
    pub const NEW: Self = Self {
        arrived: Time::START,
        asked: Time::START,
        sent: Time::NEVER,
        job: 0,
        failures: 0,
        attempts: 0,
        cause: RetryCause::First,
        phase: Phase::Due,
    };

    /// The number the next attempt of the present job has.
    pub const fn next_attempt(&self) -> u32 {
        self.attempts + 1
    }
}

/// What a lane may look at while it decides.
pub struct Context<'a, R> {
    /// The present instant.
    pub now: Time,
    /// Whose lane it is.
    pub worker: WorkerId,
    /// The seed of the replication.
    pub seed: Seed,
    /// Where records go.
    pub recorder: &'a mut R,
}

impl<R: Recorder> Context<'_, R> {
    fn record(&mut self, record: &Record) {
        self.recorder.record(self.now, self.worker, record);
    }
}

/// The rule of every lane of a fleet.
#[derive(Debug, Clone)]
pub struct Lane {
    fleet: FleetParams,
    retry: Retry,
    /// Whether there is a gate whose waits are worth a record.
    gated: bool,
    poll: Option<Span>,
}

impl Lane {
    /// The rule of a fleet, whose parameters have passed their check. `poll` is the interval at
    /// which workers ask a gate again, when they do not sleep as told.
    pub fn new(fleet: &FleetParams, retry: &RetryParams, gated: bool, poll: Option<Span>) -> Self {
        Self {
            fleet: fleet.clone(),
            retry: Retry::new(retry.clone()),
            gated,
            poll,
        }
    }

    /// Takes an input and says what to do.
    pub fn handle<R: Recorder>(
        &self,
        state: &mut LaneState,
        input: Input,
        context: &mut Context<'_, R>,
    ) -> Action {
        match input {
            Input::Start => self.next_job(state, context),
            Input::Woken => match state.phase {
                Phase::Due => Self::begin(state, context.now),
                Phase::Ask => Self::ask(state),
                Phase::Send => self.send(state, context),
                Phase::Asking | Phase::Flying | Phase::Rest => {
                    unreachable!("a lane is woken only when it asked to be")
                }
            },
            Input::Permit(decision) => self.permitted(state, decision, context),
            Input::Outcome(outcome, site) => self.learned(state, outcome, site, context),
        }
    }

    /// When `worker` starts.
    pub fn start_of(&self, worker: WorkerId, seed: Seed) -> Time {
        self.fleet.start_of(worker, seed)
    }

    fn arrival(&self, state: &LaneState, worker: WorkerId, seed: Seed, free: Time) -> Option<Time> {
        let start = self.start_of(worker, seed);
        let previous = if state.job == 0 { start } else { state.arrived };
        let asked = Asked {
            job: state.job,
            start,
            previous,
            free,
            workers: self.fleet.busy(),
        };
        let mut stream = seed.draw(Actor::Worker(worker.0), Purpose::Arrival, state.job);
        self.fleet.jobs.role().next(asked, &mut stream)
    }

    fn next_job<R>(&self, state: &mut LaneState, context: &Context<'_, R>) -> Action {
        let idle = context.worker.0 >= self.fleet.busy();
        let arrival = self.arrival(state, context.worker, context.seed, context.now);
        match arrival.filter(|_| !idle) {
            None => {
                state.phase = Phase::Rest;
                Action::Rest
            }
            Some(arrived) => {
                state.arrived = arrived;
                state.attempts = 0;
                state.sent = Time::NEVER;
                state.cause = RetryCause::First;
                state.phase = Phase::Due;
                if arrived > context.now {
                    Action::WakeAt(arrived)
                } else {
                    Self::begin(state, context.now)
                }
            }
        }
    }

    fn begin(state: &mut LaneState, now: Time) -> Action {
        state.asked = now;
        Self::ask(state)
    }

    fn ask(state: &mut LaneState) -> Action {
        state.phase = Phase::Asking;
        Action::Ask
    }

    fn send<R: Recorder>(&self, state: &mut LaneState, context: &mut Context<'_, R>) -> Action {
        state.attempts += 1;
        context.record(&Record::Attempt {
            attempt: state.attempts,
            arrived: state.arrived,
            previous: state.sent,
            cause: state.cause,
        });
        state.sent = context.now;
        state.phase = Phase::Flying;
        let deadline = context.now + self.fleet.timeout;
        Action::Send {
            attempt: state.attempts,
            deadline,
        }
    }

    fn permitted<R: Recorder>(
        &self,
        state: &mut LaneState,
        decision: Decision,
        context: &mut Context<'_, R>,
    ) -> Action {
        let granted = matches!(decision, Decision::Grant | Decision::GrantAt(_));
        if granted && self.gated {
            context.record(&Record::Gate(GateRecord::Permit { asked: state.asked }));
        }
        match decision {
            Decision::Grant => self.send(state, context),
            Decision::GrantAt(at) => {
                state.phase = Phase::Send;
                Action::WakeAt(at)
            }
            Decision::WaitUntil(at) => {
                state.phase = Phase::Ask;
                Action::WakeAt(self.poll.map_or(at, |every| context.now + every))
            }
            Decision::Never => self.end(state, JobEnd::Impossible, context),
        }
    }

    fn learned<R: Recorder>(
        &self,
        state: &mut LaneState,
        outcome: Outcome,
        site: Site,
        context: &mut Context<'_, R>,
    ) -> Action {
        let attempt = state.attempts;
        context.record(&Record::Answer {
            attempt,
            outcome,
            site,
            sent: state.sent,
        });
        let draw = u64::from(state.failures);
        state.failures = state
            .failures
            .wrapping_add(u32::from(!outcome.is_success()));
        match self
            .retry
            .after(attempt, outcome, (context.seed, context.worker, draw))
        {
            Verdict::Done => self.end(state, JobEnd::Done, context),
            Verdict::GiveUp => self.end(state, JobEnd::Failed, context),
            Verdict::Retry(wait, cause) => {
                state.cause = cause;
                let at = context.now + wait;
                state.asked = at;
                let past = self.retry.bypasses_limiter();
                state.phase = if past { Phase::Send } else { Phase::Ask };
                Action::WakeAt(at)
            }
        }
    }

    fn end<R: Recorder>(
        &self,
        state: &mut LaneState,
        end: JobEnd,
        context: &mut Context<'_, R>,
    ) -> Action {
        let attempts = state.attempts;
        context.record(&Record::JobEnded {
            end,
            arrived: state.arrived,
            attempts,
        });
        state.job += 1;
        self.next_job(state, context)
    }

    /// Records what is left of `state` when the run ends at `end`: the present job and the jobs
    /// that arrived behind it.
    pub fn close<R: Recorder>(&self, state: &mut LaneState, context: &mut Context<'_, R>) {
        let end = context.now;
        if state.phase == Phase::Rest || context.worker.0 >= self.fleet.busy() {
            return;
        }
        let mut in_flight = state.phase == Phase::Flying;
        if self.fleet.jobs.role().waits_for_the_worker() {
            if state.arrived < end {
                let arrived = state.arrived;
                context.record(&Record::JobsPending {
                    count: 1,
                    arrived,
                    in_flight,
                });
            }
            return;
        }
        // Jobs that arrived together, as a batch does, make one record.
        let mut arrived = state.arrived;
        let mut count = 0;
        while state.arrived < end {
            if state.arrived != arrived {
                context.record(&Record::JobsPending {
                    count,
                    arrived,
                    in_flight,
                });
                (arrived, count, in_flight) = (state.arrived, 0, false);
            }
            let together = self.fleet.jobs.role().together(state.job);
            count += together;
            state.job += together;
            match self.arrival(state, context.worker, context.seed, end) {
                Some(next) => state.arrived = next,
                None => break,
            }
        }
        if count > 0 {
            context.record(&Record::JobsPending {
                count,
                arrived,
                in_flight,
            });
        }
    }
}
