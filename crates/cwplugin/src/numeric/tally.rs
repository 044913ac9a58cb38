//! Weighted counts with exact sums.

use std::ops::{Range, RangeInclusive};

use crate::numeric::exact_sum::ExactSum;
use crate::numeric::kernel;

/// Number and weight of rows per cell ("place"). Sums are exact, so they do not depend on order or grouping.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tally {
    rows: Vec<u64>,
    /// `None`: every row has weight 1.
    weights: Option<Vec<ExactSum>>,
}

impl Tally {
    /// Zero in every place.
    pub(crate) fn new(places: usize, is_weighted: bool) -> Self {
        let weights = is_weighted.then(|| vec![ExactSum::default(); places]);
        Self { rows: vec![0; places], weights }
    }

    /// Drops the last place.
    pub(crate) fn without_last(mut self) -> Self {
        self.rows.pop();
        self.weights.as_mut().map(Vec::pop);
        self
    }

    pub(crate) fn places(&self) -> usize {
        self.rows.len()
    }

    /// Resets these places to zero.
    pub(crate) fn clear(&mut self, places: Range<usize>) {
        self.rows[places.clone()].fill(0);
        if let Some(weights) = &mut self.weights {
            weights[places].fill(ExactSum::default());
        }
    }

    /// Cumulative weights over these places.
    pub(crate) fn running_weights(&self, places: Range<usize>) -> Vec<f64> {
        match &self.weights {
            None => {
                let mut sum = 0;
                let add = |&rows: &u64| {
                    sum += rows;
                    sum as f64
                };
                self.rows[places].iter().map(add).collect()
            }
            Some(weights) => {
                let mut sum = ExactSum::default();
                let add = |weight: &ExactSum| {
                    sum.merge(weight);
                    sum.value()
                };
                weights[places].iter().map(add).collect()
            }
        }
    }

    pub(crate) fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// Number and weight of the rows in these places.
    pub(crate) fn sum(&self, places: RangeInclusive<usize>) -> (u64, ExactSum) {
        let rows = total(&self.rows[places.clone()]);
        match &self.weights {
            None => (rows, ExactSum::of_count(rows)),
            Some(weights) => {
                let mut sum = ExactSum::default();
                weights[places].iter().for_each(|weight| sum.merge(weight));
                (rows, sum)
            }
        }
    }

    /// Number of rows in a place.
    pub(crate) fn rows(&self, place: usize) -> u64 {
        self.rows[place]
    }

    /// Number of rows in all places.
    pub(crate) fn all_rows(&self) -> u64 {
        total(&self.rows)
    }

    /// Weight of the rows in a place, rounded once.
    pub(crate) fn weight(&self, place: usize) -> f64 {
        match &self.weights {
            Some(weights) => weights[place].value(),
            None => self.rows[place] as f64,
        }
    }

    /// Exact weight of a place; `None` if every row has weight 1.
    pub(crate) fn exact_weight(&self, place: usize) -> Option<&ExactSum> {
        self.weights.as_ref().map(|weights| &weights[place])
    }

    /// Adds rows of weight `each` to a place.
    pub(crate) fn add_rows(&mut self, place: usize, rows: u64, each: f64) {
        if self.weights.is_some() || !is_one(each) {
            self.weights_mut()[place].add_times(rows, each);
        }
        self.rows[place] = self.rows[place].saturating_add(rows);
    }

    /// Adds rows with this total weight to a place.
    pub(crate) fn add_sum(&mut self, place: usize, rows: u64, weight: &ExactSum) {
        self.weights_mut()[place].merge(weight);
        self.rows[place] = self.rows[place].saturating_add(rows);
    }

    /// Adds weight to a place without adding a row.
    pub(crate) fn add_weight(&mut self, place: usize, weight: f64) {
        self.weights_mut()[place].add(weight);
    }

    /// Adds another tally place by place.
    pub(crate) fn merge(&mut self, other: &Self) {
        if self.weights.is_some() || other.weights.is_some() {
            let mut theirs = other.clone();
            for (ours, theirs) in self.weights_mut().iter_mut().zip(theirs.weights_mut()) {
                ours.merge(theirs);
            }
        }
        for (ours, theirs) in self.rows.iter_mut().zip(&other.rows) {
            *ours = ours.saturating_add(*theirs);
        }
    }

    /// The weights; initialised with the row counts if every row had weight 1 so far.
    fn weights_mut(&mut self) -> &mut Vec<ExactSum> {
        let rows = &self.rows;
        self.weights.get_or_insert_with(|| rows.iter().map(|&rows| ExactSum::of_count(rows)).collect())
    }

    /// A counter of rows with weight 1.
    pub(crate) fn ones(&mut self) -> Ones<'_> {
        Ones(&mut self.rows)
    }

    /// A counter of rows with these weights; rows of weight 0 are ignored.
    pub(crate) fn weighed<'a>(&'a mut self, weights: &'a [f64]) -> Weighed<'a> {
        self.weights_mut();
        Weighed { rows: &mut self.rows, sums: self.weights.as_deref_mut().unwrap_or_default(), weights }
    }
}

/// Counts the rows of a loop.
pub(crate) trait Count {
    /// Counts a row in a place.
    fn count(&mut self, place: usize, row: usize);

    /// Counts one row in each of these places, `row(i)` in the i-th. Returns false and counts nothing if the caller must
    /// use [`Count::count`] row by row.
    #[inline(always)]
    fn count_all(&mut self, _places: &[u32], _row: impl Fn(usize) -> usize) -> bool {
        false
    }
}

/// Counts rows of weight 1.
pub(crate) struct Ones<'a>(&'a mut [u64]);

impl Count for Ones<'_> {
    #[inline(always)]
    fn count(&mut self, place: usize, _row: usize) {
        self.0[place] += 1;
    }

    #[inline(always)]
    fn count_all(&mut self, places: &[u32], _row: impl Fn(usize) -> usize) -> bool {
        kernel::count_all(self.0, places)
    }
}

/// Counts rows with individual weights.
pub(crate) struct Weighed<'a> {
    rows: &'a mut [u64],
    sums: &'a mut [ExactSum],
    weights: &'a [f64],
}

impl Count for Weighed<'_> {
    #[inline(always)]
    fn count(&mut self, place: usize, row: usize) {
        let weight = self.weights[row];
        if weight > 0.0 {
            self.rows[place] += 1;
            self.sums[place].add(weight);
        }
    }
}

/// Saturating sum of counts: counts read from a file can be arbitrarily large.
fn total(rows: &[u64]) -> u64 {
    rows.iter().fold(0, |sum, &rows| sum.saturating_add(rows))
}

/// Whether a weight is exactly 1.
fn is_one(weight: f64) -> bool {
    weight.to_bits() == 1.0_f64.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unweighted_and_weighted_rows_merge() {
        let mut ones = Tally::new(2, false);
        ones.ones().count(0, 0);
        let mut weighed = Tally::new(2, true);
        for row in 0..3 {
            weighed.weighed(&[0.1, 0.0, 0.2]).count(0, row);
        }
        let mut merged = ones.clone();
        merged.merge(&weighed);
        weighed.merge(&ones);
        assert_eq!(merged, weighed);
        assert_eq!((merged.rows(0), merged.weight(0)), (3, 1.3));
        assert_eq!((merged.rows(1), merged.weight(1)), (0, 0.0));
    }
}
