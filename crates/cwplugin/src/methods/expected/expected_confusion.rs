//! The expected confusion matrix of predictions, for each draw.

use super::class_counts::ClassCountsOfDraws;
use super::population::Population;
use crate::error::Error;
use crate::metric::{Confusion, Constrained, Metric, checked_score};

/// The objective: the mean of a metric, subject to constraints if there are any.
#[derive(Clone, Copy)]
pub(super) struct Objective<'a> {
    pub(super) metric: &'a dyn Metric,
    pub(super) within: Option<&'a Constrained<'a>>,
}

/// What the metric needs of the confusion matrices, one for each draw; predictions may change.
#[derive(Clone)]
pub(super) struct ExpectedConfusion<'a> {
    population: &'a Population,
    objective: &'a Objective<'a>,
    counts: Counts<'a>,
    /// Number of rows predicted as each class.
    n_predicted: Vec<usize>,
    /// The confusion matrix of the labelled rows, if there are constraints on them.
    labelled: Option<Confusion>,
}

#[derive(Clone)]
enum Counts<'a> {
    /// For a ratio of two sums over the classes.
    ByClass(Box<ClassCountsOfDraws<'a>>),
    /// For every other metric.
    Matrices(Vec<Confusion>),
}

impl<'a> ExpectedConfusion<'a> {
    pub(super) fn new(
        population: &'a Population,
        objective: &'a Objective<'a>,
        predictions: &[usize],
    ) -> Self {
        let counts = match objective.metric.class_ratio() {
            Some(ratio) => Counts::ByClass(Box::new(ClassCountsOfDraws::new(population, ratio, predictions))),
            None => Counts::Matrices(matrices(population, objective.metric, predictions)),
        };
        let mut n_predicted = vec![0; population.n_classes()];
        for &predicted in predictions {
            n_predicted[predicted] += 1;
        }
        let labelled = objective.within.map(|_| {
            let mut labelled = Confusion::zeros(population.n_classes());
            for (row, &predicted) in predictions.iter().enumerate() {
                if let Some((truth, weight)) = population.label(row) {
                    labelled.add(truth, predicted, weight);
                }
            }
            labelled
        });
        Self { population, objective, counts, n_predicted, labelled }
    }

    pub(super) fn population(&self) -> &'a Population {
        self.population
    }

    /// Changes the prediction of a row.
    pub(super) fn shift(&mut self, row: usize, from: usize, to: usize) {
        match &mut self.counts {
            Counts::ByClass(counts) => counts.shift(row, from, to),
            Counts::Matrices(matrices) => {
                let population = self.population;
                let is_by_class = self.objective.metric.is_by_class();
                let by_class = [from, to].into_iter().filter(|_| is_by_class);
                let all = (0..population.n_classes()).filter(|_| !is_by_class);
                for truth in by_class.chain(all) {
                    for (matrix, &weight) in matrices.iter_mut().zip(population.truths_of(row, truth)) {
                        matrix.shift_cells(truth, weight, from, to);
                    }
                }
                for (matrix, &weight) in matrices.iter_mut().zip(population.weights(row)) {
                    matrix.shift_predictions(weight, from, to);
                }
            }
        }
        self.n_predicted[from] -= 1;
        self.n_predicted[to] += 1;
        if self.n_predicted[from] == 0 {
            match &mut self.counts {
                Counts::ByClass(counts) => counts.clear_prediction(from),
                Counts::Matrices(matrices) => {
                    for matrix in matrices {
                        matrix.clear_prediction(from);
                    }
                }
            }
        }
        if let (Some(labelled), Some((truth, weight))) = (&mut self.labelled, self.population.label(row)) {
            labelled.add(truth, from, -weight);
            labelled.add(truth, to, weight);
        }
    }

    /// Undoes all changes since this was the same as another.
    pub(super) fn restore(&mut self, other: &Self) {
        match (&mut self.counts, &other.counts) {
            (Counts::ByClass(counts), Counts::ByClass(others)) => counts.restore(others),
            (counts, others) => counts.clone_from(others),
        }
        self.copy_rest(other);
    }

    /// Makes another the same as this, with which it was the same before the last changes.
    pub(super) fn copy_changes(&mut self, other: &mut Self) {
        match (&mut self.counts, &mut other.counts) {
            (Counts::ByClass(counts), Counts::ByClass(others)) => counts.copy_changed(others),
            (counts, others) => others.clone_from(counts),
        }
        other.copy_rest(self);
    }

    fn copy_rest(&mut self, other: &Self) {
        self.n_predicted.clone_from(&other.n_predicted);
        self.labelled.clone_from(&other.labelled);
    }

    /// The value of the objective: the mean of the metric over the draws, unless the labelled rows violate a constraint.
    pub(super) fn value(&mut self) -> Result<f64, Error> {
        let within = self.objective.within.zip(self.labelled.as_ref());
        match within.and_then(|(within, labelled)| within.penalty(labelled)) {
            Some(value) if value.is_nan() => {
                let metric = self.objective.within.map_or("", Metric::name).into();
                Err(Error::MetricNotFinite { metric, value })
            }
            Some(penalty) => Ok(penalty),
            None => self.scores().map(|scores| scores.iter().sum::<f64>() / scores.len() as f64),
        }
    }

    /// The metric of every draw.
    pub(super) fn scores(&mut self) -> Result<Vec<f64>, Error> {
        let metric = self.objective.metric;
        match &mut self.counts {
            Counts::ByClass(counts) => {
                let scores = counts.scores();
                match scores.iter().find(|score| !score.is_finite()) {
                    Some(&value) => Err(Error::MetricNotFinite { metric: metric.name().into(), value }),
                    None => Ok(scores),
                }
            }
            Counts::Matrices(matrices) => {
                matrices.iter().map(|matrix| checked_score(metric, matrix)).collect()
            }
        }
    }
}

