//! Which crate may know which: the arrows of DESIGN.md, and tokio in one crate alone.

use super::tree::Tree;

/// A crate, the crates of ours that it may know, and those that its tests may know beside.
const EDGES: [(&str, &[&str], &[&str]); 10] = [
    ("core", &[], &[]),
    ("model", &["core"], &[]),
    ("spec", &["core", "model"], &[]),
    ("sim", &["core", "model", "spec"], &["stats"]),
    ("live", &["core", "model", "spec"], &["sim", "stats"]),
    ("stats", &["core"], &[]),
    ("report", &["core", "stats"], &[]),
    (
        "benches",
        &["core", "model", "spec", "sim", "stats", ""],
        &[],
    ),
    ("peers", &[], &[]),
    (
        "",
        &["core", "model", "spec", "sim", "live", "stats", "report"],
        &[],
    ),
];

/// Crates from outside that only some of ours may use.
const KEPT: [(&str, &[&str]); 1] = [("tokio", &["live"])];

/// The thresholds that a crate's own clippy.toml would lose.
const THRESHOLDS: &str = "-threshold = ";

/// Dependencies that the table does not allow.
pub(super) fn forbidden_edges(tree: &Tree) -> Vec<String> {
    manifests(tree)
        .flat_map(|(path, text)| check(path, text))
        .collect()
}

/// Manifests of all crates.
fn manifests(tree: &Tree) -> impl Iterator<Item = (&str, &str)> {
    tree.texts()
        .filter(|(path, _)| path.ends_with("/Cargo.toml"))
}

/// Checks one manifest.
fn check(path: &str, text: &str) -> Vec<String> {
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return vec![format!("{path}:1: {error}")],
    };
    let name = table.get("package").and_then(|package| package.get("name"));
    let name = name.and_then(toml::Value::as_str).unwrap_or_default();
    let Some(&(_, known, in_tests)) = EDGES.iter().find(|edge| Some(edge.0) == short(name)) else {
        return vec![format!(
            "{path}:1: `{name}` is not in the table of tests/tidy/crates.rs"
        )];
    };
    let mut found = Vec::new();
    for (kind, used) in dependencies(&table) {
        let of_tests: &[&str] = if kind == "dev-dependencies" {
            in_tests
        } else {
            &[]
        };
        let ours =
            short(&used).is_none_or(|used| known.contains(&used) || of_tests.contains(&used));
        let kept = KEPT.iter().find(|kept| kept.0 == used);
        if !ours || kept.is_some_and(|kept| !kept.1.contains(&short(name).unwrap_or(name))) {
            found.push(format!(
                "{path}:{}: {name} must not know {used}",
                line_of(text, &used)
            ));
        }
    }
    found
}

/// The name of a crate of ours in the table: what follows `ratelab-`, nothing for the command.
fn short(name: &str) -> Option<&str> {
    if name == "ratelab" {
        Some("")
    } else {
        name.strip_prefix("ratelab-")
    }
}

/// Kind and package name of every dependency, those of single platforms included.
fn dependencies(manifest: &toml::Table) -> Vec<(&'static str, String)> {
    let platforms = manifest.get("target").and_then(toml::Value::as_table);
    let platforms = platforms.into_iter().flat_map(toml::Table::values);
    let tables = platforms
        .filter_map(toml::Value::as_table)
        .chain([manifest]);
    let mut found = Vec::new();
    for table in tables {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let entries = table.get(kind).and_then(toml::Value::as_table);
            for (key, value) in entries.into_iter().flatten() {
                let renamed = value.get("package").and_then(toml::Value::as_str);
                found.push((kind, renamed.unwrap_or(key).to_owned()));
            }
        }
    }
    found
}

/// The first line that names a word.
fn line_of(text: &str, word: &str) -> usize {
    text.lines()
        .position(|line| line.contains(word))
        .map_or(1, |index| index + 1)
}

/// Thresholds of the root's .clippy.toml that a crate's own does not repeat.
pub(super) fn lost_thresholds(tree: &Tree) -> Vec<String> {
    let wanted: Vec<_> = tree
        .text(".clippy.toml")
        .lines()
        .filter(|line| line.contains(THRESHOLDS))
        .collect();
    let own = tree
        .texts()
        .filter(|(path, _)| path.ends_with("/clippy.toml"));
    own.flat_map(|(path, text)| {
        let lost = wanted
            .iter()
            .filter(|line| !text.lines().any(|own| own == **line));
        lost.map(move |line| format!("{path}:1: repeat `{line}`"))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(name: &str, dependencies: &str) -> String {
        format!("[package]\nname = \"{name}\"\n{dependencies}\n")
    }

    #[test]
    fn a_forbidden_edge() {
        let sim = manifest(
            "ratelab-sim",
            "[dependencies]\nratelab-stats.workspace = true",
        );
        assert_eq!(
            check("s", &sim),
            ["s:4: ratelab-sim must not know ratelab-stats"]
        );
        let tests = manifest(
            "ratelab-sim",
            "[dev-dependencies]\nratelab-stats.workspace = true",
        );
        assert_eq!(check("s", &tests), [""; 0]);
        let renamed = "[target.'cfg(unix)'.dependencies]\nx = { package = \"ratelab-live\" }";
        let found = check("s", &manifest("ratelab-sim", renamed));
        assert_eq!(found, ["s:4: ratelab-sim must not know ratelab-live"]);
    }

    #[test]
    fn tokio_outside_live() {
        let text = |name| manifest(name, "[dependencies]\ntokio = \"1\"");
        assert_eq!(check("c", &text("ratelab-live")), [""; 0]);
        assert_eq!(
            check("c", &text("ratelab")),
            ["c:4: ratelab must not know tokio"]
        );
    }

    #[test]
    fn a_crate_that_the_table_does_not_know() {
        assert_eq!(check("c", &manifest("ratelab-new", "")).len(), 1);
        assert_eq!(check("c", "no toml").len(), 1);
    }

    #[test]
    fn a_threshold_that_is_not_repeated() {
        let root = (".clippy.toml", "a-threshold = 1\nb-threshold = 2\n");
        let tree = Tree::of(&[
            root,
            ("crates/x/clippy.toml", "b-threshold = 3\na-threshold = 1"),
        ]);
        assert_eq!(
            lost_thresholds(&tree),
            ["crates/x/clippy.toml:1: repeat `b-threshold = 2`"]
        );
    }
}
