//! Modules and catalogs against files: no entry without a file, no file without an entry.

use std::collections::BTreeSet;

use super::tree::{Tree, numbered};

/// Files that no `mod` line, no catalog line and no target of cargo names.
pub(super) fn dead_files(tree: &Tree) -> Vec<String> {
    let mut alive = BTreeSet::new();
    for (path, text) in tree.rust() {
        let names = modules(text)
            .into_iter()
            .chain(entries(text).into_iter().map(|entry| entry.1));
        alive.extend(names.flat_map(|name| homes(path, name)));
        alive.extend(paths_by_attribute(path, text));
    }
    tree.rust()
        .map(|(path, _)| path)
        .filter(|path| !is_target(path) && !alive.contains(*path))
        .map(|path| format!("{path}:1: no module names this file: add it or delete it"))
        .collect()
}

/// Catalog entries whose file is missing, or is not committed yet.
pub(super) fn entries_without_file(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in tree.rust() {
        for (number, name) in entries(text) {
            let homes = homes(path, name);
            if !homes.iter().any(|home| tree.has(home)) {
                found.push(format!(
                    "{path}:{number}: `{name}`: git tracks no {}",
                    homes[0]
                ));
            }
        }
    }
    found
}

/// Names of `mod name;` lines.
fn modules(text: &str) -> Vec<&str> {
    let module = |line: &'_ str| -> Option<(usize, usize)> {
        let name = line.trim_start().strip_suffix(';')?;
        let (before, name) = name.rsplit_once("mod ")?;
        let visibility = before.is_empty() || before.starts_with("pub");
        (visibility && is_name(name)).then(|| (line.len() - 1 - name.len(), line.len() - 1))
    };
    text.lines()
        .filter_map(|line| module(line).map(|(from, until)| &line[from..until]))
        .collect()
}

/// Line and module of every entry of a `catalog!` block.
fn entries(text: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (number, line) in numbered(text) {
        match line {
            "catalog! {" => inside = true,
            "}" => inside = false,
            _ if inside => found.extend(entry(line).map(|name| (number, name))),
            _ => {}
        }
    }
    found
}

/// The module of a line `module: Variant,`.
fn entry(line: &str) -> Option<&str> {
    let code = line.split("//").next().unwrap_or_default().trim();
    let (module, variant) = code.strip_suffix(',')?.split_once(": ")?;
    (is_name(module) && is_name(variant)).then_some(module)
}

fn is_name(word: &str) -> bool {
    !word.is_empty()
        && word
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// The two places where a module that a file names may lie.
fn homes(path: &str, module: &str) -> [String; 2] {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let beside = stem == "mod" || is_target(path);
    let folder = if beside {
        folder.to_owned()
    } else {
        format!("{folder}/{stem}")
    };
    [
        format!("{folder}/{module}.rs"),
        format!("{folder}/{module}/mod.rs"),
    ]
}

/// Files named by `#[path = "…"]`.
fn paths_by_attribute(path: &str, text: &str) -> Vec<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("#[path = \"")?.strip_suffix("\"]"))
        .map(|target| joined(folder, target))
        .collect()
}

/// A relative path taken from a folder.
fn joined(folder: &str, relative: &str) -> String {
    let mut parts: Vec<_> = folder.split('/').collect();
    for part in relative.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// Whether cargo finds a file by itself.
fn is_target(path: &str) -> bool {
    let parts: Vec<_> = path.split('/').collect();
    matches!(
        parts.as_slice(),
        [.., "src", "lib.rs" | "main.rs"]
            | [.., "build.rs"]
            | [.., "src", "bin", _]
            | [.., "tests" | "benches" | "examples", _]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const CATALOG: &str = concat!(
        "//! mod no;\n",
        "pub mod a;\n",
        "catalog! {\n",
        "    /// Doc: Text,\n",
        "    pub enum P as dyn R {\n",
        "        b: B,\n",
        "        c_d: CD, // why\n",
        "    }\n",
        "}\n",
        "struct S {\n",
        "    e: E,\n",
        "}\n",
    );

    #[test]
    fn what_a_file_names() {
        assert_eq!(modules(CATALOG), ["a"]);
        assert_eq!(
            modules("    pub(crate) mod x;\nmod y {\n}\n// mod z;\nuse mod_w;\n"),
            ["x"]
        );
        assert_eq!(entries(CATALOG), [(6, "b"), (7, "c_d")]);
    }

    #[test]
    fn a_dead_file() {
        let lib = ("crates/x/src/lib.rs", "mod m;\nmod n;\n");
        let files = [
            lib,
            ("crates/x/src/m/mod.rs", CATALOG),
            ("crates/x/src/m/a.rs", ""),
        ];
        let more = [
            ("crates/x/src/m/b.rs", ""),
            ("crates/x/src/m/e.rs", "mod f;\n"),
        ];
        let last = [
            ("crates/x/src/n.rs", "mod o;\n"),
            ("crates/x/src/n/o.rs", ""),
        ];
        let tree = Tree::of(&[&files[..], &more[..], &last[..]].concat());
        let found = dead_files(&tree);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/x/src/m/e.rs:1: "), "{found:?}");
    }

    #[test]
    fn a_file_named_by_a_path() {
        let show = (
            "crates/x/examples/show.rs",
            "#[path = \"../tests/f/mod.rs\"]\nmod f;\n",
        );
        let tree = Tree::of(&[show, ("crates/x/tests/f/mod.rs", "")]);
        assert_eq!(dead_files(&tree), [""; 0]);
    }

    #[test]
    fn an_entry_without_file() {
        let tree = Tree::of(&[("s/mod.rs", CATALOG), ("s/b.rs", ""), ("s/c/mod.rs", "")]);
        assert_eq!(
            entries_without_file(&tree),
            ["s/mod.rs:7: `c_d`: git tracks no s/c_d.rs"]
        );
    }
}
