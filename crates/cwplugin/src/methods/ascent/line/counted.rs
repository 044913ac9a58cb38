//! Cuts counted in buckets; only buckets that may contain the maximum are sorted.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::super::incremental::IncrementalConfusion;
use super::super::selected_rows::SelectedRows;
use super::super::targets::{Moving, Packed as _, Truth};
use super::super::top_twos::TopTwos;
use super::curve::Curve;
use super::{Line, PIECE, RowCut, buckets};
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

    /// Counts the moving weight of every bucket by competing class, and collects the cuts of some buckets.
    fn count(&self, buckets: LogBuckets, counted: &mut Counted<Y>) {
        let counters = (buckets.len + 1) * self.n_classes;
        // Adding up the counters of a piece must cost less than counting its rows.
        let piece = PIECE.max((2 * counters).next_multiple_of(PIECE)).min(LARGEST_PIECE);
        let pieces = self.top_twos.len().div_ceil(piece);
        let Counted { moving, packed, near, collected, row_cuts } = counted;
        packed.clear();
        packed.resize(pieces * counters, Y::Packed::default());
        collected.clone_from(near);
        row_cuts.resize(pieces, Vec::new());
        let count = |(first_row, (packed, row_cuts)): (usize, (&mut [Y::Packed], &mut Vec<RowCut>))| {
            let rows = first_row..(first_row + piece).min(self.top_twos.len());
            kernel::run(Count { line: self, buckets, rows, packed, collected, row_cuts });
        };
        let pieces = packed.chunks_mut(counters).zip(row_cuts).enumerate();
        parallel::map(pieces.map(|(i, counted)| (i * piece, counted)).collect(), count);
        moving.clear();
        moving.resize(buckets.len * self.n_classes, Moving::default());
        for packed in packed.chunks(counters) {
            moving.iter_mut().zip(packed).for_each(|(all, &packed)| *all += packed.unpack());
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

/// The number of buckets on each side of one wanted in a search that later searches collect.
const MARGIN: u32 = 1;

/// Up to this fraction of the buckets is collected.
const FEW: usize = 4;

/// Rows counted together: fewer than [`super::super::targets::Packed`] can hold.
const LARGEST_PIECE: usize = 1 << 20;

/// Rows counted in buckets. Searches share one, because new memory costs more than counting.
pub(in super::super) struct Counted<Y: Truth> {
    /// The moving weight of every bucket by competing class.
    moving: Vec<Moving<Y::Sum>>,
    /// The same for every piece of the rows.
    packed: Vec<Y::Packed>,
    /// The buckets around those that earlier searches wanted: searches want much the same.
    near: Range<u32>,
    /// The buckets whose cuts were collected with the last count: collecting them later takes another pass over the rows.
    collected: Range<u32>,
    /// The collected cuts of every piece.
    row_cuts: Vec<Vec<RowCut>>,
}

impl<Y: Truth> Default for Counted<Y> {
    fn default() -> Self {
        Self { moving: Vec::new(), packed: Vec::new(), near: 0..0, collected: 0..0, row_cuts: Vec::new() }
    }
}

impl<Y: Truth> Counted<Y> {
    fn has_collected(&self, is_wanted: &[bool]) -> bool {
        (0..).zip(is_wanted).all(|(bucket, &is_wanted)| !is_wanted || self.collected.contains(&bucket))
    }

    /// The next counts also collect these buckets and those next to them, unless that were many.
    fn collect_near(&mut self, is_wanted: &[bool]) {
        let end = is_wanted.len() as u32 - 1; // the place of rows that no weight moves
        let mut near = self.near.clone();
        for (bucket, _) in (0..end).zip(is_wanted).filter(|&(_, &is_wanted)| is_wanted) {
            let wanted = bucket.saturating_sub(MARGIN)..(bucket + MARGIN + 1).min(end);
            near =
                if near.is_empty() { wanted } else { near.start.min(wanted.start)..near.end.max(wanted.end) };
        }
        if near.len() <= is_wanted.len() / FEW {
            self.near = near;
        }
    }
}

/// Counts the rows of one piece, and collects cuts.
struct Count<'a, T, Y: Truth> {
    line: &'a Line<'a, T, Y>,
    buckets: LogBuckets,
    rows: Range<usize>,
    packed: &'a mut [Y::Packed],
    collected: &'a Range<u32>,
    row_cuts: &'a mut Vec<RowCut>,
}

impl<T: Real, Y: Truth> Kernel for Count<'_, T, Y> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let (column, TopTwos { top, next, first, second, .. }) = (self.line.column, self.line.top_twos);
        self.row_cuts.clear();
        for row in self.rows.clone().step_by(BLOCK) {
            let block = (
                column[row..].first_chunk(),
                (top[row..].first_chunk(), next[row..].first_chunk()),
                (first[row..].first_chunk(), second[row..].first_chunk()),
            );
            if let (Some(b), (Some(top), Some(next)), (Some(first), Some(second))) = block {
                self.count(row, &Block { b, top, next, first, second });
            } else {
                // Missing rows have a product of 0, so no weight moves them.
                let b = padded(&column[row..], column[row]);
                let (top, next) = (padded(&top[row..], 0.0), padded(&next[row..], 0.0));
                let (first, second) = (padded(&first[row..], 0), padded(&second[row..], 0));
                let block = Block { b: &b, top: &top, next: &next, first: &first, second: &second };
                self.count(row, &block);
            }
        }
    }
}

