//! Predictions before and after, counted, with bootstrap intervals.

use std::borrow::Cow;
use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};

use super::cells::{Cell, Cells, MOST_APART};
use super::interval::{Interval, ScoreInterval, Side};
use crate::data::{Probabilities, Sample, check_length};
use crate::error::Error;
use crate::metric::{Confusion, Metric, check_size, checked_score};
use crate::numeric::parallel;
use crate::numeric::quantile::quantile;
use crate::numeric::tally::Tally;
use crate::progress::Observer;
use crate::rule::predict::predict;
use crate::rule::{Rule, Weights};

/// Labelled rows counted by true class, unadjusted ("clean") prediction and fitted prediction.
///
/// Metrics and resamples need only these counts, so rows are not stored. Rows of different weight are counted and
/// resampled separately. If that needs more than 100,000 counters, rows whose weights share their leading digits are
/// resampled with their mean weight. The metrics themselves stay exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcomes {
    pub(super) n_classes: usize,
    pub(super) n_rows: u64,
    pub(super) cells: Cells,
}

/// Inputs of the unadjusted and the fitted predictions.
struct Sides<'a> {
    sample: &'a Sample,
    calibrated: Cow<'a, Probabilities>,
    unit: Weights,
    fitted: &'a Weights,
}

impl Sides<'_> {
    /// Passes the predictions of both sides to `visit` in blocks of rows.
    fn predict(&self, rows: Range<usize>, mut visit: impl FnMut(usize, [&[u32]; 2])) {
        let (unit, fitted) = (self.unit.as_slice(), self.fitted.as_slice());
        match &self.calibrated {
            Cow::Borrowed(probabilities) => predict(probabilities, rows, [unit, fitted], visit),
            Cow::Owned(calibrated) => {
                let mut predicted = Vec::with_capacity(rows.len());
                predict(calibrated, rows.clone(), [fitted], |_, [classes]| {
                    predicted.extend_from_slice(classes);
                });
                predict(self.sample.probabilities(), rows.clone(), [unit], |first, [clean]| {
                    let here = first - rows.start;
                    visit(first, [clean, &predicted[here..here + clean.len()]]);
                });
            }
        }
    }
}

impl Outcomes {
    /// No rows.
    pub fn new(n_classes: usize) -> Self {
        Self { n_classes, n_rows: 0, cells: Cells::new(MOST_APART, false) }
    }

    /// Adds the labelled rows of a sample, predicted with this rule. Rows of weight 0 are ignored.
    ///
    /// # Errors
    ///
    /// If the sample or the rule is for another number of classes, or the rule needs features that the sample does not have.
    pub fn add_sample(&mut self, sample: &Sample, rule: &Rule) -> Result<(), Error> {
        for found in [sample.n_classes(), rule.n_classes()] {
            check_length("classes", found, self.n_classes)?;
        }
        let sides = Sides {
            sample,
            calibrated: rule.calibrated_probabilities(sample)?,
            unit: Weights::uniform(self.n_classes)?,
            fitted: rule.weights(),
        };
        let counted = parallel::count(
            sample.n_rows(),
            parallel::PIECE,
            || self.cells.empty_like(),
            |cells, rows| self.count_piece(cells, &sides, rows),
            Cells::merge,
        );
        self.n_rows += counted.rows().iter().map(|(_, rows, _)| rows).sum::<u64>();
        self.cells.merge(&counted);
        Ok(())
    }

    /// Adds the counts of other rows under the same rule.
    ///
    /// # Errors
    ///
    /// If they are for another number of classes.
    pub fn merge(&mut self, other: &Self) -> Result<(), Error> {
        check_length("classes", other.n_classes, self.n_classes)?;
        self.n_rows += other.n_rows;
        self.cells.merge(&other.cells);
        Ok(())
    }

    /// Counts some rows; unweighted rows in a dense table, if it has no more cells than there are rows.
    fn count_piece(&self, cells: &mut Cells, sides: &Sides, rows: Range<usize>) {
        let (m, sample) = (self.n_classes, sides.sample);
        let is_dense = sample.weights().is_none() && m.saturating_pow(3) <= rows.len();
        let mut dense = vec![0_u64; if is_dense { (m + 1) * m * m } else { 0 }];
        sides.predict(rows, |first, [clean, fitted]| {
            let labels = &sample.label_indices()[first..first + clean.len()];
            let predicted = labels.iter().zip(clean.iter().zip(fitted));
            for (row, (&label, (&clean, &fitted))) in (first..).zip(predicted) {
                let (truth, clean, fitted) = (label as usize, clean as usize, fitted as usize);
                if is_dense {
                    dense[(truth * m + clean) * m + fitted] += 1; // unlabelled rows are in the last part
                } else if truth < m && sample.weight(row) > 0.0 {
                    let weight_bits = sample.weight(row).to_bits();
                    cells.add(Cell { truth, clean, fitted, weight_bits }, 1);
                }
            }
        });
        let weight_bits = 1.0_f64.to_bits();
        let counted = dense.into_iter().enumerate().take(m * m * m).filter(|(_, rows)| *rows > 0);
        for (cell, rows) in counted {
            let (truth, clean, fitted) = (cell / m / m, cell / m % m, cell % m);
            cells.add(Cell { truth, clean, fitted, weight_bits }, rows);
        }
    }

