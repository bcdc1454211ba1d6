//! Cases: every variant at every point of the sweep, and the control arms.

use std::collections::BTreeSet;

use ratelab_core::Findings;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use crate::error::SpecError;
use crate::experiment::Case;
use crate::file::{Arm, Fidelity, File};
use crate::reader::{Axis, Parts, Reader};
use crate::schema;
use crate::shape::Node;
use crate::tree::{Patch, Table, Value, expand, get, merge, patch, place};
use crate::walk::{Fault, walk};

/// One value of each axis.
type Point<'a, 'i> = Vec<(&'a Axis<'i>, &'a Value<'i>)>;

/// What stands in for a part that is required and wrong, so that the others are looked at.
const STAND_IN: &str = "question = \"\"\nduration = \"1s\"\nfleet = { workers = 1 }\n";

impl<'i> Reader<'i> {
    /// Every case and the file it was made of; arms have none.
    pub(crate) fn cases(&mut self, parts: &Parts<'i>) -> (Vec<File>, Vec<Case>) {
        let (mut files, mut cases) = (Vec::new(), Vec::new());
        let none = [("base".to_owned(), Table::new())];
        let variants = match &parts.variants[..] {
            [] => &none[..],
            some => some,
        };
        for point in points(&parts.sweep) {
            let shown: Vec<(String, String)> = point
                .iter()
                .map(|(axis, value)| (axis.key.clone(), self.places.written(value)))
                .collect();
            let mut add = |variant: &str, arm, scenario| {
                let (variant, point) = (variant.to_owned(), shown.clone());
                cases.push(Case {
                    variant,
                    arm,
                    point,
                    scenario,
                });
            };
            for (name, patches) in variants {
                match read(&merged(&parts.base, patches, &point)) {
                    Ok(file) => {
                        add(name, false, file.scenario());
                        files.push(file);
                    }
                    Err(faults) => self.faults(faults),
                }
            }
            // Arms come from the base alone; where that is no whole file, from the last variant.
            let base = read(&merged(&parts.base, &Table::new(), &point)).ok();
            let Some(file) = base.or_else(|| files.last().cloned()) else {
                continue;
            };
            for arm in arms(&file) {
                add(arm.name(), true, file.arm(arm));
            }
        }
        (files, cases)
    }

    fn faults(&mut self, faults: Vec<Fault>) {
        for fault in faults {
            self.place(fault.span, fault.error);
        }
    }
}

fn arms(file: &File) -> Vec<Arm> {
    let down = !file.server.outage.is_empty();
    let counted = file.fidelity == Fidelity::Cohort;
    let shown = |arm: &Arm| down && !(counted && *arm == Arm::Ideal);
    let usual = || Arm::ALL.into_iter().filter(shown).collect();
    file.arms.clone().unwrap_or_else(usual)
}

/// The tree of one case.
fn merged<'i>(base: &Table<'i>, patches: &Table<'i>, point: &Point<'_, 'i>) -> Table<'i> {
    let root = Node::root(schema::strict());
    let mut tree = base.clone();
    merge(&mut tree, patches, Some(root));
    for (axis, value) in point {
        let change = Patch {
            path: axis.key.clone(),
            at: axis.at.clone(),
            value: (*value).clone(),
        };
        patch(&mut tree, change, Some(root));
    }
    expand(&mut tree, root);
    tree
}

/// Reads a tree into types; else everything that is wrong with it.
fn read(tree: &Table<'_>) -> Result<File, Vec<Fault>> {
    let mut faults = walk(tree);
    if faults.is_empty() {
        let file = typed(tree)?;
        let findings = checked(&file, tree);
        return if findings.is_empty() {
            Ok(file)
        } else {
            Err(findings)
        };
    }
    // The parts whose shape is fine are asked whether their values make sense.
    let broken: BTreeSet<String> = faults
        .iter()
        .filter_map(|fault| fault.path.first().cloned())
        .collect();
    if let Ok(file) = typed(&healed(tree, &broken)) {
        let sound = |fault: &Fault| fault.path.first().is_some_and(|key| !broken.contains(key));
        faults.extend(checked(&file, tree).into_iter().filter(sound));
    }
    Err(faults)
}

/// The tree without its broken parts.
fn healed<'i>(tree: &Table<'i>, broken: &BTreeSet<String>) -> Table<'i> {
    let fine = tree
        .iter()
        .filter(|(key, _)| !broken.contains(key.get_ref().as_ref()));
    let mut healed: Table<'i> = fine
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if let Ok(stand_in) = DeTable::parse(STAND_IN) {
        for (key, value) in stand_in.into_inner() {
            if get(&healed, key.get_ref()).is_none() {
                healed.insert(key, value);
            }
        }
    }
    healed
}

/// The types have the last word; the walk should have said all that they find.
fn typed(tree: &Table<'_>) -> Result<File, Vec<Fault>> {
    let whole = Spanned::new(0..0, tree.clone());
    File::deserialize(Deserializer::from(whole)).map_err(|error| {
        let span = error.span().filter(|span| !span.is_empty());
        let error = SpecError {
            what: plain(error.message()),
            ..SpecError::default()
        };
        let path = Vec::new();
        vec![Fault { path, span, error }]
    })
}

/// What the types say, without the names that only they know.
fn plain(message: &str) -> String {
    let words = message.split(' ').map(|word| match word {
        "u8" | "u16" | "u32" | "u64" | "u128" | "i64" | "i128" | "usize" => "a whole number",
        other => other,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Values that are read and make no sense.
fn checked(file: &File, tree: &Table<'_>) -> Vec<Fault> {
    let mut findings = Findings::default();
    file.check(&mut findings);
    let fault = |finding: &ratelab_core::Finding| {
        let span = place(tree, &finding.path).filter(|span| !span.is_empty());
        let what = match span {
            Some(_) => finding.what.clone(),
            None => format!("{} ({})", finding.what, finding.path.join(".")),
        };
        let error = SpecError {
            what,
            instead: finding.instead.clone(),
            ..SpecError::default()
        };
        let path = finding.path.clone();
        Fault { path, span, error }
    };
    findings.list().iter().map(fault).collect()
}

/// Every combination of the sweep's values, the last key changing fastest.
fn points<'a, 'i>(sweep: &'a [Axis<'i>]) -> Vec<Point<'a, 'i>> {
    let mut points: Vec<Point<'a, 'i>> = vec![Vec::new()];
    for axis in sweep {
        let longer = |point: Point<'a, 'i>| {
            axis.values.iter().map(move |value| {
                let mut longer = point.clone();
                longer.push((axis, value));
                longer
            })
        };
        points = points.into_iter().flat_map(longer).collect();
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_speak_plainly() {
        let said = plain("invalid type: string, expected u64");
        assert_eq!(said, "invalid type: string, expected a whole number");
    }

    #[test]
    fn broken_parts_are_left_out() {
        let text =
            "question = 3\nduration = \"5s\"\n[server]\nservice = 1\n[retry]\nattempts = 0\n";
        let tree = DeTable::parse(text).expect("TOML").into_inner();
        let faults = read(&tree).expect_err("faults");
        let paths: Vec<String> = faults.iter().map(|fault| fault.path.join(".")).collect();
        assert_eq!(
            paths,
            [
                "question",
                "server.service",
                "fleet",
                "retry.attempts",
                "retry"
            ]
        );
    }
}
