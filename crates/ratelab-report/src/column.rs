//! Columns: a metric's name to its head, its meaning, and the row that wins it.

use ratelab_stats::{Better, METRICS, Metric, Row};

use crate::View;

/// A metric as a column.
#[derive(Debug, Clone)]
pub struct Column {
    /// The metric's name.
    pub name: String,
    /// The head, a few words a line.
    pub head: Vec<String>,
    /// Which way is better.
    pub better: Better,
    /// The exact meaning.
    pub about: &'static str,
}

impl Column {
    /// Looks a metric up; an unknown one becomes a column under its own name.
    pub fn of(name: &str) -> Self {
        let known = METRICS.iter().find(|metric| metric.name == name);
        let (metric, member) = match known {
            Some(metric) => (Some(metric), None),
            None => METRICS
                .iter()
                .find_map(|metric| Some((metric, member(metric, name)?)))
                .map_or((None, None), |(metric, member)| {
                    (Some(metric), Some(member))
                }),
        };
        let mut head: Vec<String> = metric
            .map_or(name, |metric| metric.head)
            .lines()
            .map(str::to_owned)
            .collect();
        head.extend(member.map(str::to_owned));
        Self {
            name: name.to_owned(),
            head,
            better: metric.map_or(Better::Neither, |metric| metric.better),
            about: metric.map_or("", |metric| metric.about),
        }
    }

    /// The head in one line.
    pub fn title(&self) -> String {
        self.head.join(" ")
    }
}

/// What stands for `<…>` in a family's name.
fn member<'a>(metric: &Metric, name: &'a str) -> Option<&'a str> {
    let (front, rest) = metric.name.split_once('<')?;
    let (_, back) = rest.split_once('>')?;
    let member = name.strip_prefix(front)?.strip_suffix(back)?;
    (!member.is_empty()).then_some(member)
}

/// The columns of a summary.
pub fn columns(view: &View) -> Vec<Column> {
    view.summary.columns.iter().map(|c| Column::of(c)).collect()
}

/// Whether a row is the best of its column at its sweep point: better than every other contender
/// that has the metric, and clear of their intervals. Arms do not compete, ties have no best.
pub fn is_best(view: &View, column: &Column, row: usize) -> bool {
    let this = view.row(row);
    if this.arm || column.better == Better::Neither {
        return false;
    }
    let Some((low, high)) = bounds(this, &column.name) else {
        return false;
    };
    let mut rivals = view
        .contenders()
        .filter(|&other| other != row && view.row(other).point == this.point)
        .filter_map(|other| bounds(view.row(other), &column.name))
        .peekable();
    rivals.peek().is_some()
        && rivals.all(|(other_low, other_high)| match column.better {
            Better::Lower => high < other_low,
            Better::Higher => low > other_high,
            Better::Neither => false,
        })
}

fn bounds(row: &Row, metric: &str) -> Option<(f64, f64)> {
    let estimate = row.metrics.get(metric)?;
    Some((
        estimate.ci95_low.unwrap_or(estimate.mean),
        estimate.ci95_high.unwrap_or(estimate.mean),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_keep_their_member() {
        assert_eq!(Column::of("status.429").title(), "status 429");
        assert_eq!(Column::of("requests.calm").title(), "requests calm");
        assert_eq!(Column::of("requests.outage").head.len(), 2);
        assert_eq!(Column::of("who.knows").title(), "who.knows");
    }
}
