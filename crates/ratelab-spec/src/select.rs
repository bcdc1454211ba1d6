//! Selectors: which rows an expectation or a quote is about, and what it says of them.

use std::ops::Range;

use toml::de::DeValue;

use crate::error::nearest;
use crate::expect::{Expectation, Quote, Wanted, wanted};
use crate::experiment::Case;
use crate::reader::Reader;
use crate::tree::{Table, Value};

impl<'i> Reader<'i> {
    /// A value as the file writes it, without quotes.
    pub(crate) fn written(&self, value: &Value<'i>) -> String {
        match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            _ => self
                .source
                .get(value.span())
                .unwrap_or("?")
                .trim()
                .to_owned(),
        }
    }

    /// The rows a selector means.
    fn rows(&mut self, selector: &str, span: Range<usize>, cases: &[Case]) -> Vec<String> {
        let wants: Vec<&str> = selector.split(',').map(str::trim).collect();
        let has = |case: &Case, want: &str| {
            case.variant == want
                || case
                    .point
                    .iter()
                    .any(|(key, value)| format!("{key} = {value}") == want)
        };
        let fits = |case: &&Case| wants.iter().all(|want| has(case, want));
        let named = |case: &&Case| !case.arm || wants.contains(&case.variant.as_str());
        let rows: Vec<String> = cases
            .iter()
            .filter(fits)
            .filter(named)
            .map(Case::title)
            .collect();
        if rows.is_empty() {
            let titles: Vec<String> = cases.iter().map(Case::title).collect();
            let near = nearest(selector, titles.iter().map(String::as_str));
            let help = near.map_or_else(
                || format!("rows are {}", titles.join("; ")),
                |near| format!("did you mean `{near}`?"),
            );
            self.say(
                Some(span),
                format!("no row is called `{selector}`"),
                "no such row",
                Some(help),
            );
        }
        rows
    }

    pub(crate) fn expectations(&mut self, expect: &Table<'i>, cases: &[Case]) -> Vec<Expectation> {
        let mut list = Vec::new();
        for (selector, value) in expect {
            let rows = self.rows(selector.get_ref(), selector.span(), cases);
            let DeValue::Table(metrics) = value.get_ref() else {
                self.say(
                    Some(value.span()),
                    "an expectation is a table".to_owned(),
                    "write a table",
                    None,
                );
                continue;
            };
            for (metric, value) in metrics {
                let Some((wanted, text)) = self.wanted(metric.get_ref(), value) else {
                    continue;
                };
                let span = metric.span();
                let line = self
                    .source
                    .get(..span.start)
                    .map_or(1, |s| s.matches('\n').count() + 1);
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
            self.say(
                Some(value.span()),
                "this is not a condition on a number".to_owned(),
                instead,
                None,
            );
        }
        Some((all?, texts.join(" and ")))
    }

    pub(crate) fn quotes(&mut self, article: &Table<'i>, cases: &[Case]) -> Vec<Quote> {
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
