//! The confusion matrix.

use super::Metric;

/// Confusion matrix: weighted counts of rows, always `[truth, predicted]`.
///
/// A matrix covers all classes of the sample, or two of them: Algorithm 1 compares one class with the reference on the
/// rows of both. `classes()[i]` is the class at position `i`, so that a metric of one class finds it in both kinds.
///
/// ```
/// use cwplugin::Confusion;
///
/// let c = Confusion::from_rows(&[[5.0, 1.0], [2.0, 4.0]]);
/// assert_eq!(c.get(0, 1), 1.0); // one row of class 0 is predicted as class 1
/// assert_eq!(c.total(), 12.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Confusion {
    classes: Vec<usize>,
    // All cells, or the diagonal alone if a metric needs no more: with 1,000 classes that is a thousandth.
    counts: Vec<f64>,
    // Row and column sums, so that metrics of them take O(m), not O(m²).
    truths: Vec<f64>,
    predictions: Vec<f64>,
}

/// The counts of one class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassCounts {
    /// Weight of the rows of this class.
    pub truth: f64,
    /// Weight of the rows predicted as this class.
    pub predicted: f64,
    /// Weight of the rows of this class predicted as this class.
    pub correct: f64,
}

impl ClassCounts {
    /// Whether the class has neither true nor predicted rows; macro averages ignore it then.
    pub fn is_empty(&self) -> bool {
        self.truth <= 0.0 && self.predicted <= 0.0
    }

    /// Precision, recall and F1; 0 if the denominator is 0.
    pub fn rates(&self) -> [f64; 3] {
        let share = |whole: f64, times: f64| if whole > 0.0 { times * self.correct / whole } else { 0.0 };
        [share(self.predicted, 1.0), share(self.truth, 1.0), share(self.truth + self.predicted, 2.0)]
    }
}

impl Confusion {
    /// An empty matrix over classes `0..n_classes`.
    pub fn zeros(n_classes: usize) -> Self {
        Self::over((0..n_classes).collect())
    }

    /// An empty matrix for a metric: without off-diagonal cells if it does not depend on them
    /// ([`Metric::is_by_class`]). Those are then NaN and are not counted.
    pub(crate) fn zeros_for(metric: &dyn Metric, n_classes: usize) -> Self {
        if !metric.is_by_class() {
            return Self::zeros(n_classes);
        }
        let zeros = || vec![0.0; n_classes];
        let classes = (0..n_classes).collect();
        Self { classes, counts: zeros(), truths: zeros(), predictions: zeros() }
    }

    /// A matrix from its rows: `rows[truth][predicted]`.
    pub fn from_rows<const M: usize>(rows: &[[f64; M]; M]) -> Self {
        let mut confusion = Self::zeros(M);
        for (truth, row) in rows.iter().enumerate() {
            for (predicted, &count) in row.iter().enumerate() {
                confusion.add(truth, predicted, count);
            }
        }
        confusion
    }

    /// A matrix for a metric, with all rows of a class predicted as one class: `predicted(truth)`.
    pub(crate) fn of_constant_classes(
        metric: &dyn Metric,
        truths: &[f64],
        predicted: impl Fn(usize) -> usize,
    ) -> Self {
        let mut confusion = Self::zeros_for(metric, truths.len());
        for (truth, &weight) in truths.iter().enumerate() {
            confusion.add(truth, predicted(truth), weight);
        }
        confusion
    }

    /// A matrix from its cells: `cell(truth, predicted)`.
    pub(crate) fn from_cells(n_classes: usize, cell: impl Fn(usize, usize) -> f64) -> Self {
        let mut confusion = Self::zeros(n_classes);
        for truth in 0..n_classes {
            for predicted in 0..n_classes {
                let weight = cell(truth, predicted);
                // With many classes, nearly all cells are empty.
                if weight != 0.0 {
                    confusion.add(truth, predicted, weight);
                }
            }
        }
        confusion
    }

    /// An empty 2 × 2 matrix over `class` (position 0) and `reference` (position 1).
    pub(crate) fn pair(class: usize, reference: usize) -> Self {
        Self::over(vec![class, reference])
    }

    fn over(classes: Vec<usize>) -> Self {
        let m = classes.len();
        Self { classes, counts: vec![0.0; m * m], truths: vec![0.0; m], predictions: vec![0.0; m] }
    }

    /// The place of a cell; `None` if only the diagonal is counted and the cell is not on it.
    #[inline(always)]
    fn place(&self, truth: usize, predicted: usize) -> Option<usize> {
        let m = self.classes.len();
        if self.counts.len() > m || m < 2 {
            Some(truth * m + predicted)
        } else {
            (truth == predicted).then_some(truth)
        }
    }

    /// Sets the cells of a pair: of `totals` rows, `moved[0]` of the class and `moved[1]` of the reference are predicted as
    /// the class.
    pub(crate) fn set_pair(&mut self, moved: [f64; 2], totals: [f64; 2]) {
        let stayed = [totals[0] - moved[0], totals[1] - moved[1]];
        self.counts.copy_from_slice(&[moved[0], stayed[0], moved[1], stayed[1]]);
        self.truths.copy_from_slice(&totals);
        self.predictions.copy_from_slice(&[moved[0] + moved[1], stayed[0] + stayed[1]]);
    }

