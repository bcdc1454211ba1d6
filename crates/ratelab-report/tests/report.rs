//! Whole reports on the disk.

use std::fs;
use std::path::PathBuf;

use ratelab_report::page::write_report;

use crate::fixture::{self, Run};

fn scratch(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).expect("a scratch folder");
    dir
}

fn write(dir: &std::path::Path, run: &Run) -> std::io::Result<Vec<PathBuf>> {
    write_report(dir, &run.summary, &run.series, &run.scene, &run.source)
}

#[test]
fn a_report_has_its_files_and_refers_to_them() {
    let root = scratch("files");
    let dir = root.join("reports").join("outage-10s");
    let paths = write(&dir, &fixture::outage()).expect("written");
    assert!(paths.iter().all(|path| path.is_file()));
    let names: Vec<String> = paths
        .iter()
        .map(|path| path.strip_prefix(&dir).unwrap().display().to_string())
        .collect();
    insta::assert_snapshot!(names.join("\n"));
    let readme = fs::read_to_string(dir.join("README.md")).expect("a README");
    for part in readme.split("](").skip(1) {
        let target = part.split(')').next().unwrap();
        assert!(dir.join(target).is_file(), "{target} is missing");
    }
    insta::assert_snapshot!("readme", readme);
    let page = fs::read_to_string(dir.join("index.html")).expect("a page");
    assert!(page.len() < 500_000);
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        let found = page.replace("http://www.w3.org/", "").contains(outside);
        assert!(!found, "the page refers to {outside}");
    }
    assert_eq!(
        fs::read_dir(dir.parent().unwrap()).unwrap().count(),
        1,
        "nothing else stays"
    );
}

#[test]
fn writing_twice_gives_the_same_bytes() {
    let root = scratch("twice");
    let read = |paths: Vec<PathBuf>| -> Vec<Vec<u8>> {
        paths
            .iter()
            .map(|path| fs::read(path).expect("a file"))
            .collect()
    };
    let dir = root.join("report");
    let first = read(write(&dir, &fixture::sweep()).expect("written"));
    let second = read(write(&dir, &fixture::sweep()).expect("written again"));
    assert!(first == second);
}

#[test]
fn a_file_in_the_way_stays() {
    let root = scratch("in-the-way");
    let file = root.join("report");
    fs::write(&file, "precious").expect("a file");
    let error = write(&file, &fixture::outage()).unwrap_err();
    assert!(error.to_string().contains("is a file"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert!(write(&file.join("below"), &fixture::outage()).is_err());
    assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
}
