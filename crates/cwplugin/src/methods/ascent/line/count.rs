//! One pass over the rows: counts their cuts in buckets, and collects some of them.

use std::hint::select_unpredictable;
use std::ops::Range;

use super::super::selected_rows::SelectedRows;
use super::super::targets::{Moving, Packed as _, Truth};
use super::super::top_twos::TopTwos;
use super::{Line, PIECE, RowCut};
use crate::data::probabilities::Real;
use crate::numeric::buckets::LogBuckets;
use crate::numeric::kernel::{BLOCK, Kernel};
use crate::numeric::{kernel, parallel};

/// The number of buckets on each side of one wanted in a search that later searches collect.
const MARGIN: u32 = 1;

/// Up to this fraction of the buckets is collected.
const FEW: usize = 4;

/// Rows counted together: fewer than [`super::super::targets::Packed`] can hold.
const LARGEST_PIECE: usize = 1 << 20;

/// Rows counted in buckets. Searches share one, because new memory costs more than counting.
pub(in super::super) struct Counted<Y: Truth> {
    /// The moving weight of every bucket by competing class.
    pub(super) moving: Vec<Moving<Y::Sum>>,
    /// The same for every piece of the rows.
    packed: Vec<Y::Packed>,
    /// The buckets around those that earlier searches wanted: searches want much the same.
    near: Range<u32>,
    /// The buckets whose cuts were collected with the last count: collecting them later takes another pass over the rows.
    collected: Range<u32>,
    /// The collected cuts of every piece.
    pub(super) row_cuts: Vec<Vec<RowCut>>,
}

impl<Y: Truth> Default for Counted<Y> {
    fn default() -> Self {
        Self { moving: Vec::new(), packed: Vec::new(), near: 0..0, collected: 0..0, row_cuts: Vec::new() }
    }
}

impl<Y: Truth> Counted<Y> {
    pub(super) fn has_collected(&self, is_wanted: &[bool]) -> bool {
        (0..).zip(is_wanted).all(|(bucket, &is_wanted)| !is_wanted || self.collected.contains(&bucket))
    }

    /// The next counts also collect these buckets and those next to them, unless that were many.
    pub(super) fn collect_near(&mut self, is_wanted: &[bool]) {
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

impl<T: Real, Y: Truth> Line<'_, T, Y> {
    /// Counts the moving weight of every bucket by competing class, and collects the cuts of some buckets.
    pub(super) fn count(&self, buckets: LogBuckets, counted: &mut Counted<Y>) {
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
        let (place, is_certain) = buckets.quick_place(product as f32, b as f32, weight, is_first);
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
