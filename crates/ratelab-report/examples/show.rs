//! Renders the fixtures of the tests, to look at: `cargo run -p ratelab-report --example show DIR`.

#![allow(clippy::print_stdout, dead_code, unreachable_pub, missing_docs)]

#[path = "../tests/fixture/mod.rs"]
mod fixture;

use std::path::PathBuf;
use std::time::Instant;

use ratelab_report::chart::{charts, png, svg};
use ratelab_report::page::write_report;
use ratelab_report::table::{Style, terminal};

fn main() {
    let dir = PathBuf::from(std::env::args().nth(1).expect("a folder to write to"));
    let runs = [
        ("outage", fixture::outage()),
        ("troubled", fixture::troubled()),
        ("sweep", fixture::sweep()),
        ("lockstep", fixture::lockstep()),
        ("hostile", fixture::hostile()),
        ("crowd", fixture::crowd()),
        ("two-outages", fixture::two_outages()),
    ];
    for (name, run) in runs {
        let view = run.view();
        println!("{}", terminal::render(&view, &Style::default()));
        let start = Instant::now();
        for chart in charts(&view) {
            let picture = (chart.draw)(&view);
            let stem = dir.join(format!("{name}-{}", chart.name));
            std::fs::write(stem.with_extension("svg"), svg::svg(&picture)).expect("written");
            std::fs::write(stem.with_extension("png"), png::png(&picture)).expect("written");
        }
        println!("{name}: charts {:?}", start.elapsed());
        let start = Instant::now();
        let (summary, series) = (&run.summary, &run.series);
        let files = write_report(&dir.join(name), summary, series, &run.scene, &run.source);
        println!(
            "{name}: report {:?}, {} files",
            start.elapsed(),
            files.expect("written").len()
        );
    }
}
