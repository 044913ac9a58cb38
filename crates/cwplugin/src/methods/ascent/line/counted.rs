//! Cuts counted in buckets; only buckets that may contain the maximum are sorted.

use std::ops::Range;

use super::super::incremental::IncrementalConfusion;
use super::super::targets::{Moving, Packed as _, Truth};
use super::curve::Curve;
use super::{Line, RowCut, buckets};
use crate::data::probabilities::Real;
use crate::error::Error;
use crate::numeric::buckets::LogBuckets;
use crate::numeric::kernel::{BLOCK, Kernel};
use crate::numeric::tolerance::{cannot_reach, is_as_good};
use crate::numeric::{kernel, parallel};
use crate::plugin::ties::best_score;

impl<T: Real, Y: Truth> Line<'_, T, Y> {
    /// The factor at the best boundary between buckets, if it scores above `seen`; restores the confusion matrix.
    ///
    /// Nothing is sorted. A row whose cut lies on the boundary may be counted on the wrong side.
    pub(in super::super) fn best_boundary(
        &self,
        confusion: &mut IncrementalConfusion<'_, Y>,
        seen: f64,
    ) -> Result<Option<f64>, Error> {
        let Some(buckets) = buckets(self.top_twos.len(), self.n_classes, 1) else {
            return Ok(None);
        };
        let m = self.n_classes;
        let (moving, _) = self.count(buckets);
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
        seen: f64,
    ) -> Curve {
        let m = self.n_classes;
        let (moving, places) = self.count(buckets);
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
            let mut is_wanted = vec![false; buckets.len];
            // The last interval of a bucket ends at the next cut, so the bucket after a wanted one is needed too.
            let mut is_before_wanted = !cannot_reach(first, reached);
            for &bucket in &filled {
                let may_be_best = !cannot_reach(bounds[bucket], reached);
                is_wanted[bucket] = may_be_best || is_before_wanted;
                is_before_wanted = may_be_best;
            }
            let row_cuts = self.row_cuts(&places, &is_wanted);
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
                return curve;
            }
            reached = seen;
        }
    }

    /// The moving weight of every bucket by competing class, and the bucket of every row.
    fn count(&self, buckets: LogBuckets) -> (Vec<Moving<Y::Sum>>, Vec<Vec<u16>>) {
        let counted = parallel::map(self.pieces(), |rows| kernel::run(Count { line: self, buckets, rows }));
        let mut moving = vec![Moving::default(); buckets.len * self.n_classes];
        for (packed, _) in &counted {
            moving.iter_mut().zip(packed).for_each(|(all, &packed)| *all += packed.unpack());
        }
        (moving, counted.into_iter().map(|(_, places)| places).collect())
    }

    /// The sorted cuts of the wanted buckets.
    fn row_cuts(&self, places: &[Vec<u16>], is_wanted: &[bool]) -> Vec<RowCut> {
        let pieces = self.pieces().into_iter().zip(places).collect();
        let row_cuts = parallel::map(pieces, |(rows, places): (Range<usize>, &Vec<u16>)| {
            // Rows that no weight moves have an index past the last bucket.
            let is_wanted = |place: u16| is_wanted.get(usize::from(place)) == Some(&true);
            let wanted = rows.zip(places).filter(|&(_, &place)| is_wanted(place));
            wanted.filter_map(|(row, _)| self.row_cut(row)).collect::<Vec<_>>()
        });
        let mut row_cuts = row_cuts.concat();
        parallel::sort(&mut row_cuts);
        row_cuts
    }
}

/// Counts rows in buckets: the counters, and the bucket of every row; past the last bucket if no weight moves the row.
struct Count<'a, T, Y> {
    line: &'a Line<'a, T, Y>,
    buckets: LogBuckets,
    rows: Range<usize>,
}

impl<T: Real, Y: Truth> Kernel for Count<'_, T, Y> {
    type Output = (Vec<Y::Packed>, Vec<u16>);

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { line, buckets, rows } = self;
        let (m, k, top_twos) = (line.n_classes, line.class as u32, line.top_twos);
        let mut packed = vec![Y::Packed::default(); (buckets.len + 1) * m];
        let mut places = vec![0_u16; rows.len()];
        // Computes cuts and buckets of a block at once, then updates the counters one by one.
        for (block, places) in places.chunks_mut(BLOCK).enumerate() {
            let first_row = rows.start + block * BLOCK;
            let rows = first_row..first_row + places.len();
            let mut competitors = [0_u32; BLOCK];
            let products = top_twos.top[rows.clone()].iter().zip(&top_twos.next[rows.clone()]);
            let classes = top_twos.first[rows.clone()].iter().zip(&top_twos.second[rows.clone()]);
            let read = products.zip(classes).zip(&line.column[rows.clone()]);
            for ((place, competitor), (((&top, &next), (&first, &second)), &b)) in
                places.iter_mut().zip(&mut competitors).zip(read)
            {
                let is_first = first == k;
                *competitor = if is_first { second } else { first };
                let cut = if is_first { next } else { top } / (b.into() * line.weight);
                *place = buckets.place(cut, is_first);
            }
            for ((row, &place), &competitor) in rows.zip(&*places).zip(&competitors) {
                packed[usize::from(place) * m + competitor as usize] +=
                    Y::Packed::pack(line.truth.moving(line.truth.tag(row), line.class, competitor as usize));
            }
        }
        packed.truncate(buckets.len * m);
        (packed, places)
    }
}
