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

mod closing;

use ratelab_core::{
    Actor, GateRecord, JobEnd, JobNo, Outcome, Purpose, Record, Recorder, RetryCause, Seed, Site,
    Span, Time, WorkerId,
};

use crate::arrival::{Arrival, Asked};
use crate::fleet::FleetParams;
use crate::limiter::Decision;
use crate::retry::{Failed, Retry, RetryParams, Verdict};
use crate::route::Request;

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
    Send(Request),
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
    job: u32,
    /// How many of its jobs are done.
    done: u32,
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
        done: 0,
        attempts: 0,
        cause: RetryCause::First,
        phase: Phase::Due,
    };

    /// The number the next attempt of the present job has.
    pub const fn next_attempt(&self) -> u32 {
        self.attempts + 1
    }

    /// Whether it has nothing more to do.
    pub const fn rests(&self) -> bool {
        matches!(self.phase, Phase::Rest)
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
    #[inline(always)]
    fn record(&mut self, record: &Record) {
        self.recorder.record(self.now, self.worker, record);
    }
}

/// The rule of every lane of a fleet.
pub struct Lane {
    fleet: FleetParams,
    arrival: Box<dyn Arrival>,
    busy: u32,
    waits_for_the_worker: bool,
    timeout: Span,
    retry: Retry,
    /// Whether there is a gate to ask.
    gated: bool,
    poll: Option<Span>,
}

impl Lane {
    /// The rule of a fleet, whose parameters have passed their check. `poll` is the interval at
    /// which workers ask a gate again, when they do not sleep as told.
    pub fn new(fleet: &FleetParams, retry: &RetryParams, gated: bool, poll: Option<Span>) -> Self {
        Self {
            fleet: fleet.clone(),
            arrival: fleet.jobs.role().ready(fleet.busy()),
            busy: fleet.busy(),
            waits_for_the_worker: fleet.jobs.role().waits_for_the_worker(),
            timeout: fleet.timeout,
            retry: Retry::new(retry),
            gated,
            poll,
        }
    }

    /// Takes an input and says what to do.
    #[inline(always)]
    pub fn handle<R: Recorder>(
        &self,
        state: &mut LaneState,
        input: Input,
        context: &mut Context<'_, R>,
    ) -> Action {
        match input {
            Input::Start => self.next_job(state, context),
            Input::Woken => match state.phase {
                Phase::Due => self.begin(state, context),
                Phase::Ask => self.ask(state, context),
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

    /// The attempt of a worker that is under way.
    #[inline(always)]
    pub fn request(&self, worker: WorkerId, state: &LaneState) -> Request {
        Request {
            worker,
            job: u64::from(state.job),
            attempt: state.attempts,
            deadline: state.sent + self.timeout,
        }
    }

    #[inline(always)]
    fn arrival(&self, job: JobNo, before: Time, who: (WorkerId, Seed), free: Time) -> Option<Time> {
        let (worker, seed) = who;
        let previous = if job == 0 {
            self.start_of(worker, seed)
        } else {
            before
        };
        let asked = Asked {
            job,
            previous,
            free,
        };
        let mut stream = seed.draw(Actor::Worker(worker.0), Purpose::Arrival, job);
        self.arrival.next(asked, &mut stream)
    }

    #[inline(always)]
    fn next_job<R: Recorder>(&self, state: &mut LaneState, context: &mut Context<'_, R>) -> Action {
        let idle = context.worker.0 >= self.busy;
        let (job, who) = (u64::from(state.job), (context.worker, context.seed));
        let arrival = self.arrival(job, state.arrived, who, context.now);
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
                    self.begin(state, context)
                }
            }
        }
    }

    #[inline(always)]
    fn begin<R: Recorder>(&self, state: &mut LaneState, context: &mut Context<'_, R>) -> Action {
        state.asked = context.now;
        self.ask(state, context)
    }

    /// Without a gate there is nobody to ask.
    #[inline(always)]
    fn ask<R: Recorder>(&self, state: &mut LaneState, context: &mut Context<'_, R>) -> Action {
        if self.gated {
            state.phase = Phase::Asking;
            Action::Ask
        } else {
            self.send(state, context)
        }
    }

    #[inline(always)]
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
        Action::Send(self.request(context.worker, state))
    }

    #[inline(always)]
    fn permitted<R: Recorder>(
        &self,
        state: &mut LaneState,
        decision: Decision,
        context: &mut Context<'_, R>,
    ) -> Action {
        let granted = matches!(decision, Decision::Grant | Decision::GrantAt(_));
        if granted {
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

    #[inline(always)]
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
        let failed = Failed {
            seed: context.seed,
            worker: context.worker,
            job: u64::from(state.job),
            attempt,
        };
        match self.retry.after(outcome, failed) {
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

    #[inline(always)]
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
        state.done += u32::from(end == JobEnd::Done);
        self.next_job(state, context)
    }
}
