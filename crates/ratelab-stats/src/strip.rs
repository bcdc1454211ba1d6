//! Strip: the attempts of a few workers in one replication, one by one; a recorder for pictures.

use ratelab_core::{Outcome, Record, Recorder, Status, Time, WorkerId};

use crate::series::{Attempt, Close, StripRow};

/// Workers shown.
const WORKERS: usize = 40;
/// Attempts kept per worker.
const ATTEMPTS: usize = 500;

/// Keeps the attempts of the first workers in the first replication it sees.
#[derive(Debug, Default)]
pub struct Strip {
    rows: Vec<StripRow>,
    over: bool,
}

impl Recorder for Strip {
    fn record(&mut self, at: Time, worker: WorkerId, record: &Record) {
        if self.over || worker.index() >= WORKERS {
            return;
        }
        match *record {
            Record::Attempt { .. } => {
                while self.rows.len() <= worker.index() {
                    let worker = u32::try_from(self.rows.len()).expect("a few");
                    self.rows.push(StripRow {
                        worker,
                        attempts: Vec::new(),
                    });
                }
                let attempts = &mut self.rows[worker.index()].attempts;
                if attempts.len() < ATTEMPTS {
                    attempts.push(Attempt {
                        at: at.as_secs_f64(),
                        close: None,
                    });
                }
            }
            Record::Answer { outcome, .. } => {
                let row = self.rows.get_mut(worker.index());
                if let Some(last) = row.and_then(|row| row.attempts.last_mut())
                    && last.close.is_none()
                {
                    last.close = Some(close(outcome));
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, _: Time, _: u64) {
        self.over = true;
    }
}

fn close(outcome: Outcome) -> Close {
    match outcome {
        Outcome::Answer { status, .. } if status.is_success() => Close::Done,
        Outcome::Answer { status, .. } if Status::is_refusal(status) => Close::Refused,
        Outcome::Answer { .. } => Close::Error,
        Outcome::Failed(_) => Close::Lost,
    }
}

impl Strip {
    /// The rows, in order of workers.
    pub fn into_rows(self) -> Vec<StripRow> {
        self.rows
    }
}
