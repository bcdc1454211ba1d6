//! Hand-made runs: small fleets played by a few lines of arithmetic, so that tables and charts have
//! something true to show without the simulator.

use std::collections::BTreeMap;

use ratelab_stats::{
    Attempt, Check, Close, Estimate, Notice, Quote, Recovery, Row, Scene, Series, StripRow,
    Summary, Timeline, Window,
};

/// A run as the crate takes it.
pub struct Run {
    pub summary: Summary,
    pub series: Vec<Series>,
    pub scene: Scene,
    pub source: String,
}

impl Run {
    pub fn view(&self) -> ratelab_report::View<'_> {
        ratelab_report::View::new(&self.summary, &self.series, &self.scene)
    }
}

/// How a worker of the fixture retries.
#[derive(Clone, Copy)]
pub enum Rule {
    Never,
    Fixed(f64),
    /// Base 1 s, doubled, plus up to half of it.
    Backoff,
    /// The server's 5 s plus up to half a second.
    RetryAfter,
    /// One request, one second after another, after the outage.
    Ideal,
}

const UNTIL: f64 = 10.0;
const DURATION: f64 = 60.0;
const REPLICATIONS: u32 = 60;

struct Draw(u64);

impl Draw {
    /// A number in [0, 1).
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from(u32::try_from(self.0 >> 33).unwrap()) / f64::from(1_u32 << 31)
    }
}

/// The times at which one worker with one job sends.
fn times(rule: Rule, worker: u32, draw: &mut Draw) -> Vec<f64> {
    let mut at = 0.0;
    let mut times = vec![at];
    let mut retry = 0;
    while at < UNTIL {
        at += match rule {
            Rule::Never => break,
            Rule::Fixed(wait) => wait,
            Rule::Backoff => f64::from(1_u32 << retry) * (1.0 + 0.5 * draw.next()),
            Rule::RetryAfter => 5.0 + 0.5 * draw.next(),
            Rule::Ideal => UNTIL + f64::from(worker),
        };
        retry += 1;
        times.push(at);
    }
    times
}

fn bins(all: &[Vec<f64>], (from, width, count): (f64, f64, usize)) -> Timeline {
    let mut mean = vec![0.0; count];
    let mut min = vec![u32::MAX; count];
    let mut max = vec![0; count];
    for run in all {
        let mut counts = vec![0_u32; count];
        for at in run {
            let bin = ((at - from) / width + 1e-9).floor();
            if bin >= 0.0 && (bin as usize) < count {
                counts[bin as usize] += 1;
            }
        }
        for bin in 0..count {
            mean[bin] += f64::from(counts[bin]) / all.len() as f64;
            min[bin] = min[bin].min(counts[bin]);
            max[bin] = max[bin].max(counts[bin]);
        }
    }
    for value in &mut mean {
        *value = (*value * 1e9).round() / 1e9;
    }
    Timeline {
        from,
        width,
        mean,
        min,
        max,
    }
}

/// An estimate from the values of the replications.
pub fn estimate(values: &[f64], unit: &str) -> Estimate {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let var = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let se = (var / n).sqrt();
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let random = max > min;
    Estimate {
        mean,
        ci95_low: random.then(|| mean - 1.96 * se),
        ci95_high: random.then(|| mean + 1.96 * se),
        se,
        min,
        max,
        n: values.len() as u64,
        unit: unit.to_owned(),
    }
}

fn close(at: f64) -> Option<Close> {
    Some(if at < UNTIL {
        Close::Refused
    } else {
        Close::Done
    })
}

