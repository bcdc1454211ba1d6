//! The reader: a tree becomes cases, every variant at every point of the sweep, and control arms.

use std::ops::Range;
use std::path::Path;

use ratelab_core::Findings;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use crate::error::{SpecError, explain};
use crate::experiment::{Case, Experiment, Measure, Overrides};
use crate::file::{Arm, File};
use crate::tree::{Table, Value, expand, get, merge, patch, place};

/// The most cases.
const MOST_CASES: usize = 10_000;
/// The deepest nesting.
const DEEPEST: usize = 64;

/// Reads one file and collects what is wrong with it.
pub(crate) struct Reader<'i> {
    pub(crate) path: &'i str,
    pub(crate) source: &'i str,
    pub(crate) errors: Vec<SpecError>,
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
    pub(crate) fn say(
        &mut self,
        span: Option<Range<usize>>,
        what: String,
        instead: &str,
        help: Option<String>,
    ) {
        let error = SpecError {
            what,
            span,
            instead: instead.to_owned(),
            help,
        };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    pub(crate) fn read(&mut self, overrides: &'i Overrides) -> Option<Experiment> {
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
        let name = Path::new(self.path)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        let sweep = (parts.sweep.iter())
            .map(|(key, values)| {
                (
                    key.clone(),
                    values.iter().map(|v| self.written(v)).collect(),
                )
            })
            .collect();
        Some(Experiment {
            name: name.unwrap_or_default(),
            path: self.path.to_owned(),
            source: self.source.to_owned(),
            question: file.question.clone(),
            replications: overrides
                .replications
                .unwrap_or(file.replications)
                .clamp(1, 10_000_000),
            seed: overrides.seed.unwrap_or(file.seed),
            columns: file.columns.clone(),
            measures: (file.measure.iter())
                .map(|(name, m)| Measure {
                    name: name.clone(),
                    from: m.from,
                    until: m.until,
                })
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
        let Some((name, value)) = found else {
            return Table::new();
        };
        root.remove(&name);
        let span = value.span();
        if let DeValue::Table(table) = value.into_inner() {
            return table;
        }
        self.say(
            Some(span),
            format!("`{key}` is a table"),
            "write a table here",
            None,
        );
        Table::new()
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
                _ => self.say(
                    Some(value.span()),
                    "a variant is a table".to_owned(),
                    "write a table",
                    None,
                ),
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
                    self.say(
                        Some(value.span()),
                        what,
                        "write a list like [1, 2, 4]",
                        None,
                    );
                }
            }
        }
        let points: usize = axes
            .iter()
            .map(|(_, values): &(String, Vec<Value<'_>>)| values.len())
            .product();
        if points.saturating_mul(list.len().max(1)) > MOST_CASES {
            self.say(None, format!("these are over {MOST_CASES} cases"), "", None);
            axes.clear();
        }
        Parts {
            base: root,
            variants: list,
            sweep: axes,
            expect,
            article,
        }
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
        let shown: Vec<(String, String)> = point
            .iter()
            .map(|(key, value)| (key.clone(), self.written(value)))
            .collect();
        let none = [("base".to_owned(), Table::new())];
        let variants = if parts.variants.is_empty() {
            &none[..]
        } else {
            &parts.variants[..]
        };
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
            if let Some(file) = self.file(&with(patches)) {
                let (variant, point) = (name.clone(), shown.clone());
                cases.push(Case {
                    variant,
                    arm: false,
                    point,
                    scenario: file.scenario(),
                });
                files.push(file);
            }
        }
        if !self.errors.is_empty() {
            return;
        }
        // Arms come from the base alone; where the base is no whole file, from the first variant.
        let base = self
            .silently(&with(&Table::new()))
            .or_else(|| files.last().cloned());
        let Some(file) = base else { return };
        let outage = !file.server.outage.is_empty();
        let usual = if outage {
            vec![Arm::NoRetry, Arm::Ideal]
        } else {
            Vec::new()
        };
        for arm in file.arms.clone().unwrap_or(usual) {
            let name = match arm {
                Arm::NoRetry => "no-retry",
                Arm::Ideal => "ideal",
            };
            let (variant, point) = (name.to_owned(), shown.clone());
            cases.push(Case {
                variant,
                arm: true,
                point,
                scenario: file.arm(arm),
            });
        }
    }

    fn silently(&mut self, tree: &Table<'i>) -> Option<File> {
        let before = self.errors.len();
        let file = self.file(tree);
        self.errors.truncate(before);
        file
    }

    fn file(&mut self, tree: &Table<'i>) -> Option<File> {
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
                    let span = place(tree, &finding.path).filter(|span| span.end > span.start);
                    let at = format!("{} ({})", finding.what, finding.path.join("."));
                    let what = if span.is_some() {
                        finding.what.clone()
                    } else {
                        at
                    };
                    self.say(span, what, &finding.instead, None);
                }
                findings.list().is_empty().then_some(file)
            }
        }
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
