//! The registry of numbers: every metric once, with its unit, its better direction, its meaning.
//!
//! Tables, `[expect]`, `ratelab list metrics` and `ratelab explain` all read this list. A name with
//! `<…>` stands for a family (`status.<code>`).

pub use crate::lookup::find;
pub use crate::unit::{Better, Unit};

/// One metric.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Its name in files and documents.
    pub name: &'static str,
    /// A short head for a table's column, at most 14 characters a line, lines parted by `\n`.
    pub head: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// Which way is better.
    pub better: Better,
    /// What it means, exactly.
    pub about: &'static str,
}

const fn metric(
    name: &'static str,
    head: &'static str,
    unit: Unit,
    better: Better,
    about: &'static str,
) -> Metric {
    Metric {
        name,
        head,
        unit,
        better,
        about,
    }
}

use crate::unit::Better::{Higher, Lower, Neither};
use crate::unit::Unit::{Count, PerSecond, Ratio, Seconds};

/// Every metric, in the order in which lists show them.
pub const METRICS: &[Metric] = &[
    metric(
        "requests.total",
        "requests",
        Count,
        Lower,
        "Requests that set out for the server in the run. What a sidecar refuses never sets out.",
    ),
    metric(
        "requests.outage",
        "requests in\nthe outage",
        Count,
        Lower,
        "Requests that set out for the server within [from, until) of any outage, the first \
         refused one included.",
    ),
    metric(
        "requests.<measure>",
        "requests",
        Count,
        Neither,
        "Requests that set out within the window that the file names in [measure.<measure>].",
    ),
    metric(
        "attempts.total",
        "attempts",
        Count,
        Lower,
        "Attempts that workers sent, whoever answered them. Attempts are retries plus one.",
    ),
    metric(
        "retries.total",
        "retries",
        Count,
        Lower,
        "Attempts after a job's first.",
    ),
    metric(
        "served",
        "served",
        Count,
        Higher,
        "Answers with a 2xx or 3xx status that workers got.",
    ),
    metric(
        "refused",
        "refused",
        Count,
        Lower,
        "429 and 503 answers that workers got, from the server or from a sidecar.",
    ),
    metric(
        "refused.server",
        "refused by\nthe server",
        Count,
        Lower,
        "429 and 503 answers that came from the server itself.",
    ),
    metric(
        "refused.sidecar",
        "refused by\nthe sidecar",
        Count,
        Lower,
        "429 and 503 answers that came from the sidecar; the server never saw these.",
    ),
    metric(
        "status.<code>",
        "status",
        Count,
        Neither,
        "Answers with this status, from anywhere.",
    ),
    metric(
        "lost",
        "lost",
        Count,
        Lower,
        "Attempts without an answer: refused or timed out.",
    ),
    metric(
        "in-flight",
        "in flight",
        Count,
        Neither,
        "Attempts under way when the run ended.",
    ),
    metric(
        "jobs.done",
        "jobs\ndone",
        Count,
        Higher,
        "Jobs that got a successful answer.",
    ),
    metric(
        "jobs.failed",
        "jobs\nfailed",
        Count,
        Lower,
        "Jobs whose retry rule gave up.",
    ),
    metric(
        "jobs.pending",
        "jobs\npending",
        Count,
        Lower,
        "Jobs that had arrived and not ended when the run ended.",
    ),
    metric(
        "amplification",
        "requests\na done job",
        Ratio,
        Lower,
        "Attempts per done job; absent when no job is done.",
    ),
    metric(
        "goodput",
        "goodput\nper s",
        PerSecond,
        Higher,
        "Done jobs per second of the run.",
    ),
    metric(
        "rate.mean",
        "rate\nper s",
        PerSecond,
        Neither,
        "Requests per second over the whole run, [0, duration).",
    ),
    metric(
        "rate.worst-1s",
        "worst\n1 s",
        Count,
        Lower,
        "The largest number of requests in any sliding window [t, t + 1 s).",
    ),
    metric(
        "rate.worst-window",
        "worst\nwindow",
        Count,
        Lower,
        "The largest number of requests in any sliding window as long as the budget's own period; \
         absent without a budget.",
    ),
    metric(
        "served.worst-window",
        "served in\nworst window",
        Count,
        Neither,
        "The largest number of requests that the server let through in any sliding window as long \
         as the budget's own period; absent without a budget.",
    ),
    metric(
        "budget.overrun",
        "over the\nbudget",
        Count,
        Lower,
        "Requests above rate · t + burst in the worst window of any length; absent without a \
         budget.",
    ),
    metric(
        "budget.used",
        "budget\nused",
        Ratio,
        Higher,
        "Served requests as a share of rate · duration; absent without a budget.",
    ),
    metric(
        "latency.job.mean",
        "job\nmean s",
        Seconds,
        Lower,
        "Mean time from a job's arrival to its success, run by run.",
    ),
    metric(
        "latency.job.p50",
        "job\np50 s",
        Seconds,
        Lower,
        "Median time from a job's arrival to its success, pooled over replications.",
    ),
    metric(
        "latency.job.p95",
        "job\np95 s",
        Seconds,
        Lower,
        "95th percentile of the same.",
    ),
    metric(
        "latency.job.p99",
        "job\np99 s",
        Seconds,
        Lower,
        "99th percentile of the same.",
    ),
    metric(
        "latency.job.max",
        "job\nmax s",
        Seconds,
        Lower,
        "The longest of the same.",
    ),
    metric(
        "latency.attempt.p50",
        "attempt\np50 s",
        Seconds,
        Lower,
        "Median time from sending an attempt to its outcome, pooled over replications.",
    ),
    metric(
        "latency.attempt.p95",
        "attempt\np95 s",
        Seconds,
        Lower,
        "95th percentile of the same.",
    ),
    metric(
        "latency.attempt.p99",
        "attempt\np99 s",
        Seconds,
        Lower,
        "99th percentile of the same.",
    ),
    metric(
        "latency.attempt.max",
        "attempt\nmax s",
        Seconds,
        Lower,
        "The longest of the same.",
    ),
    metric(
        "wait.p99",
        "wait\np99 s",
        Seconds,
        Lower,
        "99th percentile of the time between asking the gate and its permit, pooled over \
         replications.",
    ),
    metric(
        "store.ops",
        "store\nops",
        Count,
        Lower,
        "Operations on the shared store.",
    ),
    metric(
        "fairness.jain",
        "fairness",
        Ratio,
        Higher,
        "Jain's index of done jobs over workers (Jain, Chiu and Hawe 1984): one when all get the \
         same, 1/N when one gets all; absent when no job is done.",
    ),
    metric(
        "wasted",
        "wasted",
        Count,
        Lower,
        "Requests that the server worked on after their client had stopped waiting.",
    ),
    metric(
        "billed.units",
        "billed\nunits",
        Count,
        Lower,
        "What a service that bills every attempt charges: one unit per request that sets out.",
    ),
    metric(
        "attempt.<n>.peak-100ms",
        "peak 100 ms",
        Count,
        Lower,
        "The largest number of n-th attempts in any sliding 100 ms; n from 1 to 16.",
    ),
    metric(
        "recovery.pending",
        "pending\nat the end",
        Count,
        Neither,
        "Jobs that had arrived before the outage ended and ended after it, or not at all.",
    ),
    metric(
        "recovery.first-success",
        "first\nsuccess s",
        Seconds,
        Lower,
        "From the end of the outage to the first success; absent when there is none.",
    ),
    metric(
        "recovery.peak-100ms",
        "peak in\n100 ms after",
        Count,
        Lower,
        "The largest number of requests in any sliding 100 ms after the end of the outage.",
    ),
    metric(
        "recovery.peak-1s",
        "peak in\n1 s after",
        Count,
        Lower,
        "The largest number of requests in any sliding second after the end of the outage.",
    ),
    metric(
        "recovery.synchrony",
        "synchrony",
        Ratio,
        Lower,
        "Share of the pending jobs whose first attempt after the end falls in the fullest 100 ms; \
         absent when fewer than two are pending or none attempts.",
    ),
    metric(
        "recovery.guided",
        "guided",
        Ratio,
        Neither,
        "Share of the first attempts after the end that go out when the server's hint said.",
    ),
    metric(
        "recovery.drained-95%",
        "95 %\ndrained s",
        Seconds,
        Lower,
        "From the end of the outage until 95 % of the pending jobs are done; absent when they \
         never are.",
    ),
    metric(
        "recovery.drained-100%",
        "drained s",
        Seconds,
        Lower,
        "The same for all of them.",
    ),
    metric(
        "recovery.extra-delay",
        "last job\nafter end s",
        Seconds,
        Lower,
        "From the end of the outage until the last pending job that gets done is done.",
    ),
];
