//! `attempts`: a dot per attempt, a line per worker: whoever works in step makes columns.

use ratelab_stats::{Attempt, Close, StripRow};

use super::axis::Plot;
use super::picture::{Anchor, Mark, Picture, Type};
use super::{Chart, stack, theme};
use crate::View;

/// The chart's entry.
pub const CHART: Chart = Chart {
    name: "attempts",
    title: "Who sends when",
    applies,
    draw,
};

/// The outcomes in the order in which they are painted, with the words of the key.
const OUTCOMES: [(Option<Close>, &str); 5] = [
    (Some(Close::Done), "done"),
    (Some(Close::Refused), "refused"),
    (Some(Close::Error), "error"),
    (Some(Close::Lost), "no answer"),
    (None, "under way"),
];
/// Height of a panel that few workers need not fill.
const PITCH_MOST: i32 = 22;
const HEIGHT_MOST: i32 = 320;

fn applies(view: &View) -> bool {
    view.contenders().any(|row| has(view, row))
}

fn has(view: &View, row: usize) -> bool {
    view.series_of(row)
        .strip
        .iter()
        .any(|line| !line.attempts.is_empty())
}

fn draw(view: &View) -> Picture {
    let (rows, remark) = stack::rows(view, |row| has(view, row));
    let about = format!("One line a worker, one dot an attempt · the first replication{remark}");
    let mut picture = Picture::new(CHART.title, &about);
    key(&mut picture, view, &rows);
    let until = rows
        .iter()
        .map(|&row| last(&view.series_of(row).strip))
        .fold(0.0, f64::max);
    let outage = view
        .scene
        .outages
        .iter()
        .map(|outage| outage.until)
        .fold(0.0, f64::max);
    let until =
        (until.max(outage).max(f64::MIN_POSITIVE) * 1.04).min(view.scene.duration.max(1e-9));
    let workers = rows
        .iter()
        .map(|&row| view.series_of(row).strip.len())
        .max()
        .unwrap_or(1);
    let pitch = (HEIGHT_MOST / i32::try_from(workers.max(1)).unwrap_or(1)).clamp(6, PITCH_MOST);
    let scales = |lines: i32| stack::Scales {
        x: (0.0, until),
        top: 1.0,
        height: lines * pitch + pitch,
        right: 0,
        dotted: false,
    };
    stack::head(&mut picture, &scales(1), &view.scene.outages);
    for (at, &row) in rows.iter().enumerate() {
        let strip = &view.series_of(row).strip;
        let lines = i32::try_from(strip.len()).unwrap_or(1);
        let plot = stack::panel(
            &mut picture,
            view,
            row,
            &view.row(row).about,
            &scales(lines),
        );
        stack::shade(&mut picture, &plot, &view.scene.outages);
        let floor = vec![(plot.left, plot.bottom), (plot.right, plot.bottom)];
        picture.line(floor, theme::IDEAL, theme::THIN);
        name_workers(&mut picture, &plot, strip, pitch);
        dots(&mut picture, &plot, strip, radius(strip, &plot, pitch));
        plot.draw_time(&mut picture, at + 1 == rows.len());
        picture.panels.push(plot.panel(" s"));
    }
    stack::close(&mut picture);
    picture
}

/// The numbers of the first and the last worker beside their lines.
fn name_workers(picture: &mut Picture, plot: &Plot, strip: &[StripRow], pitch: i32) {
    let look = Type::new(theme::SMALL, theme::SOFT).at(Anchor::End);
    let x = plot.left - theme::GAP;
    let ends = [
        (strip.first(), plot.top + pitch),
        (strip.last(), plot.bottom - pitch),
    ];
    let one = strip.len() < 2;
    for (line, y) in ends.into_iter().take(if one { 1 } else { 2 }) {
        if let Some(line) = line {
            picture.text((x, y + theme::SMALL / 3), &line.worker.to_string(), look);
        }
    }
}

fn last(strip: &[StripRow]) -> f64 {
    let all = strip.iter().flat_map(|line| &line.attempts);
    all.map(|attempt| attempt.at).fold(0.0, f64::max)
}

/// Dots shrink with the lines' pitch, and when a line holds very many.
fn radius(strip: &[StripRow], plot: &Plot, pitch: i32) -> u32 {
    let most = strip
        .iter()
        .map(|line| line.attempts.len())
        .max()
        .unwrap_or(1);
    let apart = (plot.right - plot.left) / i32::try_from(most.max(1)).unwrap_or(i32::MAX);
    let radius = (pitch * 2 / 5).min((apart / 2).max(2)).clamp(2, 8);
    radius.unsigned_abs()
}

/// Paints dots outcome by outcome, so that equal marks stand together.
fn dots(picture: &mut Picture, plot: &Plot, strip: &[StripRow], radius: u32) {
    let height = f64::from(plot.bottom - plot.top) / (strip.len() as f64 + 1.0);
    for (number, (close, _)) in OUTCOMES.iter().enumerate() {
        for (line, row) in strip.iter().enumerate() {
            let down = height * (line as f64 + 1.0) / f64::from(plot.bottom - plot.top);
            let y = plot.py(1.0 - down);
            let those = row
                .attempts
                .iter()
                .filter(|attempt| attempt.close == *close);
            for Attempt { at, .. } in those {
                outcome(picture, (plot.px(*at), y), number, radius);
            }
        }
    }
}

/// One attempt: a full dot, but a cross for no answer and a small one while under way.
fn outcome(picture: &mut Picture, (x, y): (i32, i32), number: usize, radius: u32) {
    let colour = theme::OUTCOMES[number];
    let r = i32::try_from(radius).unwrap_or(2);
    match OUTCOMES[number].0 {
        Some(Close::Lost) => {
            picture.line(vec![(x - r, y - r), (x + r, y + r)], colour, theme::THIN);
            picture.line(vec![(x - r, y + r), (x + r, y - r)], colour, theme::THIN);
        }
        Some(Close::Error) => {
            let diamond = vec![(x, y - r), (x + r, y), (x, y + r), (x - r, y)];
            picture.marks.push(Mark::Area(diamond, colour.into()));
        }
        Some(_) => picture.marks.push(Mark::Dot((x, y), radius, colour.into())),
        None => picture
            .marks
            .push(Mark::Dot((x, y), (radius / 2).max(2), colour.into())),
    }
}

/// The key: the outcomes that occur, at the right of the title.
fn key(picture: &mut Picture, view: &View, rows: &[usize]) {
    let occurs = |close: &Option<Close>| {
        let strips = rows.iter().flat_map(|&row| &view.series_of(row).strip);
        strips
            .flat_map(|line| &line.attempts)
            .any(|attempt| attempt.close == *close)
    };
    let y = theme::MARGIN + theme::TITLE / 2;
    let mut x = theme::WIDTH - theme::MARGIN;
    for (number, (close, word)) in OUTCOMES.iter().enumerate().rev() {
        if !occurs(close) {
            continue;
        }
        let look = Type::new(theme::SMALL, theme::INK).at(Anchor::End);
        picture.text((x, y + theme::SMALL / 3), word, look);
        x -= look.measure(word) + 16;
        outcome(picture, (x, y), number, 8);
        x -= 36;
    }
}
