//! Vectorised `argmax_k w_k·b_k`.

use std::ops::Range;

use crate::data::Probabilities;
use crate::data::probabilities::{Real, with_values};
use crate::numeric::kernel;
use crate::numeric::kernel::{EightRows, Kernel};

/// Rows predicted per call of `visit`: their probabilities are still in the cache.
const BLOCK: usize = 256;

/// Rows compared in parallel, one per vector lane.
const LANES: usize = 4;

/// Rows that are worth preparing [`EightRows`] for.
const MANY: usize = 64;

/// From this number of classes on, the classes of one row fill the lanes, and the row is read sequentially.
const WIDE: usize = 64;

/// Classes of one row compared in parallel.
const WIDE_LANES: usize = 4;

/// Predicts these rows with each of `N` lists of weights and passes the predictions to `visit` in blocks: the index of
/// the first row of the block, and the predicted classes per list.
pub(crate) fn predict<const N: usize>(
    probabilities: &Probabilities,
    rows: Range<usize>,
    weights: [&[f64]; N],
    mut visit: impl FnMut(usize, [&[u32]; N]),
) {
    let m = probabilities.n_classes();
    with_values!(probabilities, values => {
        let values = &values[rows.start * m..rows.end * m];
        kernel::run(Predict { values, m, first: rows.start, weights, visit: &mut visit });
    });
}

/// Index of the largest `p[k]·w[k]`; a tie goes to the lowest index, as in NumPy.
pub fn argmax_weighted(p: &[f64], w: &[f64]) -> usize {
    argmax(p, w)
}

/// [`argmax_weighted`] in either precision.
fn argmax<T: Real>(p: &[T], w: &[f64]) -> usize {
    let (mut best, mut largest) = (0, f64::NEG_INFINITY);
    for (k, (&p, &w)) in p.iter().zip(w).enumerate() {
        let product = p.into() * w;
        if product > largest {
            (best, largest) = (k, product);
        }
    }
    best
}

struct Predict<'a, T, const N: usize> {
    values: &'a [T],
    m: usize,
    first: usize,
    weights: [&'a [f64]; N],
    /// Not generic: it is called once per block, and the loops around it need not be compiled for each caller.
    visit: &'a mut dyn FnMut(usize, [&[u32]; N]),
}

impl<T: Real, const N: usize> Kernel for Predict<'_, T, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        // Three loops instead of branches inside one, so that each is optimised separately.
        if self.m >= WIDE {
            self.run_with(|_, values, weights, predicted| {
                for (row, predicted) in values.chunks_exact(weights.len()).zip(predicted) {
                    *predicted = argmax_wide(row, weights);
                }
            });
            return;
        }
        let singles = T::singles(self.values).filter(|values| values.len() >= MANY * self.m);
        let prepared = singles.map(|_| self.weights.map(EightRows::new));
        if let Some(mut prepared) = prepared
            && prepared.iter().all(Option::is_some)
        {
            self.run_with(|list, values, weights, predicted| {
                if let (Some(values), Some(eight_rows)) = (T::singles(values), &mut prepared[list]) {
                    argmax_eights(values, weights, eight_rows, predicted);
                }
            });
        } else {
            self.run_with(|_, values, weights, predicted| argmax_block(values, weights, predicted));
        }
    }
}

impl<T: Real, const N: usize> Predict<'_, T, N> {
    /// `argmax` gets the position of the list of weights, the rows, the weights, and where to write the classes.
    #[inline(always)]
    fn run_with(self, mut argmax: impl FnMut(usize, &[T], &[f64], &mut [u32])) {
        let mut predicted = [[0; BLOCK]; N];
        for (block, values) in self.values.chunks(BLOCK * self.m).enumerate() {
            let rows = values.len() / self.m;
            for (list, (predicted, weights)) in predicted.iter_mut().zip(self.weights).enumerate() {
                argmax(list, values, weights, &mut predicted[..rows]);
            }
            (self.visit)(
                self.first + block * BLOCK,
                predicted.each_ref().map(|predicted| &predicted[..rows]),
            );
        }
    }
}

/// [`argmax`] of `predicted.len()` rows in single precision, and in double precision where that decides.
#[inline(always)]
fn argmax_eights(values: &[f32], weights: &[f64], eight_rows: &mut EightRows, predicted: &mut [u32]) {
    let m = weights.len();
    let (eights, rest) = predicted.as_chunks_mut::<8>();
    let blocks = values.chunks_exact(8 * m);
    argmax_block(blocks.remainder(), weights, rest);
    let mut are_certain = [0; BLOCK / 8];
    eight_rows.predict(values, eights, &mut are_certain);
    for ((rows, predicted), certain) in blocks.zip(eights).zip(are_certain) {
        if certain != u8::MAX {
            for (i, (row, predicted)) in rows.chunks_exact(m).zip(predicted).enumerate() {
                if certain >> i & 1 == 0 {
                    *predicted = argmax(row, weights) as u32;
                }
            }
        }
    }
}

/// [`argmax`] of `predicted.len()` rows.
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

