//! The confusion matrix of the rows as they are predicted now, kept up to date row by row.

use super::targets::{Moving, Truth};
use crate::error::Error;
use crate::metric::{Confusion, Metric};

/// Counts in whole numbers, and the matrix of doubles that a metric looks at.
pub(super) struct Ledger<'a, Y: Truth, M: ?Sized> {
    truth: &'a Y,
    metric: &'a M,
    counts: Counts<Y::Sum>,
    confusion: Confusion,
    pub(super) evaluations: usize,
    not_finite: Option<f64>,
}

/// What is counted.
#[derive(Clone)]
pub(super) struct Counts<S> {
    predicted: Vec<S>,
    correct: Vec<S>,
    /// All cells, `[truth, predicted]`; none if the metric looks at no other than the two lists above.
    cells: Vec<S>,
}

impl<'a, Y: Truth, M: Metric + ?Sized> Ledger<'a, Y, M> {
    /// Nothing is predicted yet.
    pub(super) fn new(truth: &'a Y, metric: &'a M, n_rows: usize, m: usize) -> Self {
        let mut truths = vec![Y::Sum::default(); m];
        for row in 0..n_rows {
            truth.each(truth.tag(row), |class, weight| truths[class] += weight);
        }
        let mut confusion = Confusion::zeros(m);
        for (class, &weight) in truths.iter().enumerate() {
            confusion.set_truth(class, truth.value(weight));
        }
        let cells = if metric.is_by_class() { 0 } else { m * m };
        let counts = Counts {
            predicted: vec![Y::Sum::default(); m],
            correct: vec![Y::Sum::default(); m],
            cells: vec![Y::Sum::default(); cells],
        };
        Self { truth, metric, counts, confusion, evaluations: 0, not_finite: None }
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

    pub(super) fn counts(&self) -> &Counts<Y::Sum> {
        &self.counts
    }

    /// The metric as things stand; an error, later, if it is not a finite number.
    pub(super) fn score(&mut self) -> f64 {
        self.evaluations += 1;
        let score = self.metric.score(&self.confusion);
        if !score.is_finite() {
            self.not_finite.get_or_insert(score);
        }
        score
    }

    /// An error if the metric ever was something other than a finite number.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.not_finite {
            Some(value) => Err(Error::MetricNotFinite { metric: self.metric.name().into(), value }),
            None => Ok(()),
        }
    }

    /// Counts all rows anew.
    pub(super) fn recount(&mut self, predictions: impl Iterator<Item = usize>) {
        let m = self.m();
        let mut counts = self.counts.clone();
        for list in [&mut counts.predicted, &mut counts.correct, &mut counts.cells] {
            list.fill(Y::Sum::default());
        }
        for (row, predicted) in predictions.enumerate() {
            let tag = self.truth.tag(row);
            counts.predicted[predicted] += self.truth.total(tag);
            counts.correct[predicted] += self.truth.of(tag, predicted);
            if !counts.cells.is_empty() {
                self.truth.each(tag, |class, weight| counts.cells[class * m + predicted] += weight);
            }
        }
        self.restore(counts);
    }

    /// Goes back to earlier counts.
    pub(super) fn restore(&mut self, counts: Counts<Y::Sum>) {
        self.counts = counts;
        let m = self.m();
        for class in 0..m {
            self.show(class);
        }
        for (cell, &weight) in self.counts.cells.iter().enumerate() {
            self.confusion.set_cell(cell / m, cell % m, self.truth.value(weight));
        }
    }

    /// Shows the metric what is counted of a class.
    #[inline(always)]
    fn show(&mut self, class: usize) {
        self.confusion.set_predicted(class, self.truth.value(self.counts.predicted[class]));
        self.confusion.set_cell(class, class, self.truth.value(self.counts.correct[class]));
    }

    /// A row is predicted as another class.
    #[inline(always)]
    pub(super) fn move_row(&mut self, tag: u32, from: usize, to: usize) {
        let (m, truth) = (self.m(), self.truth);
        let Counts { predicted, correct, cells } = &mut self.counts;
        let total = truth.total(tag);
        predicted[from] -= total;
        predicted[to] += total;
        correct[from] -= truth.of(tag, from);
        correct[to] += truth.of(tag, to);
        if !cells.is_empty() {
            truth.each(tag, |class, weight| {
                for (predicted, is_new) in [(from, false), (to, true)] {
                    let cell = &mut cells[class * m + predicted];
                    if is_new {
                        *cell += weight;
                    } else {
                        *cell -= weight;
                    }
                    self.confusion.set_cell(class, predicted, truth.value(*cell));
                }
            });
        }
        self.show(from);
        self.show(to);
    }

    /// Rows are predicted as `class`, or no longer; only for a metric by class. The metric is not shown it.
    pub(super) fn move_rows(&mut self, moving: &[Moving<Y::Sum>], class: usize, is_back: bool) {
        let Counts { predicted, correct, .. } = &mut self.counts;
        for (rival, moving) in moving.iter().enumerate() {
            if is_back {
                predicted[class] -= moving.total;
                correct[class] -= moving.of_class;
                predicted[rival] += moving.total;
                correct[rival] += moving.of_rival;
            } else {
                predicted[class] += moving.total;
                correct[class] += moving.of_class;
                predicted[rival] -= moving.total;
                correct[rival] -= moving.of_rival;
            }
        }
    }

    /// The score if what rows can do good were done, and no harm: those of the class come, wrong ones leave.
    pub(super) fn hope(&mut self, moving: &[Moving<Y::Sum>], class: usize) -> f64 {
        let (mut predicted, mut correct) = (self.counts.predicted[class], self.counts.correct[class]);
        for (rival, moving) in moving.iter().enumerate() {
            predicted += moving.of_class;
            correct += moving.of_class;
            if rival != class {
                let mut left = self.counts.predicted[rival];
                left -= moving.total;
                left += moving.of_rival;
                self.confusion.set_predicted(rival, self.truth.value(left));
                self.confusion.set_cell(rival, rival, self.truth.value(self.counts.correct[rival]));
            }
        }
        self.confusion.set_predicted(class, self.truth.value(predicted));
        self.confusion.set_cell(class, class, self.truth.value(correct));
        self.score()
    }

    /// Shows the metric all counts by class.
    pub(super) fn show_all(&mut self) {
        (0..self.m()).for_each(|class| self.show(class));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::metric::{CATALOGUE, by_name};

    /// Classes with true, correct and mistaken weight.
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
        fn no_class_lowers_a_monotone_metric_by_becoming_better(
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
        fn a_metric_by_class_sees_nothing_else(cells in proptest::collection::vec(0..9_u32, 9)) {
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