fn matrices(population: &Population, metric: &dyn Metric, predictions: &[usize]) -> Vec<Confusion> {
    let n_draws = population.n_draws();
    let mut matrices = vec![Confusion::zeros_for(metric, population.n_classes()); n_draws];
    for (row, &predicted) in predictions.iter().enumerate() {
        for (truth, weights) in population.truths(row).chunks_exact(n_draws).enumerate() {
            for (matrix, &weight) in matrices.iter_mut().zip(weights) {
                matrix.add(truth, predicted, weight);
            }
        }
    }
    matrices
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::{Probabilities, Sample};
    use crate::methods::expected::Plan;
    use crate::metric::MacroF1;
    use crate::progress::Observer;

    const CLASSES: usize = 4;
    const ROWS: usize = 12;

    fn plan() -> Plan {
        let weight = |i: usize| 1.0 + (i * 7 % 11) as f64;
        let row = |row: usize| {
            let sum: f64 = (0..CLASSES).map(|class| weight(row * CLASSES + class)).sum();
            (0..CLASSES).map(move |class| weight(row * CLASSES + class) / sum)
        };
        let p = Probabilities::new((0..ROWS).flat_map(row).collect(), CLASSES).unwrap();
        let sample = Sample::new(p, (0..ROWS).map(|row| Some(row % CLASSES)).collect()).unwrap();
        Plan::new(&sample, 0.0, 1, Observer::default()).unwrap()
    }

    proptest! {
        /// As a search does, but with scores that are computed late or never, because a constraint is violated.
        #[test]
        fn changes_that_are_copied_undone_or_not_yet_scored_equal_counting_again(
            steps in proptest::collection::vec((0..ROWS, 0..CLASSES, 0..5_u8), 1..60),
        ) {
            let plan = plan();
            let objective = Objective { metric: &MacroF1, within: None };
            let mut predictions = vec![0; ROWS];
            let mut kept = ExpectedConfusion::new(plan.population(), &objective, &predictions);
            let (mut trial, mut tried) = (kept.clone(), predictions.clone());
            for (row, class, then) in steps {
                if tried[row] != class {
                    trial.shift(row, tried[row], class);
                    tried[row] = class;
                }
                match then {
                    0 | 1 => {
                        let again = ExpectedConfusion::new(plan.population(), &objective, &tried).value().unwrap();
                        prop_assert!((trial.value().unwrap() - again).abs() < 1e-12);
                    }
                    2 => {
                        trial.restore(&kept);
                        tried.clone_from(&predictions);
                    }
                    3 => {
                        trial.copy_changes(&mut kept);
                        predictions.clone_from(&tried);
                    }
                    _ => {}
                }
            }
        }
    }
}
