//! Answers: what workers get back, from whom, and how long that took.

use ratelab_core::{Outcome, Site, Time};

use super::write_counts;
use crate::latency::Latency;
use crate::metric::Unit;
use crate::plan::Plan;
use crate::values::Values;
use crate::window::Sliding;

/// Counts answers.
#[derive(Debug, Clone)]
pub(crate) struct Answers {
    served: u64,
    served_by_server: u64,
    refused_server: u64,
    refused_sidecar: u64,
    lost: u64,
    /// Statuses that may come back, how often they did, and the names of their metrics.
    statuses: Vec<(u16, u64, String)>,
    /// Requests the budget bears in a second, and the served of its period.
    budget: Option<(f64, Sliding)>,
    pub(crate) latency: Latency,
}

impl Answers {
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            served: 0,
            served_by_server: 0,
            refused_server: 0,
            refused_sidecar: 0,
            lost: 0,
            statuses: (plan.statuses.iter())
                .map(|status| (*status, 0, format!("status.{status}")))
                .collect(),
            budget: plan.budget.map(|budget| {
                let window = Sliding::new(budget.rate.window(), plan.workers as usize);
                (budget.rate.per_second(), window)
            }),
            latency: Latency::new(),
        }
    }

    /// `count` workers have that outcome.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: Time, count: u32, outcome: Outcome, site: Site) {
        let many = u64::from(count);
        let Outcome::Answer { status, .. } = outcome else {
            self.lost += many;
            return;
        };
        let known = |(known, _, _): &&mut (u16, u64, String)| *known == status.0;
        if let Some((_, sum, _)) = self.statuses.iter_mut().find(known) {
            *sum += many;
        }
        if status.is_success() {
            self.served += many;
            self.served_by_server += many * u64::from(site == Site::Server);
            if let Some((_, window)) = &mut self.budget {
                window.add(at, count);
            }
        } else if status.is_refusal() {
            match site {
                Site::Server => self.refused_server += many,
                Site::Sidecar => self.refused_sidecar += many,
            }
        }
    }

    pub(crate) fn write(&mut self, values: &mut Values, seconds: f64) {
        let counts = [
            ("served", self.served),
            ("refused", self.refused_server + self.refused_sidecar),
            ("refused.server", self.refused_server),
            ("refused.sidecar", self.refused_sidecar),
            ("lost", self.lost),
        ];
        write_counts(values, counts);
        let most = self.budget.as_mut().map(|(_, window)| window.most() as f64);
        values.add("served.worst-window", Unit::Count, most);
        let budget = self.budget.as_ref();
        let used = budget.map(|(rate, _)| self.served_by_server as f64 / (rate * seconds));
        values.add("budget.used", Unit::Ratio, used);
        for (_, sum, name) in &self.statuses {
            values.add(name, Unit::Count, Some(*sum as f64));
        }
    }

    pub(crate) fn reset(&mut self) {
        (self.served, self.served_by_server, self.lost) = (0, 0, 0);
        (self.refused_server, self.refused_sidecar) = (0, 0);
        for (_, sum, _) in &mut self.statuses {
            *sum = 0;
        }
        if let Some((_, window)) = &mut self.budget {
            window.reset();
        }
    }

    /// Gives back what only a running replication needs.
    pub(crate) fn settle(&mut self) {
        if let Some((_, window)) = &mut self.budget {
            window.settle();
        }
    }
}
