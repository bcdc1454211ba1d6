//! What lies where: the top level, the first line of a file, the quick start and CI.

use super::tree::Tree;

/// All that may lie at the top, beside names that begin with a dot.
const TOP: [&str; 14] = [
    "Cargo.toml",
    "Cargo.lock",
    "crates",
    "experiments",
    "reports",
    "benches",
    "justfile",
    "README.md",
    "DESIGN.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    // rustup reads it under this name alone; all other settings hide behind a dot.
    "rust-toolchain.toml",
];

/// Entries of the top level that are not agreed on.
pub(super) fn strangers(tree: &Tree) -> Vec<String> {
    let mut names: Vec<_> = tree
        .paths()
        .filter_map(|path| path.split('/').next())
        .collect();
    names.dedup();
    names.retain(|name| !name.starts_with('.') && !TOP.contains(name));
    names
        .iter()
        .map(|name| format!("{name}:1: not an agreed entry of the top level"))
        .collect()
}

/// A Rust file that does not open with a doc comment of its own.
pub(super) fn no_opening(path: &str, text: &str) -> Vec<String> {
    let opens = text
        .lines()
        .next()
        .is_some_and(|line| line.starts_with("//!"));
    if opens {
        Vec::new()
    } else {
        vec![format!("{path}:1: say what it is with `//!`")]
    }
}

/// Commands of `.ci/run` that the README does not show.
pub(super) fn other_commands(tree: &Tree) -> Vec<String> {
    let readme = tree.text("README.md");
    super::tree::numbered(tree.text(".ci/run"))
        .filter_map(|(number, line)| Some((number, line.strip_prefix("exec ")?)))
        .filter(|(_, command)| !readme.lines().any(|line| line.trim() == *command))
        .map(|(number, command)| format!(".ci/run:{number}: README.md does not show `{command}`"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_at_the_top() {
        let tree = Tree::of(&[
            (".ci/run", ""),
            ("crates/a/b.rs", ""),
            ("x/a", ""),
            ("x/b", ""),
        ]);
        assert_eq!(
            strangers(&tree),
            ["x:1: not an agreed entry of the top level"]
        );
    }

    #[test]
    fn a_file_without_opening() {
        assert_eq!(no_opening("a.rs", "//! A.\nuse b;\n"), [""; 0]);
        for text in ["use b;\n", "// A.\n", ""] {
            assert_eq!(no_opening("a.rs", text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_command_that_the_readme_does_not_show() {
        let readme = ("README.md", "```sh\n./just ci\n```\n");
        assert_eq!(
            other_commands(&Tree::of(&[readme, (".ci/run", "exec ./just ci\n")])),
            [""; 0]
        );
        let found = other_commands(&Tree::of(&[readme, (".ci/run", "\nexec ./just all\n")]));
        assert_eq!(found, [".ci/run:2: README.md does not show `./just all`"]);
    }
}
