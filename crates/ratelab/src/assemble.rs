//! From an experiment to its summary: run every case, merge, judge.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use ratelab_core::{Recorder, Seed, Time};
use ratelab_model::{GateParams, OutageParams};
use ratelab_sim::{Batch, Stuck};
use ratelab_spec::{Case, Experiment, Fidelity, Scenario};
use ratelab_stats::fingerprint::Fingerprint;
use ratelab_stats::summary::SCHEMA;
use ratelab_stats::{Paired, Plan, Row, Scene, Series, Strip, StripRow, Summary, Tally};

use crate::{counted, judge, notice, ties, words};

/// How to run.
#[derive(Debug)]
pub struct Settings {
    /// Threads; results do not depend on it.
    pub threads: usize,
    /// Counts finished replications over all cases, for whoever shows progress.
    pub done: AtomicU64,
}

impl Default for Settings {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            threads,
            done: AtomicU64::new(0),
        }
    }
}

/// A finished experiment: its document, and what charts are drawn from.
#[derive(Debug)]
pub struct Done {
    /// The document.
    pub summary: Summary,
    /// One per row of the summary.
    pub series: Vec<Series>,
    /// What all charts share.
    pub scene: Scene,
}

/// Runs every case of the experiment.
pub fn assemble(experiment: &Experiment, settings: &Settings) -> Result<Done, Stuck> {
    let columns = words::columns(experiment);
    let (mut results, mut series) = (Vec::new(), Vec::new());
    let mut events = 0;
    let mut firsts = Firsts::default();
    let mut hash = Fingerprint::default();
    for case in &experiment.cases {
        let (tally, strip) = play(experiment, case, &columns[0], settings)?;
        events += tally.events();
        hash.word(tally.fingerprint());
        let mut row = row(case, &tally);
        row.paired = firsts.paired(case, &tally, &columns[0]);
        results.push(row);
        series.push(Series {
            strip,
            ..tally.series()
        });
    }
    link_ideal(&mut results);
    let expectations = judge::judge(experiment, &results);
    let ties = ties::resting_on_ties(experiment, &expectations, events, settings)?;
    let counted = counted::errors(experiment, settings)?;
    let summary = Summary {
        schema: SCHEMA.to_owned(),
        experiment: experiment.name.clone(),
        question: experiment.question.clone(),
        note: experiment.note.clone(),
        setting: words::setting(experiment),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: experiment.seed,
        replications: experiment.replications,
        config_hash: config_hash(experiment),
        fingerprint: format!("{:016x}", hash.0),
        events,
        columns,
        expectations,
        quotes: words::quotes(experiment),
        notices: notice::notices(experiment, &results, &ties, &counted),
        results,
        counted,
    };
    Ok(Done {
        summary,
        series,
        scene: words::scene(experiment),
    })
}

/// One case again, for its row alone.
pub(crate) fn play_row(
    experiment: &Experiment,
    case: &Case,
    settings: &Settings,
) -> Result<Row, Stuck> {
    // Progress counts the replications that the file asks for, not these.
    let quiet = Settings {
        threads: settings.threads,
        done: AtomicU64::new(0),
    };
    let (tally, _) = play(experiment, case, "requests.total", &quiet)?;
    Ok(row(case, &tally))
}

/// All replications of a case, and the first one's attempts worker by worker.
fn play(
    experiment: &Experiment,
    case: &Case,
    headline: &str,
    settings: &Settings,
) -> Result<(Tally, Vec<StripRow>), Stuck> {
    let plan = Arc::new(plan(experiment, &case.scenario, headline));
    let batch = Batch {
        scenario: &case.scenario,
        seed: Seed(experiment.seed),
        replications: experiment.replications,
        threads: settings.threads,
        done: &settings.done,
    };
    let fresh = |chunk: usize| {
        let strip = (chunk == 0).then(Strip::default);
        Watch {
            tally: Tally::new(Arc::clone(&plan)),
            strip,
        }
    };
    let mut tally = Tally::new(Arc::clone(&plan));
    let mut strip = Vec::new();
    for part in batch.run(fresh)? {
        tally.merge(&part.tally);
        strip.extend(part.strip.map(Strip::into_rows).unwrap_or_default());
    }
    Ok((tally, strip))
}

