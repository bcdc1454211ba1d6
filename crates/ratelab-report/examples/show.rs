//! Renders the fixtures of the tests, to look at: `cargo run -p ratelab-report --example show DIR`.

#![allow(clippy::print_stdout, dead_code, unreachable_pub, missing_docs)]

#[path = "../tests/fixture.rs"]
mod fixture;

use ratelab_report::table::{Style, terminal};

fn main() {
    let style = Style {
        colour: false,
        width: 110,
    };
    for run in [fixture::outage(), fixture::troubled(), fixture::sweep()] {
        for width in [80, 110] {
            println!(
                "{}",
                terminal::render(&run.view(), &Style { width, ..style })
            );
        }
    }
}
