//! The walker: a file's tree against its schema, all mistakes of its shape at once.
//!
//! Reading into types stops at the first mistake and speaks of types; this says all of them, each
//! with its place and with what to write instead. It accepts nothing that the types refuse.

use std::ops::Range;

use toml::de::{DeArray, DeInteger, DeValue};

use crate::error::{SpecError, clip, nearest, suggest};
use crate::schema::{self, PARTS};
use crate::shape::{Choice, Node, Shape};
use crate::tree::{Key, Table, Value, get};
use crate::words::{self, Kind};

/// A mistake.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The keys that lead to it.
    pub(crate) path: Vec<String>,
    /// Where it stands; `None` when nothing of it is there.
    pub(crate) span: Option<Range<usize>>,
    /// What is wrong; its place is not filled in.
    pub(crate) error: SpecError,
}

/// Says what is wrong with the shape of a merged case.
pub(crate) fn walk(tree: &Table<'_>) -> Vec<Fault> {
    let mut walker = Walker::default();
    walker.table(tree, Node::root(schema::strict()));
    walker.faults
}

#[derive(Default)]
struct Walker {
    path: Vec<String>,
    /// The innermost place that is known.
    at: Option<Range<usize>>,
    faults: Vec<Fault>,
}

impl Walker {
    fn say(&mut self, at: Option<Range<usize>>, what: String, instead: &str, help: Option<String>) {
        let span = at
            .filter(|span| !span.is_empty())
            .or_else(|| self.at.clone());
        let instead = instead.to_owned();
        let error = SpecError {
            what,
            instead,
            help,
            ..SpecError::default()
        };
        let path = self.path.clone();
        self.faults.push(Fault { path, span, error });
    }

    fn within(&mut self, key: &str, at: Range<usize>, check: impl FnOnce(&mut Self)) {
        let at = Some(at).filter(|span| !span.is_empty());
        let outer = self.at.clone();
        self.at = at.or_else(|| outer.clone());
        self.path.push(key.to_owned());
        check(self);
        self.path.pop();
        self.at = outer;
    }

    /// The value that is looked at, by its key.
    fn name(&self) -> String {
        let number = |key: &str| key.parse::<usize>().is_ok();
        let key = self.path.iter().rev().find(|key| !number(key));
        let key = key.map_or("this", String::as_str);
        match self.path.last() {
            Some(last) if number(last) => format!("an entry of `{}`", clip(key)),
            _ => format!("`{}`", clip(key)),
        }
    }

    fn value(&mut self, key: &Key<'_>, value: &Value<'_>, node: Node<'_>) {
        self.within(key.get_ref(), key.span(), |walker| walker.any(value, node));
    }

    fn any(&mut self, value: &Value<'_>, node: Node<'_>) {
        let before = self.at.clone();
        if !value.span().is_empty() {
            self.at = Some(value.span());
        }
        match (node.shape(), value.get_ref()) {
            (Shape::Choice(choice), _) => self.choice(value, node, &choice),
            (Shape::Table, DeValue::Table(table)) => self.table(table, node),
            (Shape::List(item), DeValue::Array(items)) => self.list(items, item),
            (Shape::List(_), DeValue::Table(table)) if elements(table) => self.no_element(table),
            (Shape::Whole(low, high), DeValue::Integer(number)) => self.whole(number, low, high),
            (Shape::Text(Some(format)), DeValue::String(text)) => {
                if let Err(error) = words::read(format, text) {
                    self.say(None, error.what, &error.instead, None);
                }
            }
            (Shape::Text(None), DeValue::String(_))
            | (Shape::Flag, DeValue::Boolean(_))
            | (Shape::Any, _) => {}
            (shape, found) => self.wrong(&shape, found, node),
        }
        self.at = before;
    }

    /// Something of another kind.
    fn wrong(&mut self, shape: &Shape<'_>, found: &DeValue<'_>, node: Node<'_>) {
        if let (Shape::Text(Some(format)), Some(number)) = (shape, number(found)) {
            let (what, instead) = words::bare(format, &number);
            return self.say(None, what, &instead, None);
        }
        let (wanted, is) = (words::wanted(shape), words::kind(found));
        let number = number(found).filter(|_| matches!(shape, Shape::Text(None)));
        let write = match (shape, found) {
            (Shape::Text(None), DeValue::Boolean(flag)) => format!("write \"{flag}\""),
            (Shape::Whole(..), DeValue::String(text)) if text.parse::<u64>().is_ok() => {
                format!("write {} without quotes", clip(text))
            }
            (Shape::Flag, DeValue::String(text)) if matches!(text.as_ref(), "true" | "false") => {
                format!("write {text} without quotes")
            }
            (Shape::Whole(..) | Shape::Flag, _) => format!("write {wanted}"),
            _ => format!("write like {}", node.sample()),
        };
        let write = number.map_or(write, |number| format!("write \"{number}\""));
        let what = format!("{} is {wanted}, not {is}", self.name());
        self.say(None, what, &write, None);
    }