/// Plays one row.
pub fn play(name: &str, about: &str, rule: Rule, workers: u32) -> (Row, Series) {
    let mut draw = Draw(7);
    let mut strip = Vec::new();
    let mut runs = Vec::new();
    for replication in 0..REPLICATIONS {
        let mut run = Vec::new();
        for worker in 0..workers {
            let times = times(rule, worker, &mut draw);
            if replication == 0 && worker < 40 {
                let attempts = times.iter().map(|&at| Attempt {
                    at,
                    close: close(at),
                });
                strip.push(StripRow {
                    worker,
                    attempts: attempts.collect(),
                });
            }
            run.extend(times);
        }
        run.sort_by(f64::total_cmp);
        runs.push(run);
    }
    let each = |f: &dyn Fn(&[f64]) -> f64| runs.iter().map(|run| f(run)).collect::<Vec<_>>();
    let timeline = bins(&runs, (0.0, 0.25, 240));
    let cumulative = timeline.mean.iter().scan(0.0, |sum, mean| {
        *sum += mean;
        Some((*sum * 1e9_f64).round() / 1e9)
    });
    let outage = each(&|run| run.iter().filter(|at| **at < UNTIL).count() as f64);
    let done = each(&|run| run.iter().filter(|at| **at >= UNTIL).count() as f64);
    let pending =
        each(&|run| f64::from(workers) - run.iter().filter(|at| **at >= UNTIL).count() as f64);
    let last = each(&|run| run.last().copied().unwrap_or(0.0) - UNTIL);
    let peak = each(&|run| {
        let after: Vec<f64> = run.iter().copied().filter(|at| *at >= UNTIL).collect();
        let count = |start: &f64| {
            after
                .iter()
                .filter(|at| **at >= *start && **at < start + 0.1)
                .count()
        };
        after.iter().map(count).max().unwrap_or(0) as f64
    });
    let mut metrics = BTreeMap::from([
        ("requests.outage".to_owned(), estimate(&outage, "1")),
        ("jobs.done".to_owned(), estimate(&done, "1")),
        ("jobs.failed".to_owned(), estimate(&[0.0], "1")),
        ("jobs.pending".to_owned(), estimate(&pending, "1")),
        ("recovery.peak-100ms".to_owned(), estimate(&peak, "1")),
        (
            "requests.total".to_owned(),
            estimate(&each(&|run| run.len() as f64), "1"),
        ),
    ]);
    if !matches!(rule, Rule::Never) {
        metrics.insert("recovery.extra-delay".to_owned(), estimate(&last, "s"));
    }
    for estimate in metrics.values_mut() {
        estimate.n = u64::from(REPLICATIONS);
    }
    let mut spread: BTreeMap<u64, u64> = BTreeMap::new();
    for value in &outage {
        *spread.entry(*value as u64).or_default() += 1;
    }
    let label = match rule {
        Rule::Never => "never (stuck)",
        Rule::Fixed(_) => "synchronised burst",
        Rule::Backoff => "staggered ramp",
        Rule::RetryAfter => "follows guidance",
        Rule::Ideal => "–",
    };
    let row = Row {
        variant: name.to_owned(),
        arm: matches!(rule, Rule::Never | Rule::Ideal),
        about: about.to_owned(),
        point: Vec::new(),
        metrics,
        recovery: vec![Recovery {
            from: 0.0,
            until: UNTIL,
            label: label.to_owned(),
            labels: BTreeMap::from([(label.to_owned(), 1.0)]),
            ideal_peak_100ms: Some(1.0),
        }],
        fingerprint: "00c0ffee".to_owned(),
    };
    let series = Series {
        cumulative: cumulative.collect(),
        close_up: Some(bins(&runs, (UNTIL - 0.1, 0.1, 151))),
        timeline: Some(timeline),
        strip,
        spread: spread
            .into_iter()
            .map(|(value, n)| (value as f64, n))
            .collect(),
    };
    (row, series)
}

fn run(rows: Vec<(Row, Series)>) -> Run {
    let (results, series) = rows.into_iter().unzip();
    Run {
        summary: Summary {
            schema: ratelab_stats::summary::SCHEMA.to_owned(),
            experiment: "outage-10s".to_owned(),
            question: "What do four workers send to a server that is down for ten seconds?".to_owned(),
            setting: "4 workers · 1 job each · server down [0 s, 10 s) replying 429, Retry-After: 5 \
                      · 60 replications · seed 1"
                .to_owned(),
            version: "0.1.0".to_owned(),
            seed: 1,
            replications: u64::from(REPLICATIONS),
            config_hash: "1f2e3d4c".to_owned(),
            fingerprint: "0badcafe".to_owned(),
            events: 1_600_000,
            columns: [
                "requests.outage",
                "jobs.done",
                "recovery.extra-delay",
                "recovery.peak-100ms",
            ]
            .map(str::to_owned)
            .to_vec(),
            results,
            expectations: Vec::new(),
            quotes: Vec::new(),
            notices: Vec::new(),
        },
        series,
        scene: Scene {
            duration: DURATION,
            outages: vec![Window { from: 0.0, until: UNTIL }],
            budget: Some(1.0),
            sweep: None,
        },
        source: "question = \"What do four workers send?\"\nduration = \"60s\"\n\n[fleet]\nworkers = 4\n"
            .to_owned(),
    }
}

