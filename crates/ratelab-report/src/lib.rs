//! Numbers to paper: tables for terminals and machines, charts, and the report of an experiment.
//!
//! This crate computes no statistic. It formats a [`Summary`] and the [`Series`] beside its rows,
//! and it trusts no text in them: every name goes through [`escape`] on its way into a format.

pub mod chart;
pub mod column;
pub mod escape;
pub mod figure;
pub mod grid;
pub mod page;
mod spark;
pub mod table;
pub mod verdict;

use std::sync::LazyLock;

use ratelab_stats::{Row, Scene, Series, Summary};

static NOTHING: LazyLock<Series> = LazyLock::new(Series::default);

/// What every table, chart and page is made from.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The numbers.
    pub summary: &'a Summary,
    /// The series, one beside each row of the summary.
    pub series: &'a [Series],
    /// What all charts share.
    pub scene: &'a Scene,
}

impl<'a> View<'a> {
    /// A view of one run.
    pub const fn new(summary: &'a Summary, series: &'a [Series], scene: &'a Scene) -> Self {
        Self {
            summary,
            series,
            scene,
        }
    }

    /// The series beside a row; empty when there is none.
    pub fn series_of(&self, row: usize) -> &'a Series {
        self.series.get(row).unwrap_or(&NOTHING)
    }

    /// The row with its number.
    pub fn row(&self, row: usize) -> &'a Row {
        &self.summary.results[row]
    }

    /// The rows that compete, in order.
    pub fn contenders(&self) -> impl Iterator<Item = usize> + 'a {
        let rows = &self.summary.results;
        (0..rows.len()).filter(move |&row| !rows[row].arm)
    }

    /// The ideal arm at the sweep point of a row.
    pub fn ideal_of(&self, row: usize) -> Option<usize> {
        let point = &self.row(row).point;
        self.summary
            .results
            .iter()
            .position(|other| other.arm && other.variant == "ideal" && other.point == *point)
    }
}
