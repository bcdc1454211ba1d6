//! Plots and axes: where a value stands, and ticks that people can read.

use super::picture::{Anchor, Panel, Picture, Place, Type};
use super::theme;
use crate::figure;

/// A rectangle with two scales.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plot {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
    /// The ends of the horizontal scale.
    pub(crate) x: (f64, f64),
    /// The ends of the vertical scale.
    pub(crate) y: (f64, f64),
}

#[allow(clippy::cast_possible_truncation)]
fn between(share: f64, from: i32, to: i32) -> i32 {
    let share = if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        0.0
    };
    (f64::from(from) + share * f64::from(to - from)).round() as i32
}

impl Plot {
    /// Where a horizontal value stands; outside values stand at the edge.
    pub(crate) fn px(&self, x: f64) -> i32 {
        between(
            (x - self.x.0) / (self.x.1 - self.x.0),
            self.left,
            self.right,
        )
    }

    /// Where a vertical value stands.
    pub(crate) fn py(&self, y: f64) -> i32 {
        between(
            (y - self.y.0) / (self.y.1 - self.y.0),
            self.bottom,
            self.top,
        )
    }

    /// The same as a panel to read.
    pub(crate) fn panel(&self, unit: &str) -> Panel {
        Panel {
            frame: [self.left, self.top, self.right, self.bottom],
            ends: [self.x.0, self.x.1],
            unit: unit.to_owned(),
            names: Vec::new(),
            readings: Vec::new(),
        }
    }

    /// A step line through bins: each value holds from its edge to the next.
    pub(crate) fn steps(&self, edges: impl Fn(usize) -> f64, values: &[f64]) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        for (bin, value) in values.iter().enumerate() {
            let (from, until) = (edges(bin), edges(bin + 1));
            if from >= self.x.1 || until <= self.x.0 {
                continue;
            }
            let y = self.py(*value);
            match places.last_mut() {
                Some(last) if last.1 == y => last.0 = self.px(until),
                _ => places.extend([(self.px(from), y), (self.px(until), y)]),
            }
        }
        places
    }

    /// A step line that leaves out what lies on the floor, as one line per stretch.
    pub(crate) fn hills(&self, edges: impl Fn(usize) -> f64, values: &[f64]) -> Vec<Vec<Place>> {
        let places = self.steps(edges, values);
        let mut hills: Vec<Vec<Place>> = Vec::new();
        for pair in places.windows(2) {
            if pair[0].1 == self.bottom && pair[1].1 == self.bottom {
                continue;
            }
            match hills.last_mut() {
                Some(hill) if hill.last() == Some(&pair[0]) => hill.push(pair[1]),
                _ => hills.push(pair.to_vec()),
            }
        }
        hills
    }

    /// Lines of the mesh and labels at the left, from zero up.
    pub(crate) fn draw_y(&self, picture: &mut Picture, most: usize, whole: bool) {
        let look = Type::new(theme::SMALL, theme::SOFT).at(Anchor::End);
        for tick in ticks(self.y, most, whole) {
            let y = self.py(tick);
            let ink = if tick == 0.0 {
                theme::IDEAL
            } else {
                theme::MESH
            };
            picture.line(vec![(self.left, y), (self.right, y)], ink, theme::THIN);
            let place = (self.left - theme::GAP, y + theme::SMALL / 3);
            picture.text(place, &figure::short(tick), look);
        }
    }

    /// Ticks of time on the lower edge, with labels when `labelled`.
    pub(crate) fn draw_time(&self, picture: &mut Picture, labelled: bool) {
        let look = Type::new(theme::SMALL, theme::SOFT).at(Anchor::Middle);
        let ticks = time_ticks(self.x);
        // One unit for the whole axis: minutes only when every tick is a whole number of them.
        let minutes = self.x.1 >= 120.0 && ticks.iter().all(|tick| tick % 60.0 == 0.0);
        for tick in ticks {
            let x = self.px(tick);
            picture.line(
                vec![(x, self.bottom), (x, self.bottom + 8)],
                theme::IDEAL,
                theme::THIN,
            );
            if labelled {
                let label = time_label(tick, minutes);
                let most = theme::WIDTH - theme::GAP - look.measure(&label) / 2;
                let place = (x.min(most), self.bottom + theme::SMALL + 16);
                picture.text(place, &label, look);
            }
        }
    }
}

fn time_label(tick: f64, minutes: bool) -> String {
    if minutes {
        format!("{} min", figure::number(tick / 60.0))
    } else {
        format!("{} s", figure::number(tick))
    }
}

/// A step of 1, 2 or 5 times a power of ten, not smaller than `least`.
fn nice(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|s| s * power >= least * 0.999);
    step.unwrap_or(10.0) * power
}

fn multiples((from, until): (f64, f64), step: f64) -> Vec<f64> {
    if !(step > 0.0 && until > from) || (until - from) / step > 100.0 {
        return Vec::new();
    }
    let first = (from / step - 1e-9).ceil();
    let count = figure::whole((until / step - first + 1e-9).floor().max(-1.0) + 1.0);
    // Rounded, so that 0.1 times 3 reads 0.3.
    let tidy = |x: f64| (x * 1e9).round() / 1e9;
    (0..count)
        .map(|n| tidy((first + n as f64) * step))
        .collect()
}

/// At most about `most` ticks; whole numbers when the values are.
pub(crate) fn ticks(range: (f64, f64), most: usize, whole: bool) -> Vec<f64> {
    let step = nice((range.1 - range.0) / most.max(1) as f64);
    multiples(
        range,
        if whole && range.1 >= 1.0 {
            step.max(1.0)
        } else {
            step
        },
    )
}

/// Ticks of time: steps that divide minutes and hours.
fn time_ticks(range: (f64, f64)) -> Vec<f64> {
    const STEPS: [f64; 10] = [
        10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0,
    ];
    let least = (range.1 - range.0) / 10.0;
    let step = if least <= 5.0 {
        nice(least)
    } else {
        STEPS
            .into_iter()
            .find(|step| *step >= least)
            .unwrap_or_else(|| nice(least / 3600.0) * 3600.0)
    };
    multiples(range, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_numbers_people_use() {
        assert_eq!(ticks((0.0, 4.3), 3, true), [0.0, 2.0, 4.0]);
        assert_eq!(ticks((0.0, 0.35), 4, false), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(ticks((0.0, 1.08), 3, true), [0.0, 1.0]);
        assert_eq!(
            time_ticks((0.0, 60.0)),
            [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]
        );
        assert_eq!(time_ticks((0.0, 600.0)).len(), 11);
        assert!(ticks((0.0, 0.0), 3, true).is_empty());
    }
}
