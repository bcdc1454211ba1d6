//! Selectors: which rows an expectation or a quote is about, and what it says of them.

use std::ops::Range;

use toml::de::DeValue;

use crate::error::{clip, nearest, suggest};
use crate::expect::{Expectation, LABELS, Quote, Wanted, wanted};
use crate::experiment::Case;
use crate::reader::Reader;
use crate::tree::{Key, Table, Value};

/// What every form of a condition looks like.
const FORMS: &str = "write 40, \"15.7 .. 16.1\", \"<= 5s\", \"66 ± 4%\" or \"15.9 ± 3 se\"";
/// The most rows that a hint names.
const MOST_ROWS: usize = 12;

impl<'i> Reader<'i> {
    /// The rows a selector means.
    fn rows(&mut self, selector: &str, span: Range<usize>, cases: &[Case]) -> Vec<String> {
        let wants: Vec<&str> = selector.split(',').map(str::trim).collect();
        let has = |case: &Case, want: &str| {
            let mut point = case.point.iter();
            case.variant == want || point.any(|(key, value)| format!("{key} = {value}") == want)
        };
        let fits = |case: &&Case| wants.iter().all(|want| has(case, want));
        let named = |case: &&Case| !case.arm || wants.contains(&case.variant.as_str());
        let rows: Vec<String> = cases
            .iter()
            .filter(fits)
            .filter(named)
            .map(Case::title)
            .collect();
        let keys = wants.iter().filter_map(|want| want.split_once(" = "));
        if rows.is_empty()
            && keys
                .into_iter()
                .any(|(key, _)| self.narrowed.iter().any(|n| n == key))
        {
            self.left_out += 1;
        } else if rows.is_empty() {
            let titles: Vec<String> = cases.iter().map(Case::title).collect();
            let near = nearest(selector, titles.iter().map(String::as_str));
            let shown = titles.iter().take(MOST_ROWS).cloned().collect::<Vec<_>>();
            let more = if titles.len() > MOST_ROWS {
                "; …"
            } else {
                ""
            };
            let help = near.map_or_else(
                || format!("rows are {}{more}", shown.join("; ")),
                |near| format!("did you mean `{near}`?"),
            );
            let what = format!("no row is called `{}`", clip(selector));
            self.say(Some(span), what, "no such row", Some(help));
        }
        rows
    }

    /// The metrics of one row; what they are said to be differs.
    fn metrics<'a>(
        &mut self,
        value: &'a Value<'i>,
        what: &str,
    ) -> Vec<(&'a Key<'i>, &'a Value<'i>)> {
        let DeValue::Table(metrics) = value.get_ref() else {
            let help = Some("write [expect.ROW] and a metric a line".to_owned());
            let help = help.filter(|_| what == "an expectation");
            self.say(
                Some(value.span()),
                format!("{what} is a table"),
                "not a table",
                help,
            );
            return Vec::new();
        };
        let mut list = Vec::new();
        for (metric, value) in metrics {
            match value.get_ref() {
                DeValue::Table(inner) => {
                    let inner = inner.keys().next();
                    let inner = inner.map_or("…", |key| key.get_ref());
                    let whole = format!("{}.{inner}", metric.get_ref());
                    let help = Some(format!("write \"{}\" = …", clip(&whole)));
                    let what = "the name of a metric has quotes when it has dots".to_owned();
                    self.say(Some(metric.span()), what, "only a part of a name", help);
                }
                _ => list.push((metric, value)),
            }
        }
        list
    }

    pub(crate) fn expectations(&mut self, expect: &Table<'i>, cases: &[Case]) -> Vec<Expectation> {
        let mut list = Vec::new();
        for (selector, value) in expect {
            let rows = self.rows(selector.get_ref(), selector.span(), cases);
            for (metric, value) in self.metrics(value, "an expectation") {
                let Some((wanted, text)) = self.wanted(metric.get_ref(), value) else {
                    continue;
                };
                let span = metric.span();
                let before = self.source.get(..span.start);
                let line = before.map_or(1, |text| text.matches('\n').count() + 1);
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

    /// The conditions of one metric, all of which must hold, and their text.
    fn wanted(&mut self, metric: &str, value: &Value<'i>) -> Option<(Vec<Wanted>, String)> {
        let items = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        if items.is_empty() {
            let what = "this list has no conditions".to_owned();
            self.say(Some(value.span()), what, FORMS, None);
        }
        let mut all = Vec::new();
        let mut texts = Vec::new();
        for item in &items {
            let text = self.places.written(item);
            let condition = match metric {
                "recovery.label" => self.label(&text, item.span()),
                _ => self.condition(&text, item),
            };
            all.extend(condition);
            texts.push(text);
        }
        let whole = all.len() == items.len() && !items.is_empty();
        whole.then(|| (all, texts.join(" and ")))
    }

    fn label(&mut self, text: &str, span: Range<usize>) -> Option<Wanted> {
        if LABELS.contains(&text) {
            return Some(Wanted::Label(text.to_owned()));
        }
        let all = format!("labels are {}", LABELS.join(", "));
        let what = format!("no recovery is called `{}`", clip(text));
        let help = match text {
            "-" | "—" | "" => format!("did you mean `–`? {all}"),
            _ => suggest(text, &LABELS, &all),
        };
        self.say(Some(span), what, "not a label", Some(help));
        None
    }

    fn condition(&mut self, text: &str, item: &Value<'i>) -> Option<Wanted> {
        let number = matches!(
            item.get_ref(),
            DeValue::String(_) | DeValue::Integer(_) | DeValue::Float(_)
        );
        let read = wanted(text).filter(|_| number);
        if read.is_none() {
            let what = "this is not a condition on a number".to_owned();
            self.say(Some(item.span()), what, FORMS, None);
        }
        read
    }

    pub(crate) fn quotes(&mut self, article: &Table<'i>, cases: &[Case]) -> Vec<Quote> {
        let mut list = Vec::new();
        for (selector, value) in article {
            let rows = self.rows(selector.get_ref(), selector.span(), cases);
            for (metric, text) in self.metrics(value, "a quote") {
                let text = self.places.written(text);
                list.extend(rows.iter().map(|row| Quote {
                    row: row.clone(),
                    metric: metric.get_ref().to_string(),
                    text: text.clone(),
                }));
            }
        }
        list
    }
}