/// A tally, and for a while a strip beside it.
struct Watch {
    tally: Tally,
    strip: Option<Strip>,
}

impl Recorder for Watch {
    fn begin(&mut self, replication: u64) {
        self.tally.begin(replication);
    }
    #[inline]
    fn record(&mut self, at: Time, worker: ratelab_core::WorkerId, record: &ratelab_core::Record) {
        self.tally.record(at, worker, record);
        self.strip.record(at, worker, record);
    }
    fn end(&mut self, at: Time, events: u64) {
        self.tally.end(at, events);
        self.strip.end(at, events);
    }
    fn crowd(&mut self, at: Time, count: u32, record: &ratelab_core::Record) {
        self.tally.crowd(at, count, record);
    }
    fn settle(&mut self) {
        self.tally.settle();
        self.strip.settle();
    }
}

/// What to count in a run of the scenario; the spread of `headline` over replications is kept.
pub fn plan(experiment: &Experiment, scenario: &Scenario, headline: &str) -> Plan {
    let server = &scenario.server;
    let mut statuses = vec![200, 429, 503, server.refusal.status];
    statuses.extend(
        server
            .outage
            .iter()
            .filter_map(|o| o.reply.map(|reply| reply.status)),
    );
    if let GateParams::Sidecar(sidecar) = &scenario.gate {
        statuses.push(sidecar.status);
    }
    statuses.sort_unstable();
    statuses.dedup();
    let measures = experiment.measures.iter();
    Plan {
        duration: scenario.duration,
        followed: scenario.fidelity == Fidelity::Worker,
        workers: scenario.fleet.busy(),
        outages: server.outage.iter().map(OutageParams::window).collect(),
        measures: measures
            .map(|m| (m.name.clone(), Time::from(m.from), Time::from(m.until)))
            .collect(),
        budget: server.promise(),
        statuses,
        headline: headline.to_owned(),
    }
}

fn row(case: &Case, tally: &Tally) -> Row {
    let metrics = tally.metrics();
    let recovery = tally.recovery(&metrics);
    Row {
        variant: case.variant.clone(),
        arm: case.arm,
        about: words::about(&case.scenario),
        point: case.point.clone(),
        metrics,
        recovery,
        chances: tally.chances(),
        paired: None,
        fingerprint: format!("{:016x}", tally.fingerprint()),
    }
}

/// The first row of the present point, with which the others are compared in pairs.
#[derive(Default)]
struct Firsts(Option<(Case, Tally)>);

impl Firsts {
    /// The difference of a row from the first of its point; none for that row itself and for arms.
    fn paired(&mut self, case: &Case, tally: &Tally, metric: &str) -> Option<Paired> {
        match &self.0 {
            Some((first, theirs)) if first.point == case.point => {
                let difference = tally.less(theirs).filter(|_| !case.arm)?;
                let (metric, against) = (metric.to_owned(), first.variant.clone());
                Some(Paired {
                    metric,
                    against,
                    difference,
                })
            }
            _ => {
                self.0 = Some((case.clone(), tally.clone()));
                None
            }
        }
    }
}

/// Puts the ideal arm's peak beside every row of the same point.
fn link_ideal(results: &mut [Row]) {
    let ideals: Vec<(Vec<(String, String)>, f64)> = results
        .iter()
        .filter(|row| row.arm && row.variant == "ideal")
        .filter_map(|row| {
            Some((
                row.point.clone(),
                row.metrics.get("recovery.peak-100ms")?.mean,
            ))
        })
        .collect();
    for row in results {
        if let Some((_, peak)) = ideals.iter().find(|(point, _)| *point == row.point)
            && let Some(first) = row.recovery.first_mut()
        {
            first.ideal_peak_100ms = Some(*peak);
        }
    }
}

/// A hash of every scenario as it was run.
fn config_hash(experiment: &Experiment) -> String {
    let mut hash = Fingerprint::default();
    hash.word(experiment.replications);
    for case in &experiment.cases {
        let scenario = serde_json::to_string(&case.scenario).unwrap_or_default();
        for byte in case.title().bytes().chain(scenario.bytes()) {
            hash.word(u64::from(byte));
        }
    }
    format!("{:016x}", hash.0)
}
