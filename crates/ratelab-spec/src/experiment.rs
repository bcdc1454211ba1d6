//! From a file's text to an experiment: cases to run and what is expected of them.

use std::ops::Range;
use std::path::Path;

use ratelab_core::{Findings, Span};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::error::{SpecError, SpecErrors, nearest};
use crate::expect::{Expectation, Quote, Wanted, wanted};
use crate::file::{Arm, File, Scenario};
use crate::tree::{Table, Value, expand, get, merge, patch, place};

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
        let point = self.point.iter().map(|(key, value)| format!("{key} = {value}"));
        std::iter::once(self.variant.clone()).chain(point).collect::<Vec<_>>().join(", ")
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
/// The most cases.
const MOST_CASES: usize = 10_000;
/// The deepest nesting.
const DEEPEST: usize = 64;

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
        return Err(plain("this file is over 10 MiB".to_owned(), "an experiment file is a page or two"));
    }
    let bytes = std::fs::read(path)
        .map_err(|error| plain(format!("cannot read the file: {error}"), "check its permissions"))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| plain("this file is not UTF-8 text".to_owned(), "save it as UTF-8"))?;
    parse(&shown, &text, overrides)
}

/// Validates the text of a file.
pub fn parse(path: &str, source: &str, overrides: &Overrides) -> Result<Experiment, SpecErrors> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let mut reader = Reader { path, source, errors: Vec::new() };
    let read = reader.read(overrides);
    match read {
        Some(experiment) if reader.errors.is_empty() => Ok(experiment),
        _ => {
            let list = std::mem::take(&mut reader.errors);
            Err(SpecErrors { path: path.to_owned(), source: source.to_owned(), list })
        }
    }
}

impl Experiment {
    /// Errors for metrics that nobody knows.
    pub fn unknown_metrics(&self, known: &dyn Fn(&str) -> bool) -> Option<SpecErrors> {
        let expected = self.expectations.iter().map(|e| (e.metric.clone(), Some(e.span.clone())));
        let columns = self.columns.iter().map(|metric| (metric.clone(), None));
        let mut list: Vec<SpecError> = Vec::new();
        for (metric, span) in expected.chain(columns).filter(|(metric, _)| !known(metric)) {
            let what = format!("unknown metric `{metric}`");
            let help = Some("`ratelab list metrics` shows all".to_owned());
            let error = SpecError { what, span, instead: "not a metric".to_owned(), help };
            if !list.contains(&error) {
                list.push(error);
            }
        }
        let (path, source) = (self.path.clone(), self.source.clone());
        (!list.is_empty()).then_some(SpecErrors { path, source, list })
    }
}

struct Reader<'i> {
    path: &'i str,
    source: &'i str,
    errors: Vec<SpecError>,
}

