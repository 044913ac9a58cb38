//! The metric along the weight of one class, with the other weights fixed.

mod curve; // the intervals between cuts, and their scores
mod count; // one pass over the rows, which counts their cuts in buckets
mod counted; // cuts counted in buckets; only some are sorted
#[cfg(test)]
mod tests; // compares with predicting all rows again

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
pub(super) use count::Counted;
use curve::Curve;

/// Buckets reach from 2^−8 to 2^8 times the current weight; the outermost ones are open. Rows beyond are confident
/// predictions.
const OCTAVES: usize = 16;

/// At most 2^5 buckets per factor of 2: the counters of more would not fit the cache.
const DIGITS: u32 = 5;

/// Cuts after which estimates start again from the counts.
const SCREENED: usize = 1 << 16;

/// The number of buckets so that each counter covers `rows_each` rows; `None` if buckets do not pay off.
fn buckets(n_rows: usize, n_classes: usize, rows_each: usize) -> Option<LogBuckets> {
    let is_worthwhile = |digits: &u32| (OCTAVES * n_classes * rows_each) << digits <= n_rows;
    (0..=DIGITS).rev().find(is_worthwhile).map(buckets_with)
}

/// `2^digits` buckets per factor of 2.
fn buckets_with(digits: u32) -> LogBuckets {
    LogBuckets::around_one(digits, OCTAVES << digits)
}

/// The cut of one row: it moves from its best other class to the class being tuned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RowCut {
    /// The cut, and whether the current weight is at or below it.
    key: u64,
    tag: u32,
    competitor: u32,
}

impl RowCut {
    /// The factor on the current weight above which the row is predicted as the class.
    fn cut(&self) -> f64 {
        f64::from_bits(self.key >> 1)
    }

    fn place(&self, buckets: LogBuckets) -> usize {
        usize::from(buckets.place(self.cut(), self.key & 1 == 0))
    }
}

/// The class being tuned, and the rows.
pub(super) struct Line<'a, T, Y> {
    /// The class's probability in every row.
    pub(super) column: &'a [T],
    pub(super) truth: &'a Y,
    pub(super) top_twos: &'a TopTwos,
    pub(super) class: usize,
    pub(super) weight: f64,
    pub(super) n_classes: usize,
}

/// The maximum of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    /// The factor on the weight: the middle, in logarithms, of the widest best interval.
    pub(super) factor: f64,
    pub(super) score: f64,
    /// Whether every factor off a cut scores the same.
    pub(super) is_flat: bool,
}

impl<T: Real, Y: Truth> Line<'_, T, Y> {
    /// The maximum, if it is at least `seen`; restores the confusion matrix.
    pub(super) fn best(
        &self,
        confusion: &mut IncrementalConfusion<'_, Y>,
        metric: &dyn Metric,
        counted: &mut Counted<Y>,
        seen: f64,
    ) -> Result<Option<Place>, Error> {
        let can_skip = metric.is_monotone_by_class() && confusion.are_all_present();
        let buckets = buckets(self.top_twos.len(), self.n_classes, 4).filter(|_| can_skip);
        self.best_with(buckets.unwrap_or(LogBuckets::HALVES), confusion, counted, seen)
    }

    fn best_with(
        &self,
        buckets: LogBuckets,
        confusion: &mut IncrementalConfusion<'_, Y>,
        counted: &mut Counted<Y>,
        seen: f64,
    ) -> Result<Option<Place>, Error> {
        let now = confusion.snapshot();
        let curve = if buckets.len == 2 {
            self.sweep_all(buckets, confusion, seen)
        } else {
            self.sweep_selected(buckets, confusion, counted, seen)
        };
        confusion.restore(now);
        confusion.check()?;
        let choice = Ties::Middle.choose(&curve);
        let score = curve.scores[choice.index];
        let is_flat = choice.shape == Shape::Flat;
        let factor = curve.off_cuts(choice.log_odds).exp();
        Ok(is_as_good(score, seen).then_some(Place { factor, score, is_flat }))
    }

    /// The cut of a row; `None` if no weight changes its prediction.
    #[inline(always)]
    fn row_cut(&self, row: usize) -> Option<RowCut> {
        let k = self.class as u32;
        let (competitor, product) = self.top_twos.competitor(row, k);
        let cut = product / (self.column[row].into() * self.weight);
        // A probability of 0 in either class gives 0, infinity or NaN.
        (cut > 0.0 && cut < f64::INFINITY).then(|| {
            let key = cut.to_bits() << 1 | u64::from(self.top_twos.first[row] != k);
            RowCut { key, tag: self.truth.tag(row), competitor }
        })
    }

    fn pieces(&self) -> Vec<Range<usize>> {
        let n = self.top_twos.len();
        (0..n).step_by(PIECE).map(|first| first..(first + PIECE).min(n)).collect()
    }

    /// All cuts, sorted and scored.
    fn sweep_all(
        &self,
        buckets: LogBuckets,
        confusion: &mut IncrementalConfusion<'_, Y>,
        seen: f64,
    ) -> Curve {
        let row_cut = |row| self.row_cut(row);
        let row_cuts = parallel::map(self.pieces(), |rows| rows.filter_map(row_cut).collect::<Vec<_>>());
        let mut row_cuts = row_cuts.concat();
        parallel::sort(&mut row_cuts);
        // From the current weight down to 0.
        for row_cut in row_cuts.iter().take_while(|row_cut| row_cut.place(buckets) == 0) {
            confusion.move_row(row_cut.tag, self.class, row_cut.competitor as usize);
        }
        let mut curve = Curve::new(confusion.score());
        self.pass(&row_cuts, None, confusion, &mut curve, seen);
        curve
    }

    /// Passes cuts one by one and scores the intervals between distinct ones; `next` is the first cut after them. Scores
    /// clearly below `seen`, or below the best so far, are estimates.
    fn pass(
        &self,
        row_cuts: &[RowCut],
        next: Option<&RowCut>,
        confusion: &mut IncrementalConfusion<'_, Y>,
        curve: &mut Curve,
        mut seen: f64,
    ) {
        for (i, row_cut) in row_cuts.iter().enumerate() {
            if i.is_multiple_of(SCREENED) {
                confusion.begin_screening();
            }
            confusion.move_row(row_cut.tag, row_cut.competitor as usize, self.class);
            let next = row_cuts.get(i + 1).or(next);
            if next.is_none_or(|next| !is_one_cut(row_cut.cut(), next.cut())) {
                let score = confusion.score_near(seen);
                seen = seen.max(score);
                curve.push(row_cut.cut(), score);
            }
        }
        confusion.end_screening();
    }
}
