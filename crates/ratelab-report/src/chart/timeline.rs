//! A timeline in a panel: the area under the mean, the band from smallest to largest, the ideal
//! arm's thin line, and what a pointer reads.

use ratelab_stats::Timeline;

use super::axis::Plot;
use super::picture::{Ink, Picture, Place, Reading};
use super::stack::edge;
use super::theme::{self, Colour};

/// Whether the replications differ in any bin.
pub(crate) fn is_banded(timeline: &Timeline) -> bool {
    timeline.min != timeline.max
}

/// The highest value a timeline shows.
pub(crate) fn top(timeline: &Timeline) -> f64 {
    let mean = timeline.mean.iter().copied().fold(0.0, f64::max);
    let most = timeline.max.iter().copied().max().unwrap_or(0);
    if is_banded(timeline) {
        mean.max(f64::from(most))
    } else {
        mean
    }
}

/// Paints a timeline whose bins stand `shift` earlier than they say.
pub(crate) fn draw(
    picture: &mut Picture,
    plot: &Plot,
    (timeline, shift): (&Timeline, f64),
    colour: Colour,
) {
    let edges = |bin| edge(timeline, bin) - shift;
    if is_banded(timeline) {
        let floats = |counts: &[u32]| counts.iter().copied().map(f64::from).collect::<Vec<_>>();
        let mut band = plot.steps(edges, &floats(&timeline.max));
        let mut low = plot.steps(edges, &floats(&timeline.min));
        low.reverse();
        band.extend(low);
        area(picture, band, colour, theme::BAND);
    }
    let line = plot.steps(edges, &timeline.mean);
    let mut under = line.clone();
    if let (Some(first), Some(last)) = (line.first(), line.last()) {
        under.extend([(last.0, plot.bottom), (first.0, plot.bottom)]);
    }
    area(picture, under, colour, theme::UNDER);
    for hill in plot.hills(edges, &timeline.mean) {
        picture.line(hill, colour, theme::LINE);
    }
}

fn area(picture: &mut Picture, places: Vec<Place>, colour: Colour, alpha: f64) {
    if places.len() > 2 {
        picture
            .marks
            .push(super::picture::Mark::Area(places, Ink { colour, alpha }));
    }
}

/// The ideal arm's line.
pub(crate) fn ideal(picture: &mut Picture, plot: &Plot, (timeline, shift): (&Timeline, f64)) {
    for hill in plot.hills(|bin| edge(timeline, bin) - shift, &timeline.mean) {
        picture.line(hill, theme::IDEAL, theme::THIN);
    }
}

/// What a pointer reads from a timeline.
pub(crate) fn reading(name: &str, (timeline, shift): (&Timeline, f64)) -> Reading {
    let tidy = |x: f64| (x * 1e4).round() / 1e4;
    Reading {
        name: name.to_owned(),
        at: (0..timeline.mean.len())
            .map(|bin| tidy(edge(timeline, bin) - shift))
            .collect(),
        values: timeline.mean.iter().copied().map(tidy).collect(),
    }
}
