//! Every cut of one class's weight, while the others stay: where the whole metric is best.

mod curve; // the stretches between cuts, and their scores
mod counted; // cuts counted in buckets, and those that matter
#[cfg(test)]
mod tests; // against predicting all rows anew

use std::ops::Range;

use super::incremental::IncrementalConfusion;
use super::targets::Truth;
use super::top_twos::{PIECE, TopTwos};
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::metric::Metric;
use crate::numeric::buckets::LogBuckets;
use crate::numeric::parallel;
use crate::numeric::tolerance::{is_as_good, is_one_cut};
use crate::plugin::Ties;
use crate::plugin::ties::Shape;
use curve::Curve;

/// Buckets reach from 2^−8 to 2^8 times the present weight, the outermost ones further: beyond are the rows of which
/// the black box is sure.
const OCTAVES: usize = 16;

/// At most 2^5 buckets for each doubling: with more, their counters leave the cache and cost more than they save.
const DIGITS: u32 = 5;

/// As many buckets as pay, if each counter is to stand for so many rows; `None` if none do.
fn buckets(n_rows: usize, n_classes: usize, rows_each: usize) -> Option<LogBuckets> {
    let pays = |digits: &u32| (OCTAVES * n_classes * rows_each) << digits <= n_rows;
    (0..=DIGITS).rev().find(pays).map(buckets_with)
}

/// `2^digits` buckets for each doubling.
fn buckets_with(digits: u32) -> LogBuckets {
    LogBuckets::around_one(digits, OCTAVES << digits)
}

/// A row that goes from its best other class to the class in question once that is heavy enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    /// The cut, and whether the present weight is at or below it.
    key: u64,
    tag: u32,
    rival: u32,
}

impl Mark {
    /// The factor on the present weight from which on the row goes to the class.
    fn cut(&self) -> f64 {
        f64::from_bits(self.key >> 1)
    }

    fn place(&self, buckets: LogBuckets) -> usize {
        usize::from(buckets.place(self.cut(), self.key & 1 == 0))
    }
}

/// One class and what all rows say about its weight.
pub(super) struct Line<'a, T, Y> {
    /// The class's probability in every row.
    pub(super) column: &'a [T],
    pub(super) truth: &'a Y,
    pub(super) top_twos: &'a TopTwos,
    pub(super) class: usize,
    pub(super) weight: f64,
    pub(super) n_classes: usize,
}

/// The best place on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    /// By how much to multiply the weight: the middle, in logarithms, of the widest of the best stretches.
    pub(super) factor: f64,
    pub(super) score: f64,
    /// Whether the weight makes no difference, but where it is on a cut.
    pub(super) is_flat: bool,
}

impl<T: Real, Y: Truth> Line<'_, T, Y> {
    /// The best place that is at least as good as `seen`, if there is any; leaves the confusion as it was.
    ///
    /// # Errors
    ///
    /// If the metric is not finite somewhere.
    pub(super) fn best<M: Metric + ?Sized>(
        &self,
        confusion: &mut IncrementalConfusion<'_, Y, M>,
        metric: &M,
        seen: f64,
    ) -> Result<Option<Place>, Error> {
        let can_skip = metric.is_monotone_by_class() && confusion.are_all_present();
        let buckets = buckets(self.top_twos.len(), self.n_classes, 4).filter(|_| can_skip);
        self.best_with(buckets.unwrap_or(LogBuckets::HALVES), confusion, seen)
    }

    fn best_with<M: Metric + ?Sized>(
        &self,
        buckets: LogBuckets,
        confusion: &mut IncrementalConfusion<'_, Y, M>,
        seen: f64,
    ) -> Result<Option<Place>, Error> {
        let now = confusion.snapshot();
        let curve = if buckets.len == 2 {
            self.sweep_all(buckets, confusion)
        } else {
            self.sweep_some(buckets, confusion, seen)
        };
        confusion.restore(now);
        confusion.check()?;
        let choice = Ties::Middle.choose(&curve);
        let score = curve.scores[choice.index];
        let is_flat = choice.shape == Shape::Flat;
        let factor = curve.beside_cuts(choice.log_odds).exp();
        Ok(is_as_good(score, seen).then_some(Place { factor, score, is_flat }))
    }

    /// The class's cut in a row; `None` if no weight makes a difference.
    #[inline(always)]
    fn mark(&self, row: usize) -> Option<Mark> {
        let k = self.class as u32;
        let (rival, product) = self.top_twos.rival(row, k);
        let cut = product / (self.column[row].into() * self.weight);
        // Nothing in either class gives 0, infinity or not a number.
        (cut > 0.0 && cut < f64::INFINITY).then(|| {
            let key = cut.to_bits() << 1 | u64::from(self.top_twos.first[row] != k);
            Mark { key, tag: self.truth.tag(row), rival }
        })
    }

    fn pieces(&self) -> Vec<Range<usize>> {
        let n = self.top_twos.len();
        (0..n).step_by(PIECE).map(|first| first..(first + PIECE).min(n)).collect()
    }

    /// Every cut in order.
    fn sweep_all<M: Metric + ?Sized>(
        &self,
        buckets: LogBuckets,
        confusion: &mut IncrementalConfusion<'_, Y, M>,
    ) -> Curve {
        let mark = |row| self.mark(row);
        let marks = parallel::map(self.pieces(), |rows| rows.filter_map(mark).collect::<Vec<_>>());
        let mut marks = marks.concat();
        parallel::sort(&mut marks);
        // From the present weight down to none.
        for mark in marks.iter().take_while(|mark| mark.place(buckets) == 0) {
            confusion.move_row(mark.tag, self.class, mark.rival as usize);
        }
        let mut curve = Curve::new(confusion.score());
        self.pass(&marks, None, confusion, &mut curve);
        curve
    }

    /// Passes cuts one by one, and scores the stretches between those that differ; `next` is the first cut behind them.
    fn pass<M: Metric + ?Sized>(
        &self,
        marks: &[Mark],
        next: Option<&Mark>,
        confusion: &mut IncrementalConfusion<'_, Y, M>,
        curve: &mut Curve,
    ) {
        for (i, mark) in marks.iter().enumerate() {
            confusion.move_row(mark.tag, mark.rival as usize, self.class);
            let next = marks.get(i + 1).or(next);
            if next.is_none_or(|next| !is_one_cut(mark.cut(), next.cut())) {
                curve.push(mark.cut(), confusion.score());
            }
        }
    }
}
