//! From a file's text to an experiment: cases to run and what is expected of them.

use std::path::Path;

use ratelab_core::Span;

use crate::error::{SpecError, SpecErrors};
use crate::expect::{Expectation, Quote};
use crate::file::Scenario;
use crate::reader::Reader;

/// What a command line changes.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// `key.path=value`.
    pub set: Vec<String>,
    /// The seed.
    pub seed: Option<u64>,
    /// The replications.
    pub replications: Option<u64>,
}

/// A window in which requests are counted by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measure {
    /// Its name.
    pub name: String,
    /// Its begin.
    pub from: Span,
    /// Its end, not included.
    pub until: Span,
}

/// One variant at one point of the sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The variant's name; `base` without variants.
    pub variant: String,
    /// Whether it is a control arm.
    pub arm: bool,
    /// The sweep's keys and values here, as written.
    pub point: Vec<(String, String)>,
    /// What to run.
    pub scenario: Scenario,
}

impl Case {
    /// The row's title: `naive, fleet.workers = 4`.
    pub fn title(&self) -> String {
        let point = self
            .point
            .iter()
            .map(|(key, value)| format!("{key} = {value}"));
        std::iter::once(self.variant.clone())
            .chain(point)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// An experiment, ready to run.
#[derive(Debug, Clone, PartialEq)]
pub struct Experiment {
    /// The file's name without folder and extension.
    pub name: String,
    /// The file as given.
    pub path: String,
    /// Its text.
    pub source: String,
    /// The question it asks.
    pub question: String,
    /// Runs per case.
    pub replications: u64,
    /// What all randomness starts from.
    pub seed: u64,
    /// Metrics worth a column; empty for the usual ones.
    pub columns: Vec<String>,
    /// Windows to count requests in.
    pub measures: Vec<Measure>,
    /// What to run, in order; never empty.
    pub cases: Vec<Case>,
    /// What is expected.
    pub expectations: Vec<Expectation>,
    /// What somebody published.
    pub quotes: Vec<Quote>,
    /// The swept keys and their values.
    pub sweep: Vec<(String, Vec<String>)>,
}

/// The longest file that is read.
const LONGEST: u64 = 10 << 20;

/// Reads and validates a file.
pub fn load(path: &Path, overrides: &Overrides) -> Result<Experiment, SpecErrors> {
    let shown = path.display().to_string();
    let plain = |what: String, help| SpecErrors::plain(&shown, what, help);
    let meta = std::fs::metadata(path)
        .map_err(|error| plain(format!("cannot read the file: {error}"), "check the path"))?;
    if !meta.is_file() {
        return Err(plain("this is not a file".to_owned(), "name a TOML file"));
    }
    if meta.len() > LONGEST {
        return Err(plain(
            "this file is over 10 MiB".to_owned(),
            "an experiment file is a page or two",
        ));
    }
    let bytes = std::fs::read(path).map_err(|error| {
        plain(
            format!("cannot read the file: {error}"),
            "check its permissions",
        )
    })?;
    let text = String::from_utf8(bytes)
        .map_err(|_| plain("this file is not UTF-8 text".to_owned(), "save it as UTF-8"))?;
    parse(&shown, &text, overrides)
}

/// Validates the text of a file.
pub fn parse(path: &str, source: &str, overrides: &Overrides) -> Result<Experiment, SpecErrors> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut reader = Reader {
        path,
        source,
        errors: Vec::new(),
    };
    let read = reader.read(overrides);
    match read {
        Some(experiment) if reader.errors.is_empty() => Ok(experiment),
        _ => {
            let list = std::mem::take(&mut reader.errors);
            Err(SpecErrors {
                path: path.to_owned(),
                source: source.to_owned(),
                list,
            })
        }
    }
}

impl Experiment {
    /// Errors for metrics that nobody knows.
    pub fn unknown_metrics(&self, known: &dyn Fn(&str) -> bool) -> Option<SpecErrors> {
        let expected = self
            .expectations
            .iter()
            .map(|e| (e.metric.clone(), Some(e.span.clone())));
        let columns = self.columns.iter().map(|metric| (metric.clone(), None));
        let mut list: Vec<SpecError> = Vec::new();
        for (metric, span) in expected.chain(columns).filter(|(metric, _)| !known(metric)) {
            let what = format!("unknown metric `{metric}`");
            let help = Some("`ratelab list metrics` shows all".to_owned());
            let error = SpecError {
                what,
                span,
                instead: "not a metric".to_owned(),
                help,
            };
            if !list.contains(&error) {
                list.push(error);
            }
        }
        let (path, source) = (self.path.clone(), self.source.clone());
        (!list.is_empty()).then_some(SpecErrors { path, source, list })
    }
}
