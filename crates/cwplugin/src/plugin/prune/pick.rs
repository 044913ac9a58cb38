//! The second pass: collects the cuts of selected buckets.

use super::buckets::Buckets;
use crate::data::Sample;
use crate::data::probabilities::{Real, with_values};
use crate::numeric::tally::Count;
use crate::numeric::{kernel, parallel};
use crate::plugin::count_cuts::{CountCuts, Pass};
use crate::plugin::cuts::{Cut as _, Place as _, Ratio};

/// The cuts of every class in its selected buckets, unsorted.
pub(super) fn pick(
    sample: &Sample,
    reference: usize,
    buckets: &Buckets,
    is_chosen: &[bool],
) -> Vec<Vec<u64>> {
    let m = sample.n_classes();
    parallel::count(
        sample.n_rows(),
        parallel::PIECE,
        || vec![Vec::new(); m],
        |picked, rows| {
            let labels = &sample.label_indices()[rows.clone()];
            with_values!(sample.probabilities(), values => {
                let values = &values[rows.start * m..rows.end * m];
                let pass = Pass { locate: buckets, m, reference, values, labels };
                let counter = Pick { values, m, reference, is_chosen, picked };
                kernel::run(CountCuts { pass, counter });
            });
        },
        |picked, more| picked.iter_mut().zip(more).for_each(|(picked, more)| picked.extend(more)),
    )
}

/// Collects cuts at the places at which the first pass counted them.
struct Pick<'a, T> {
    values: &'a [T],
    m: usize,
    reference: usize,
    /// Per class, side and bucket; false for the reference.
    is_chosen: &'a [bool],
    picked: &'a mut [Vec<u64>],
}

impl<T: Real> Pick<'_, T> {
    fn take(&mut self, place: usize, row: usize) {
        let buckets = self.is_chosen.len() / (2 * self.m);
        let (class, side) = (place / buckets / 2, place / buckets % 2);
        let b = &self.values[row * self.m..][..self.m];
        let place = Ratio.of(b[class].into(), b[self.reference].into());
        self.picked[class].push(u64::new(place, side as u64, 1.0));
    }
}

impl<T: Real> Count for Pick<'_, T> {
    #[inline(always)]
    fn count(&mut self, place: usize, row: usize) {
        if self.is_chosen[place] {
            self.take(place, row);
        }
    }

    #[inline(always)]
    fn count_all(&mut self, places: &[u32], row: impl Fn(usize) -> usize) -> bool {
        let largest = places.iter().fold(0, |largest, &place| place.max(largest));
        let exist = (largest as usize) < self.is_chosen.len();
        if exist {
            for (i, &place) in places.iter().enumerate() {
                if self.is_chosen[place as usize] {
                    self.take(place as usize, row(i));
                }
            }
        }
        exist
    }
}
