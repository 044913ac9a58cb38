//! The confusion matrix of the current predictions, updated row by row.

use super::targets::{Moving, Sum, Truth, Units};
use crate::error::Error;
use crate::metric::scorer::Scorer;
use crate::metric::{ClassCounts, ClassRatio, Confusion, Metric};

/// Integer counts, and the matrix of doubles passed to the metric.
pub(crate) struct IncrementalConfusion<'a, U: Units> {
    units: &'a U,
    scorer: Scorer<'a>,
    counts: Counts<U::Sum>,
    confusion: Confusion,
    screen: Option<Screen<'a>>,
}

/// A running estimate of a metric that is a ratio of two sums over the classes: exact up to rounding, and updated by the
/// classes that change.
struct Screen<'a> {
    ratio: &'a dyn ClassRatio,
    terms: Vec<[f64; 2]>,
    sums: [f64; 2],
}

impl Screen<'_> {
    #[inline(always)]
    fn update(&mut self, class: usize, counts: ClassCounts) {
        let terms = self.ratio.terms(counts);
        let old = std::mem::replace(&mut self.terms[class], terms);
        self.sums = [self.sums[0] + (terms[0] - old[0]), self.sums[1] + (terms[1] - old[1])];
    }

    fn estimate(&self) -> f64 {
        let [above, below] = self.sums;
        if below > 0.0 { above / below } else { 0.0 }
    }
}

/// Estimates this far below a score are below it: the rounding of 2^16 updates is a hundredth of it.
const BELOW: f64 = 1e-9;

/// The counts.
#[derive(Clone)]
pub(super) struct Counts<S> {
    predicted: Vec<S>,
    correct: Vec<S>,
    /// All cells, `[truth, predicted]`; empty if the metric needs only the per-class counts above.
    cells: Vec<S>,
}

impl<S: Sum> Counts<S> {
    fn zeros(m: usize, is_by_class: bool) -> Self {
        let zeros = |len| vec![S::default(); len];
        Self { predicted: zeros(m), correct: zeros(m), cells: zeros(if is_by_class { 0 } else { m * m }) }
    }
}

impl<'a, U: Units> IncrementalConfusion<'a, U> {
    /// A matrix with the total weight of each true class and these predictions.
    fn new(units: &'a U, metric: &'a dyn Metric, truths: &[U::Sum], counts: Counts<U::Sum>) -> Self {
        let mut confusion = Confusion::zeros_for(metric, truths.len());
        for (class, &weight) in truths.iter().enumerate() {
            confusion.set_truth(class, units.value(weight));
        }
        let mut new = Self { units, scorer: Scorer::new(metric), counts, confusion, screen: None };
        new.update_all();
        new
    }

    /// A matrix from its cells, `[truth, predicted]`.
    pub(crate) fn of_cells(
        units: &'a U,
        metric: &'a dyn Metric,
        cells: &[U::Sum],
        m: usize,
        is_by_class: bool,
    ) -> Self {
        let (mut truths, mut counts) = (vec![U::Sum::default(); m], Counts::zeros(m, is_by_class));
        for (cell, &count) in cells.iter().enumerate() {
            truths[cell / m] += count;
            counts.predicted[cell % m] += count;
            if cell / m == cell % m {
                counts.correct[cell % m] = count;
            }
        }
        if !is_by_class {
            counts.cells.copy_from_slice(cells);
        }
        Self::new(units, metric, &truths, counts)
    }

    fn m(&self) -> usize {
        self.counts.predicted.len()
    }

    /// Whether every class has true rows.
    pub(super) fn are_all_present(&self) -> bool {
        self.confusion.per_class().all(|class| class.truth > 0.0)
    }

    /// The weight of the rows of a class.
    pub(super) fn truth(&self, class: usize) -> f64 {
        self.confusion.class(class).truth
    }

    /// The metric of the current matrix; [`Self::check`] reports a value that is not finite.
    pub(crate) fn score(&mut self) -> f64 {
        self.scorer.score(&self.confusion)
    }

    /// Keeps an estimate of the metric up to date until [`Self::end_screening`], if the metric allows it.
    pub(super) fn begin_screening(&mut self) {
        self.screen = self.scorer.class_ratio().map(|ratio| {
            let terms: Vec<[f64; 2]> = self.confusion.per_class().map(|class| ratio.terms(class)).collect();
            let sum = |part: usize| terms.iter().map(|terms| terms[part]).sum();
            let sums = [sum(0), sum(1)];
            Screen { ratio, terms, sums }
        });
    }

    pub(super) fn end_screening(&mut self) {
        self.screen = None;
    }

    /// The metric of the current matrix, or an estimate if that is clearly below `seen`.
    #[inline(always)]
    pub(super) fn score_near(&mut self, seen: f64) -> f64 {
        let estimate = self.screen.as_ref().map(Screen::estimate);
        match estimate.filter(|estimate| *estimate < seen - BELOW) {
            Some(estimate) => {
                self.scorer.evaluations += 1;
                estimate
            }
            None => self.score(),
        }
    }