    /// Adds one labelled row with given predictions. A row of weight 0 is ignored.
    pub(crate) fn add_row(&mut self, truth: usize, clean: usize, fitted: usize, weight: f64) {
        if weight > 0.0 {
            self.cells.add(Cell { truth, clean, fitted, weight_bits: weight.to_bits() }, 1);
            self.n_rows += 1;
        }
    }

    /// Number of labelled rows of positive weight.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Number of rows whose prediction changed.
    pub fn n_changed(&self) -> u64 {
        let cells = self.cells.rows();
        cells.iter().filter(|(cell, ..)| cell.clean != cell.fitted).map(|(_, rows, _)| rows).sum()
    }

    /// The confusion matrix before or after.
    pub fn confusion(&self, side: Side) -> Confusion {
        let m = self.n_classes;
        let mut cells = Tally::new(m * m, false);
        self.cells.count_into(&mut cells, |cell| cell.truth * m + cell.predicted(side));
        Confusion::from_cells(m, |truth, predicted| cells.weight(truth * m + predicted))
    }

    /// Every metric before and after, with 95% percentile bootstrap intervals.
    ///
    /// Rows are resampled with replacement. Each resample has its own random stream, so the result does not depend on the
    /// number of threads.
    ///
    /// # Errors
    ///
    /// If a metric is for another number of classes or not finite.
    pub fn intervals<M: Metric>(
        &self,
        metrics: &[M],
        resamples: usize,
        seed: u64,
    ) -> Result<Vec<ScoreInterval>, Error> {
        self.intervals_with_progress(metrics, (resamples, seed), Observer::default())
    }

    /// The same, with the progress of the resamples.
    pub(crate) fn intervals_with_progress<M: Metric>(
        &self,
        metrics: &[M],
        (resamples, seed): (usize, u64),
        observer: Observer<'_>,
    ) -> Result<Vec<ScoreInterval>, Error> {
        for metric in metrics {
            check_size(metric, self.n_classes)?;
        }
        let stage = observer.begin("resampling", resamples);
        let drawn = self.resampled(resamples, seed, |sides| {
            let scores = scores(metrics, sides);
            stage.step();
            scores
        });
        let drawn: Vec<Vec<[f64; 2]>> = drawn.into_iter().collect::<Result<_, _>>()?;
        let values = scores(metrics, [Side::Clean, Side::Fitted].map(|side| self.confusion(side)))?;
        let interval = |value: f64, resampled: &dyn Fn(&[f64; 2]) -> f64, metric: usize| {
            let mut scores: Vec<f64> = drawn.iter().map(|scores| resampled(&scores[metric])).collect();
            scores.sort_by(f64::total_cmp);
            let at = |share| quantile(&scores, share).unwrap_or(value);
            Interval { value, low: at(0.025), high: at(0.975) }
        };
        let score = |(metric, &[clean, fitted]): (usize, &[f64; 2])| ScoreInterval {
            clean: interval(clean, &|s| s[0], metric),
            fitted: interval(fitted, &|s| s[1], metric),
            gain: interval(fitted - clean, &|s| s[1] - s[0], metric),
        };
        Ok(values.iter().enumerate().map(score).collect())
    }

