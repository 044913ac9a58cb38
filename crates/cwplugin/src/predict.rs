//! `argmax_k w_k·b_k`, for many rows at once.

use std::ops::Range;

use crate::Probabilities;
use crate::kernel::{self, Kernel};
use crate::probabilities::{Real, with_values};
use crate::weights::argmax;

/// Rows that are predicted before anybody looks at them: their probabilities are then still in the cache.
const BLOCK: usize = 256;

/// Rows that are compared side by side, one in each lane of a vector.
const LANES: usize = 4;

/// Shows `visit` the predictions of these rows for each of `N` lists of weights, some rows at a time: the first row, and
/// its prediction and those behind it.
pub(crate) fn predict<const N: usize>(
    probabilities: &Probabilities,
    rows: Range<usize>,
    weights: [&[f64]; N],
    visit: impl FnMut(usize, [&[u32]; N]),
) {
    let m = probabilities.n_classes();
    with_values!(probabilities, values => {
        let values = &values[rows.start * m..rows.end * m];
        kernel::run(Predict { values, m, first: rows.start, weights, visit });
    });
}

struct Predict<'a, T, F, const N: usize> {
    values: &'a [T],
    m: usize,
    first: usize,
    weights: [&'a [f64]; N],
    visit: F,
}

impl<T: Real, F: FnMut(usize, [&[u32]; N]), const N: usize> Kernel for Predict<'_, T, F, N> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let mut predicted = [[0; BLOCK]; N];
        for (block, values) in self.values.chunks(BLOCK * self.m).enumerate() {
            let rows = values.len() / self.m;
            for (predicted, weights) in predicted.iter_mut().zip(self.weights) {
                argmax_block(values, weights, &mut predicted[..rows]);
            }
            (self.visit)(
                self.first + block * BLOCK,
                predicted.each_ref().map(|predicted| &predicted[..rows]),
            );
        }
    }
}

/// [`argmax`] of as many rows as `predicted` has room for.
#[inline(always)]
fn argmax_block<T: Real>(values: &[T], weights: &[f64], predicted: &mut [u32]) {
    let m = weights.len();
    let mut lanes = values.chunks_exact(LANES * m);
    let mut lanes_out = predicted.chunks_exact_mut(LANES);
    for (rows, predicted) in lanes.by_ref().zip(lanes_out.by_ref()) {
        let (a, rest) = rows.split_at(m);
        let (b, rest) = rest.split_at(m);
        let (c, d) = rest.split_at(m);
        let (mut largest, mut best) = ([f64::NEG_INFINITY; LANES], [0_u64; LANES]);
        for (k, ((((&a, &b), &c), &d), &w)) in (0..).zip(a.iter().zip(b).zip(c).zip(d).zip(weights)) {
            let products = [a.into() * w, b.into() * w, c.into() * w, d.into() * w];
            for lane in 0..LANES {
                let is_larger = products[lane] > largest[lane];
                largest[lane] = if is_larger { products[lane] } else { largest[lane] };
                best[lane] = if is_larger { k } else { best[lane] };
            }
        }
        for (predicted, best) in predicted.iter_mut().zip(best) {
            *predicted = best as u32; // a class: below m
        }
    }
    for (row, predicted) in lanes.remainder().chunks_exact(m).zip(lanes_out.into_remainder()) {
        *predicted = argmax(row, weights) as u32;
    }
}
