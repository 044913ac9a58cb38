//! Every cut of one class's weight, while the others stay: where the whole metric is best.

mod curve; // the stretches between cuts, and their scores
#[cfg(test)]
mod tests; // against predicting all rows anew

use std::ops::Range;

use super::ledger::Ledger;
use super::standings::{PIECE, Standing};
use super::targets::{Moving, Truth};
use crate::probabilities::Real;
use crate::ties::{Shape, is_as_good, is_hopeless};
use crate::{Error, Metric, Ties, parallel};
use curve::Curve;

/// Buckets reach from 2^−16 to 2^16 times the present weight, the outermost ones further.
const OCTAVES: usize = 32;

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
}

/// No bucket: a row that no weight moves.
const NOWHERE: u16 = u16::MAX;

/// One class and what all rows say about its weight.
pub(super) struct Line<'a, T, Y> {
    /// The class's probability in every row.
    pub(super) column: &'a [T],
    pub(super) truth: &'a Y,
    pub(super) standings: &'a [Standing],
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
    /// Whether the weight makes no difference at all.
    pub(super) is_flat: bool,
}

/// Cuts by size, in about even steps of their logarithm; one boundary is the present weight.
#[derive(Debug, Clone, Copy)]
struct Buckets {
    /// Of a cut's bits, the last so many do not matter.
    shift: u32,
    len: usize,
}

impl Buckets {
    /// As many as pay, or two where nothing can be passed over.
    fn new(n_rows: usize, n_classes: usize, can_skip: bool) -> Self {
        let per_octave = (0..=3).rev().find(|digits| (OCTAVES * n_classes * 2) << digits <= n_rows);
        match per_octave.filter(|_| can_skip) {
            Some(digits) => Self::with_digits(digits),
            None => Self { shift: 63, len: 2 },
        }
    }

    /// `2^digits` buckets for each doubling.
    fn with_digits(digits: u32) -> Self {
        Self { shift: 52 - digits, len: OCTAVES << digits }
    }

    #[inline(always)]
    fn of(self, key: u64) -> usize {
        let half = self.len / 2;
        let one = 1.0_f64.to_bits() >> self.shift;
        let place = ((key >> 1 >> self.shift) + half as u64).saturating_sub(one) as usize;
        if key & 1 == 0 { place.min(half - 1) } else { place.clamp(half, self.len - 1) }
    }
}

