//! `junit`: one test case per expectation, for CI systems that read `JUnit` XML.
//!
//! No time stamp and no duration: equal runs give equal bytes.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use ratelab_stats::{Check, Summary};

use super::{Format, Style};
use crate::View;
use crate::escape::visible;

/// The format's entry.
pub const FORMAT: Format = Format {
    name: "junit",
    about: "JUnit XML, one test case per expectation",
    render,
};

fn render(view: &View, _style: &Style) -> String {
    all(&[view.summary])
}

/// The expectations of several experiments, each a test suite named after its experiment.
///
/// # Panics
///
/// Never: memory takes every byte.
pub fn all(summaries: &[&Summary]) -> String {
    let mut report = Report::new("ratelab");
    for summary in summaries {
        let experiment = visible(&summary.experiment);
        let mut suite = TestSuite::new(experiment.clone());
        for check in &summary.expectations {
            suite.add_test_case(case(&experiment, check));
        }
        report.add_test_suite(suite);
    }
    let mut text = report.to_string().expect("writing to memory does not fail");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn case(experiment: &str, check: &Check) -> TestCase {
    let status = if check.pass {
        TestCaseStatus::success()
    } else {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        let (wanted, got) = (visible(&check.wanted), visible(&check.got));
        status.set_type("expectation");
        status.set_message(format!("wanted {wanted}, got {got}"));
        status.set_description(format!(
            "{}:{}: {} of {}: wanted {wanted}, got {got}",
            visible(&check.file),
            check.line,
            visible(&check.metric),
            visible(&check.variant),
        ));
        status
    };
    let name = format!("{}: {}", visible(&check.variant), visible(&check.metric));
    let mut case = TestCase::new(name, status);
    case.set_classname(experiment);
    case.extra
        .insert("file".into(), visible(&check.file).into());
    case.extra
        .insert("line".into(), check.line.to_string().into());
    case
}
