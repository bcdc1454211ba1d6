//! Retry: whether a failed attempt is tried again, and when. One rule with parts, in this order:
//!
//! 1. success ends the job; so does an outcome that is not in `on`
//! 2. `attempts` are used up: give up
//! 3. the server's hint, when it is honoured and there is one, plus its own jitter
//! 4. else the backoff
//! 5. the retry passes the limiter like any request, unless `bypass-limiter`
//!
//! Not a tower of decorators: in a tower the order becomes semantics that nobody sees.

use ratelab_core::{
    Actor, Failure, Findings, JobNo, Outcome, Purpose, RetryCause, Seed, Span, SpanRange, Status,
    Stream, WorkerId, attempt_index,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::backoff::{Backoff, BackoffParams};

/// What counts as worth another try.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Class {
    /// A 429.
    #[serde(rename = "429")]
    TooMany,
    /// A 503.
    #[serde(rename = "503")]
    Unavailable,
    /// Any 5xx.
    #[serde(rename = "5xx")]
    ServerError,
    /// A refused connection.
    #[serde(rename = "connect")]
    Connect,
    /// No answer in time.
    #[serde(rename = "timeout")]
    Timeout,
}

/// A set of classes, one bit each.
#[derive(Debug, Clone, Copy)]
struct Classes(u8);

impl Classes {
    fn of(list: &[Class]) -> Self {
        Self(list.iter().fold(0, |set, class| set | Self::bit(*class)))
    }

    const fn bit(class: Class) -> u8 {
        1 << class as u8
    }

    /// Whether an outcome that is no success is of one of them.
    #[inline(always)]
    const fn hold(self, outcome: Outcome) -> bool {
        let of = match outcome {
            Outcome::Failed(Failure::ConnectionRefused) => Self::bit(Class::Connect),
            Outcome::Failed(Failure::TimedOut) => Self::bit(Class::Timeout),
            Outcome::Answer { status, .. } => match status {
                Status::TOO_MANY => Self::bit(Class::TooMany),
                Status::UNAVAILABLE => {
                    Self::bit(Class::Unavailable) | Self::bit(Class::ServerError)
                }
                Status(500..) => Self::bit(Class::ServerError),
                Status(_) => 0,
            },
        };
        self.0 & of != 0
    }
}

/// What is done with a `Retry-After` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HonourParams {
    /// Added to the server's number, drawn evenly.
    #[serde(default)]
    pub jitter: Option<SpanRange>,
}

/// The rule as written. Without `backoff` nothing is retried; `retry = "none"` says so in a word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RetryParams {
    /// Attempts a job gets in all, the first included; without end by default.
    #[serde(default)]
    pub attempts: Option<u32>,
    /// Outcomes worth another try.
    #[serde(default = "all_classes")]
    pub on: Vec<Class>,
    /// Wait as long as `Retry-After` says, where it is sent.
    #[serde(default)]
    pub honour_retry_after: Option<HonourParams>,
    /// How long to wait otherwise.
    #[serde(default)]
    pub backoff: Option<BackoffParams>,
    /// Send retries past the limiter: the bypass lane that undoes it.
    #[serde(default)]
    pub bypass_limiter: bool,
}

fn all_classes() -> Vec<Class> {
    vec![
        Class::TooMany,
        Class::Unavailable,
        Class::Connect,
        Class::Timeout,
    ]
}

impl Default for RetryParams {
    fn default() -> Self {
        Self {
            attempts: Some(1),
            on: all_classes(),
            honour_retry_after: None,
            backoff: None,
            bypass_limiter: false,
        }
    }
}

impl RetryParams {
    /// Says what is wrong.
    pub fn check(&self, findings: &mut Findings) {
        let instead = "write 1 for no retry, or leave it out for no end";
        findings.demand(
            self.attempts != Some(0),
            "attempts",
            "a job has at least one attempt",
            instead,
        );
        let more = self.attempts != Some(1);
        let instead = "add one, or write retry = \"none\"";
        findings.demand(
            self.backoff.is_some() || !more,
            "",
            "a retry needs a backoff for when the server gives no hint",
            instead,
        );
        findings.demand(
            !self.on.is_empty(),
            "on",
            "nothing is retried",
            "write retry = \"none\"",
        );
        if let Some(backoff) = &self.backoff {
            let name = backoff.name();
            findings.within("backoff", |f| f.within(&name, |f| backoff.role().check(f)));
        }
    }

    /// A few words for a table.
    pub fn about(&self) -> String {
        if self.attempts == Some(1) {
            return "no retry".to_owned();
        }
        let backoff = self
            .backoff
            .as_ref()
            .map_or(String::new(), |b| b.role().about());
        let hint = match self.honour_retry_after {
            Some(HonourParams {
                jitter: Some(range),
            }) => format!("Retry-After + U({range}), else "),
            Some(HonourParams { jitter: None }) => "Retry-After, else ".to_owned(),
            None => String::new(),
        };
        let bypass = if self.bypass_limiter {
            ", past the limiter"
        } else {
            ""
        };
        format!("{hint}{backoff}{bypass}")
    }
}

/// What to do after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The job is done.
    Done,
    /// Try again after so long, because of that.
    Retry(Span, RetryCause),
    /// The job has failed.
    GiveUp,
}

