//! The verdict: one sentence that a manager understands, made from the summary alone.
//!
//! It compares the best and the worst contender of the first column, then says who does not get
//! its jobs done and who never comes back.

use ratelab_stats::{Better, Row};

use crate::View;
use crate::column::Column;
use crate::figure;

/// The verdict; `None` when there is nothing to compare or say.
pub fn verdict(view: &View) -> Option<String> {
    let column = Column::of(view.summary.columns.first()?);
    let all: Vec<&Row> = view.contenders().map(|row| view.row(row)).collect();
    let first = comparison(view, &column, &all)?;
    let mut parts = vec![first];
    if !view.scene.outages.is_empty() {
        parts.extend(jobs(&all));
    }
    parts.extend(stuck(&all));
    Some(format!("{}.", parts.join("; ")))
}

fn value(row: &Row, column: &Column) -> Option<(f64, String)> {
    let estimate = row.metrics.get(&column.name)?;
    let text = if estimate.is_exact() {
        figure::number(estimate.mean)
    } else {
        format!("about {}", figure::rough(estimate.mean))
    };
    Some((estimate.mean, text))
}

fn comparison(view: &View, column: &Column, all: &[&Row]) -> Option<String> {
    let mut rows: Vec<(&Row, f64, String)> = all
        .iter()
        .filter_map(|row| value(row, column).map(|(mean, text)| (*row, mean, text)))
        .collect();
    if rows.len() > 1 && rows.iter().all(|row| row.0.variant == rows[0].0.variant) {
        return Some(along(column, &rows));
    }
    // With a sweep only rows at the same point compare; the last point is the far end.
    let last = rows.last()?.0.point.clone();
    rows.retain(|row| row.0.point == last);
    let place = if last.is_empty() {
        String::new()
    } else {
        let parts: Vec<String> = last
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        format!("at {}, ", parts.join(", "))
    };
    rows.sort_by(|a, b| a.1.total_cmp(&b.1));
    if column.better == Better::Higher {
        rows.reverse();
    }
    let (best, worst) = (rows.first()?, rows.last()?);
    let text = if best.2 != worst.2 {
        contrast(
            column,
            (&best.0.variant, &best.2),
            (&worst.0.variant, &worst.2),
        )
    } else if rows.len() > 1 {
        predicate(column, "every strategy", &best.2)
    } else {
        single(view, column, best)
    };
    Some(format!("{place}{text}"))
}

/// One row alone stands beside the ideal arm.
fn single(view: &View, column: &Column, row: &(&Row, f64, String)) -> String {
    let this = view.summary.results.iter().position(|other| other == row.0);
    let ideal = this
        .and_then(|this| view.ideal_of(this))
        .and_then(|ideal| value(view.row(ideal), column));
    let text = predicate(column, &row.0.variant, &row.2);
    match ideal {
        Some((_, ideal)) if ideal != row.2 => format!("{text}, an ideal fleet {ideal}"),
        _ => text,
    }
}

/// One variant along a sweep.
fn along(column: &Column, rows: &[(&Row, f64, String)]) -> String {
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    let point = |row: &Row| {
        row.point
            .iter()
            .map(|(_, v)| v.clone())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let keys: Vec<&str> = first.0.point.iter().map(|(key, _)| key.as_str()).collect();
    format!(
        "{} {} from {} to {} when {} goes from {} to {}",
        column.title(),
        if last.1 >= first.1 { "rises" } else { "falls" },
        first.2,
        last.2,
        keys.join(", "),
        point(first.0),
        point(last.0)
    )
}

fn contrast(column: &Column, best: (&str, &str), worst: (&str, &str)) -> String {
    match column.name.as_str() {
        "requests.outage" => format!(
            "{} sends {} requests into the outage where {} sends {}",
            best.0, best.1, worst.0, worst.1
        ),
        "requests.total" => format!(
            "{} sends {} requests where {} sends {}",
            best.0, best.1, worst.0, worst.1
        ),
        _ => format!(
            "{}: {} for {}, {} for {}",
            column.title(),
            best.1,
            best.0,
            worst.1,
            worst.0
        ),
    }
}

fn predicate(column: &Column, who: &str, value: &str) -> String {
    match column.name.as_str() {
        "requests.outage" => format!("{who} sends {value} requests into the outage"),
        "requests.total" => format!("{who} sends {value} requests"),
        _ => format!("{who} has {value} {}", column.title()),
    }
}

/// Who leaves jobs undone after an outage: failed or still pending in any replication. Without an
/// outage some job is always pending when the run ends.
fn jobs(all: &[&Row]) -> Option<String> {
    let undone = |row: &Row| {
        let failed = row.metrics.get("jobs.failed")?;
        let pending = row.metrics.get("jobs.pending")?;
        Some(failed.max > 0.0 || pending.max > 0.0)
    };
    let known: Vec<(&Row, bool)> = all
        .iter()
        .filter_map(|row| undone(row).map(|undone| (*row, undone)))
        .collect();
    if known.is_empty() || known.len() < all.len() {
        return None;
    }
    let losers = names(
        known
            .iter()
            .filter(|(_, undone)| *undone)
            .map(|(row, _)| *row),
    );
    Some(match (losers.len(), all.len()) {
        (0, 1) => "all jobs get done".to_owned(),
        (0, _) => "every strategy gets all its jobs done".to_owned(),
        (1, 1) => "not all jobs get done".to_owned(),
        _ if losers.len() == names(all.iter().copied()).len() => {
            "no strategy gets all its jobs done in every run".to_owned()
        }
        (1, _) => format!("{} does not get all its jobs done", losers[0]),
        _ => format!("{} do not get all their jobs done", list(&losers)),
    })
}

/// Who never comes back, always or in some replications.
fn stuck(all: &[&Row]) -> Vec<String> {
    const STUCK: &str = "never (stuck)";
    let always = names(all.iter().copied().filter(|row| {
        row.recovery
            .iter()
            .any(|r| r.label == STUCK && r.labels.len() < 2)
    }));
    let mut parts = Vec::new();
    if !always.is_empty() {
        let verb = if always.len() == 1 {
            "recovers"
        } else {
            "recover"
        };
        parts.push(format!("{} never {verb}", list(&always)));
    }
    for row in all {
        let share = row
            .recovery
            .iter()
            .find_map(|r| (r.labels.len() > 1).then(|| r.labels.get(STUCK)).flatten());
        if let Some(share) = share {
            parts.push(format!(
                "{} never recovers in {} of runs",
                row.title(),
                figure::share(*share)
            ));
        }
    }
    parts
}

fn names<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for row in rows {
        if !names.contains(&row.variant) {
            names.push(row.variant.clone());
        }
    }
    names
}

fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}