    fn whole(&mut self, number: &DeInteger<'_>, low: i128, high: i128) {
        let (text, radix) = (number.as_str(), number.radix());
        let value = i128::from_str_radix(text, radix).ok();
        if let Some((is, write)) = words::bounds(value, text.starts_with('-'), &(low..=high)) {
            self.say(None, format!("{} {is}", self.name()), &write, None);
        }
    }

    fn list(&mut self, items: &DeArray<'_>, node: Node<'_>) {
        for (place, item) in items.iter().enumerate() {
            self.within(&place.to_string(), item.span(), |walker| {
                walker.any(item, node);
            });
        }
    }

    /// A patch of an element that is not there.
    fn no_element(&mut self, table: &Table<'_>) {
        for key in table.keys() {
            let what = format!("{} has no entry {}", self.name(), clip(key.get_ref()));
            let at = Some(key.span());
            self.say(at, what, "entries are counted from 0", None);
        }
    }

    fn table(&mut self, table: &Table<'_>, node: Node<'_>) {
        let keys = node.keys();
        let mut meant = Vec::new();
        for (key, value) in table {
            let part = self.path.is_empty() && PARTS.contains(&key.get_ref().as_ref());
            match node.child(key.get_ref()) {
                Some(child) => self.value(key, value, child),
                None if part => {
                    let what = format!("`{}` is the same for all variants", key.get_ref());
                    let inside = |w: &mut Self| w.say(None, what, "cannot be changed", None);
                    self.within(key.get_ref(), key.span(), inside);
                }
                None => {
                    let known = keys.iter().copied();
                    let parts = PARTS.into_iter().filter(|_| self.path.is_empty());
                    let known: Vec<&str> = known.chain(parts).collect();
                    meant.extend(nearest(key.get_ref(), known.iter().copied()));
                    self.unknown_key(key, &known);
                }
            }
        }
        for key in node.required() {
            // A misspelt key is one mistake, not two.
            if get(table, key).is_none() && !meant.contains(&key) {
                self.missing(key, node);
            }
        }
    }

    fn unknown_key(&mut self, key: &Key<'_>, known: &[&str]) {
        let all = match known {
            [] => "there are no keys here".to_owned(),
            _ => format!("known here: {}", known.join(", ")),
        };
        let root = Node::root(schema::strict());
        let name = key.get_ref().as_ref();
        let top = root.child(name).is_some() || PARTS.contains(&name);
        let help = if top {
            format!("`{name}` belongs at the top, above the first [table]; {all}")
        } else {
            suggest(name, known, &all)
        };
        let what = format!("unknown key `{}`", clip(key.get_ref()));
        self.path.push(key.get_ref().to_string());
        self.say(Some(key.span()), what, "not a key here", Some(help));
        self.path.pop();
    }

    fn missing(&mut self, key: &str, node: Node<'_>) {
        let help = format!("write {key} = {}", node.sample_of(key));
        self.path.push(key.to_owned());
        self.say(
            None,
            format!("`{key}` is missing"),
            &format!("needs `{key}`"),
            Some(help),
        );
        self.path.pop();
    }

    fn choice(&mut self, value: &Value<'_>, node: Node<'_>, choice: &Choice<'_>) {
        // A table without a name, as behind presets; or a text beside tables with a name.
        let table = choice
            .plain
            .filter(|plain| matches!(plain.shape(), Shape::Table));
        let text = choice
            .plain
            .filter(|plain| matches!(plain.shape(), Shape::Text(_)));
        let kind = Kind::of(table.map_or(node.name, |plain| plain.name));
        match (value.get_ref(), table) {
            (DeValue::String(text), _) if choice.words.contains(&text.as_ref()) => {}
            (DeValue::String(_) | DeValue::Integer(_) | DeValue::Float(_), _)
                if let Some(plain) = text =>
            {
                self.any(value, plain);
            }
            (DeValue::String(text), _) => {
                let names = choice.names();
                let help = kind.help(text, &names);
                let what = format!("unknown {} `{}`", kind.name, clip(text));
                self.say(None, what, &format!("not {}", kind.one()), Some(help));
            }
            (DeValue::Table(table), Some(plain)) => self.table(table, plain),
            (DeValue::Table(table), None) if !choice.tagged.is_empty() => {
                self.alternatives(table, choice, kind);
            }
            (found, _) => self.wrong(&Shape::Choice(choice.clone()), found, node),
        }
    }

