//! The command line, and nothing else.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// What does a fleet of workers really send, and what happens when the server stops answering?
#[derive(Debug, Parser)]
#[command(name = "ratelab", version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run experiment files and print what they find
    Run(RunArgs),
    /// Validate experiment files without running them
    Check(CheckArgs),
    /// Compare two summaries: what a change made better or worse
    Compare {
        /// Before: a summary.json or the folder of a report
        before: PathBuf,
        /// After
        after: PathBuf,
    },
    /// Print one replication as log lines
    Trace(TraceArgs),
    /// List limiters, backoffs, arrivals, delays, placements, metrics or formats
    List {
        /// Which list; all of them when left out
        kind: Option<String>,
    },
    /// Explain a limiter, backoff, arrival process, placement, metric or notice
    Explain {
        /// Its name
        name: String,
    },
    /// Print a commented experiment file to start from
    Init,
    /// Print the JSON Schema of experiment files
    Schema,
}

/// What to change in a file.
#[derive(Debug, Args)]
pub(crate) struct Changes {
    /// Set a key, as in --set fleet.workers=8
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Sweep a key over values, as in -L fleet.workers=1,2,4,8
    #[arg(short = 'L', long = "list", value_name = "KEY=VALUE,…")]
    pub(crate) list: Vec<String>,
    /// Seed instead of the file's
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Replications instead of the file's
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) replications: Option<u64>,
}

/// What to check.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Experiment files
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) changes: Changes,
}

/// How to run.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Experiment files; all are checked before the first is run
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// Threads; results do not depend on it
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// table, md, csv, json, junit or github
    #[arg(long, default_value = "table")]
    pub(crate) format: String,
    /// Write the report into this folder too; of several files, each into a folder of its name
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Compare with an earlier summary.json; a significant worsening fails the run
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the expectations as JUnit XML into this file too
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

/// What to trace.
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// The experiment file
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// The row to trace; the first when left out
    #[arg(long)]
    pub(crate) variant: Option<String>,
    /// Which replication; a table's note names the first that went wrong
    #[arg(long, default_value_t = 0)]
    pub(crate) replication: u64,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: TraceFormat,
}

/// How a trace is printed.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(crate) enum TraceFormat {
    /// Lines as in the article: time, pid, status
    Text,
    /// A JSON object a line
    Jsonl,
}