impl<T: Real, Y: Truth> Count<'_, T, Y> {
    /// Computes buckets and summands of a block at once, then adds them one by one.
    #[inline(always)]
    fn count(&mut self, first_row: usize, block: &Block<'_, T>) {
        let Self { line, buckets, .. } = *self;
        let (k, m, weight) = (line.class as u32, line.n_classes as u32, line.weight as f32);
        let (mut tags, mut places) = ([0; BLOCK], [0; BLOCK]);
        let (mut counters, mut moving) = ([0; BLOCK], [Y::Packed::default(); BLOCK]);
        let rows = BLOCK.min(line.top_twos.len() - first_row);
        line.truth.tags(first_row, &mut tags[..rows]);
        let mut are_certain = true;
        for i in 0..BLOCK {
            let (place, competitor, is_certain) = block.quick_place(i, k, weight, buckets);
            are_certain &= is_certain;
            places[i] = place;
            counters[i] = place * m + competitor;
            moving[i] = Y::Packed::pack(line.truth.moving(tags[i], k as usize, competitor as usize));
        }
        if !are_certain {
            for i in 0..BLOCK {
                let (place, competitor) = block.exact_place(i, k, line.weight, buckets);
                places[i] = place;
                counters[i] = place * m + competitor;
            }
        }
        kernel::add_all(self.packed, &counters, &moving);
        let (start, len) = (self.collected.start, self.collected.end - self.collected.start);
        let collected = SelectedRows::of(places.iter().map(|&place| place.wrapping_sub(start) < len));
        for row in collected.rows(first_row) {
            if let Some(row_cut) = line.row_cut(row) {
                self.row_cuts.push(row_cut);
            }
        }
    }
}

/// A block of rows: the probability of the class being tuned, and the two best classes.
struct Block<'a, T> {
    b: &'a [T; BLOCK],
    top: &'a [f64; BLOCK],
    next: &'a [f64; BLOCK],
    first: &'a [u32; BLOCK],
    second: &'a [u32; BLOCK],
}

impl<T: Real> Block<'_, T> {
    /// Whether class `k` is the best of a row, the best other class and its product.
    #[inline(always)]
    fn competitor(&self, i: usize, k: u32) -> (bool, u32, f64) {
        let is_first = self.first[i] == k;
        // Not `if`: a choice between two places to read from would be a branch.
        let competitor = select_unpredictable(is_first, self.second[i], self.first[i]);
        (is_first, competitor, select_unpredictable(is_first, self.next[i], self.top[i]))
    }

    /// The bucket of a row for class `k`, its competitor, and whether the bucket is certain, in single precision.
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // a lazy one is a branch
    fn quick_place(&self, i: usize, k: u32, weight: f32, buckets: LogBuckets) -> (u32, u32, bool) {
        let (is_first, competitor, product) = self.competitor(i, k);
        let b: f64 = self.b[i].into();
        let (place, is_certain) = buckets.quick_place(product as f32, b as f32 * weight, is_first);
        // No weight moves a row if one of the two is 0.
        let is_none = (product <= 0.0) | (b <= 0.0);
        (if is_none { buckets.len as u32 } else { place }, competitor, is_certain | is_none)
    }

    #[inline(always)]
    fn exact_place(&self, i: usize, k: u32, weight: f64, buckets: LogBuckets) -> (u32, u32) {
        let (is_first, competitor, product) = self.competitor(i, k);
        (u32::from(buckets.place(product / (self.b[i].into() * weight), is_first)), competitor)
    }
}

/// The first block of fewer than [`BLOCK`] values, filled up.
fn padded<V: Copy>(values: &[V], fill: V) -> [V; BLOCK] {
    let mut block = [fill; BLOCK];
    block.iter_mut().zip(values).for_each(|(to, &from)| *to = from);
    block
}
