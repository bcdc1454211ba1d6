//! Compare: two summaries of the same question, before and after a change.
//!
//! A difference of exact values is a difference. A difference of means counts when it is larger
//! than the root of the sum of both squared half-widths of the 95 % intervals (Welch). Runs of one
//! seed share their luck, so this is on the careful side.

use crate::metric::{self, Better};
use crate::summary::{Estimate, Row, Summary};

/// Whether a change is one, and for the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// No difference beyond chance.
    Same,
    /// For the better.
    Better,
    /// For the worse.
    Worse,
    /// A difference in a metric that has no better direction.
    Other,
}

/// One metric of one row, before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The row's title.
    pub row: String,
    /// The metric.
    pub metric: String,
    /// Before; absent in a new row.
    pub before: Option<Estimate>,
    /// After; absent in a row that is gone.
    pub after: Option<Estimate>,
    /// What it comes to.
    pub turn: Turn,
}

/// Every column of either summary in every row of either, the later one's order first.
pub fn compare(before: &Summary, after: &Summary) -> Vec<Change> {
    let mut columns = after.columns.clone();
    columns.extend(
        before
            .columns
            .iter()
            .filter(|c| !after.columns.contains(c))
            .cloned(),
    );
    // Control arms are yardsticks: nobody is better or worse for them.
    let titles = |summary: &Summary| -> Vec<String> {
        summary
            .results
            .iter()
            .filter(|row| !row.arm)
            .map(Row::title)
            .collect()
    };
    let (old, mut rows) = (titles(before), titles(after));
    rows.extend(
        old.into_iter()
            .filter(|title| !rows.contains(title))
            .collect::<Vec<_>>(),
    );
    let mut changes = Vec::new();
    for row in &rows {
        for metric in &columns {
            let (old, new) = (estimate(before, row, metric), estimate(after, row, metric));
            if old.is_some() || new.is_some() {
                let turn = turn(metric, old.as_ref(), new.as_ref());
                let (row, metric) = (row.clone(), metric.clone());
                changes.push(Change {
                    row,
                    metric,
                    before: old,
                    after: new,
                    turn,
                });
            }
        }
    }
    changes
}

fn estimate(summary: &Summary, row: &str, metric: &str) -> Option<Estimate> {
    let found = summary.results.iter().find(|known| known.title() == row)?;
    found.metrics.get(metric).cloned()
}

fn turn(metric: &str, before: Option<&Estimate>, after: Option<&Estimate>) -> Turn {
    let (Some(before), Some(after)) = (before, after) else {
        return Turn::Other;
    };
    let half = |e: &Estimate| e.ci95_high.map_or(0.0, |high| high - e.mean);
    let step = after.mean - before.mean;
    let noise = half(before).hypot(half(after));
    // Equal up to the last digits that summing may cost.
    if step.abs() <= noise.max(1e-9 * before.mean.abs()) {
        return Turn::Same;
    }
    match metric::find(metric).map_or(Better::Neither, |metric| metric.better) {
        Better::Neither => Turn::Other,
        Better::Lower if step < 0.0 => Turn::Better,
        Better::Higher if step > 0.0 => Turn::Better,
        Better::Lower | Better::Higher => Turn::Worse,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mean: f64, half: f64) -> Estimate {
        let (low, high) = (
            (half > 0.0).then_some(mean - half),
            (half > 0.0).then_some(mean + half),
        );
        let (min, max) = (mean - half, mean + half);
        let unit = "1".to_owned();
        Estimate {
            mean,
            ci95_low: low,
            ci95_high: high,
            se: half / 1.96,
            min,
            max,
            n: 100,
            unit,
        }
    }

    #[test]
    fn a_change_counts_when_it_is_larger_than_both_intervals() {
        let cases = [
            ("refused", of(10.0, 0.0), of(11.0, 0.0), Turn::Worse),
            ("refused", of(10.0, 0.0), of(10.0, 0.0), Turn::Same),
            ("refused", of(10.0, 3.0), of(14.0, 4.0), Turn::Same),
            ("refused", of(10.0, 3.0), of(4.0, 4.0), Turn::Better),
            ("served", of(10.0, 1.0), of(5.0, 1.0), Turn::Worse),
            ("rate.mean", of(1.0, 0.0), of(2.0, 0.0), Turn::Other),
        ];
        for (metric, before, after, wanted) in cases {
            assert_eq!(
                turn(metric, Some(&before), Some(&after)),
                wanted,
                "{metric}"
            );
        }
        assert_eq!(turn("refused", None, Some(&of(1.0, 0.0))), Turn::Other);
    }
}