/// The rule, ready to decide. It has no state: the lane counts the attempts.
pub struct Retry {
    most: u32,
    on: Classes,
    honour: Option<HonourParams>,
    backoff: Option<Backoff>,
    /// The same as written, for its spread.
    written: Option<BackoffParams>,
    bypass_limiter: bool,
}

/// Which failure is looked at: the worker's, of an attempt of a job. It names the jitter.
#[derive(Debug, Clone, Copy)]
pub struct Failed {
    /// The seed of the replication.
    pub seed: Seed,
    /// Whose attempt it was.
    pub worker: WorkerId,
    /// Of which job.
    pub job: JobNo,
    /// Its number within the job, from 1.
    pub attempt: u32,
}

impl Failed {
    fn draw(self, why: Purpose) -> Stream {
        let index = attempt_index(self.job, self.attempt);
        self.seed.draw(Actor::Worker(self.worker.0), why, index)
    }
}

impl Retry {
    /// The rule of these parameters, which have passed their check.
    pub fn new(params: &RetryParams) -> Self {
        Self {
            most: params.attempts.unwrap_or(u32::MAX),
            on: Classes::of(&params.on),
            honour: params.honour_retry_after,
            backoff: params
                .backoff
                .as_ref()
                .map(|backoff| backoff.role().ready()),
            written: params.backoff.clone(),
            bypass_limiter: params.bypass_limiter,
        }
    }

    /// The range over which the wait after a failed attempt is even; `None` when the job is given
    /// up. What [`Retry::after`] draws, as a law.
    pub fn spread(&self, outcome: Outcome, attempt: u32) -> Option<SpanRange> {
        if attempt >= self.most || !self.on.hold(outcome) {
            return None;
        }
        if let (
            Some(honour),
            Outcome::Answer {
                retry_after: Some(hint),
                ..
            },
        ) = (self.honour, outcome)
        {
            let extra = honour
                .jitter
                .map_or((Span::ZERO, Span::ZERO), |range| (range.low, range.high));
            return Some(SpanRange {
                low: hint + extra.0,
                high: hint + extra.1,
            });
        }
        self.written
            .as_ref()
            .map(|backoff| backoff.role().spread(attempt))
    }

    /// Whether retries go past the limiter.
    pub fn bypasses_limiter(&self) -> bool {
        self.bypass_limiter
    }

    /// What to do after an attempt with that outcome.
    #[inline(always)]
    pub fn after(&self, outcome: Outcome, failed: Failed) -> Verdict {
        if outcome.is_success() {
            return Verdict::Done;
        }
        let used_up = failed.attempt >= self.most;
        if used_up || !self.on.hold(outcome) {
            return Verdict::GiveUp;
        }
        if let (
            Some(honour),
            Outcome::Answer {
                retry_after: Some(hint),
                ..
            },
        ) = (self.honour, outcome)
        {
            let extra = honour.jitter.map_or(Span::ZERO, |range| {
                failed.draw(Purpose::Hint).span_in(range)
            });
            return Verdict::Retry(hint + extra, RetryCause::Hint);
        }
        match &self.backoff {
            Some(backoff) => {
                let wait = backoff(failed.attempt, &mut failed.draw(Purpose::Jitter));
                Verdict::Retry(wait, RetryCause::Backoff)
            }
            None => Verdict::GiveUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backoff::fixed;
    use crate::jitter::Jitter;

    fn attempt(attempt: u32) -> Failed {
        Failed {
            seed: Seed(1),
            worker: WorkerId(0),
            job: 0,
            attempt,
        }
    }

    fn refused(retry_after: Option<Span>) -> Outcome {
        Outcome::Answer {
            status: Status::TOO_MANY,
            retry_after,
        }
    }

    fn rule(honour: bool) -> Retry {
        let wait = Span::SECOND;
        Retry::new(&RetryParams {
            attempts: Some(3),
            honour_retry_after: honour.then_some(HonourParams { jitter: None }),
            backoff: Some(BackoffParams::Fixed(fixed::Params {
                wait,
                jitter: Jitter::None,
            })),
            ..RetryParams::default()
        })
    }

    #[test]
    fn the_hint_goes_before_the_backoff_only_where_it_is_honoured() {
        let hint = Some(Span::from_secs(5));
        let five = Verdict::Retry(Span::from_secs(5), RetryCause::Hint);
        let one = Verdict::Retry(Span::SECOND, RetryCause::Backoff);
        assert_eq!(rule(true).after(refused(hint), attempt(1)), five);
        assert_eq!(rule(true).after(refused(None), attempt(1)), one);
        assert_eq!(rule(false).after(refused(hint), attempt(1)), one);
    }

    #[test]
    fn attempts_run_out_and_other_outcomes_end_the_job() {
        assert_eq!(rule(true).after(refused(None), attempt(3)), Verdict::GiveUp);
        let not_found = Outcome::Answer {
            status: Status(404),
            retry_after: None,
        };
        assert_eq!(rule(true).after(not_found, attempt(1)), Verdict::GiveUp);
        assert_eq!(rule(true).after(Outcome::OK, attempt(1)), Verdict::Done);
    }
}
