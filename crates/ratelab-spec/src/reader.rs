//! The reader: a file's text becomes a tree, its parts, its cases, and what is expected of them.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use crate::error::SpecError;
use crate::experiment::{Experiment, Measure, Overrides};
use crate::file::{Arm, File};
use crate::places::Places;
use crate::schema;
use crate::shape::Node;
use crate::tree::{Key, Table, Value, depth, get, merge};

/// The most cases.
const MOST_CASES: usize = 10_000;
/// The deepest nesting.
pub(crate) const DEEPEST: usize = 64;

/// Reads one file and collects what is wrong with it, in the file's order and each thing once.
pub(crate) struct Reader<'i> {
    pub(crate) path: &'i str,
    pub(crate) source: &'i str,
    pub(crate) places: Places<'i>,
    pub(crate) errors: BTreeSet<SpecError>,
    /// Keys that the file sweeps and the command line sets or sweeps otherwise.
    pub(crate) narrowed: Vec<String>,
    /// Selectors of rows that are not there for that reason alone.
    pub(crate) left_out: usize,
}

/// The parts of a file that are not the scenario.
pub(crate) struct Parts<'i> {
    pub(crate) base: Table<'i>,
    pub(crate) variants: Vec<(String, Table<'i>)>,
    pub(crate) sweep: Vec<Axis<'i>>,
    expect: Table<'i>,
    article: Table<'i>,
}

/// A key that is swept, where it is written, and its values.
pub(crate) struct Axis<'i> {
    pub(crate) key: String,
    pub(crate) at: Range<usize>,
    pub(crate) values: Vec<Value<'i>>,
}

impl<'i> Reader<'i> {
    pub(crate) fn new(path: &'i str, source: &'i str) -> Self {
        Self {
            path,
            source,
            places: Places::new(source),
            errors: BTreeSet::new(),
            narrowed: Vec::new(),
            left_out: 0,
        }
    }

    pub(crate) fn say(
        &mut self,
        span: Option<Range<usize>>,
        what: String,
        instead: &str,
        help: Option<String>,
    ) {
        let error = SpecError {
            what,
            instead: instead.to_owned(),
            help,
            ..SpecError::default()
        };
        self.place(span, error);
    }

    /// Notes an error of which only the place is not filled in.
    pub(crate) fn place(&mut self, span: Option<Range<usize>>, mut error: SpecError) {
        let flag = span.as_ref().and_then(|span| self.places.flag(span));
        error.flag = flag.map(str::to_owned);
        if error.flag.is_none() {
            error.span = span.map(Into::into);
        }
        self.errors.insert(error);
    }

