//! Confusion matrices of weights, counted in one pass over the rows.

use crate::data::{Probabilities, Sample, check_length};
use crate::error::Error;
use crate::metric::Confusion;
use crate::numeric::parallel;
use crate::numeric::tally::{Count, Tally};
use crate::rule::Weights;
use crate::rule::predict::predict;

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
                            None => count_cells(cells.ones(), first, labels, predicted, m),
                            Some(weights) => count_cells(cells.weighed(weights), first, labels, predicted, m),
                        }
                    }
                });
            },
            |ours, theirs| ours.iter_mut().zip(theirs).for_each(|(ours, theirs)| ours.merge(theirs)),
        );
        cells.map(|cells| Confusion::from_cells(m, |truth, predicted| cells.weight(truth * m + predicted)))
    }
}

#[inline(always)]
fn count_cells(mut counter: impl Count, first: usize, labels: &[u32], predicted: &[u32], m: usize) {
    for (row, (&label, &predicted)) in (first..).zip(labels.iter().zip(predicted)) {
        counter.count(label as usize * m + predicted as usize, row);
    }
}
