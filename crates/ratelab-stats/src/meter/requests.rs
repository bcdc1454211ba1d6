//! Requests: what crosses the wire: how many, when, and how close together.

use ratelab_core::{Span, Time};

use super::write_counts;
use crate::metric::Unit;
use crate::overrun::Overrun;
use crate::plan::Plan;
use crate::timeline::{Bins, width_for};
use crate::track::Track;
use crate::values::Values;
use crate::window::{Sliding, Window};

/// The most attempts a job can have with a peak of their own.
const PEAKS: usize = 16;
const PEAK: Span = Span::from_millis(100);

/// Counts requests.
#[derive(Debug, Clone)]
pub(crate) struct Requests {
    total: u64,
    in_outages: u64,
    outages: Vec<(Time, Time)>,
    /// Windows by the names of their metrics, and what was sent in them.
    measures: Vec<(String, Time, Time, u64)>,
    /// Over every request: a second, the budget's period, and after each outage two peaks.
    track: Track,
    second: Window,
    /// The budget's period, unless that is a second too, and what is above the budget.
    period: Option<(Option<Window>, Overrun)>,
    after: Vec<(Window, Window)>,
    /// By the attempt's number, with the names of their metrics.
    peaks: Vec<(String, Sliding)>,
    pub(crate) timeline: Bins,
    pub(crate) close_up: Option<Bins>,
}

impl Requests {
    pub(crate) fn new(plan: &Plan) -> Self {
        let end = Time::from(plan.duration);
        let returns = plan.outages.first().filter(|(_, until)| *until < end);
        let close_up = returns.map(|(_, until)| {
            let last = (*until + Span::from_secs(15)).min(end);
            Bins::new(until.back(PEAK), last, PEAK)
        });
        let ends = plan.outages.iter().map(|(_, until)| *until);
        let after = |until| (Window::new(PEAK, until), Window::new(Span::SECOND, until));
        Self {
            after: ends.map(after).collect(),
            total: 0,
            in_outages: 0,
            outages: plan.outages.clone(),
            measures: (plan.measures.iter())
                .map(|(name, from, until)| (format!("requests.{name}"), *from, *until, 0))
                .collect(),
            // A fleet sends once or twice a second and worker, hardly more.
            track: Track::for_about(2 * plan.workers as usize),
            second: Window::new(Span::SECOND, Time::START),
            period: plan.budget.map(|budget| {
                let width = budget.rate.window();
                let other = (width != Span::SECOND).then(|| Window::new(width, Time::START));
                (other, Overrun::new(budget))
            }),
            peaks: (1..=PEAKS)
                .map(|attempt| {
                    (
                        format!("attempt.{attempt}.peak-100ms"),
                        Sliding::new(PEAK, plan.workers as usize / 2),
                    )
                })
                .collect(),
            timeline: Bins::new(Time::START, end, width_for(plan.duration)),
            close_up,
        }
    }

    /// `count` requests set out, each of attempt number `attempt` of its job.
    #[inline(always)]
    pub(crate) fn add(&mut self, at: Time, attempt: u32, count: u32) {
        self.total += u64::from(count);
        if let Some((_, peak)) = self.peaks.get_mut(attempt as usize - 1) {
            peak.add(at, count);
        }
        if self.track.add(at, count) {
            self.look();
        }
    }

    /// Looks at the requests that have come since the last time.
    #[inline(never)]
    pub(crate) fn look(&mut self) {
        let batch = self.track.look();
        let within = |from: Time, until: Time| -> u64 {
            let inside = batch
                .iter()
                .filter(|seen| from <= seen.at() && seen.at() < until);
            inside.map(|seen| u64::from(seen.count())).sum()
        };
        // Outages do not overlap in sense, but may in a file; a request counts once.
        self.in_outages += match &self.outages[..] {
            [] => 0,
            [(from, until)] => within(*from, *until),
            several => {
                let down = |at: Time| {
                    several
                        .iter()
                        .any(|(from, until)| *from <= at && at < *until)
                };
                let inside = batch.iter().filter(|seen| down(seen.at()));
                inside.map(|seen| u64::from(seen.count())).sum()
            }
        };
        for (_, from, until, sum) in &mut self.measures {
            *sum += within(*from, *until);
        }
        self.timeline.add_all(&batch);
        if let Some(close_up) = &mut self.close_up {
            close_up.add_all(&batch);
        }
        if let Some((_, overrun)) = &mut self.period {
            overrun.add_all(&batch);
        }
        self.second.slide(&self.track, &batch);
        for (peak, second) in &mut self.after {
            peak.slide(&self.track, &batch);
            second.slide(&self.track, &batch);
        }
        let mut widest = self.second;
        if let Some((Some(window), _)) = &mut self.period {
            window.slide(&self.track, &batch);
            if window.is_wider(&widest) {
                widest = *window;
            }
        }
        self.track.forget(&widest, batch);
    }

    /// The fullest 100 ms and second after an outage.
    pub(crate) fn peaks_after(&self, outage: usize) -> (u64, u64) {
        let (peak, second) = &self.after[outage];
        (peak.most(), second.most())
    }

    /// Whether more was sent than the budget promises to bear.
    pub(crate) fn is_over(&self) -> bool {
        self.period
            .as_ref()
            .is_some_and(|(_, overrun)| overrun.worst() > 0.0)
    }

    pub(crate) fn write(&mut self, values: &mut Values, seconds: f64) {
        let worst = self.second.most();
        let counts = [
            ("requests.total", self.total),
            ("billed.units", self.total),
            ("rate.worst-1s", worst),
        ];
        write_counts(values, counts);
        let outage = (!self.outages.is_empty()).then_some(self.in_outages as f64);
        values.add("requests.outage", Unit::Count, outage);
        let mean = self.total as f64 / seconds;
        values.add("rate.mean", Unit::PerSecond, Some(mean));
        let period = self.period.as_ref();
        let sent = period.map(|(window, _)| window.as_ref().unwrap_or(&self.second).most() as f64);
        values.add("rate.worst-window", Unit::Count, sent);
        let over = period.map(|(_, overrun)| overrun.worst());
        values.add("budget.overrun", Unit::Count, over);
        for (name, _, _, sum) in &self.measures {
            values.add(name, Unit::Count, Some(*sum as f64));
        }
        for (name, peak) in &mut self.peaks {
            let most = Some(peak.most()).filter(|most| *most > 0);
            values.add(name, Unit::Count, most.map(|most| most as f64));
        }
    }

    pub(crate) fn reset(&mut self) {
        (self.total, self.in_outages) = (0, 0);
        for (_, _, _, sum) in &mut self.measures {
            *sum = 0;
        }
        self.track.reset();
        self.second.reset();
        if let Some((window, overrun)) = &mut self.period {
            window.iter_mut().for_each(Window::reset);
            overrun.reset();
        }
        for (peak, second) in &mut self.after {
            peak.reset();
            second.reset();
        }
        for (_, peak) in &mut self.peaks {
            peak.reset();
        }
        self.timeline.close();
        if let Some(close_up) = &mut self.close_up {
            close_up.close();
        }
    }

    /// Gives back what only a running replication needs.
    pub(crate) fn settle(&mut self) {
        self.track.settle();
        for (_, peak) in &mut self.peaks {
            peak.settle();
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.timeline.merge(&other.timeline);
        if let (Some(mine), Some(theirs)) = (&mut self.close_up, &other.close_up) {
            mine.merge(theirs);
        }
    }
}
