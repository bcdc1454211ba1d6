//! Meters: each counts one kind of thing as records stream by, and at the end of a replication
//! writes its metrics and begins anew.

mod answers;
mod jobs;
mod outages;
mod requests;

pub(crate) use answers::Answers;
pub(crate) use jobs::Jobs;
pub(crate) use outages::Outages;
pub(crate) use requests::Requests;

use crate::metric::Unit;
use crate::values::Values;

/// Writes counts by their names.
fn write_counts<const N: usize>(values: &mut Values, counts: [(&str, u64); N]) {
    for (name, count) in counts {
        values.add(name, Unit::Count, Some(count as f64));
    }
}
