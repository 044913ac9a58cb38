//! Coordinate ascent on the whole metric: past Algorithm 1, which tunes every class alone.

mod targets; // what a row counts for
mod ledger; // the confusion matrix, row by row
mod picked; // some rows of a block
mod standing; // the two best classes of a row
mod standings; // … of every row
mod line; // every cut of one class
mod columns; // a matrix column by column
mod climb; // one class after the other
mod approach; // … on many rows
mod ascend; // from several starts
mod start; // where to begin

pub(crate) use approach::too_little;
pub(crate) use ascend::{Climbed, Problem, ascend};
pub(crate) use line::Buckets;
pub(crate) use standing::Standing;
pub use start::Start;
pub(crate) use start::{column_sums, label_shift_of_sums};
pub(crate) use targets::Targets;

use crate::data::{Probabilities, Sample};
use crate::error::Error;
use crate::methods::{AscentReport, Details, Fitted, Report};
use crate::metric::{Metric, check_size, checked_score};
use crate::rule::Weights;

/// The recipe of coordinate ascent: which metric.
///
/// For one class every row has one cut: the weight from which on the row goes to that class, the other weights being as
/// they are. All cuts are looked at in order, with the metric of *all* rows between them, and the middle of the
/// widest best stretch is taken; then comes the next class, until no class has anything better (on many rows: next to
/// nothing, see [`AscentReport::converged`]). So the weights score
/// at least as well on the sample as every start does: weights 1, Algorithm 1 against each of the three heaviest
/// classes (on many rows, against the heaviest), and the ratios that make the predicted shares of the classes those of the labels.
///
/// ```
/// use cwplugin::{Ascent, Probabilities, Sample, metric::MacroF1};
///
/// // A black box that is too fond of class 0.
/// let p = Probabilities::new(vec![0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8], 2)?;
/// let sample = Sample::new(p, vec![Some(0), Some(1), Some(1), Some(1)])?;
/// let fitted = Ascent::new(MacroF1).fit(&sample)?;
/// assert!(fitted.report().score.is_some_and(|score| score.fitted == 1.0));
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Ascent<M> {
    metric: M,
}

impl<M: Metric> Ascent<M> {
    /// Maximises this metric.
    pub fn new(metric: M) -> Self {
        Self { metric }
    }

    /// Learns one weight per class from the labelled rows.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, or the metric is for another number of classes or not finite.
    pub fn fit(&self, sample: &Sample) -> Result<Fitted, Error> {
        let census = sample.census();
        census.check_for(&self.metric)?;
        let rows = sample.labelled(); // the others would only stand in the way
        let (kinds, starts) = start::of_sample(&rows, &self.metric)?;
        let is_free: Vec<bool> =
            (0..sample.n_classes()).map(|class| census.rows(class) > 0 && census.probable[class]).collect();
        let targets = Targets::Labels { labels: rows.labels(), weights: rows.weights() };
        let problem = Problem { probabilities: rows.probabilities(), targets, is_free: &is_free };
        let climbed = ascend(&problem, &self.metric, &starts)?;

        let clean = Weights::uniform(sample.n_classes())?;
        let [before, after] = rows.confusions([&clean, &climbed.weights])?;
        let before = checked_score(&self.metric, &before)?;
        let after = checked_score(&self.metric, &after)?;
        let details = Details::Ascent(report_of(&climbed, &kinds));
        let report = Report::unscored(self.metric.name(), census, details);
        Ok(Fitted::new(climbed.weights.into(), report).scored(before, after))
    }

    /// Learns one weight per class from rows of which only is known what is likely: row `i` counts
    /// `targets[i·m + k]` for class `k`. Probabilities that mean what they say are such targets, and need no labels.
    ///
    /// # Errors
    ///
    /// If there is not one number per probability, one is negative or not finite, all are 0, or the metric is for
    /// another number of classes or not finite.
    pub fn fit_soft(
        &self,
        probabilities: &Probabilities,
        targets: &[f64],
    ) -> Result<(Weights, AscentReport), Error> {
        let m = probabilities.n_classes();
        check_size(&self.metric, m)?;
        start::check_targets(targets, probabilities)?;
        // Rows that count for nothing would only stand in the way.
        let counts = |row: &usize| targets[row * m..(row + 1) * m].iter().any(|&target| target > 0.0);
        let rows: Vec<usize> = (0..probabilities.n_rows()).filter(counts).collect();
        if rows.len() < probabilities.n_rows() {
            let targets: Vec<f64> =
                rows.iter().flat_map(|row| &targets[row * m..(row + 1) * m]).copied().collect();
            return self.fit_soft(&probabilities.select(&rows), &targets);
        }
        let (kinds, starts) = start::of_targets(probabilities, targets)?;
        let is_true = |class: usize| targets.iter().skip(class).step_by(m).any(|&target| target > 0.0);
        let is_probable = |class: usize| (0..rows.len()).any(|row| probabilities.get(row, class) > 0.0);
        let is_free: Vec<bool> = (0..m).map(|class| is_true(class) && is_probable(class)).collect();
        let problem = Problem { probabilities, targets: Targets::Soft(targets), is_free: &is_free };
        let climbed = ascend(&problem, &self.metric, &starts)?;
        let report = report_of(&climbed, &kinds);
        Ok((climbed.weights, report))
    }
}

fn report_of(climbed: &Climbed, kinds: &[Start]) -> AscentReport {
    AscentReport {
        start: kinds[climbed.start],
        score: climbed.score,
        cycles: climbed.cycles,
        evaluations: climbed.evaluations,
        converged: climbed.is_proven,
    }
}
