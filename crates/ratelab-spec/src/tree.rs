//! The tree: a parsed file in which every key and value knows its place, and patches to it.
//!
//! Patches follow the schema: where it has alternatives, another one replaces the one before.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::places::placed;
use crate::presets;
use crate::shape::Node;

/// A value with its place.
pub type Value<'i> = Spanned<DeValue<'i>>;
/// A table whose keys and values know their places.
pub type Table<'i> = DeTable<'i>;
/// A key with its place.
pub type Key<'i> = Spanned<Cow<'i, str>>;

/// Looks a key up.
pub fn get<'a, 'i>(table: &'a Table<'i>, key: &str) -> Option<(&'a Key<'i>, &'a Value<'i>)> {
    table.get_key_value(key)
}

/// The value of a key or of an element, and the place of its name.
fn step<'a, 'i>(value: &'a DeValue<'i>, key: &str) -> Option<(Range<usize>, &'a Value<'i>)> {
    match value {
        DeValue::Table(inner) => get(inner, key).map(|(key, value)| (key.span(), value)),
        DeValue::Array(items) => {
            let item = items.get(key.parse::<usize>().ok()?)?;
            Some((item.span(), item))
        }
        _ => None,
    }
}

/// The place of the value at `path`, else of the innermost key on the way that exists.
pub fn place(table: &Table<'_>, path: &[String]) -> Option<Range<usize>> {
    let (first, rest) = path.split_first()?;
    let (key, mut value) = get(table, first)?;
    let mut deepest = key.span();
    for key in rest {
        let Some((span, inner)) = step(value.get_ref(), key) else {
            return Some(deepest);
        };
        (deepest, value) = (span, inner);
    }
    Some(value.span())
        .filter(|span| !span.is_empty())
        .or(Some(deepest))
}

/// Whether there is a value at `path`.
pub(crate) fn has(table: &Table<'_>, path: &str) -> bool {
    let mut keys = path.split('.');
    let first = keys.next().and_then(|key| get(table, key));
    let mut value = first.map(|(_, value)| value);
    for key in keys {
        value = value.and_then(|value| step(value.get_ref(), key).map(|(_, inner)| inner));
    }
    value.is_some()
}

/// How deep a table nests; a dotted key counts as the tables it stands for.
pub(crate) fn depth(table: &Table<'_>) -> usize {
    let entries = table.iter();
    let deep = |(key, value): (&Key<'_>, &Value<'_>)| {
        1 + key.get_ref().matches('.').count() + depth_of(value.get_ref())
    };
    entries.map(deep).max().unwrap_or(0)
}

pub(crate) fn depth_of(value: &DeValue<'_>) -> usize {
    match value {
        DeValue::Table(inner) => depth(inner),
        DeValue::Array(items) => {
            let deepest = items.iter().map(|item| depth_of(item.get_ref())).max();
            1 + deepest.unwrap_or(0)
        }
        _ => 0,
    }
}

/// A change to a table: a dotted path, where it stands, and the value.
#[derive(Debug, Clone)]
pub(crate) struct Patch<'i> {
    /// The keys, with dots between.
    pub(crate) path: String,
    /// Where the path is written.
    pub(crate) at: Range<usize>,
    /// The new value.
    pub(crate) value: Value<'i>,
}

/// Writes a value at a dotted path, making tables on the way; merges where both are tables.
pub(crate) fn patch<'i>(table: &mut Table<'i>, patch: Patch<'i>, node: Option<Node<'_>>) {
    let mut keys = patch.path.split('.').rev();
    let mut last = keys.next().unwrap_or_default();
    let mut value = patch.value;
    for outer in keys {
        let key = Spanned::new(patch.at.clone(), Cow::Owned(last.to_owned()));
        let inner = Table::from_iter([(key, value)]);
        value = Spanned::new(patch.at.clone(), DeValue::Table(inner));
        last = outer;
    }
    let key = Spanned::new(patch.at, Cow::Owned(last.to_owned()));
    merge_one(table, &key, value, node);
}

/// Works a table of patches into `table`; quoted dotted keys are paths.
pub(crate) fn merge<'i>(table: &mut Table<'i>, patches: &Table<'i>, node: Option<Node<'_>>) {
    for (key, value) in patches {
        let change = Patch {
            path: key.get_ref().to_string(),
            at: key.span(),
            value: value.clone(),
        };
        patch(table, change, node);
    }
}

fn merge_one<'i>(table: &mut Table<'i>, key: &Key<'i>, value: Value<'i>, node: Option<Node<'_>>) {
    let child = node.and_then(|node| node.child(key.get_ref()));
    match table.get_mut(key.get_ref().as_ref()) {
        Some(old) => merge_value(old, value, child),
        None => {
            table.insert(key.clone(), flat(value, child));
        }
    }
}

/// A patch written as a table may itself hold dotted keys: writes them out.
fn flat<'i>(value: Value<'i>, node: Option<Node<'_>>) -> Value<'i> {
    let span = value.span();
    match value.into_inner() {
        DeValue::Table(raw) => {
            let mut inner = Table::new();
            merge(&mut inner, &raw, node);
            Spanned::new(span, DeValue::Table(inner))
        }
        other => Spanned::new(span, other),
    }
}