    /// A table that names one alternative and holds its parameters.
    fn alternatives(&mut self, table: &Table<'_>, choice: &Choice<'_>, kind: Kind) {
        let names = choice.names();
        let mut found: Vec<&Key<'_>> = Vec::new();
        for (key, value) in table {
            let Some(params) = choice.tag(key.get_ref()) else {
                self.no_alternative(table, key, choice, kind);
                continue;
            };
            found.push(key);
            self.value(key, value, params);
        }
        if let [first, second, ..] = found[..] {
            let (one, two) = (first.get_ref(), second.get_ref());
            let what = format!("`{one}` and `{two}` exclude each other");
            let help = "to compare them, write a variant for each".to_owned();
            self.say(Some(second.span()), what, "keep one of them", Some(help));
        }
        if table.is_empty() {
            let what = format!("{} names no {}", self.name(), kind.name);
            self.say(
                None,
                what,
                &format!("needs {}", kind.one()),
                Some(kind.all(&names)),
            );
        }
    }

    fn no_alternative(
        &mut self,
        table: &Table<'_>,
        key: &Key<'_>,
        choice: &Choice<'_>,
        kind: Kind,
    ) {
        let (name, at) = (key.get_ref().as_ref(), Some(key.span()));
        let inside = |tag: &&str| {
            let params = choice.tag(tag);
            get(table, tag).is_some() && params.is_some_and(|node| node.child(name).is_some())
        };
        let names = choice.names();
        if choice.words.contains(&name) {
            let what = format!("`{name}` has no parameters");
            self.say(
                at,
                what,
                &format!("write \"{name}\" instead of the table"),
                None,
            );
        } else if let Some(tag) = names.iter().find(|tag| inside(tag)) {
            let what = format!("unknown {} `{name}`", kind.name);
            let help = format!("`{name}` belongs inside `{tag}`");
            self.say(at, what, &format!("not {}", kind.one()), Some(help));
        } else {
            let help = kind.help(name, &names);
            let what = format!("unknown {} `{}`", kind.name, clip(name));
            self.say(at, what, &format!("not {}", kind.one()), Some(help));
        }
    }
}

/// Whether the keys of a table are places in a list.
fn elements(table: &Table<'_>) -> bool {
    !table.is_empty()
        && table
            .keys()
            .all(|key| key.get_ref().parse::<usize>().is_ok())
}

/// A number without its sign, as decimals; `None` when there is none.
fn number(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Integer(number) => {
            let value = i128::from_str_radix(number.as_str(), number.radix());
            let text = value.map(|value| value.unsigned_abs().to_string());
            Some(text.unwrap_or_else(|_| clip(number.as_str())))
        }
        DeValue::Float(number) => {
            let value: f64 = number.as_str().parse().ok()?;
            value.is_finite().then(|| clip(&value.abs().to_string()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use toml::de::DeTable;

    use super::*;

    fn faults(more: &str) -> Vec<String> {
        let text = format!("question = \"q\"\nduration = \"10s\"\nfleet.workers = 4\n{more}");
        let tree = DeTable::parse(&text).expect("TOML").into_inner();
        let faults = walk(&tree).into_iter();
        faults
            .map(|fault| {
                let span = fault.span.and_then(|span| text.get(span)).unwrap_or("-");
                format!("{}: {} [{span}]", fault.path.join("."), fault.error.what)
            })
            .collect()
    }

    #[test]
    fn a_fine_file_has_no_faults() {
        let more = "gate.per-worker.limiter.gcra = { rate = \"1/s\", burst = 2 }\narms = []";
        assert_eq!(faults(more), [""; 0]);
    }

    #[test]
    fn every_fault_is_found() {
        let more =
            "seed = 1.5\nties = \"x\"\nnetwrk = 1\nserver = { service = 3, count-refused = 1 }";
        assert_eq!(
            faults(more),
            [
                "seed: `seed` is a whole number, not a number with a fraction [1.5]",
                "ties: unknown order of ties `x` [\"x\"]",
                "netwrk: unknown key `netwrk` [netwrk]",
                "server.service: a duration needs a unit [3]",
                "server.count-refused: `count-refused` is true or false, not a whole number [1]",
            ]
        );
    }

    #[test]
    fn a_misspelt_key_is_not_missing_too() {
        let more = "measure.x = { from = \"1s\", untl = \"2s\" }";
        assert_eq!(faults(more), ["measure.x.untl: unknown key `untl` [untl]"]);
    }

    #[test]
    fn alternatives_exclude_each_other() {
        let more = "fleet.start = { spread = \"1s\", random = \"1s\" }";
        let wanted = "fleet.start: `spread` and `random` exclude each other [random]";
        assert_eq!(faults(more), [wanted]);
    }
}
