//! Closing: what a lane tells when the run ends: what was done, and what is left.

use ratelab_core::{Record, Recorder};

use super::{Context, Lane, LaneState, Phase};

impl Lane {
    /// Records what a worker has done when the run ends, and what is left: its present job and the
    /// jobs that arrived behind it.
    pub fn close<R: Recorder>(&self, state: &LaneState, context: &mut Context<'_, R>) {
        if context.worker.0 >= self.busy {
            return;
        }
        context.record(&Record::WorkerEnded { done: state.done });
        if state.phase == Phase::Rest {
            return;
        }
        let (end, in_flight) = (context.now, state.phase == Phase::Flying);
        if !self.waits_for_the_worker {
            self.close_backlog(state, in_flight, context);
        } else if state.arrived < end {
            context.record(&Record::JobsPending {
                count: 1,
                arrived: state.arrived,
                in_flight,
            });
        }
    }

    /// Jobs that arrived together, as a batch does, make one record.
    fn close_backlog<R: Recorder>(
        &self,
        state: &LaneState,
        mut in_flight: bool,
        context: &mut Context<'_, R>,
    ) {
        let (end, who) = (context.now, (context.worker, context.seed));
        let (mut job, mut next) = (u64::from(state.job), state.arrived);
        let (mut arrived, mut count) = (next, 0);
        while next < end {
            if next != arrived {
                context.record(&Record::JobsPending {
                    count,
                    arrived,
                    in_flight,
                });
                (arrived, count, in_flight) = (next, 0, false);
            }
            let together = self.fleet.jobs.role().together(job);
            count += together;
            job += together;
            match self.arrival(job, next, who, end) {
                Some(at) => next = at,
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
