//! Every experiment has its committed report, and every report its experiment.

use std::collections::BTreeSet;

use super::tree::Tree;

/// Experiments without a report, reports without an experiment.
pub(super) fn without_partner(tree: &Tree) -> Vec<String> {
    let asked: BTreeSet<_> = tree
        .paths()
        .filter_map(|path| path.strip_prefix("experiments/")?.strip_suffix(".toml"))
        .collect();
    let told: BTreeSet<_> = tree
        .paths()
        .filter_map(|path| path.strip_prefix("reports/")?.strip_suffix("/summary.json"))
        .collect();
    let lone = asked.difference(&told).map(|name| {
        format!("experiments/{name}.toml:1: no reports/{name}/: `just experiment {name}`, git add")
    });
    let orphans = told
        .difference(&asked)
        .map(|name| format!("reports/{name}/summary.json:1: no experiments/{name}.toml"));
    lone.chain(orphans).collect()
}

#[test]
fn both_ways_are_seen() {
    let report = ("reports/a/summary.json", "");
    let tree = Tree::of(&[
        ("experiments/a.toml", ""),
        report,
        ("reports/README.md", ""),
    ]);
    assert_eq!(without_partner(&tree), [""; 0]);
    let tree = Tree::of(&[("experiments/b.toml", ""), report]);
    let found = without_partner(&tree);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("experiments/b.toml:1: no reports/b/"),
        "{found:?}"
    );
    assert_eq!(found[1], "reports/a/summary.json:1: no experiments/a.toml");
}