fn check(variant: &str, wanted: &str, got: &str, line: usize) -> Check {
    Check {
        variant: variant.to_owned(),
        metric: "requests.outage".to_owned(),
        wanted: wanted.to_owned(),
        got: got.to_owned(),
        pass: wanted == got,
        file: "experiments/outage-10s.toml".to_owned(),
        line,
    }
}

/// The run of the sketch: four workers, ten seconds, three strategies, two arms.
pub fn outage() -> Run {
    let mut run = run(vec![
        play("naive", "fixed 1 s", Rule::Fixed(1.0), 4),
        play("backoff", "2^a + U(0,½)", Rule::Backoff, 4),
        play("retry-after", "5 s + U(0,½ s)", Rule::RetryAfter, 4),
        play("no-retry", "", Rule::Never, 4),
        play("ideal", "", Rule::Ideal, 4),
    ]);
    let quotes = [("naive", "40"), ("backoff", "~16"), ("retry-after", "8")];
    run.summary.quotes = quotes
        .map(|(variant, text)| Quote {
            variant: variant.to_owned(),
            metric: "requests.outage".to_owned(),
            text: text.to_owned(),
        })
        .to_vec();
    run.summary.expectations = vec![
        check("naive", "40", "40", 31),
        check("retry-after", "8", "8", 35),
    ];
    run
}

/// The same run with a broken expectation, a bimodal recovery, a metric that not all runs have and
/// a notice.
pub fn troubled() -> Run {
    let mut run = outage();
    run.summary
        .expectations
        .push(check("backoff", "12", "15.9 ±0.2", 33));
    run.summary.notices.push(Notice {
        code: "R014".to_owned(),
        text: "one replication of a random model".to_owned(),
        hint: "--replications 1000 gives an interval".to_owned(),
    });
    let backoff = &mut run.summary.results[1];
    backoff.recovery[0].labels = BTreeMap::from([
        ("staggered ramp".to_owned(), 0.875),
        ("never (stuck)".to_owned(), 0.125),
    ]);
    backoff.metrics.get_mut("recovery.extra-delay").unwrap().n = 52;
    backoff.metrics.get_mut("jobs.pending").unwrap().max = 4.0;
    run
}

/// Two strategies over four fleet sizes.
pub fn sweep() -> Run {
    let mut rows = Vec::new();
    let rules = [
        ("naive", Rule::Fixed(1.0)),
        ("backoff", Rule::Backoff),
        ("ideal", Rule::Ideal),
    ];
    for (name, rule) in rules {
        for workers in [4, 8, 16, 32] {
            let (mut row, series) = play(name, "", rule, workers);
            row.point = vec![("fleet.workers".to_owned(), workers.to_string())];
            rows.push((row, series));
        }
    }
    let mut run = run(rows);
    run.summary.experiment = "outage-fleet".to_owned();
    run.scene.sweep = Some(("fleet.workers".to_owned(), vec![4.0, 8.0, 16.0, 32.0]));
    run
}

/// Forty workers in step beside forty that are not.
pub fn lockstep() -> Run {
    run(vec![
        play("naive", "fixed 1 s", Rule::Fixed(1.0), 40),
        play("backoff", "2^a + U(0,½)", Rule::Backoff, 40),
        play("retry-after", "5 s + U(0,½ s)", Rule::RetryAfter, 40),
        play("ideal", "", Rule::Ideal, 40),
    ])
}

/// Text that wants to break every format.
pub const EVIL: &str =
    "=a|b`<script>alert('x')</script>\"&\n::error::\u{1b}[31m,\u{202e}%@\u{fffe}";

/// A run in which every text is hostile.
pub fn hostile() -> Run {
    let mut run = troubled();
    let evil = || EVIL.to_owned();
    let summary = &mut run.summary;
    summary.question = evil();
    summary.setting = evil();
    summary.experiment = evil();
    for row in &mut summary.results {
        row.about = evil();
        row.recovery[0].label = evil();
        if !row.arm {
            row.variant = format!("{EVIL}{}", row.variant);
        }
    }
    for check in &mut summary.expectations {
        check.variant = evil();
        check.metric = evil();
        check.wanted = evil();
        check.file = evil();
    }
    summary.quotes[0].variant = summary.results[0].title();
    summary.quotes[0].text = evil();
    summary.notices[0].text = evil();
    run.source = format!("# {EVIL}\nquestion = \"```\"\n</pre><script>\n");
    run
}
