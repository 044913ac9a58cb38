//! Cuts counted in buckets; only buckets that may contain the maximum are sorted.

use std::ops::Range;

use super::super::incremental::IncrementalConfusion;
use super::super::targets::Truth;
use super::count::Counted;
use super::curve::Curve;
use super::{Line, RowCut, buckets};
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::numeric::buckets::LogBuckets;
use crate::numeric::parallel;
use crate::numeric::tolerance::{cannot_reach, is_as_good};
use crate::plugin::ties::best_score;

impl<T: Real, Y: Truth> Line<'_, T, Y> {
    /// The factor at the best boundary between buckets, if it scores above `seen`; restores the confusion matrix.
    ///
    /// Nothing is sorted. A row whose cut lies on the boundary may be counted on the wrong side.
    pub(in super::super) fn best_boundary(
        &self,
        confusion: &mut IncrementalConfusion<'_, Y>,
        counted: &mut Counted<Y>,
        seen: f64,
    ) -> Result<Option<f64>, Error> {
        let Some(buckets) = buckets(self.top_twos.len(), self.n_classes, 1) else {
            return Ok(None);
        };
        let m = self.n_classes;
        self.count(buckets, counted);
        let moving = &counted.moving;
        let (mut best, mut factor) = (seen, None);
        confusion.sweep_boundaries(
            buckets.len,
            |confusion, bucket, is_back| {
                confusion.move_rows(&moving[bucket * m..(bucket + 1) * m], self.class, is_back);
                true
            },
            |bucket, score| {
                if let Some(score) = score.filter(|&score| !is_as_good(best, score)) {
                    (best, factor) = (score, Some(buckets.end(bucket)));
                }
            },
        );
        confusion.check()?;
        Ok(factor)
    }

    /// The sorted cuts of the buckets that may reach the best score seen.
    pub(super) fn sweep_selected(
        &self,
        buckets: LogBuckets,
        confusion: &mut IncrementalConfusion<'_, Y>,
        counted: &mut Counted<Y>,
        seen: f64,
    ) -> Curve {
        let m = self.n_classes;
        self.count(buckets, counted);
        let moving = std::mem::take(&mut counted.moving);
        let moving_in = |bucket: usize| &moving[bucket * m..(bucket + 1) * m];
        let is_filled =
            |bucket: &usize| moving_in(*bucket).iter().any(|moving| moving.total != Y::Sum::default());
        let filled: Vec<usize> = (0..buckets.len).filter(is_filled).collect();
        (0..buckets.len / 2).for_each(|bucket| confusion.move_rows(moving_in(bucket), self.class, true));
        let start = confusion.snapshot();
        confusion.update_all();
        let first = confusion.score();

        // The upper bound of each bucket, and the score after it.
        let mut bounds = vec![f64::NEG_INFINITY; buckets.len];
        let mut reached = first.max(seen);
        for &bucket in &filled {
            bounds[bucket] = confusion.bound(moving_in(bucket), self.class);
            confusion.move_rows(moving_in(bucket), self.class, false);
            confusion.update_all();
            reached = reached.max(confusion.score());
        }
        loop {
            confusion.restore(start.clone());
            let mut is_wanted = vec![false; buckets.len + 1];
            // The last interval of a bucket ends at the next cut, so the bucket after a wanted one is needed too.
            let mut is_before_wanted = !cannot_reach(first, reached);
            for &bucket in &filled {
                let may_be_best = !cannot_reach(bounds[bucket], reached);
                is_wanted[bucket] = may_be_best || is_before_wanted;
                is_before_wanted = may_be_best;
            }
            let row_cuts = self.row_cuts(buckets, counted, &is_wanted);
            let mut rest = &row_cuts[..];
            let mut curve = Curve::new(first);
            for &bucket in &filled {
                if is_wanted[bucket] {
                    let len = rest.partition_point(|row_cut| row_cut.place(buckets) <= bucket);
                    self.pass(&rest[..len], rest.get(len), confusion, &mut curve, reached);
                    rest = &rest[len..];
                } else {
                    confusion.move_rows(moving_in(bucket), self.class, false);
                    confusion.update_all();
                    curve.mark_gap();
                }
            }
            // The boundary may lie between cuts that no weight can separate; its score is then unreachable.
            if is_as_good(best_score(&curve), reached) || reached <= seen {
                counted.moving = moving;
                return curve;
            }
            reached = seen;
        }
    }

    /// The sorted cuts of the wanted buckets.
    fn row_cuts(&self, buckets: LogBuckets, counted: &mut Counted<Y>, is_wanted: &[bool]) -> Vec<RowCut> {
        let is_wanted_cut = |row_cut: &RowCut| is_wanted[row_cut.place(buckets)];
        let mut row_cuts: Vec<RowCut> = if counted.has_collected(is_wanted) {
            counted.row_cuts.iter().flatten().copied().filter(is_wanted_cut).collect()
        } else {
            let row_cuts =
                |rows: Range<usize>| rows.filter_map(|row| self.row_cut(row)).filter(is_wanted_cut);
            parallel::map(self.pieces(), |rows| row_cuts(rows).collect::<Vec<_>>()).concat()
        };
        parallel::sort(&mut row_cuts);
        counted.collect_near(is_wanted);
        row_cuts
    }
}