/// The parts of a file that are not the scenario.
struct Parts<'i> {
    base: Table<'i>,
    variants: Vec<(String, Table<'i>)>,
    sweep: Vec<(String, Vec<Value<'i>>)>,
    expect: Table<'i>,
    article: Table<'i>,
}

impl<'i> Reader<'i> {
    fn say(&mut self, span: Option<Range<usize>>, what: String, instead: &str, help: Option<String>) {
        let error = SpecError { what, span, instead: instead.to_owned(), help };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    fn read(&mut self, overrides: &'i Overrides) -> Option<Experiment> {
        let root = self.tree()?;
        let mut parts = self.parts(root);
        for set in &overrides.set {
            self.set(&mut parts, set);
        }
        let mut files = Vec::new();
        let mut cases = Vec::new();
        for point in points(&parts.sweep) {
            self.cases_at(&parts, &point, &mut files, &mut cases);
        }
        if !self.errors.is_empty() {
            return None;
        }
        let file: &File = files.first()?;
        let expectations = self.expectations(&parts.expect, &cases);
        let quotes = self.quotes(&parts.article, &cases);
        let name = Path::new(self.path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let sweep = (parts.sweep.iter())
            .map(|(key, values)| (key.clone(), values.iter().map(|v| self.written(v)).collect()))
            .collect();
        Some(Experiment {
            name: name.unwrap_or_default(),
            path: self.path.to_owned(),
            source: self.source.to_owned(),
            question: file.question.clone(),
            replications: overrides.replications.unwrap_or(file.replications).clamp(1, 10_000_000),
            seed: overrides.seed.unwrap_or(file.seed),
            columns: file.columns.clone(),
            measures: (file.measure.iter())
                .map(|(name, m)| Measure { name: name.clone(), from: m.from, until: m.until })
                .collect(),
            cases,
            expectations,
            quotes,
            sweep,
        })
    }

    fn tree(&mut self) -> Option<Table<'i>> {
        let (mut depth, mut deepest) = (0usize, 0usize);
        for byte in self.source.bytes() {
            match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        if deepest > DEEPEST {
            self.say(None, "this file nests too deeply".to_owned(), "", None);
            return None;
        }
        match DeTable::parse(self.source) {
            Ok(root) => Some(root.into_inner()),
            Err(error) => {
                self.say(error.span(), error.message().to_owned(), "", None);
                None
            }
        }
    }

    fn table_at(&mut self, root: &mut Table<'i>, key: &str) -> Table<'i> {
        let found = get(root, key).map(|(key, value)| (key.clone(), value.clone()));
        let Some((name, value)) = found else { return Table::new() };
        root.remove(&name);
        let span = value.span();
        match value.into_inner() {
            DeValue::Table(table) => table,
            _ => {
                self.say(Some(span), format!("`{key}` is a table"), "write a table here", None);
                Table::new()
            }
        }
    }

    fn parts(&mut self, mut root: Table<'i>) -> Parts<'i> {
        let variants = self.table_at(&mut root, "variant");
        let sweep = self.table_at(&mut root, "sweep");
        let expect = self.table_at(&mut root, "expect");
        let article = self.table_at(&mut root, "article");
        let mut list = Vec::new();
        for (name, value) in variants {
            match value.get_ref() {
                DeValue::Table(table) => list.push((name.get_ref().to_string(), table.clone())),
                _ => self.say(Some(value.span()), "a variant is a table".to_owned(), "write a table", None),
            }
        }
        let mut axes = Vec::new();
        for (key, value) in sweep {
            match value.get_ref() {
                DeValue::Array(items) if !items.is_empty() => {
                    axes.push((key.get_ref().to_string(), items.iter().cloned().collect()));
                }
                _ => {
                    let what = format!("the sweep of `{}` has no values", key.get_ref());
                    self.say(Some(value.span()), what, "write a list like [1, 2, 4]", None);
                }
            }
        }
        let points: usize = axes.iter().map(|(_, values): &(String, Vec<Value<'_>>)| values.len()).product();
        if points.saturating_mul(list.len().max(1)) > MOST_CASES {
            self.say(None, format!("these are over {MOST_CASES} cases"), "", None);
            axes.clear();
        }
        Parts { base: root, variants: list, sweep: axes, expect, article }
    }

    fn set(&mut self, parts: &mut Parts<'i>, set: &'i str) {
        let help = Some("write --set fleet.workers=8".to_owned());
        let Some((key, text)) = set.split_once('=') else {
            self.say(None, format!("--set {set} has no value"), "", help);
            return;
        };
        // What is not a TOML value is taken as text, so that shells need no second quotes.
        let value = DeValue::parse(text.trim())
            .map_or_else(|_| DeValue::String(text.into()), Spanned::into_inner);
        let value = Spanned::new(0..0, value);
        parts.sweep.retain(|(swept, _)| swept != key.trim());
        for (_, variant) in &mut parts.variants {
            if get(variant, key.trim()).is_some() {
                patch(variant, key.trim(), 0..0, value.clone());
            }
        }
        patch(&mut parts.base, key.trim(), 0..0, value);
    }

    fn cases_at(
        &mut self,
        parts: &Parts<'i>,
        point: &[(String, Value<'i>)],
        files: &mut Vec<File>,
        cases: &mut Vec<Case>,
    ) {
        let shown: Vec<(String, String)> =
            point.iter().map(|(key, value)| (key.clone(), self.written(value))).collect();
        let none = [("base".to_owned(), Table::new())];
        let variants = if parts.variants.is_empty() { &none[..] } else { &parts.variants[..] };
        let with = |patches: &Table<'i>| {
            let mut tree = parts.base.clone();
            merge(&mut tree, patches);
            for (key, value) in point {
                patch(&mut tree, key, value.span(), value.clone());
            }
            expand(&mut tree);
            tree
        };
        for (name, patches) in variants {
            if let Some(file) = self.file(with(patches)) {
                let (variant, point) = (name.clone(), shown.clone());
                cases.push(Case { variant, arm: false, point, scenario: file.scenario() });
                files.push(file);
            }
        }
        if !self.errors.is_empty() {
            return;
        }
        // Arms come from the base alone; where the base is no whole file, from the first variant.
        let base = self.silently(with(&Table::new())).or_else(|| files.last().cloned());
        let Some(file) = base else { return };
        let outage = !file.server.outage.is_empty();
        let usual = if outage { vec![Arm::NoRetry, Arm::Ideal] } else { Vec::new() };
        for arm in file.arms.clone().unwrap_or(usual) {
            let name = match arm {
                Arm::NoRetry => "no-retry",
                Arm::Ideal => "ideal",
            };
            let (variant, point) = (name.to_owned(), shown.clone());
            cases.push(Case { variant, arm: true, point, scenario: file.arm(arm) });
        }
    }

    fn silently(&mut self, tree: Table<'i>) -> Option<File> {
        let before = self.errors.len();
        let file = self.file(tree);
        self.errors.truncate(before);
        file
    }

    fn file(&mut self, tree: Table<'i>) -> Option<File> {
        let whole = Spanned::new(0..0, tree.clone());
        match File::deserialize(Deserializer::from(whole)) {
            Err(error) => {
                let (what, instead, help) = explain(error.message());
                let span = error.span().filter(|span| span.end > span.start);
                self.say(span, what, &instead, help);
                None
            }
            Ok(file) => {
                let mut findings = Findings::default();
                file.check(&mut findings);
                for finding in findings.list() {
                    let span = place(&tree, &finding.path).filter(|span| span.end > span.start);
                    let at = format!("{} ({})", finding.what, finding.path.join("."));
                    let what = if span.is_some() { finding.what.clone() } else { at };
                    self.say(span, what, &finding.instead, None);
                }
                findings.list().is_empty().then_some(file)
            }
        }
    }

    /// A value as the file writes it, without quotes.
    fn written(&self, value: &Value<'i>) -> String {
        match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            _ => self.source.get(value.span()).unwrap_or("?").trim().to_owned(),
        }
    }

    /// The rows a selector means.
    fn rows(&mut self, selector: &str, span: Range<usize>, cases: &[Case]) -> Vec<String> {
        let wants: Vec<&str> = selector.split(',').map(str::trim).collect();
        let has = |case: &Case, want: &str| {
            case.variant == want || case.point.iter().any(|(key, value)| format!("{key} = {value}") == want)
        };
        let fits = |case: &&Case| wants.iter().all(|want| has(case, want));
        let named = |case: &&Case| !case.arm || wants.contains(&case.variant.as_str());
        let rows: Vec<String> = cases.iter().filter(fits).filter(named).map(Case::title).collect();
        if rows.is_empty() {
            let titles: Vec<String> = cases.iter().map(Case::title).collect();
            let near = nearest(selector, titles.iter().map(String::as_str));
            let help = near.map_or_else(
                || format!("rows are {}", titles.join("; ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.say(Some(span), format!("no row is called `{selector}`"), "no such row", Some(help));
        }
        rows
    }

    fn expectations(&mut self, expect: &Table<'i>, cases: &[Case]) -> Vec<Expectation> {
        let mut list = Vec::new();
        for (selector, value) in expect {
            let rows = self.rows(selector.get_ref(), selector.span(), cases);
            let DeValue::Table(metrics) = value.get_ref() else {
                self.say(Some(value.span()), "an expectation is a table".to_owned(), "write a table", None);
                continue;
            };
            for (metric, value) in metrics {
                let Some((wanted, text)) = self.wanted(metric.get_ref(), value) else { continue };
                let span = metric.span();
                let line = self.source.get(..span.start).map_or(1, |s| s.matches('\n').count() + 1);
                list.extend(rows.iter().map(|row| Expectation {
                    row: row.clone(),
                    metric: metric.get_ref().to_string(),
                    wanted: wanted.clone(),
                    text: text.clone(),
                    line,
                    span: span.clone(),
                }));
            }
        }
        list
    }

    fn wanted(&mut self, metric: &str, value: &Value<'i>) -> Option<(Vec<Wanted>, String)> {
        let texts: Vec<String> = match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.written(item)).collect(),
            _ => vec![self.written(value)],
        };
        let read = |text: &String| match metric {
            "recovery.label" => Some(Wanted::Label(text.clone())),
            _ => wanted(text),
        };
        let all: Option<Vec<Wanted>> = texts.iter().map(read).collect();
        if all.is_none() {
            let instead = "write 40, \"15.7 .. 16.1\", \"<= 5s\", \"66 ± 4%\" or \"15.9 ± 3 se\"";
            self.say(Some(value.span()), "this is not a condition on a number".to_owned(), instead, None);
        }
        Some((all?, texts.join(" and ")))
    }

    fn quotes(&mut self, article: &Table<'i>, cases: &[Case]) -> Vec<Quote> {
        let mut list = Vec::new();
        for (selector, value) in article {
            let rows = self.rows(selector.get_ref(), selector.span(), cases);
            if let DeValue::Table(metrics) = value.get_ref() {
                for (metric, text) in metrics {
                    list.extend(rows.iter().map(|row| Quote {
                        row: row.clone(),
                        metric: metric.get_ref().to_string(),
                        text: self.written(text),
                    }));
                }
            }
        }
        list
    }
}

/// Every combination of the sweep's values, the last key changing fastest.
fn points<'i>(sweep: &[(String, Vec<Value<'i>>)]) -> Vec<Vec<(String, Value<'i>)>> {
    let mut points = vec![Vec::new()];
    for (key, values) in sweep {
        points = points
            .into_iter()
            .flat_map(|point: Vec<(String, Value<'i>)>| {
                values.iter().map(move |value| {
                    let mut longer = point.clone();
                    longer.push((key.clone(), value.clone()));
                    longer
                })
            })
            .collect();
    }
    points
}

/// What serde says, in our words: `(what, under the caret, help)`.
fn explain(message: &str) -> (String, String, Option<String>) {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    for (start, kind) in [("unknown field", "key"), ("unknown variant", "name")] {
        if message.starts_with(start) && !quoted.is_empty() {
            let near = nearest(quoted[0], quoted[1..].iter().copied());
            let all = quoted[1..].join(", ");
            let help = near.map_or_else(
                || format!("known here: {all}"),
                |near| format!("did you mean `{near}`? known here: {all}"),
            );
            return (format!("unknown {kind} `{}`", quoted[0]), format!("not a {kind} here"), Some(help));
        }
    }
    if message.starts_with("invalid type: integer") && message.ends_with("expected a string") {
        let number = quoted.first().copied().unwrap_or("60");
        let instead = format!("write \"{number}s\" for a duration, \"{number}/s\" for a rate");
        return ("this value needs a unit".to_owned(), instead, None);
    }
    if let Some((what, instead)) = message.split_once(": write ") {
        return (what.to_owned(), format!("write {instead}"), None);
    }
    (message.to_owned(), String::new(), None)
}