impl<T: Real, Y: Truth> Line<'_, T, Y> {
    /// The best place that is at least as good as `seen`, if there is any; leaves the ledger as it was.
    ///
    /// # Errors
    ///
    /// If the metric is not finite somewhere.
    pub(super) fn best<M: Metric + ?Sized>(
        &self,
        ledger: &mut Ledger<'_, Y, M>,
        metric: &M,
        seen: f64,
    ) -> Result<Option<Place>, Error> {
        let can_skip = metric.is_monotone_by_class() && ledger.are_all_present();
        self.best_with(Buckets::new(self.standings.len(), self.n_classes, can_skip), ledger, seen)
    }

    fn best_with<M: Metric + ?Sized>(
        &self,
        buckets: Buckets,
        ledger: &mut Ledger<'_, Y, M>,
        seen: f64,
    ) -> Result<Option<Place>, Error> {
        let now = ledger.counts().clone();
        let curve = if buckets.len == 2 {
            self.sweep_all(buckets, ledger)
        } else {
            self.sweep_some(buckets, ledger, seen)
        };
        ledger.restore(now);
        ledger.check()?;
        let choice = Ties::Middle.choose(&curve);
        let score = curve.scores[choice.index];
        let is_flat = choice.shape == Shape::Flat;
        Ok(is_as_good(score, seen).then(|| Place { factor: choice.log_odds.exp(), score, is_flat }))
    }

    /// The class's cut in a row; `None` if no weight makes a difference.
    #[inline(always)]
    fn key(&self, standing: &Standing, b: T) -> Option<(u64, u32)> {
        let k = self.class as u32;
        let (rival, product) = standing.rival(k);
        let cut = product / (b.into() * self.weight);
        // Nothing in either class gives 0, infinity or not a number.
        (cut > 0.0 && cut < f64::INFINITY)
            .then(|| (cut.to_bits() << 1 | u64::from(standing.first != k), rival))
    }

    fn rows(&self, rows: Range<usize>) -> impl Iterator<Item = (usize, &Standing, T)> {
        let column = &self.column[rows.clone()];
        rows.clone().zip(&self.standings[rows]).zip(column).map(|((row, standing), &b)| (row, standing, b))
    }

    fn pieces(&self) -> Vec<Range<usize>> {
        let n = self.standings.len();
        (0..n).step_by(PIECE).map(|first| first..(first + PIECE).min(n)).collect()
    }

    /// Every cut in order.
    fn sweep_all<M: Metric + ?Sized>(&self, buckets: Buckets, ledger: &mut Ledger<'_, Y, M>) -> Curve {
        let mark = |(row, standing, b)| {
            self.key(standing, b).map(|(key, rival)| Mark { key, tag: self.truth.tag(row), rival })
        };
        let marks = parallel::map(self.pieces(), |rows| self.rows(rows).filter_map(mark).collect::<Vec<_>>());
        let mut marks = marks.concat();
        parallel::sort(&mut marks);
        // From the present weight down to none.
        for mark in marks.iter().take_while(|mark| buckets.of(mark.key) == 0) {
            ledger.move_row(mark.tag, self.class, mark.rival as usize);
        }
        let mut curve = Curve::new(ledger.score());
        self.pass(&marks, None, ledger, &mut curve);
        curve
    }

    /// Passes cuts one by one, and scores the stretches between those that differ; `next` is the first cut behind them.
    fn pass<M: Metric + ?Sized>(
        &self,
        marks: &[Mark],
        next: Option<&Mark>,
        ledger: &mut Ledger<'_, Y, M>,
        curve: &mut Curve,
    ) {
        for (i, mark) in marks.iter().enumerate() {
            ledger.move_row(mark.tag, mark.rival as usize, self.class);
            let next = marks.get(i + 1).or(next);
            if next.is_none_or(|next| curve::differ(mark.cut(), next.cut())) {
                curve.push(mark.cut(), ledger.score());
            }
        }
    }

    /// The cuts of those buckets in order that may hold something as good as what was seen.
    fn sweep_some<M: Metric + ?Sized>(
        &self,
        buckets: Buckets,
        ledger: &mut Ledger<'_, Y, M>,
        seen: f64,
    ) -> Curve {
        let m = self.n_classes;
        let (moving, places) = self.count(buckets);
        let moving_in = |bucket: usize| &moving[bucket * m..(bucket + 1) * m];
        let is_filled =
            |bucket: &usize| moving_in(*bucket).iter().any(|moving| moving.total != Y::Sum::default());
        let filled: Vec<usize> = (0..buckets.len).filter(is_filled).collect();
        (0..buckets.len / 2).for_each(|bucket| ledger.move_rows(moving_in(bucket), self.class, true));
        let start = ledger.counts().clone();
        ledger.show_all();
        let first = ledger.score();

        // What each bucket could be at best, and what is on its far side.
        let mut hopes = vec![f64::NEG_INFINITY; buckets.len];
        let mut reached = first.max(seen);
        for &bucket in &filled {
            hopes[bucket] = ledger.hope(moving_in(bucket), self.class);
            ledger.move_rows(moving_in(bucket), self.class, false);
            ledger.show_all();
            reached = reached.max(ledger.score());
        }
        loop {
            ledger.restore(start.clone());
            let mut is_wanted = vec![false; buckets.len];
            // A stretch reaches to the next cut, so the bucket behind one that is wanted is wanted too.
            let mut is_before_wanted = !is_hopeless(first, reached);
            for &bucket in &filled {
                let is_hopeful = !is_hopeless(hopes[bucket], reached);
                is_wanted[bucket] = is_hopeful || is_before_wanted;
                is_before_wanted = is_hopeful;
            }
            let marks = self.marks(&places, &is_wanted);
            let mut rest = &marks[..];
            let mut curve = Curve::new(first);
            for &bucket in &filled {
                if is_wanted[bucket] {
                    let len = rest.partition_point(|mark| buckets.of(mark.key) <= bucket);
                    self.pass(&rest[..len], rest.get(len), ledger, &mut curve);
                    rest = &rest[len..];
                } else {
                    ledger.move_rows(moving_in(bucket), self.class, false);
                    ledger.show_all();
                    curve.break_off();
                }
            }
            // Between two buckets may lie cuts that no weight can tell apart; what was reached there cannot be had.
            if is_as_good(curve.best(), reached) || reached <= seen {
                return curve;
            }
            reached = seen;
        }
    }

    /// What the rows of every bucket bring, by rival; and the bucket of every row.
    fn count(&self, buckets: Buckets) -> (Vec<Moving<Y::Sum>>, Vec<Vec<u16>>) {
        let m = self.n_classes;
        let counted = parallel::map(self.pieces(), |rows| {
            let mut packed = vec![Y::Packed::default(); buckets.len * m];
            let places: Vec<u16> = self
                .rows(rows)
                .map(|(row, standing, b)| {
                    let Some((key, rival)) = self.key(standing, b) else {
                        return NOWHERE;
                    };
                    let bucket = buckets.of(key);
                    let tag = self.truth.tag(row);
                    packed[bucket * m + rival as usize] += self.truth.pack(tag, self.class, rival as usize);
                    bucket as u16
                })
                .collect();
            (packed, places)
        });
        let mut moving = vec![Moving::default(); buckets.len * m];
        for (packed, _) in &counted {
            moving.iter_mut().zip(packed).for_each(|(all, &packed)| *all += Y::unpack(packed));
        }
        (moving, counted.into_iter().map(|(_, places)| places).collect())
    }

    /// The cuts in some buckets, in order.
    fn marks(&self, places: &[Vec<u16>], is_wanted: &[bool]) -> Vec<Mark> {
        let pieces = self.pieces().into_iter().zip(places).collect();
        let marks = parallel::map(pieces, |(rows, places): (Range<usize>, &Vec<u16>)| {
            let wanted = self
                .rows(rows)
                .zip(places)
                .filter(|&(_, &place)| place != NOWHERE && is_wanted[usize::from(place)]);
            let mark = |((row, standing, b), _)| {
                self.key(standing, b).map(|(key, rival)| Mark { key, tag: self.truth.tag(row), rival })
            };
            wanted.filter_map(mark).collect::<Vec<_>>()
        });
        let mut marks = marks.concat();
        parallel::sort(&mut marks);
        marks
    }
}
