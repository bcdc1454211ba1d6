//! The files of the repository: those that git tracks, or all of a folder that is no clone.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Folders that no walk enters.
const SKIPPED: [&str; 3] = [".git", ".tools", "target"];

/// The texts of the repository by path from its root, with `/`; no text where it is not UTF-8.
pub(super) struct Tree {
    files: BTreeMap<String, Option<String>>,
}

impl Tree {
    /// Reads the repository this test belongs to.
    pub(super) fn read() -> Self {
        let root = root();
        let paths = tracked(&root).unwrap_or_else(|| walk(&root));
        let files = paths.into_iter().filter_map(|path| {
            let bytes = fs::read(root.join(&path)).ok()?;
            Some((path, String::from_utf8(bytes).ok()))
        });
        Self {
            files: files.collect(),
        }
    }

    /// A made-up repository.
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|&(path, text)| (path.to_owned(), Some(text.to_owned())));
        Self {
            files: files.collect(),
        }
    }

    /// All paths, sorted.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Whether there is such a file.
    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// The text of a file, nothing if there is none.
    pub(super) fn text(&self, path: &str) -> &str {
        self.files
            .get(path)
            .and_then(Option::as_deref)
            .unwrap_or_default()
    }

    /// Path and text of every file that is text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    /// Path and text of every Rust file.
    pub(super) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(|(path, _)| extension(path) == "rs")
    }
}

/// What follows the last dot of a file's name.
pub(super) fn extension(path: &str) -> &str {
    Path::new(path)
        .extension()
        .and_then(|ext| ext.to_str())
        .unwrap_or_default()
}

/// The lines of a text with their numbers, from 1.
pub(super) fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

fn root() -> PathBuf {
    let own =
        env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&own).join("../..")
}

fn tracked(root: &Path) -> Option<Vec<String>> {
    let listed = Command::new("git")
        .args(["ls-files", "-z"])
        .current_dir(root)
        .output()
        .ok()?;
    let names = String::from_utf8(listed.stdout)
        .ok()
        .filter(|_| listed.status.success())?;
    let paths: Vec<_> = names
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(Into::into)
        .collect();
    (!paths.is_empty()).then_some(paths)
}

fn walk(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let name = entry.file_name();
            let path = folder.join(&name);
            if !entry.path().is_dir() {
                found.push(path.to_string_lossy().replace('\\', "/"));
            } else if !SKIPPED.iter().any(|skipped| name == *skipped) {
                folders.push(path);
            }
        }
    }
    found
}

#[test]
fn a_walk_finds_what_git_tracks() {
    let root = root();
    let walked = walk(&root);
    for path in tracked(&root)
        .into_iter()
        .flatten()
        .filter(|path| root.join(path).exists())
    {
        assert!(walked.contains(&path), "{path}");
    }
    assert!(walked.iter().all(|path| !path.starts_with("target/")));
}

#[test]
fn this_file_is_read() {
    let tree = Tree::read();
    assert!(
        tree.text("crates/ratelab/tests/tidy/tree.rs")
            .starts_with("//!")
    );
}
