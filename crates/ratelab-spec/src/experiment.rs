//! From a file's text to an experiment: cases to run and what is expected of them.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use ratelab_core::Span;
use toml::de::DeTable;

use crate::error::{Place, SpecError, SpecErrors, clip};
use crate::expect::{Expectation, Quote};
use crate::file::Scenario;
use crate::reader::Reader;
use crate::tree::get;

/// What a command line changes.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    /// `key.path=value`.
    pub set: Vec<String>,
    /// `key.path=v1,v2`: an axis of the sweep, instead of the file's axis of that key.
    pub lists: Vec<String>,
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
    /// What a reader must know beside the numbers; empty when there is nothing.
    pub note: String,
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
    /// Expectations about rows that the command line leaves out: `[expect."…"]` tables.
    pub left_out: usize,
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
    let mut reader = Reader::new(path, source);
    let read = reader.read(overrides);
    match read {
        Some(experiment) if reader.errors.is_empty() => Ok(experiment),
        _ => Err(SpecErrors {
            path: path.to_owned(),
            source: source.to_owned(),
            list: reader.errors.into_iter().collect(),
        }),
    }
}

impl Experiment {
    /// Errors for metrics that nobody knows.
    pub fn unknown_metrics(&self, known: &dyn Fn(&str) -> bool) -> Option<SpecErrors> {
        let expected = self
            .expectations
            .iter()
            .map(|e| (e.metric.clone(), Some(e.span.clone())));
        let columns = self
            .columns
            .iter()
            .map(|metric| (metric.clone(), self.place_of_column(metric)));
        let unknown = expected.chain(columns).filter(|(metric, _)| !known(metric));
        let errors = unknown.map(|(metric, span)| SpecError {
            flag: None,
            span: span.map(Place::from),
            what: format!("unknown metric `{}`", clip(&metric)),
            instead: "not a metric".to_owned(),
            help: Some("`ratelab list metrics` shows all".to_owned()),
        });
        let list: BTreeSet<SpecError> = errors.collect();
        let list: Vec<SpecError> = list.into_iter().collect();
        let (path, source) = (self.path.clone(), self.source.clone());
        (!list.is_empty()).then_some(SpecErrors { path, source, list })
    }

    /// Where the file lists a metric as a column.
    fn place_of_column(&self, metric: &str) -> Option<Range<usize>> {
        let root = DeTable::parse(&self.source).ok()?.into_inner();
        let (_, columns) = get(&root, "columns")?;
        let mut items = columns.get_ref().as_array()?.iter();
        let found = items.find(|item| item.get_ref().as_str() == Some(metric))?;
        Some(found.span())
    }
}