    /// An error if the metric ever was not finite.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.scorer.check()
    }

    /// Evaluations of the metric.
    pub(crate) fn evaluations(&self) -> usize {
        self.scorer.evaluations
    }

    /// Restores earlier counts.
    pub(super) fn restore(&mut self, counts: Counts<U::Sum>) {
        self.counts = counts;
        self.update_all();
    }

    /// Copies the counts of a class to the matrix.
    #[inline(always)]
    fn update_class(&mut self, class: usize) {
        self.set_class(class, self.counts.predicted[class], self.counts.correct[class]);
    }

    #[inline(always)]
    fn set_class(&mut self, class: usize, predicted: U::Sum, correct: U::Sum) {
        self.confusion.set_predicted(class, self.units.value(predicted));
        self.confusion.set_cell(class, class, self.units.value(correct));
        if let Some(screen) = &mut self.screen {
            screen.update(class, self.confusion.class(class));
        }
    }

    /// Moves rows to `class`, or back; only for a metric by class. Does not update the matrix.
    pub(crate) fn move_rows(&mut self, moving: &[Moving<U::Sum>], class: usize, is_back: bool) {
        let Counts { predicted, correct, .. } = &mut self.counts;
        for (competitor, moving) in moving.iter().enumerate() {
            let ends = [(competitor, moving.of_competitor), (class, moving.of_class)];
            let [(from, right_before), (to, right_after)] = if is_back { [ends[1], ends[0]] } else { ends };
            predicted[from] -= moving.total;
            correct[from] -= right_before;
            predicted[to] += moving.total;
            correct[to] += right_after;
        }
    }

    /// The same for a metric that needs all cells; `moving` is indexed by competing class and truth.
    pub(crate) fn move_cells(&mut self, moving: &[U::Sum], class: usize, is_back: bool) {
        let m = self.m();
        let Counts { predicted, correct, cells } = &mut self.counts;
        for (place, &count) in moving.iter().enumerate() {
            let (competitor, truth) = (place / m, place % m);
            let (from, to) = if is_back { (class, competitor) } else { (competitor, class) };
            predicted[from] -= count;
            predicted[to] += count;
            cells[truth * m + from] -= count;
            cells[truth * m + to] += count;
            if truth == from {
                correct[from] -= count;
            } else if truth == to {
                correct[to] += count;
            }
        }
    }

    /// An upper bound of the score while these rows move: all rows of the class move, and none of the competing class.
    pub(super) fn bound(&mut self, moving: &[Moving<U::Sum>], class: usize) -> f64 {
        let (mut predicted, mut correct) = (self.counts.predicted[class], self.counts.correct[class]);
        for (competitor, moving) in moving.iter().enumerate() {
            predicted += moving.of_class;
            correct += moving.of_class;
            if competitor != class {
                let mut left = self.counts.predicted[competitor];
                left -= moving.total;
                left += moving.of_competitor;
                self.set_class(competitor, left, self.counts.correct[competitor]);
            }
        }
        self.set_class(class, predicted, correct);
        self.score()
    }

    /// Copies all counts to the matrix.
    pub(crate) fn update_all(&mut self) {
        let m = self.m();
        (0..m).for_each(|class| self.update_class(class));
        for (cell, &weight) in self.counts.cells.iter().enumerate() {
            self.confusion.set_cell(cell / m, cell % m, self.units.value(weight));
        }
    }

    /// A copy of the counts for [`Self::restore`].
    pub(super) fn snapshot(&self) -> Counts<U::Sum> {
        self.counts.clone()
    }

    /// Scores the boundaries between buckets of cuts as the weight of a class grows from 0, then restores the counts. Half of
    /// the buckets are below the current weight. `pass` moves the rows of a bucket to the class, or back, and returns whether
    /// to score the boundary after it.
    pub(crate) fn sweep_boundaries(
        &mut self,
        buckets: usize,
        mut pass: impl FnMut(&mut Self, usize, bool) -> bool,
        mut visit: impl FnMut(usize, Option<f64>),
    ) {
        let now = self.snapshot();
        for bucket in 0..buckets / 2 {
            pass(self, bucket, true);
        }
        for bucket in 0..buckets - 1 {
            let is_other = pass(self, bucket, false);
            let score = is_other.then(|| {
                self.update_all();
                self.score()
            });
            visit(bucket, score);
        }
        self.restore(now);
    }
}

impl<'a, Y: Truth> IncrementalConfusion<'a, Y> {
    /// A matrix of rows without predictions.
    pub(super) fn of_rows(truth: &'a Y, metric: &'a dyn Metric, n_rows: usize, m: usize) -> Self {
        let mut truths = vec![Y::Sum::default(); m];
        for row in 0..n_rows {
            let tag = truth.tag(row);
            truths[truth.label(tag)] += truth.weight(tag);
        }
        Self::new(truth, metric, &truths, Counts::zeros(m, metric.is_by_class()))
    }

