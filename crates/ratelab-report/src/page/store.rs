//! Whole files and whole folders, or nothing: write beside the target, then rename into place.
//!
//! Whatever fails (no room, no right, a file in the way), what was there before is still there and
//! nothing half-written stays.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// A file of a report: its path inside the folder and its bytes.
pub type File = (String, Vec<u8>);

/// Says in an error what was being done to which path.
fn context(error: &io::Error, doing: &str, path: &Path) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot {doing} {}: {error}", path.display()),
    )
}

/// A path beside `path` that nobody uses: `.NAME.PID-N.tmp`.
fn beside(path: &Path, end: &str) -> io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = path.file_name().ok_or_else(|| {
        let text = format!("{} does not name a file or folder", path.display());
        io::Error::new(io::ErrorKind::InvalidInput, text)
    })?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".{}-{number}.{end}", process::id()));
    Ok(path.with_file_name(hidden))
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create_new(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Writes a single file whole: a reader sees the old bytes or the new ones, never a part.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = beside(path, "tmp")?;
    let done = write_new(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    done.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        context(&error, "write", path)
    })
}

/// Writes a folder of files whole. `ours` says of a name in an older folder whether this report
/// replaces it; anything else that lies there is kept.
pub(crate) fn write_folder(
    dir: &Path,
    files: &[File],
    ours: &dyn Fn(&str) -> bool,
    write: &dyn Fn(&Path, &[u8]) -> io::Result<()>,
) -> io::Result<Vec<PathBuf>> {
    // A link or `.` stands for the folder behind it.
    let target = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    refuse_foreign(&target)?;
    if let Some(parent) = target
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        fs::create_dir_all(parent).map_err(|error| context(&error, "create", parent))?;
    }
    let fresh = beside(&target, "tmp")?;
    let done = fill(&fresh, files, write).and_then(|()| swap(&fresh, &target, ours));
    if let Err(error) = done {
        let _ = fs::remove_dir_all(&fresh);
        return Err(context(&error, "write the report", dir));
    }
    Ok(files.iter().map(|(name, _)| dir.join(name)).collect())
}

/// The writer that [`write_folder`] uses outside tests.
pub(crate) fn to_disk(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_new(path, bytes)
}

/// A folder that holds things and no report is somebody's work: it is not replaced.
fn refuse_foreign(target: &Path) -> io::Result<()> {
    let text = match fs::metadata(target) {
        Err(_) => return Ok(()),
        Ok(meta) if !meta.is_dir() => "is a file; choose a folder for the report",
        Ok(_) => {
            let empty = fs::read_dir(target)
                .map_err(|error| context(&error, "read", target))?
                .next()
                .is_none();
            if empty || target.join("summary.json").is_file() {
                return Ok(());
            }
            "holds files and no report; choose another folder"
        }
    };
    let text = format!("{} {text}", target.display());
    Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
}

fn fill(
    fresh: &Path,
    files: &[File],
    write: &dyn Fn(&Path, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    fs::create_dir(fresh)?;
    for (name, bytes) in files {
        let path = fresh.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        write(&path, bytes)?;
    }
    Ok(())
}

/// Puts the fresh folder where the old one stands. If the second rename fails the first is undone.
fn swap(fresh: &Path, target: &Path, ours: &dyn Fn(&str) -> bool) -> io::Result<()> {
    if !target.exists() {
        return fs::rename(fresh, target);
    }
    let old = beside(target, "old")?;
    fs::rename(target, &old)?;
    if let Err(error) = fs::rename(fresh, target) {
        let _ = fs::rename(&old, target);
        return Err(error);
    }
    keep_foreign(&old, target, ours)?;
    fs::remove_dir_all(&old)
}

/// Moves what is not part of a report from the old folder to the new one.
fn keep_foreign(old: &Path, target: &Path, ours: &dyn Fn(&str) -> bool) -> io::Result<()> {
    for entry in fs::read_dir(old)? {
        let name = entry?.file_name();
        let part = name.to_str().is_some_and(ours);
        if !part {
            fs::rename(old.join(&name), target.join(&name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("ratelab-store-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("a scratch folder");
        dir
    }

    fn files(text: &str) -> Vec<File> {
        ["summary.json", "charts/a.svg", "index.html"]
            .map(|name| (name.to_owned(), text.as_bytes().to_vec()))
            .to_vec()
    }

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_full_disk_leaves_the_old_report_and_nothing_else() {
        let root = scratch("full");
        let dir = root.join("report");
        write_folder(&dir, &files("old"), &|_| true, &to_disk).expect("the first report");
        for fails_at in 0..3 {
            let count = AtomicU32::new(0);
            let full = |path: &Path, bytes: &[u8]| {
                if count.fetch_add(1, Ordering::Relaxed) == fails_at {
                    // Half of the bytes arrive, as on a disk that fills up.
                    let _ = to_disk(path, &bytes[..bytes.len() / 2]);
                    return Err(io::Error::from(io::ErrorKind::StorageFull));
                }
                to_disk(path, bytes)
            };
            let error = write_folder(&dir, &files("new"), &|_| true, &full).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            assert_eq!(names(&root), ["report"]);
            assert_eq!(
                fs::read(dir.join("charts/a.svg")).expect("the old file"),
                b"old"
            );
        }
        let _ = fs::remove_dir_all(root);
    }

    #[test]
    fn a_new_report_replaces_the_old_one_and_keeps_notes() {
        let root = scratch("again");
        let dir = root.join("report");
        write_folder(&dir, &files("old"), &|_| true, &to_disk).expect("the first report");
        fs::write(dir.join("notes.md"), "mine").expect("a note");
        fs::write(dir.join("charts/stale.svg"), "stale").expect("a stale chart");
        let ours = |name: &str| name != "notes.md";
        write_folder(&dir, &files("new"), &ours, &to_disk).expect("the second report");
        assert_eq!(names(&root), ["report"]);
        assert_eq!(
            names(&dir),
            ["charts", "index.html", "notes.md", "summary.json"]
        );
        assert_eq!(names(&dir.join("charts")), ["a.svg"]);
        assert_eq!(fs::read(dir.join("index.html")).expect("a file"), b"new");
        let _ = fs::remove_dir_all(root);
    }

    #[test]
    fn somebodys_folder_is_not_replaced() {
        let root = scratch("foreign");
        fs::write(root.join("thesis.tex"), "years").expect("a file");
        let error = write_folder(&root, &files("new"), &|_| true, &to_disk).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(&root), ["thesis.tex"]);
        let _ = fs::remove_dir_all(root);
    }

    #[test]
    fn a_single_file_is_whole_or_as_before() {
        let root = scratch("single");
        let path = root.join("ratelab.xml");
        write_whole(&path, b"old").expect("written");
        write_whole(&path, b"new").expect("replaced");
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        // A folder in the way.
        assert!(write_whole(&root, b"x").is_err());
        assert!(write_whole(&path.join("below-a-file"), b"x").is_err());
        assert_eq!(names(&root), ["ratelab.xml"]);
        assert!(write_whole(Path::new("/"), b"x").is_err());
        let _ = fs::remove_dir_all(root);
    }
}
