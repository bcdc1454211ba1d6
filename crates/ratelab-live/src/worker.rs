//! A worker as a task: it hands its lane inputs and does what the lane says.

use std::pin::Pin;
use std::rc::Rc;

use ratelab_core::{Failure, Outcome, Recorder, Site, Time, WorkerId};
use ratelab_model::{Action, Decision, Input, Request, Step};
use tokio::task::spawn_local;
use tokio::time::Sleep;

use crate::host::Host;

/// One worker's life, from its start to its rest.
pub(crate) async fn live<R: Recorder + 'static>(host: Rc<Host<R>>, worker: WorkerId) {
    host.clock.until(host.start_of(worker)).await;
    let mut input = Input::Start;
    loop {
        input = match host.handle(worker, input) {
            Action::Rest => return,
            Action::WakeAt(at) => {
                host.clock.until(at).await;
                Input::Woken
            }
            Action::Ask => Input::Permit(ask(&host, worker).await),
            Action::Send(request) => {
                let (outcome, site) = send(&host, request).await;
                Input::Outcome(outcome, site)
            }
        };
    }
}

/// Asks the gate, wherever its state is.
async fn ask<R: Recorder>(host: &Host<R>, worker: WorkerId) -> Decision {
    let Some((there, back)) = host.legs() else {
        return Decision::Grant;
    };
    host.clock.until(host.clock.now() + there).await;
    let decision = host.decide(worker);
    host.clock.until(host.clock.now() + back).await;
    decision
}

/// Sends a request and waits for its outcome.
async fn send<R: Recorder + 'static>(host: &Rc<Host<R>>, request: Request) -> (Outcome, Site) {
    let mut step = host.depart(request);
    loop {
        match step {
            Step::Travel(at, place) => {
                host.clock.until(at).await;
                step = host.arrive(place, request);
            }
            Step::Learn(at, outcome, site) => {
                host.clock.until(at).await;
                return (outcome, site);
            }
            Step::Abandon(at, arrives) => {
                let alarm = host.clock.alarm(arrives).await;
                spawn_local(haunt(Rc::clone(host), request.worker, arrives, alarm));
                host.clock.until(at).await;
                return (Outcome::Failed(Failure::TimedOut), Site::Server);
            }
        }
    }
}

/// A request whose client will have gone reaches the server all the same.
async fn haunt<R: Recorder>(
    host: Rc<Host<R>>,
    worker: WorkerId,
    arrives: Time,
    alarm: Pin<Box<Sleep>>,
) {
    alarm.await;
    // Nothing happens at the end of the run or after it.
    if arrives < host.clock.end() {
        host.haunt(worker);
    }
}
