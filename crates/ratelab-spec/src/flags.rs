//! The command line's changes: `--set key=value`, and `-L key=v1,v2`, an axis of the sweep.
//!
//! Both are patches like those of the file. What they get wrong names the flag, not the file.

use std::ops::Range;

use crate::experiment::Overrides;
use crate::places::flag_value;
use crate::reader::{Axis, DEEPEST, Parts, Reader};
use crate::schema::PARTS;
use crate::shape::Node;
use crate::tree::{Patch, depth_of, has, patch};

/// A flag taken apart.
struct Flag<'i> {
    key: &'i str,
    /// Where the key stands.
    at: Range<usize>,
    text: &'i str,
    /// Where the text after the equals sign begins.
    begin: usize,
}

impl<'i> Reader<'i> {
    /// Works the command line in.
    pub(crate) fn flags(&mut self, parts: &mut Parts<'i>, overrides: &'i Overrides) {
        for set in &overrides.set {
            if let Some(flag) = self.flag("--set", set) {
                self.set(parts, &flag);
            }
        }
        for list in &overrides.lists {
            if let Some(flag) = self.flag("-L", list) {
                self.axis(parts, &flag);
            }
        }
    }

    /// Takes a flag apart, unless something is wrong with its key.
    fn flag(&mut self, name: &str, given: &'i str) -> Option<Flag<'i>> {
        let example = match name {
            "-L" => "write -L fleet.workers=4,8,16",
            _ => "write --set fleet.workers=8",
        };
        let start = self.places.add(format!("{name} {given}"));
        let whole = start..start + name.len() + 1 + given.len();
        let mut wrong = |what: &str, help: &str| {
            self.say(
                Some(whole.clone()),
                what.to_owned(),
                "",
                Some(help.to_owned()),
            );
            None
        };
        let Some((key, text)) = given.split_once('=') else {
            return wrong("this flag has no value", example);
        };
        let (begin, key) = (start + name.len() + 1 + key.len() + 1, key.trim());
        if key.is_empty() {
            return wrong("this flag has no key", example);
        }
        if key.split('.').any(str::is_empty) {
            return wrong(
                "this path has an empty key",
                "write one dot between two keys",
            );
        }
        if key.split('.').count() > DEEPEST {
            let what = format!("this path is over {DEEPEST} levels deep");
            return wrong(&what, "no key of an experiment is as deep");
        }
        if let Some(part) = PARTS
            .iter()
            .find(|part| key.split('.').next() == Some(part))
        {
            let what = format!("`{part}` cannot be changed from here");
            return wrong(
                &what,
                "--set changes keys of the scenario, -L sweeps over one",
            );
        }
        let trimmed = text.trim_start();
        let begin = begin + (text.len() - trimmed.len());
        let (at, text) = (whole, trimmed.trim_end());
        Some(Flag {
            key,
            at,
            text,
            begin,
        })
    }

    fn set(&mut self, parts: &mut Parts<'i>, flag: &Flag<'i>) {
        let value = flag_value(flag.text, flag.begin);
        if flag.key.split('.').count() + depth_of(value.get_ref()) > DEEPEST {
            let what = format!("this value is over {DEEPEST} levels deep");
            self.say(Some(flag.at.clone()), what, "", None);
            return;
        }
        let change = Patch {
            path: flag.key.to_owned(),
            at: flag.at.clone(),
            value,
        };
        let root = Some(Node::root(crate::schema::strict()));
        if parts.sweep.iter().any(|axis| axis.key == flag.key) {
            self.narrowed.push(flag.key.to_owned());
            parts.sweep.retain(|axis| axis.key != flag.key);
        }
        // Where a variant sets the key itself, its value is replaced too.
        for (_, variant) in &mut parts.variants {
            if has(variant, flag.key) {
                patch(variant, change.clone(), root);
            }
        }
        patch(&mut parts.base, change, root);
    }

    fn axis(&mut self, parts: &mut Parts<'i>, flag: &Flag<'i>) {
        let items = items(flag.text);
        if items.iter().any(|(_, text)| text.is_empty()) {
            let what = match items.len() {
                1 => "this list has no values",
                _ => "this list has an empty value",
            };
            let help = Some("write -L fleet.workers=4,8,16".to_owned());
            self.say(Some(flag.at.clone()), what.to_owned(), "", help);
            return;
        }
        let value = |(place, text)| flag_value(text, flag.begin + place);
        let values: Vec<_> = items.into_iter().map(value).collect();
        let deep = values.iter().map(|value| depth_of(value.get_ref())).max();
        if flag.key.split('.').count() + deep.unwrap_or(0) > DEEPEST {
            let what = format!("this value is over {DEEPEST} levels deep");
            self.say(Some(flag.at.clone()), what, "", None);
            return;
        }
        let axis = Axis {
            key: flag.key.to_owned(),
            at: flag.at.clone(),
            values,
        };
        match parts.sweep.iter_mut().find(|old| old.key == axis.key) {
            Some(old) => {
                self.narrowed.push(axis.key.clone());
                *old = axis;
            }
            None => parts.sweep.push(axis),
        }
    }
}

/// The items of a list and where they begin; commas in brackets and quotes separate nothing.
fn items(text: &str) -> Vec<(usize, &str)> {
    let (mut depth, mut quote, mut begin) = (0_usize, None, 0);
    let mut cuts = Vec::new();
    for (place, letter) in text.char_indices() {
        match letter {
            '"' | '\'' if quote == Some(letter) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(letter),
            _ if quote.is_some() => {}
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                cuts.push(begin..place);
                begin = place + 1;
            }
            _ => {}
        }
    }
    cuts.push(begin..text.len());
    let trimmed = |cut: Range<usize>| {
        let item = &text[cut.clone()];
        let inside = item.trim_start();
        (cut.start + item.len() - inside.len(), inside.trim_end())
    };
    cuts.into_iter().map(trimmed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_at_their_own_commas() {
        let list = items("1, {a = [1, 2], b = 'x,y'},\"p, q\" ,60s");
        let texts: Vec<&str> = list.iter().map(|(_, text)| *text).collect();
        assert_eq!(texts, ["1", "{a = [1, 2], b = 'x,y'}", "\"p, q\"", "60s"]);
        assert_eq!(list[1].0, 3);
        assert_eq!(items(""), [(0, "")]);
    }
}
