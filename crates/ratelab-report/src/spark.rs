//! Block characters: heights, and the tiny picture of a recovery in a table's cell.

use ratelab_stats::Timeline;

use crate::View;
use crate::figure::whole;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Cells of a recovery's picture.
const CELLS: usize = 8;

/// The block for a value under a peak; nothing for zero.
pub(crate) fn block(value: f64, peak: f64) -> char {
    if value <= 0.0 || peak <= 0.0 {
        return ' ';
    }
    let level = (value / peak * 8.0).ceil().clamp(1.0, 8.0);
    BLOCKS[whole(level).saturating_sub(1)]
}

/// The recoveries of all contenders on one scale: their time goes from the end of the outage to
/// the last request of any of them, the highest block is the fullest bin of all.
pub(crate) struct Sparks {
    bins_per_cell: usize,
    peak: f64,
}

impl Sparks {
    pub(crate) fn of(view: &View) -> Self {
        let close_ups = || {
            view.contenders()
                .filter_map(|row| view.series_of(row).close_up.as_ref())
        };
        let last = close_ups()
            .filter_map(|timeline| after(timeline).iter().rposition(|&mean| mean > 0.0))
            .max();
        Self {
            bins_per_cell: last.map_or(0, |last| (last + 1).div_ceil(CELLS)),
            peak: close_ups()
                .flat_map(|timeline| after(timeline).iter().copied())
                .fold(0.0, f64::max),
        }
    }

    /// The picture of one row; `None` without a close-up or when nobody sends anything.
    pub(crate) fn draw(&self, timeline: &Timeline) -> Option<String> {
        if self.bins_per_cell == 0 {
            return None;
        }
        let cells = after(timeline).chunks(self.bins_per_cell).take(CELLS);
        let text = cells.map(|cell| {
            let top = cell.iter().copied().fold(0.0, f64::max);
            match block(top, self.peak) {
                ' ' => '·',
                block => block,
            }
        });
        Some(text.collect())
    }
}

/// The bins from the end of the outage on: the close-up has one bin before it.
fn after(timeline: &Timeline) -> &[f64] {
    timeline.mean.get(1..).unwrap_or_default()
}
