//! The house rules, checked on every file that git tracks.
//!
//! What a compiler or a linter sees is not repeated here. Each rule is a function from texts to
//! findings (`path:line: what is wrong and what to do`), with a test that shows it failing.

mod catalogs;
mod catchwords;
mod crates;
mod experiments;
mod layout;
mod size;
mod tree;

use tree::Tree;

/// Fails with all findings, one a line.
fn demand(rule: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{rule}:\n{}\n", findings.join("\n"));
}

/// Findings of a check of one file, over all Rust files.
fn in_rust(check: fn(&str, &str) -> Vec<String>) -> Vec<String> {
    let tree = Tree::read();
    tree.rust()
        .flat_map(|(path, text)| check(path, text))
        .collect()
}

#[test]
fn files_are_short() {
    demand("files have at most 400 lines", &in_rust(size::long_file));
}

#[test]
fn functions_are_short() {
    demand(
        "functions have at most 70 lines",
        &in_rust(size::long_functions),
    );
}

#[test]
fn lines_are_short() {
    demand("lines have at most 100 columns", &in_rust(size::long_lines));
}

#[test]
fn files_say_what_they_are() {
    demand("files open with `//!`", &in_rust(layout::no_opening));
}

#[test]
fn no_banned_words() {
    let tree = Tree::read();
    let findings: Vec<_> = tree
        .texts()
        .flat_map(|(path, text)| catchwords::banned(path, text))
        .collect();
    demand("no leftovers, no paths of one machine", &findings);
}

#[test]
fn the_top_level_is_as_agreed() {
    demand("top level", &layout::strangers(&Tree::read()));
}

#[test]
fn ci_runs_what_the_readme_shows() {
    demand("CI and quick start", &layout::other_commands(&Tree::read()));
}

#[test]
fn crates_know_only_whom_they_may() {
    demand(
        "edges between crates",
        &crates::forbidden_edges(&Tree::read()),
    );
}

#[test]
fn crates_repeat_the_lint_thresholds() {
    demand(
        "a crate's clippy.toml replaces the root's",
        &crates::lost_thresholds(&Tree::read()),
    );
}

#[test]
fn every_source_file_is_named_by_a_module() {
    demand("dead files", &catalogs::dead_files(&Tree::read()));
}

#[test]
fn every_catalog_entry_has_its_file() {
    demand("catalogs", &catalogs::entries_without_file(&Tree::read()));
}

#[test]
fn every_experiment_has_its_report() {
    demand(
        "experiments and reports",
        &experiments::without_partner(&Tree::read()),
    );
}
