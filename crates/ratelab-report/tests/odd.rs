//! Runs at the edge: nothing there, too much there, numbers that are none.

use ratelab_report::page;
use ratelab_report::table::{FORMATS, Style};
use ratelab_report::verdict::verdict;
use ratelab_stats::{Scene, Window};

use crate::fixture::{self, Run};

/// Renders everything at several widths; the texts of the terminal stay inside.
fn render(run: &Run, what: &str) {
    for width in [0, 40, 80, 200] {
        for format in FORMATS {
            let text = (format.render)(
                &run.view(),
                &Style {
                    colour: false,
                    width,
                },
            );
            assert!(!text.is_empty(), "{what}: {}", format.name);
        }
    }
    let files = page::render(&run.view(), &run.source);
    let page = &files
        .iter()
        .find(|(name, _)| name == "index.html")
        .expect("a page")
        .1;
    assert!(
        page.len() < 500_000,
        "{what}: the page has {} bytes",
        page.len()
    );
}

#[test]
fn a_run_without_rows() {
    let mut run = fixture::outage();
    run.summary.results.clear();
    run.series.clear();
    render(&run, "no rows");
    assert_eq!(verdict(&run.view()), None);
}

#[test]
fn a_run_without_series() {
    let mut run = fixture::outage();
    run.series.truncate(1);
    render(&run, "one series");
    run.series.clear();
    render(&run, "no series");
}

#[test]
fn a_run_without_columns_outages_or_metrics() {
    let mut run = fixture::outage();
    run.summary.columns.clear();
    render(&run, "no columns");
    let mut run = fixture::outage();
    run.scene.outages.clear();
    render(&run, "no outages");
    let mut run = fixture::outage();
    for row in &mut run.summary.results {
        row.metrics.clear();
        row.recovery.clear();
    }
    render(&run, "no metrics");
}

#[test]
fn only_arms() {
    let mut run = fixture::outage();
    run.summary.results.drain(..3);
    run.series.drain(..3);
    render(&run, "only arms");
}

#[test]
fn numbers_that_are_none() {
    let mut run = fixture::sweep();
    for row in &mut run.summary.results {
        for estimate in row.metrics.values_mut() {
            estimate.mean = f64::NAN;
            estimate.ci95_high = Some(f64::INFINITY);
            estimate.ci95_low = Some(f64::NEG_INFINITY);
        }
    }
    for series in &mut run.series {
        series.timeline.as_mut().unwrap().mean.fill(f64::NAN);
        series.close_up.as_mut().unwrap().mean.fill(f64::INFINITY);
        series.cumulative.fill(f64::NAN);
        series.spread = vec![(f64::NAN, 1), (f64::INFINITY, 2)];
    }
    run.scene.budget = Some(f64::INFINITY);
    render(&run, "no numbers");
}

#[test]
fn times_that_are_empty_or_turned_round() {
    let mut run = fixture::outage();
    run.scene = Scene {
        duration: 0.0,
        outages: vec![
            Window {
                from: 5.0,
                until: 5.0,
            },
            Window {
                from: 9.0,
                until: 2.0,
            },
        ],
        budget: Some(0.0),
        sweep: Some(("x".to_owned(), vec![])),
    };
    for series in &mut run.series {
        series.timeline.as_mut().unwrap().width = 0.0;
        series.close_up.as_mut().unwrap().mean.clear();
    }
    render(&run, "empty times");
}

#[test]
fn zero_requests() {
    let mut run = fixture::outage();
    for series in &mut run.series {
        for timeline in [
            series.timeline.as_mut().unwrap(),
            series.close_up.as_mut().unwrap(),
        ] {
            timeline.mean.fill(0.0);
            timeline.min.fill(0);
            timeline.max.fill(0);
        }
        series.cumulative.fill(0.0);
    }
    render(&run, "zero requests");
}

#[test]
fn many_rows_with_long_names() {
    let run = fixture::crowd();
    render(&run, "many rows");
    let view = run.view();
    for chart in ratelab_report::chart::charts(&view) {
        let picture = (chart.draw)(&view);
        assert!(
            picture.about.contains("the first 8 of 33 rows"),
            "{}",
            chart.name
        );
    }
}

#[test]
fn several_outages_and_a_long_run() {
    let run = fixture::two_outages();
    render(&run, "two outages");
}

#[test]
fn verdicts() {
    let of = |run: &Run| verdict(&run.view()).unwrap();
    assert_eq!(
        of(&fixture::outage()),
        "retry-after sends 8 requests into the outage where naive sends 40; every strategy gets \
         all its jobs done."
    );
    assert_eq!(
        of(&fixture::troubled()),
        "retry-after sends 8 requests into the outage where naive sends 40; backoff does not get \
         all its jobs done; backoff never recovers in 12 % of runs."
    );
    assert_eq!(
        of(&fixture::sweep()),
        "at fleet.workers = 32, backoff sends about 128 requests into the outage where naive sends \
         320; every strategy gets all its jobs done."
    );
    let mut run = fixture::outage();
    run.summary.results.drain(1..4);
    assert_eq!(
        of(&run),
        "naive sends 40 requests into the outage, an ideal fleet 4; all jobs get done."
    );
    run.summary.columns[0] = "jobs.done".to_owned();
    assert_eq!(of(&run), "naive has 4 jobs done; all jobs get done.");
}