fn merge_value<'i>(old: &mut Value<'i>, value: Value<'i>, node: Option<Node<'_>>) {
    let value = flat(value, node);
    match (old.get_mut(), value.get_ref()) {
        (DeValue::Table(mine), DeValue::Table(theirs)) if !changes_choice(mine, theirs, node) => {
            merge(mine, theirs, node);
        }
        (DeValue::Array(items), DeValue::Table(theirs)) if all_there(items, theirs) => {
            let item = node.and_then(|node| node.child("0"));
            for (key, value) in theirs {
                let place = key.get_ref().parse::<usize>();
                if let Some(old) = place.ok().and_then(|place| items.get_mut(place)) {
                    merge_value(old, value.clone(), item);
                }
            }
        }
        _ => *old = value,
    }
}

/// Whether the keys of a patch are places of elements that exist.
fn all_there(items: &DeArray<'_>, patches: &Table<'_>) -> bool {
    let there = |key: &Key<'_>| matches!(key.get_ref().parse::<usize>(), Ok(n) if n < items.len());
    !patches.is_empty() && patches.keys().all(there)
}

/// Whether a patch names another alternative than the tree does.
fn changes_choice(mine: &Table<'_>, theirs: &Table<'_>, node: Option<Node<'_>>) -> bool {
    let choice = node.and_then(Node::as_choice);
    let tagged = choice.is_some_and(|choice| !choice.tagged.is_empty());
    let known = |key: &Key<'_>| get(mine, key.get_ref()).is_some();
    tagged && !theirs.keys().any(known)
}

/// Writes short forms out: `limiter = "unlimited"` as a table, `retry = "none"` as its preset.
pub(crate) fn expand(table: &mut Table<'_>, node: Node<'_>) {
    for (key, value) in table.iter_mut() {
        if let Some(child) = node.child(key.get_ref()) {
            expand_value(value, child);
        }
    }
}

fn expand_value(value: &mut Value<'_>, node: Node<'_>) {
    let span = value.span();
    match value.get_mut() {
        DeValue::Table(inner) => expand(inner, node),
        DeValue::Array(items) => {
            for item in items.iter_mut() {
                if let Some(child) = node.child("0") {
                    expand_value(item, child);
                }
            }
        }
        DeValue::String(text) => {
            let Some(choice) = node.as_choice() else {
                return;
            };
            let word = choice.words.contains(&text.as_ref());
            if let Some(preset) = presets::find(text).filter(|_| word && choice.plain.is_some()) {
                *value = placed(preset.clone(), &span);
            } else if choice.tag(text).is_some() {
                let empty = Spanned::new(span.clone(), DeValue::Table(Table::new()));
                let key = Spanned::new(span.clone(), Cow::Owned(text.to_string()));
                let inner = Table::from_iter([(key, empty)]);
                *value = Spanned::new(span, DeValue::Table(inner));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Table<'_> {
        DeTable::parse(text).expect("TOML").into_inner()
    }

    fn merged(base: &'static str, patches: &'static str) -> String {
        let root = Node::root(crate::schema::strict());
        let mut table = tree(base);
        merge(&mut table, &tree(patches), Some(root));
        expand(&mut table, root);
        shown(&DeValue::Table(table))
    }

    fn shown(value: &DeValue<'_>) -> String {
        match value {
            DeValue::Table(table) => {
                let one = |(key, value): (&Key<'_>, &Value<'_>)| {
                    format!("{}:{}", key.get_ref(), shown(value.get_ref()))
                };
                format!(
                    "{{{}}}",
                    table.iter().map(one).collect::<Vec<_>>().join(" ")
                )
            }
            DeValue::Array(items) => {
                let items = items.iter().map(|item| shown(item.get_ref()));
                format!("[{}]", items.collect::<Vec<_>>().join(" "))
            }
            DeValue::Integer(number) => number.as_str().to_owned(),
            other => other.as_str().unwrap_or("?").to_owned(),
        }
    }

    #[test]
    fn patches_follow_the_schema() {
        let cases = [
            (
                "fleet = { workers = 1 }",
                "\"fleet.idle\" = 0",
                "{fleet:{workers:1 idle:0}}",
            ),
            ("limiter = 1", "limiter = 2", "{limiter:2}"),
            (
                "fleet.start = { spread = \"1s\" }",
                "fleet.start = { random = \"2s\" }",
                "{fleet:{start:{random:2s}}}",
            ),
            (
                "measure.gate = { from = 1 }",
                "\"measure.gate.until\" = 2",
                "{measure:{gate:{from:1 until:2}}}",
            ),
            (
                "server.outage = [{ from = 1 }, { from = 2 }]",
                "\"server.outage.1.from\" = 3",
                "{server:{outage:[{from:1} {from:3}]}}",
            ),
            ("retry = \"none\"", "", "{retry:{attempts:1}}"),
            ("gate = \"none\"", "", "{gate:none}"),
            (
                "server.budget = \"unlimited\"",
                "",
                "{server:{budget:{unlimited:{}}}}",
            ),
        ];
        for (base, patches, wanted) in cases {
            assert_eq!(merged(base, patches), wanted, "{base} + {patches}");
        }
    }

    #[test]
    fn dotted_keys_count_as_tables() {
        assert_eq!(depth(&tree("\"a.b.c\" = { d = [1] }")), 5);
        assert!(has(&tree("a = [{ b = 1 }]"), "a.0.b"));
        assert!(!has(&tree("a = [{ b = 1 }]"), "a.1.b"));
    }
}
