//! The command: parse, call, print. Exit codes: 0 fine, 1 could not run, 2 usage, 99 an
//! expectation failed.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod cli;
mod compare;
mod explain;
mod init;
mod list;
mod load;
mod progress;
mod run;
mod trace;

use std::process::ExitCode;

use clap::Parser;

use cli::{Cli, Command};

/// What ends a command early: a message for people, already whole.
type Failure = String;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => load::check(&args),
        Command::Compare { before, after } => compare::files(&before, &after),
        Command::Trace(args) => trace::trace(&args),
        Command::List { kind } => list::list(kind.as_deref()),
        Command::Explain { name } => explain::explain(&name),
        Command::Init => Ok(init::init()),
        Command::Schema => init::schema(),
    };
    match done {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::from(1)
        }
    }
}

/// Prints a whole text to stdout; a reader that has gone away is not an error.
fn print(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
