//! Outcome: how one attempt ended, as its worker sees it.

use std::fmt;

use crate::span::Span;

/// An HTTP status code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Status(pub u16);

impl Status {
    /// 200 OK.
    pub const OK: Self = Self(200);
    /// 429 Too Many Requests (RFC 6585 section 4).
    pub const TOO_MANY: Self = Self(429);
    /// 503 Service Unavailable (RFC 9110 section 15.6.4); also nginx's default refusal.
    pub const UNAVAILABLE: Self = Self(503);

    /// A 2xx or 3xx.
    pub const fn is_success(self) -> bool {
        self.0 >= 200 && self.0 < 400
    }

    /// A 429 or 503: how a limiter, or a server that protects itself, says no.
    pub const fn is_refusal(self) -> bool {
        matches!(self, Self::TOO_MANY | Self::UNAVAILABLE)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An attempt that brought no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Nobody listens: the connection is refused at once.
    ConnectionRefused,
    /// The client stopped waiting.
    TimedOut,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// An answer came back.
    Answer {
        /// Its status.
        status: Status,
        /// The `Retry-After` header, already read (RFC 9110 section 10.2.3).
        retry_after: Option<Span>,
    },
    /// No answer came back.
    Failed(Failure),
}

impl Outcome {
    /// A plain 200.
    pub const OK: Self = Self::Answer {
        status: Status::OK,
        retry_after: None,
    };

    /// Whether the job is done.
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Answer { status, .. } if status.is_success())
    }
}

impl fmt::Display for Outcome {
    /// As the article's log prints it: a status, or `ERR:` and a name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer { status, .. } => write!(f, "{status}"),
            Self::Failed(Failure::ConnectionRefused) => f.write_str("ERR:ConnectError"),
            Self::Failed(Failure::TimedOut) => f.write_str("ERR:ReadTimeout"),
        }
    }
}
