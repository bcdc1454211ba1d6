//! Values: one replication's metrics on their way into the moments, always in the same order.

use crate::metric::Unit;
use crate::moments::Moments;

/// Named moments, filled in one order per replication.
#[derive(Debug, Clone, Default)]
pub struct Values {
    list: Vec<(String, Unit, Moments)>,
    place: usize,
    /// The metric to keep the latest value of, and that value.
    watched: String,
    latest: Option<f64>,
}

impl Values {
    /// Empty, with an eye on one metric.
    pub fn watching(name: &str) -> Self {
        Self {
            watched: name.to_owned(),
            ..Self::default()
        }
    }

    /// The watched metric in this replication.
    pub fn latest(&self) -> Option<f64> {
        self.latest
    }

    /// A replication begins.
    pub fn begin(&mut self) {
        self.latest = None;
        self.place = 0;
    }

    /// The next metric of this replication, when it has one. The first replication names them.
    pub fn add(&mut self, name: &str, unit: Unit, value: Option<f64>) {
        if self.place == self.list.len() {
            self.list.push((name.to_owned(), unit, Moments::default()));
        }
        let (known, _, moments) = &mut self.list[self.place];
        debug_assert_eq!(known, name, "metrics come in one order");
        if let Some(value) = value {
            moments.add(value);
        }
        if name == self.watched {
            self.latest = value;
        }
        self.place += 1;
    }

    /// Takes in another chunk of the same plan.
    pub fn merge(&mut self, other: &Self) {
        if self.list.is_empty() {
            self.list.clone_from(&other.list);
            return;
        }
        for (mine, theirs) in self.list.iter_mut().zip(&other.list) {
            mine.2.merge(&theirs.2);
        }
    }

    /// Name, unit and moments of every metric.
    pub fn list(&self) -> &[(String, Unit, Moments)] {
        &self.list
    }
}