    pub(crate) fn read(&mut self, overrides: &'i Overrides) -> Option<Experiment> {
        let root = self.tree()?;
        let mut parts = self.parts(root);
        self.flags(&mut parts, overrides);
        self.count(&mut parts);
        let (files, cases) = self.cases(&parts);
        if !self.errors.is_empty() {
            return None;
        }
        let file: &File = files.first()?;
        let expectations = self.expectations(&parts.expect, &cases);
        let left_out = self.left_out;
        let quotes = self.quotes(&parts.article, &cases);
        let name = Path::new(self.path)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        let sweep = parts.sweep.iter().map(|axis| {
            let values = axis.values.iter().map(|value| self.places.written(value));
            (axis.key.clone(), values.collect())
        });
        let measures = file.measure.iter().map(|(name, window)| Measure {
            name: name.clone(),
            from: window.from,
            until: window.until,
        });
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
            note: file.note.clone(),
            columns: file.columns.clone(),
            measures: measures.collect(),
            sweep: sweep.collect(),
            cases,
            expectations,
            quotes,
            left_out,
        })
    }

    fn tree(&mut self) -> Option<Table<'i>> {
        match DeTable::parse(self.source) {
            Ok(root) if depth(root.get_ref()) <= DEEPEST => Some(root.into_inner()),
            Ok(_) => {
                let what = "this file nests too deeply".to_owned();
                let help = Some(format!("at most {DEEPEST} levels are read"));
                self.say(None, what, "", help);
                None
            }
            Err(error) => {
                self.say(error.span(), syntax(error.message()), "", None);
                None
            }
        }
    }

    /// Takes a part of the file out of it.
    fn part(&mut self, root: &mut Table<'i>, key: &str) -> Table<'i> {
        let found = get(root, key).map(|(key, value)| (key.clone(), value.clone()));
        let Some((name, value)) = found else {
            return Table::new();
        };
        root.remove(&name);
        let span = value.span();
        if let DeValue::Table(table) = value.into_inner() {
            return table;
        }
        let what = format!("`{key}` is a table");
        self.say(
            Some(span),
            what,
            &format!("write [{key}] and its keys"),
            None,
        );
        Table::new()
    }

    fn parts(&mut self, mut root: Table<'i>) -> Parts<'i> {
        let variants = self.part(&mut root, "variant");
        let sweep = self.part(&mut root, "sweep");
        let expect = self.part(&mut root, "expect");
        let article = self.part(&mut root, "article");
        if let Some((_, measures)) = get(&root, "measure")
            && let DeValue::Table(measures) = measures.get_ref()
        {
            for name in measures.keys() {
                self.named(name, "measure");
            }
        }
        Parts {
            base: root,
            variants: self.variants(variants),
            sweep: self.sweep(sweep),
            expect,
            article,
        }
    }

    fn variants(&mut self, variants: Table<'i>) -> Vec<(String, Table<'i>)> {
        let mut list = Vec::new();
        for (name, value) in variants {
            self.named(&name, "variant");
            let text = name.get_ref().to_string();
            let arm = Arm::ALL.iter().find(|arm| arm.name() == text);
            if arm.is_some() || text == "base" {
                let what = format!("a variant cannot be called `{text}`");
                let help = match arm {
                    Some(_) => "that is the name of a control arm",
                    None => "that is the row of a file without variants",
                };
                self.say(
                    Some(name.span()),
                    what,
                    "write another name",
                    Some(help.to_owned()),
                );
            }
            if let DeValue::Table(table) = value.get_ref() {
                let mut flat = Table::new();
                merge(&mut flat, table, Some(Node::root(schema::strict())));
                list.push((text, flat));
            } else {
                let what = "a variant is a table".to_owned();
                let help = Some(format!("write [variant.{text}] and what it changes"));
                self.say(Some(value.span()), what, "not a table", help);
            }
        }
        list
    }

    fn sweep(&mut self, sweep: Table<'i>) -> Vec<Axis<'i>> {
        let mut axes = Vec::new();
        for (key, value) in sweep {
            self.named(&key, "swept key");
            match value.get_ref() {
                DeValue::Array(items) if !items.is_empty() => axes.push(Axis {
                    key: key.get_ref().to_string(),
                    at: key.span(),
                    values: items.iter().cloned().collect(),
                }),
                DeValue::Table(_) => {
                    let what = format!("the sweep of `{}` is a table", key.get_ref());
                    let help = Some("quote dotted keys: \"fleet.workers\" = [1, 2]".to_owned());
                    self.say(Some(key.span()), what, "write a list of values", help);
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
        axes
    }

    /// Names end up in tables, titles and files, so they are one line that one can see.
    fn named(&mut self, name: &Key<'i>, what: &str) {
        let text = name.get_ref();
        let wrong = if text.trim().is_empty() {
            "is empty"
        } else if text.contains(char::is_control) {
            "has a control character"
        } else {
            return;
        };
        let what = format!("the name of this {what} {wrong}");
        self.say(
            Some(name.span()),
            what,
            "write letters, digits and hyphens",
            None,
        );
    }

    /// Counts the cases before they are made.
    fn count(&mut self, parts: &mut Parts<'i>) {
        let axes = parts.sweep.iter().map(|axis| axis.values.len());
        let points = axes.fold(1, usize::saturating_mul);
        let cases = points.saturating_mul(parts.variants.len().max(1));
        if cases > MOST_CASES {
            let what = match cases {
                usize::MAX => "these are far too many cases".to_owned(),
                _ => format!("these are {cases} cases"),
            };
            let longest = parts.sweep.iter().max_by_key(|axis| axis.values.len());
            let at = longest.map(|axis| axis.at.clone());
            let help = Some(format!(
                "at most {MOST_CASES} are run: sweep over fewer values"
            ));
            self.say(at, what, "the longest axis", help);
            parts.sweep.clear();
        }
    }
}

/// What the parser of TOML says, in words that need no grammar.
fn syntax(message: &str) -> String {
    match message {
        "cannot recurse further; max recursion depth met" | "recursion limit" => {
            "this file nests too deeply".to_owned()
        }
        other => other.to_owned(),
    }
}
