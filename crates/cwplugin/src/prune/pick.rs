//! The second pass: the cuts that lie in chosen buckets.

use super::buckets::Buckets;
use crate::cuts::{Cut as _, Place as _, Ratio};
use crate::kernel::{self, Kernel};
use crate::pairs::{Pairs, ReferenceRows};
use crate::probabilities::{Real, with_values};
use crate::{Sample, parallel};

/// The cuts of every class in its chosen buckets, in any order.
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
            let labels = &sample.labels()[rows.clone()];
            with_values!(sample.probabilities(), values => {
                let values = &values[rows.start * m..rows.end * m];
                kernel::run(Pick { values, labels, m, reference, buckets, is_chosen, picked });
            });
        },
        |mut picked, more| {
            picked.iter_mut().zip(more).for_each(|(picked, more)| picked.extend(more));
            picked
        },
    )
}

struct Pick<'a, T> {
    values: &'a [T],
    labels: &'a [u32],
    m: usize,
    reference: usize,
    buckets: &'a Buckets,
    /// For each class and bucket; nowhere for the reference.
    is_chosen: &'a [bool],
    picked: &'a mut [Vec<u64>],
}

impl<T: Real> Kernel for Pick<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { values, labels, m, reference, buckets, is_chosen, picked } = self;
        let ratio = |b_class, b_reference, _| Ratio.of(b_class, b_reference);
        let mut take = |class: usize, place: u64, side: u64| {
            if is_chosen[class * buckets.len() + buckets.of(f64::from_bits(place)) as usize] {
                picked[class].push(u64::new(place, side, 1.0));
            }
        };
        let mut pairs = Pairs::new(m, reference, |class| class as u32);
        let mut references = ReferenceRows::new(m, reference, |_| 0);
        for first in (0..labels.len()).step_by(Pairs::BLOCK) {
            let (values, labels) = (&values[first * m..], &labels[first..]);
            pairs.gather(values, labels);
            let places = pairs.map(ratio);
            for (&class, &place) in pairs.bases().iter().zip(&places).take(labels.len()) {
                take(class as usize, place, 0);
            }
            for &row in pairs.of_reference() {
                if references.push(row as usize, &values[row as usize * m..][..m]) {
                    references.map(ratio);
                    for (_, _, places) in references.rows() {
                        places.iter().enumerate().for_each(|(class, &place)| take(class, place, 1));
                    }
                    references.clear();
                }
            }
        }
        references.map(ratio);
        for (_, _, places) in references.rows() {
            places.iter().enumerate().for_each(|(class, &place)| take(class, place, 1));
        }
    }
}
