//! Outage: a window `[from, until)` in which the server refuses, hangs or cannot be reached.

use ratelab_core::{Failure, Findings, Outcome, Span, Status, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An answer that says no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RefusalParams {
    /// Its status.
    #[serde(default = "too_many")]
    pub status: u16,
    /// Its `Retry-After` header, whole seconds on the wire.
    #[serde(default)]
    pub retry_after: Option<Span>,
}

/// The usual status of a refusal.
pub(crate) fn too_many() -> u16 {
    Status::TOO_MANY.0
}

/// What every status of a refusal needs.
pub(crate) fn check_status(status: u16, findings: &mut Findings) {
    let known = (400..600).contains(&status);
    let what = "a refusal has a status of 400 to 599";
    findings.demand(known, "status", what, "write 429 or 503");
}

impl Default for RefusalParams {
    fn default() -> Self {
        Self {
            status: too_many(),
            retry_after: None,
        }
    }
}

impl RefusalParams {
    /// Says what is wrong.
    pub fn check(&self, findings: &mut Findings) {
        check_status(self.status, findings);
        if let Some(hint) = self.retry_after {
            let whole = hint.as_nanos() % Span::SECOND.as_nanos() == 0;
            let what = "Retry-After carries whole seconds (RFC 9110 section 10.2.3)";
            findings.demand(whole, "retry-after", what, "write \"5s\"");
        }
    }

    /// The refusal as an outcome.
    pub fn outcome(&self) -> Outcome {
        Outcome::Answer {
            status: Status(self.status),
            retry_after: self.retry_after,
        }
    }
}

/// One outage as written: a window and exactly one of `reply`, `refuse`, `hang`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutageParams {
    /// When it begins.
    pub from: Span,
    /// When it is over; this instant is served again.
    pub until: Span,
    /// Answer every request with this.
    #[serde(default)]
    pub reply: Option<RefusalParams>,
    /// Refuse connections.
    #[serde(default)]
    pub refuse: bool,
    /// Accept and never answer: the client waits until its own timeout.
    #[serde(default)]
    pub hang: bool,
}

/// What an outage does to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Answers with this at once.
    Reply(Outcome),
    /// Never answers.
    Hang,
}

impl Fault {
    /// What a worker learns of it in the end.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Reply(outcome) => outcome,
            Self::Hang => Outcome::Failed(Failure::TimedOut),
        }
    }
}

impl OutageParams {
    /// Says what is wrong.
    pub fn check(&self, findings: &mut Findings) {
        let what = "this outage ends before it begins";
        findings.demand(self.from < self.until, "until", what, "write a later time");
        let kinds = [self.reply.is_some(), self.refuse, self.hang];
        let count = kinds.iter().filter(|kind| **kind).count();
        let instead = "write one of reply = { status = 429 }, refuse = true, hang = true";
        findings.demand(
            count == 1,
            "",
            "an outage has exactly one way to fail",
            instead,
        );
        if let Some(reply) = &self.reply {
            findings.within("reply", |f| reply.check(f));
        }
    }

    /// Its begin and end.
    pub fn window(&self) -> (Time, Time) {
        (Time::from(self.from), Time::from(self.until))
    }

    /// What it does.
    pub fn fault(&self) -> Fault {
        match &self.reply {
            Some(reply) => Fault::Reply(reply.outcome()),
            None if self.hang => Fault::Hang,
            None => Fault::Reply(Outcome::Failed(Failure::ConnectionRefused)),
        }
    }

    /// A few words for a headline: `server down [0 s, 10 s) replying 429, Retry-After: 5`.
    pub fn about(&self) -> String {
        let how = match &self.reply {
            Some(RefusalParams {
                status,
                retry_after: Some(hint),
            }) => {
                format!(
                    "replying {status}, Retry-After: {}",
                    hint.as_nanos() / 1_000_000_000
                )
            }
            Some(RefusalParams {
                status,
                retry_after: None,
            }) => format!("replying {status}"),
            None if self.hang => "hanging".to_owned(),
            None => "refusing connections".to_owned(),
        };
        format!("server down [{}, {}) {how}", self.from, self.until)
    }
}

/// The outages of a run, in order of time, for one look per request.
#[derive(Debug, Clone)]
pub struct Outages {
    list: Vec<(Time, Time, Fault)>,
}

impl Outages {
    /// The outages of these parameters, which have passed their check.
    pub fn new(params: &[OutageParams]) -> Self {
        let mut list: Vec<_> = params
            .iter()
            .map(|outage| (outage.window().0, outage.window().1, outage.fault()))
            .collect();
        list.sort_by_key(|(from, until, _)| (*from, *until));
        Self { list }
    }

    /// The outage at `now`: its end and what it does.
    pub fn at(&self, now: Time) -> Option<(Time, Fault)> {
        let inside = |(from, until, _): &&(Time, Time, Fault)| *from <= now && now < *until;
        self.list
            .iter()
            .find(inside)
            .map(|(_, until, fault)| (*until, *fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_half_open() {
        let params = OutageParams {
            from: Span::ZERO,
            until: Span::from_secs(10),
            reply: None,
            refuse: false,
            hang: true,
        };
        let outages = Outages::new(&[params]);
        let end = Time::START + Span::from_secs(10);
        assert_eq!(outages.at(Time::START), Some((end, Fault::Hang)));
        assert!(outages.at(end.back(Span::from_nanos(1))).is_some());
        assert_eq!(outages.at(end), None);
    }
}
