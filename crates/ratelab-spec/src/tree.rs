//! The tree: a parsed file in which every key and value knows its place, and patches to it.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its place.
pub type Value<'i> = Spanned<DeValue<'i>>;
/// A table whose keys and values know their places.
pub type Table<'i> = DeTable<'i>;

/// Keys whose value names one of several alternatives.
const CHOICES: [&str; 5] = ["gate", "limiter", "backoff", "jobs", "budget"];

/// A key with its place.
pub type Key<'i> = Spanned<Cow<'i, str>>;

/// Looks a key up.
pub fn get<'a, 'i>(table: &'a Table<'i>, key: &str) -> Option<(&'a Key<'i>, &'a Value<'i>)> {
    table.iter().find(|(name, _)| name.get_ref() == key)
}

/// The place of the value at `path`, else of the innermost key on the way that exists.
pub fn place(table: &Table<'_>, path: &[String]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, value) = get(table, first)?;
    let mut deepest = if rest.is_empty() {
        value.span()
    } else {
        key.span()
    };
    let mut value = value;
    for (depth, key) in rest.iter().enumerate() {
        let last = depth + 1 == rest.len();
        let next = match value.get_ref() {
            DeValue::Table(inner) => get(inner, key).map(|(key, value)| (key.span(), value)),
            DeValue::Array(items) => key
                .parse()
                .ok()
                .and_then(|n: usize| items.get(n))
                .map(|item| (item.span(), item)),
            _ => None,
        };
        let Some((key_span, inner)) = next else { break };
        deepest = if last { inner.span() } else { key_span };
        value = inner;
    }
    Some(deepest)
}

/// Writes `value` at a dotted path, making tables on the way; merges where both are tables.
pub fn patch<'i>(table: &mut Table<'i>, path: &str, at: Range<usize>, value: Value<'i>) {
    let (key, rest) = path
        .split_once('.')
        .map_or((path, None), |(key, rest)| (key, Some(rest)));
    let value = match rest {
        None => value,
        Some(rest) => {
            let mut inner = Table::new();
            patch(&mut inner, rest, at.clone(), value);
            Spanned::new(at.clone(), DeValue::Table(inner))
        }
    };
    let key = Spanned::new(at, Cow::Owned(key.to_owned()));
    merge_one(table, &key, value);
}

/// Works a table of patches into `table`; quoted dotted keys are paths.
pub fn merge<'i>(table: &mut Table<'i>, patches: &Table<'i>) {
    for (key, value) in patches {
        patch(table, key.get_ref(), key.span(), value.clone());
    }
}

fn merge_one<'i>(table: &mut Table<'i>, key: &Key<'i>, mut value: Value<'i>) {
    let name = key.get_ref().to_string();
    if let DeValue::Table(inner) = value.get_mut() {
        // A patch written as a table may itself hold dotted keys.
        let raw = std::mem::take(inner);
        merge(inner, &raw);
    }
    let old = table
        .iter_mut()
        .find(|(known, _)| known.get_ref() == key.get_ref());
    let Some((_, old)) = old else {
        table.insert(key.clone(), value);
        return;
    };
    match (old.get_mut(), value.get_ref()) {
        (DeValue::Table(mine), DeValue::Table(theirs)) if !changes_choice(&name, mine, theirs) => {
            let theirs = theirs.clone();
            merge(mine, &theirs);
        }
        _ => *old = value,
    }
}

/// Whether a patch names another alternative than the tree does.
fn changes_choice(name: &str, mine: &Table<'_>, theirs: &Table<'_>) -> bool {
    let first = |table: &Table<'_>| {
        table
            .iter()
            .next()
            .map(|(key, _)| key.get_ref().to_string())
    };
    CHOICES.contains(&name) && first(mine) != first(theirs)
}

/// Writes short forms out: `limiter = "unlimited"` as a table, `retry = "none"` as one attempt.
pub fn expand(table: &mut Table<'_>) {
    for (key, value) in table.iter_mut() {
        let span = value.span();
        let text = value.get_ref().as_str().map(str::to_owned);
        match (key.get_ref().as_ref(), text) {
            ("retry", Some(text)) if text == "none" => {
                let one = DeValue::parse("1").expect("a number");
                let mut inner = Table::new();
                inner.insert(Spanned::new(span.clone(), Cow::Borrowed("attempts")), one);
                *value.get_mut() = DeValue::Table(inner);
            }
            ("limiter" | "budget" | "jobs" | "backoff", Some(text)) => {
                let mut inner = Table::new();
                let empty = Spanned::new(span.clone(), DeValue::Table(Table::new()));
                inner.insert(Spanned::new(span.clone(), Cow::Owned(text)), empty);
                *value.get_mut() = DeValue::Table(inner);
            }
            _ => expand_value(value),
        }
    }
}

fn expand_value(value: &mut Value<'_>) {
    match value.get_mut() {
        DeValue::Table(inner) => expand(inner),
        DeValue::Array(items) => items.iter_mut().for_each(expand_value),
        _ => {}
    }
}