    /// Counts all rows from scratch and scores them.
    pub(super) fn recount(&mut self, predictions: impl Iterator<Item = usize>) -> Result<f64, Error> {
        let m = self.m();
        let mut counts = Counts::zeros(m, self.counts.cells.is_empty());
        for (row, predicted) in predictions.enumerate() {
            let tag = self.units.tag(row);
            let (label, weight) = (self.units.label(tag), self.units.weight(tag));
            counts.predicted[predicted] += weight;
            if label == predicted {
                counts.correct[predicted] += weight;
            }
            if !counts.cells.is_empty() {
                counts.cells[label * m + predicted] += weight;
            }
        }
        self.restore(counts);
        let score = self.score();
        self.check()?;
        Ok(score)
    }

    /// Changes the prediction of a row.
    #[inline(always)]
    pub(super) fn move_row(&mut self, tag: u32, from: usize, to: usize) {
        let (m, truth) = (self.m(), self.units);
        let Counts { predicted, correct, cells } = &mut self.counts;
        let Moving { total: weight, of_class, of_competitor } = truth.moving(tag, to, from);
        predicted[from] -= weight;
        predicted[to] += weight;
        correct[from] -= of_competitor;
        correct[to] += of_class;
        if !cells.is_empty() {
            let class = truth.label(tag);
            cells[class * m + from] -= weight;
            cells[class * m + to] += weight;
            for predicted in [from, to] {
                let cell = truth.value(cells[class * m + predicted]);
                self.confusion.set_cell(class, predicted, cell);
            }
        }
        self.update_class(from);
        self.update_class(to);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::metric::{CATALOGUE, by_name};

    /// Confusion matrix from true, correct and wrongly predicted weight per class.
    fn by_class(classes: &[(u32, u32, u32)]) -> Confusion {
        let mut confusion = Confusion::zeros(classes.len());
        for (k, &(truth, correct, mistaken)) in classes.iter().enumerate() {
            confusion.set_truth(k, f64::from(truth));
            confusion.set_cell(k, k, f64::from(correct));
            confusion.set_predicted(k, f64::from(correct + mistaken));
        }
        confusion
    }

    proptest! {
        #[test]
        fn improving_a_class_never_lowers_a_monotone_metric(
            classes in proptest::collection::vec((1..20_u32, 0..20_u32, 0..20_u32), 2..5),
            k in 0..5_usize,
            better in 1..5_u32,
        ) {
            let mut classes = classes;
            for class in &mut classes {
                class.1 = class.1.min(class.0);
            }
            let k = k % classes.len();
            let before = by_class(&classes);
            let (mut righter, mut fewer) = (classes.clone(), classes.clone());
            righter[k].1 = (righter[k].1 + better).min(righter[k].0);
            fewer[k].2 = fewer[k].2.saturating_sub(better);
            let names: Vec<String> = (0..classes.len()).map(|k| format!("c{k}")).collect();
            for entry in CATALOGUE.iter().filter(|entry| entry.is_found_by_name()) {
                let beta: Vec<String> = (1..=classes.len()).map(|k| k.to_string()).collect();
                let name = entry.name.replace("BETA", "2").replace("CLASS", "c1").replace("B1,B2,…", &beta.join(","));
                let name = name.replace("FORMULA", "tp[c1] - max(fp)");
                let metric = by_name(&name, &names).unwrap();
                for after in [&righter, &fewer].into_iter().filter(|_| metric.is_monotone_by_class()) {
                    prop_assert!(metric.score(&by_class(after)) >= metric.score(&before) - 1e-14, "{}", name);
                }
            }
        }

        #[test]
        fn a_metric_by_class_depends_on_class_counts_only(cells in proptest::collection::vec(0..9_u32, 9)) {
            let full = Confusion::from_cells(3, |i, j| f64::from(cells[3 * i + j]));
            let mut bare = Confusion::zeros(3);
            for (k, class) in full.per_class().enumerate() {
                bare.set_truth(k, class.truth);
                bare.set_cell(k, k, class.correct);
                bare.set_predicted(k, class.predicted);
            }
            let names = ["c0", "c1", "c2"].map(String::from);
            for entry in CATALOGUE.iter().filter(|entry| entry.is_found_by_name()) {
                let name = entry.name.replace("BETA", "2").replace("CLASS", "c1").replace("B1,B2,…", "1,2,3");
                let name = name.replace("FORMULA", "C[c1,c1] * mean(specificity) - tn[c0]");
                let metric = by_name(&name, &names).unwrap();
                if metric.is_by_class() {
                    prop_assert_eq!(metric.score(&full).to_bits(), metric.score(&bare).to_bits(), "{}", name);
                }
            }
        }
    }
}