    /// `of` applied to the confusion matrices before and after of every resample.
    pub(crate) fn resampled<T: Send>(
        &self,
        resamples: usize,
        seed: u64,
        of: impl Fn([Confusion; 2]) -> T + Sync,
    ) -> Vec<T> {
        let cells = self.cells.rows();
        let drawn_from = self.cell_of_rows(&cells);
        parallel::map((0..resamples as u64).collect(), |stream| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(stream);
            let counts = match &drawn_from {
                Some(rows) => resample_rows(rows, cells.len(), &mut rng),
                None => self.resample_cells(&cells, &mut rng),
            };
            of([Side::Clean, Side::Fitted].map(|side| self.confusion_of(side, &cells, &counts)))
        })
    }

    /// The confusion matrix of one side for a resample. Sums are rounded, but in a fixed order.
    fn confusion_of(&self, side: Side, cells: &[(Cell, u64, f64)], counts: &[u64]) -> Confusion {
        let mut confusion = Confusion::zeros(self.n_classes);
        for ((cell, _, each), &count) in cells.iter().zip(counts) {
            confusion.add(cell.truth, cell.predicted(side), each * count as f64);
        }
        confusion
    }

    /// The cell of each row, if drawing rows one by one is cheaper: a binomial draw costs about as much as twenty rows.
    fn cell_of_rows(&self, cells: &[(Cell, u64, f64)]) -> Option<Vec<u32>> {
        if (cells.len() as u64).saturating_mul(20) < self.n_rows {
            return None;
        }
        let cells = (0..).zip(cells);
        Some(cells.flat_map(|(cell, &(_, rows, _))| (0..rows).map(move |_| cell)).collect())
    }

    /// A multinomial draw as a sequence of binomial draws from the remaining rows.
    fn resample_cells(&self, cells: &[(Cell, u64, f64)], rng: &mut ChaCha8Rng) -> Vec<u64> {
        let (mut rows_left, mut unvisited) = (self.n_rows, self.n_rows);
        let take = |&(_, rows, _): &(Cell, u64, f64)| {
            let share = (rows as f64 / unvisited as f64).min(1.0);
            unvisited -= rows;
            let drawn = Binomial::new(rows_left, share).map_or(0, |binomial| binomial.sample(rng));
            rows_left -= drawn;
            drawn
        };
        cells.iter().map(take).collect()
    }
}

/// Every metric before and after.
fn scores<M: Metric>(metrics: &[M], [clean, fitted]: [Confusion; 2]) -> Result<Vec<[f64; 2]>, Error> {
    let score = |metric: &M| Ok([checked_score(metric, &clean)?, checked_score(metric, &fitted)?]);
    metrics.iter().map(score).collect()
}

/// How often each cell occurs when the rows are drawn with replacement.
fn resample_rows(cell_of_rows: &[u32], cells: usize, rng: &mut ChaCha8Rng) -> Vec<u64> {
    let mut counts = vec![0; cells];
    for _ in cell_of_rows {
        counts[cell_of_rows[rng.random_range(0..cell_of_rows.len())] as usize] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;
    use crate::metric::{Accuracy, Cost};

    /// 70% of the rows are of class 0, 30% of class 1; the black box predicts class 0 for all.
    fn outcomes(n: usize) -> Outcomes {
        let p = Probabilities::new([0.7, 0.3].repeat(n), 2).unwrap();
        let labels = (0..n).map(|i| Some(usize::from(i % 10 >= 7))).collect();
        let mut outcomes = Outcomes::new(2);
        outcomes
            .add_sample(&Sample::new(p, labels).unwrap(), &Weights::new(vec![0.1, 0.9]).unwrap().into())
            .unwrap();
        outcomes
    }

    #[test]
    fn both_sides_are_counted() {
        let outcomes = outcomes(100);
        assert_eq!(outcomes.confusion(Side::Clean), Confusion::from_rows(&[[70.0, 0.0], [30.0, 0.0]]));
        assert_eq!(outcomes.confusion(Side::Fitted), Confusion::from_rows(&[[0.0, 70.0], [0.0, 30.0]]));
        assert_eq!((outcomes.n_rows(), outcomes.n_changed()), (100, 100));
    }

    #[test]
    fn the_interval_of_accuracy_is_binomial_for_few_and_many_rows() {
        for n in [100, 10_000] {
            let score = outcomes(n).intervals(&[Accuracy], 4000, 1).unwrap()[0];
            let half = 1.96 * (0.7 * 0.3 / n as f64).sqrt();
            assert!((score.clean.value - 0.7).abs() < 1e-12);
            assert!((score.clean.low - (0.7 - half)).abs() < 0.15 * half, "{score:?}");
            assert!((score.clean.high - (0.7 + half)).abs() < 0.15 * half, "{score:?}");
            assert!((score.gain.value + 0.4).abs() < 1e-12);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_interval() {
        let a = outcomes(100).intervals(&[Accuracy], 50, 7).unwrap();
        assert_eq!(a, outcomes(100).intervals(&[Accuracy], 50, 7).unwrap());
        assert_ne!(a, outcomes(100).intervals(&[Accuracy], 50, 8).unwrap());
    }

    #[test]
    fn a_metric_for_other_classes_is_rejected() {
        let cost = Cost::new("cost:c", vec![0.0; 9], 3).unwrap();
        let error = outcomes(100).intervals(&[cost], 10, 0).unwrap_err();
        assert_eq!(error, Error::MetricClasses { metric: "cost:c".into(), expected: 3, found: 2 });
    }
}
