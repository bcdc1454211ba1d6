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
    Actor, Failure, Findings, Outcome, Purpose, RetryCause, Seed, Span, SpanRange, Status, WorkerId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::backoff::BackoffParams;

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

impl Class {
    fn holds(self, outcome: Outcome) -> bool {
        match (self, outcome) {
            (Self::TooMany, Outcome::Answer { status, .. }) => status == Status::TOO_MANY,
            (Self::Unavailable, Outcome::Answer { status, .. }) => status == Status::UNAVAILABLE,
            (Self::ServerError, Outcome::Answer { status, .. }) => status.0 >= 500,
            (Self::Connect, Outcome::Failed(failure)) => failure == Failure::ConnectionRefused,
            (Self::Timeout, Outcome::Failed(failure)) => failure == Failure::TimedOut,
            _ => false,
        }
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
#[derive(Debug, Clone)]
pub struct Retry {
    params: RetryParams,
}

impl Retry {
    /// The rule of these parameters, which have passed their check.
    pub fn new(params: RetryParams) -> Self {
        Self { params }
    }

    /// Whether retries go past the limiter.
    pub fn bypasses_limiter(&self) -> bool {
        self.params.bypass_limiter
    }

    /// What to do after attempt number `attempt` (from 1) of `worker`; `draw` numbers this failure
    /// in the worker's life and names the jitter.
    pub fn after(&self, attempt: u32, outcome: Outcome, who: (Seed, WorkerId, u64)) -> Verdict {
        if outcome.is_success() {
            return Verdict::Done;
        }
        let used_up = self.params.attempts.is_some_and(|most| attempt >= most);
        if used_up || !self.params.on.iter().any(|class| class.holds(outcome)) {
            return Verdict::GiveUp;
        }
        let (seed, worker, draw) = who;
        if let (
            Some(honour),
            Outcome::Answer {
                retry_after: Some(hint),
                ..
            },
        ) = (self.params.honour_retry_after, outcome)
        {
            let extra = honour.jitter.map_or(Span::ZERO, |range| {
                seed.draw(Actor::Worker(worker.0), Purpose::Hint, draw)
                    .span_in(range)
            });
            return Verdict::Retry(hint + extra, RetryCause::Hint);
        }
        match &self.params.backoff {
            Some(backoff) => {
                let mut stream = seed.draw(Actor::Worker(worker.0), Purpose::Jitter, draw);
                Verdict::Retry(
                    backoff.role().wait(attempt, &mut stream),
                    RetryCause::Backoff,
                )
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

    const WHO: (Seed, WorkerId, u64) = (Seed(1), WorkerId(0), 0);

    fn refused(retry_after: Option<Span>) -> Outcome {
        Outcome::Answer {
            status: Status::TOO_MANY,
            retry_after,
        }
    }

    fn rule(honour: bool) -> Retry {
        let wait = Span::SECOND;
        Retry::new(RetryParams {
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
        assert_eq!(rule(true).after(1, refused(hint), WHO), five);
        assert_eq!(rule(true).after(1, refused(None), WHO), one);
        assert_eq!(rule(false).after(1, refused(hint), WHO), one);
    }

    #[test]
    fn attempts_run_out_and_other_outcomes_end_the_job() {
        assert_eq!(rule(true).after(3, refused(None), WHO), Verdict::GiveUp);
        let not_found = Outcome::Answer {
            status: Status(404),
            retry_after: None,
        };
        assert_eq!(rule(true).after(1, not_found, WHO), Verdict::GiveUp);
        assert_eq!(rule(true).after(1, Outcome::OK, WHO), Verdict::Done);
    }
}