/// [`argmax`] of a long row.
#[inline(always)]
fn argmax_wide<T: Real>(row: &[T], weights: &[f64]) -> u32 {
    let (mut largest, mut best) = ([f64::NEG_INFINITY; WIDE_LANES], [0_u64; WIDE_LANES]);
    let (pieces, rest) = row.as_chunks::<WIDE_LANES>();
    let (weight_pieces, weight_rest) = weights.as_chunks::<WIDE_LANES>();
    for (piece, (b, w)) in (0..).zip(pieces.iter().zip(weight_pieces)) {
        let mut products = [0.0; WIDE_LANES];
        for lane in 0..WIDE_LANES {
            products[lane] = b[lane].into() * w[lane];
        }
        for lane in 0..WIDE_LANES {
            let is_larger = products[lane] > largest[lane];
            largest[lane] = if is_larger { products[lane] } else { largest[lane] };
            best[lane] = if is_larger { piece } else { best[lane] };
        }
    }
    let (mut top, mut class) = (f64::NEG_INFINITY, 0);
    for lane in 0..WIDE_LANES {
        let found = best[lane] as usize * WIDE_LANES + lane;
        // Ties go to the lowest class, in whichever lane it is.
        if largest[lane] > top || (largest[lane] >= top && found < class) {
            (top, class) = (largest[lane], found);
        }
    }
    for (k, (&b, &w)) in (pieces.len() * WIDE_LANES..).zip(rest.iter().zip(weight_rest)) {
        if b.into() * w > top {
            (top, class) = (b.into() * w, k);
        }
    }
    class as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::Weights;

    /// Few distinct values, so that there are many ties.
    fn matrix(n: usize, m: usize, seed: u64) -> Vec<f64> {
        let number = |i: usize| ((i as u64 * 2_654_435_761 + seed) >> 7) % 4;
        let mut values: Vec<f64> = (0..n * m).map(|i| number(i) as f64).collect();
        for row in values.chunks_exact_mut(m) {
            row[0] += 1.0;
            let sum: f64 = row.iter().sum();
            for value in row {
                *value /= sum;
            }
        }
        values
    }

    proptest! {
        #[test]
        fn blocks_of_rows_are_predicted_like_single_rows(
            m in prop_oneof![2..80_usize, Just(257), Just(1000)],
            n in 1..600_usize,
            seed in any::<u32>(),
            is_plain in any::<bool>(),
        ) {
            let values = matrix(n, m, u64::from(seed));
            let weight = |k: usize| if is_plain { 1.0 } else { 1.0 + (k * 7 % 5) as f64 };
            let weights = Weights::new((0..m).map(weight).collect()).unwrap();
            let single: Vec<f32> = values.iter().map(|&value| value as f32).collect();
            let widened: Vec<f64> = single.iter().map(|&value| f64::from(value)).collect();
            for (values, p) in [
                (values.clone(), Probabilities::new(values, m).unwrap()),
                (widened, Probabilities::from_f32(single, m).unwrap()),
            ] {
                let one_by_one: Vec<usize> =
                    values.chunks_exact(m).map(|row| weights.predict_row(row)).collect();
                prop_assert_eq!(weights.predict(&p).unwrap(), one_by_one);
            }
        }
    }

    fn any_weight() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => 0.5..2.0_f64,
            1 => prop_oneof![Just(0.0), Just(-1.0), Just(1e-7), 1e-44..3e-44_f64],
        ]
    }

    /// A number, and how many units in the last place it is above one whose product is 0.3.
    fn any_number() -> impl Strategy<Value = (f32, Option<u32>)> {
        let number = prop_oneof![0.0..1.0_f32, Just(0.0), Just(1.0), Just(f32::MIN_POSITIVE), Just(1e-45)];
        (number, proptest::option::of(0..3_u32))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn eight_rows_are_predicted_like_single_rows(
            (m, numbers, weights) in (4..41_usize).prop_flat_map(|m| (
                Just(m),
                proptest::collection::vec(any_number(), 27 * m),
                proptest::collection::vec(any_weight(), m),
            )),
            // Classes of usual weight have probability 0.
            are_rare in prop_oneof![3 => Just(false), 1 => Just(true)],
            // Some products are below the normal numbers of single or double precision.
            row_scale in prop_oneof![Just(1.0), Just(1e-42), Just(1e-29), Just(1e-30)],
            scale in prop_oneof![Just(1.0), Just(1e-150), Just(1e150), Just(1e-312), Just(1e300)],
        ) {
            let near = |class: usize, ulps: u32| {
                let number = (0.3 / weights[class]) as f32;
                if (0.0..1.0).contains(&number) { f32::from_bits(number.to_bits() + ulps) } else { 0.3 }
            };
            let value = |(i, &(number, ulps)): (usize, &(f32, Option<u32>))| {
                if are_rare && weights[i % m] > 1e-20 {
                    return 0.0;
                }
                ulps.map_or(number, |ulps| near(i % m, ulps)) * row_scale
            };
            let values: Vec<f32> = numbers.iter().enumerate().map(value).collect();
            let weights: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
            let mut predicted = vec![0; 27];
            if let Some(mut eight_rows) = EightRows::new(&weights) {
                argmax_eights(&values, &weights, &mut eight_rows, &mut predicted);
                let one_by_one: Vec<u32> =
                    values.chunks_exact(m).map(|row| argmax(row, &weights) as u32).collect();
                prop_assert_eq!(predicted, one_by_one);
            }
        }
    }

    #[test]
    fn a_tie_goes_to_the_lowest_index() {
        assert_eq!(argmax_weighted(&[0.2, 0.4, 0.4], &[1.0; 3]), 1);
        assert_eq!(argmax_weighted(&[0.0, 0.0], &[1.0; 2]), 0);
    }
}