    /// Sets a cell; the caller updates row and column sums.
    #[inline(always)]
    pub(crate) fn set_cell(&mut self, truth: usize, predicted: usize, weight: f64) {
        if let Some(place) = self.place(truth, predicted) {
            self.counts[place] = weight;
        }
    }

    /// Sets the weight of the rows predicted as a position; the caller updates the cells.
    #[inline(always)]
    pub(crate) fn set_predicted(&mut self, position: usize, weight: f64) {
        self.predictions[position] = weight;
    }

    /// Sets the weight of the rows of a position; the caller updates the cells.
    pub(crate) fn set_truth(&mut self, position: usize, weight: f64) {
        self.truths[position] = weight;
    }

    /// Adds `weight` to the cell of position `truth` predicted as position `predicted`.
    ///
    /// # Panics
    ///
    /// If a position is not below [`Confusion::n_classes`]. The same holds for the getters below.
    pub fn add(&mut self, truth: usize, predicted: usize, weight: f64) {
        if let Some(place) = self.place(truth, predicted) {
            self.counts[place] += weight;
        }
        self.truths[truth] += weight;
        self.predictions[predicted] += weight;
    }

    /// Moves weight of one true class from prediction `from` to prediction `to`; the caller moves the sums of the columns.
    pub(crate) fn shift_cells(&mut self, truth: usize, weight: f64, from: usize, to: usize) {
        for (predicted, weight) in [(from, -weight), (to, weight)] {
            if let Some(place) = self.place(truth, predicted) {
                self.counts[place] += weight;
            }
        }
    }

    /// Moves the weight of rows from prediction `from` to prediction `to`; the caller moves the cells.
    pub(crate) fn shift_predictions(&mut self, weight: f64, from: usize, to: usize) {
        self.predictions[from] -= weight;
        self.predictions[to] += weight;
    }

    /// Sets everything predicted as a position to exactly 0: what is left after all its rows moved away is rounding, and a
    /// ratio of two rounding errors is any number.
    pub(crate) fn clear_prediction(&mut self, position: usize) {
        let m = self.classes.len();
        let step = if self.counts.len() > m { m } else { m + 1 };
        self.counts.iter_mut().skip(position).step_by(step).for_each(|count| *count = 0.0);
        self.predictions[position] = 0.0;
    }

    /// Number of classes of the matrix.
    pub fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// Whether the total weight is 0.
    pub fn has_no_rows(&self) -> bool {
        self.total() <= 0.0
    }

    /// The class at each position.
    pub fn classes(&self) -> &[usize] {
        &self.classes
    }

    /// The position of a class, if the matrix has it.
    pub fn position(&self, class: usize) -> Option<usize> {
        match self.classes.get(class) {
            Some(&found) if found == class => Some(class),
            _ => self.classes.iter().position(|&c| c == class),
        }
    }

    /// The weight of rows at position `truth` predicted as position `predicted`.
    pub fn get(&self, truth: usize, predicted: usize) -> f64 {
        self.place(truth, predicted).map_or(f64::NAN, |place| self.counts[place])
    }

    /// The rows of the matrix, one per true class.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.counts.chunks_exact(self.classes.len())
    }

    /// Weight of all rows.
    pub fn total(&self) -> f64 {
        self.truths.iter().sum()
    }

    /// Weight of the rows predicted correctly.
    pub fn correct(&self) -> f64 {
        self.per_class().map(|c| c.correct).sum()
    }

    /// The counts of the class at one position.
    pub fn class(&self, position: usize) -> ClassCounts {
        ClassCounts {
            truth: self.truths[position],
            predicted: self.predictions[position],
            correct: self.get(position, position),
        }
    }

    /// The counts of every class, in order of position.
    pub fn per_class(&self) -> impl ExactSizeIterator<Item = ClassCounts> {
        (0..self.n_classes()).map(|position| self.class(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_truth_and_columns_are_predictions() {
        let mut c = Confusion::zeros(3);
        c.add(0, 2, 1.5);
        c.add(2, 2, 1.0);
        assert_eq!(c.get(0, 2), 1.5);
        assert_eq!(c.get(2, 0), 0.0);
        assert_eq!(c.class(2), ClassCounts { truth: 1.0, predicted: 2.5, correct: 1.0 });
        assert!(c.class(1).is_empty());
        assert_eq!(c.rows().next().unwrap(), [0.0, 0.0, 1.5]);
    }

    #[test]
    fn a_pair_knows_its_classes_and_margins() {
        let mut c = Confusion::pair(4, 1);
        c.set_pair([3.0, 1.0], [5.0, 6.0]);
        let mut counted = Confusion::pair(4, 1);
        for (truth, predicted, weight) in [(0, 0, 3.0), (0, 1, 2.0), (1, 0, 1.0), (1, 1, 5.0)] {
            counted.add(truth, predicted, weight);
        }
        assert_eq!(c, counted);
        assert_eq!((c.position(4), c.position(1), c.position(0)), (Some(0), Some(1), None));
    }
}
