//! Machines: all that decides in a run, built in one place for whoever drives it.

use ratelab_core::Seed;

use crate::delay::Delay;
use crate::fleet::FleetParams;
use crate::gate::{Gate, GateParams};
use crate::lane::Lane;
use crate::retry::RetryParams;
use crate::route::Route;
use crate::server::{Server, ServerParams};
use crate::sidecar::Sidecar;

/// What the machines are built from; all of it has passed its checks.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    /// Who works.
    pub fleet: &'a FleetParams,
    /// Where the limiter lives.
    pub gate: &'a GateParams,
    /// What becomes of failed attempts.
    pub retry: &'a RetryParams,
    /// The server.
    pub server: &'a ServerParams,
    /// From the last hop to the server, and back.
    pub one_way: &'a Delay,
    /// Whether the fleet knows the outages and shares the budget: the ideal arm.
    pub ideal: bool,
}

/// The machines of a run. What a worker remembers ([`crate::LaneState`]) is kept by the driver.
pub struct Machines {
    /// The rule of every worker's loop.
    pub lane: Lane,
    /// The client's side of the limiter.
    pub gate: Gate,
    /// The way to the server, and the server.
    pub route: Route,
}

impl Machines {
    /// Builds them.
    pub fn new(setup: Setup<'_>) -> Self {
        let workers = setup.fleet.size();
        let gate = if setup.ideal {
            Gate::clairvoyant(setup.server.promise(), &setup.server.outage)
        } else {
            Gate::new(setup.gate, workers)
        };
        let sidecar = match setup.gate {
            GateParams::Sidecar(params) if !setup.ideal => Some(Sidecar::new(params, workers)),
            _ => None,
        };
        Self {
            lane: Lane::new(setup.fleet, setup.retry, gate.exists(), gate.poll()),
            gate,
            route: Route {
                sidecar,
                one_way: setup.one_way.sampler(),
                server: Server::new(setup.server),
                seed: Seed(0),
                ghosts: 0,
            },
        }
    }

    /// All as new, for a replication.
    pub fn reset(&mut self, seed: Seed) {
        self.gate.reset();
        self.route.reset(seed);
    }
}
