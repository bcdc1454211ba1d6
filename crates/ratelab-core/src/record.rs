//! Record: what happened, never what it means. Machines write records; statistics read them.
//!
//! A record carries what a reader needs to make sense of it alone (when the job arrived, when its
//! previous attempt went out), so that statistics keep no state per worker.

use crate::id::WorkerId;
use crate::outcome::Outcome;
use crate::time::Time;

/// Who answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// The server itself, or nobody where it should be.
    Server,
    /// A proxy in front of it.
    Sidecar,
}

/// Why an attempt goes out when it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RetryCause {
    /// It is the first attempt.
    #[default]
    First,
    /// The backoff said so.
    Backoff,
    /// The server's hint said so.
    Hint,
}

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobEnd {
    /// It got its answer.
    Done,
    /// The retry rule gave up.
    Failed,
    /// The limiter can never let it through.
    Impossible,
}

/// What a gate did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateRecord {
    /// One operation on the shared store.
    StoreOp,
    /// A permit was granted to a job that first asked at `asked`.
    Permit {
        /// When the attempt began to wait.
        asked: Time,
    },
}

/// Something that happened to a worker at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Record {
    /// The gate in front of the worker acted.
    Gate(GateRecord),
    /// The worker sends attempt number `attempt`, counted from 1.
    Attempt {
        /// Its number within the job.
        attempt: u32,
        /// When the job arrived.
        arrived: Time,
        /// When the previous attempt went out; [`Time::NEVER`] for a first attempt.
        previous: Time,
        /// Why it goes out now.
        cause: RetryCause,
    },
    /// A request sets out for the server: from the worker, or from the sidecar that let it pass.
    Request {
        /// The attempt's number within the job.
        attempt: u32,
    },
    /// The worker has its outcome.
    Answer {
        /// The attempt's number within the job.
        attempt: u32,
        /// What came back.
        outcome: Outcome,
        /// Who said so.
        site: Site,
        /// When the attempt went out.
        sent: Time,
    },
    /// The server works on a request whose client will have stopped waiting.
    Wasted,
    /// The job ended.
    JobEnded {
        /// How.
        end: JobEnd,
        /// When it had arrived.
        arrived: Time,
        /// How many attempts it took.
        attempts: u32,
    },
    /// At the end of the run the worker has done so many jobs.
    WorkerEnded {
        /// How many.
        done: u32,
    },
    /// At the end of the run these jobs have arrived and not ended.
    JobsPending {
        /// How many.
        count: u64,
        /// When they arrived.
        arrived: Time,
        /// Whether an attempt of theirs is on its way.
        in_flight: bool,
    },
}

/// Something that is told all records of a run, in order.
pub trait Recorder {
    /// A replication begins.
    fn begin(&mut self, replication: u64) {
        let _ = replication;
    }
    /// Something happened to `worker` at `at`.
    fn record(&mut self, at: Time, worker: WorkerId, record: &Record);
    /// The same happened to `count` workers at `at` that nothing tells apart: from models that
    /// count workers instead of following each.
    fn crowd(&mut self, at: Time, count: u32, record: &Record) {
        for worker in 0..count {
            self.record(at, WorkerId(worker), record);
        }
    }
    /// The replication ended at `at`; `events` were handled.
    fn end(&mut self, at: Time, events: u64) {
        let _ = (at, events);
    }
    /// No further replication comes: what only a running one needs may go.
    fn settle(&mut self) {}
}

/// Two recorders side by side.
impl<A: Recorder, B: Recorder> Recorder for (A, B) {
    fn begin(&mut self, replication: u64) {
        self.0.begin(replication);
        self.1.begin(replication);
    }
    #[inline(always)]
    fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        self.0.record(at, worker, record);
        self.1.record(at, worker, record);
    }
    fn crowd(&mut self, at: Time, count: u32, record: &Record) {
        self.0.crowd(at, count, record);
        self.1.crowd(at, count, record);
    }
    fn end(&mut self, at: Time, events: u64) {
        self.0.end(at, events);
        self.1.end(at, events);
    }
    fn settle(&mut self) {
        self.0.settle();
        self.1.settle();
    }
}

/// A recorder that may be absent.
impl<R: Recorder> Recorder for Option<R> {
    fn begin(&mut self, replication: u64) {
        if let Some(recorder) = self {
            recorder.begin(replication);
        }
    }
    #[inline(always)]
    fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        if let Some(recorder) = self {
            recorder.record(at, worker, record);
        }
    }
    fn end(&mut self, at: Time, events: u64) {
        if let Some(recorder) = self {
            recorder.end(at, events);
        }
    }
    fn crowd(&mut self, at: Time, count: u32, record: &Record) {
        if let Some(recorder) = self {
            recorder.crowd(at, count, record);
        }
    }
    fn settle(&mut self) {
        if let Some(recorder) = self {
            recorder.settle();
        }
    }
}

/// Keeps everything: for tests and traces, not for long runs.
impl Recorder for Vec<(Time, WorkerId, Record)> {
    fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        self.push((at, worker, *record));
    }
}

/// Keeps nothing.
impl Recorder for () {
    fn record(&mut self, _: Time, _: WorkerId, _: &Record) {}
}
