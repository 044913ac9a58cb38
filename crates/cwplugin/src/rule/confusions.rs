//! Confusion matrices of weights, counted in one pass over the rows.

use crate::data::{Probabilities, Sample, check_length};
use crate::error::Error;
use crate::metric::Confusion;
use crate::numeric::kernel::Kernel;
use crate::numeric::tally::{Count, Tally};
use crate::numeric::{kernel, parallel};
use crate::rule::Weights;
use crate::rule::predict::predict;

/// From this number of classes on, a cell is not computed in 32 bits.
const MANY: usize = 1 << 15;

/// Rows counted together.
const AT_ONCE: usize = 256;

impl Sample {
    /// The confusion matrix of the labelled rows, predicted with these weights.
    ///
    /// # Errors
    ///
    /// If the weights are for another number of classes.
    pub fn confusion(&self, weights: &Weights) -> Result<Confusion, Error> {
        let [confusion] = self.confusions([weights])?;
        Ok(confusion)
    }

    /// The confusion matrix of each list of weights, in one pass.
    pub(crate) fn confusions<const N: usize>(&self, weights: [&Weights; N]) -> Result<[Confusion; N], Error> {
        self.confusions_of(self.probabilities(), weights)
    }

    /// [`Sample::confusions`] with other probabilities, e.g. calibrated ones.
    pub(crate) fn confusions_of<const N: usize>(
        &self,
        probabilities: &Probabilities,
        weights: [&Weights; N],
    ) -> Result<[Confusion; N], Error> {
        for weights in weights {
            check_length("class weights", weights.n_classes(), self.n_classes())?;
        }
        Ok(self.count_confusions(probabilities, weights.map(Weights::as_slice)))
    }

    /// [`Sample::confusions_of`] with one factor per class, of any sign.
    pub(crate) fn count_confusions<const N: usize>(
        &self,
        probabilities: &Probabilities,
        weights: [&[f64]; N],
    ) -> [Confusion; N] {
        let (m, labels, row_weights) = (self.n_classes(), self.label_indices(), self.weights());
        // The extra row of cells counts unlabelled rows.
        let empty = || std::array::from_fn(|_| Tally::new((m + 1) * m, row_weights.is_some()));
        let cells: [Tally; N] = parallel::count(
            self.n_rows(),
            parallel::PIECE,
            empty,
            |cells: &mut [Tally; N], rows| {
                predict(probabilities, rows, weights, |first, predicted| {
                    for (cells, predicted) in cells.iter_mut().zip(predicted) {
                        let labels = &labels[first..first + predicted.len()];
                        match row_weights {
                            None => {
                                let counter = cells.ones();
                                kernel::run(CountCells { counter, first, labels, predicted, m });
                            }
                            Some(weights) => {
                                let counter = cells.weighed(weights);
                                kernel::run(CountCells { counter, first, labels, predicted, m });
                            }
                        }
                    }
                });
            },
            |ours, theirs| ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| ours.merge(theirs)),
        );
        cells.map(|cells| Confusion::from_cells(m, |truth, predicted| cells.weight(truth * m + predicted)))
    }
}

/// Counts rows by label and predicted class.
struct CountCells<'a, C> {
    counter: C,
    first: usize,
    labels: &'a [u32],
    predicted: &'a [u32],
    m: usize,
}

impl<C: Count> Kernel for CountCells<'_, C> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { mut counter, first, labels, predicted, m } = self;
        let mut places = [0; AT_ONCE];
        let chunks = labels.chunks(AT_ONCE).zip(predicted.chunks(AT_ONCE));
        for (first, (labels, predicted)) in (first..).step_by(AT_ONCE).zip(chunks) {
            let places = &mut places[..labels.len()];
            for (place, (&label, &predicted)) in places.iter_mut().zip(labels.iter().zip(predicted)) {
                *place = label.wrapping_mul(m as u32).wrapping_add(predicted);
            }
            if m >= MANY || !counter.count_all(places, |i| first + i) {
                for (row, (&label, &predicted)) in (first..).zip(labels.iter().zip(predicted)) {
                    counter.count(label as usize * m + predicted as usize, row);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rule::predict::argmax_weighted;

    proptest! {
        #[test]
        fn cells_are_counted_like_rows_one_by_one(
            m in 2..40_usize,
            n in 1..600_usize,
            seed in any::<u32>(),
            is_single in any::<bool>(),
            is_weighted in any::<bool>(),
        ) {
            let number = |i: usize| ((i as u64 * 2_654_435_761 + u64::from(seed)) >> 7) % 4;
            let row = |i: usize| {
                let row: Vec<f64> = (0..m).map(|k| number(i * m + k) as f64 + if k == i % m { 0.5 } else { 0.0 }).collect();
                let sum: f64 = row.iter().sum();
                row.into_iter().map(|b| f64::from((b / sum) as f32)).collect::<Vec<f64>>()
            };
            let rows: Vec<Vec<f64>> = (0..n).map(row).collect();
            let labels: Vec<Option<usize>> =
                (0..n).map(|i| Some((number(i + 7) as usize + i) % (m + 1)).filter(|&label| label < m)).collect();
            let row_weights: Vec<f64> = (0..n).map(|i| number(3 * i) as f64).collect();
            let probabilities = if is_single {
                Probabilities::from_f32(rows.iter().flatten().map(|&b| b as f32).collect(), m)
            } else {
                Probabilities::new(rows.concat(), m)
            };
            let mut sample = Sample::new(probabilities.unwrap(), labels.clone()).unwrap();
            if is_weighted {
                sample = sample.with_weights(row_weights.clone()).unwrap();
            }
            let weights = Weights::new((0..m).map(|k| 1.0 + (k * 7 % 5) as f64).collect()).unwrap();
            let mut cells = vec![0.0; m * m];
            for ((row, label), row_weight) in rows.iter().zip(labels).zip(row_weights) {
                if let Some(label) = label {
                    let predicted = argmax_weighted(row, weights.as_slice());
                    cells[label * m + predicted] += if is_weighted { row_weight } else { 1.0 };
                }
            }
            let expected = Confusion::from_cells(m, |truth, predicted| cells[truth * m + predicted]);
            prop_assert_eq!(sample.confusion(&weights).unwrap(), expected);
        }
    }
}
