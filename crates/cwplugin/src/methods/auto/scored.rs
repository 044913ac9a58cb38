//! Scores of predictions, with their sampling uncertainty.

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Exp1};

use crate::data::Sample;
use crate::error::Error;
use crate::metric::{Confusion, Metric, checked_score};
use crate::numeric::parallel;
use crate::report::Estimate;

/// Replicates of either kind.
const REPLICATES: usize = 200;

/// How often every row counts, in each replicate of either kind. All methods are scored on the same ones.
#[derive(Debug)]
pub(super) struct Replicates {
    reweighted: Vec<Vec<f64>>,
    resampled: Vec<Vec<f64>>,
}

impl Replicates {
    pub(super) fn new(n_rows: usize, seed: u64) -> Self {
        // One stream per replicate.
        let chances = |chances: fn(usize, &mut ChaCha8Rng) -> Vec<f64>, first_stream: u64| {
            parallel::map((0..REPLICATES).collect(), |replicate: usize| {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(first_stream + replicate as u64);
                chances(n_rows, &mut rng)
            })
        };
        Self { reweighted: chances(reweighted, 1_000), resampled: chances(resampled, 2_000) }
    }
}

/// The out-of-fold score of a method, and its replicates on resampled rows.
///
/// The two kinds of replicates complement each other. The Bayesian bootstrap weights every row smoothly, so no class is
/// lost and the scores are centred on the score itself. But a class of one row is then always correct or always wrong,
/// and a difference that depends on it would seem certain. Drawing rows with replacement captures that uncertainty.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    pub(super) score: f64,
    reweighted: Vec<f64>,
    /// `None` if the metric is not finite because a class was not drawn.
    resampled: Vec<Option<f64>>,
}

impl Scored {
    /// The metric of these predictions for the first rows of a sample, with its replicates.
    pub(super) fn new(
        sample: &Sample,
        predictions: &[usize],
        metric: &dyn Metric,
        replicates: &Replicates,
    ) -> Result<Self, Error> {
        let count = |chances: &[f64]| {
            let mut confusion = Confusion::zeros_for(metric, sample.n_classes());
            for (row, (&predicted, chance)) in predictions.iter().zip(chances).enumerate() {
                if let Some(label) = sample.label(row) {
                    confusion.add(label, predicted, chance * sample.weight(row));
                }
            }
            checked_score(metric, &confusion)
        };
        let scores =
            |of: &[Vec<f64>]| parallel::map(of.iter().collect(), |chances: &Vec<f64>| count(chances));
        Ok(Self {
            score: count(&vec![1.0; predictions.len()])?,
            reweighted: scores(&replicates.reweighted).into_iter().collect::<Result<_, _>>()?,
            resampled: scores(&replicates.resampled).into_iter().map(Result::ok).collect(),
        })
    }

    /// The difference to another score.
    pub(super) fn above(&self, other: &Self) -> Estimate {
        let resampled = self.resampled.iter().zip(&other.resampled);
        let mut gaps: Vec<f64> =
            resampled.filter_map(|(score, other)| Some(score.as_ref()? - other.as_ref()?)).collect();
        if gaps.len() < REPLICATES / 2 {
            let reweighted = self.reweighted.iter().zip(&other.reweighted);
            gaps = reweighted.map(|(score, other)| score - other).collect();
        }
        Estimate { mean: self.score - other.score, ..Estimate::of(&gaps) }
    }

    /// The 95% confidence interval: the 2.5% and 97.5% quantiles of the replicates.
    pub(super) fn interval(&self) -> (f64, f64) {
        let mut sorted = self.reweighted.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        #[allow(clippy::cast_sign_loss)] // a quantile is not negative
        let at = |quantile: f64| sorted[((sorted.len() - 1) as f64 * quantile).round() as usize];
        (at(0.025), at(0.975))
    }
}

/// Bayesian bootstrap: a random weight for every row.
fn reweighted(n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    (0..n).map(|_| Exp1.sample(rng)).collect()
}

/// Bootstrap: how often every row is drawn with replacement.
fn resampled(n: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut times = vec![0.0; n];
    (0..n).for_each(|_| times[rng.random_range(0..n)] += 1.0);
    times
}

#[cfg(test)]
impl Scored {
    /// A score with these replicates.
    pub(super) fn of_replicates(score: f64, reweighted: Vec<f64>) -> Self {
        Self { score, reweighted, resampled: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;
    use crate::metric::MacroF1;

    /// The recall of the third class; NaN without it.
    struct Rare;

    impl Metric for Rare {
        fn name(&self) -> &'static str {
            "rare"
        }

        fn score(&self, confusion: &Confusion) -> f64 {
            confusion.get(2, 2) / (0..3).map(|predicted| confusion.get(2, predicted)).sum::<f64>()
        }
    }

    /// 30 rows of two classes and one row of a third.
    fn sample() -> Sample {
        let p = Probabilities::new([0.4, 0.3, 0.3].repeat(31), 3).unwrap();
        Sample::new(p, (0..31).map(|row| Some(if row == 30 { 2 } else { row % 2 })).collect()).unwrap()
    }

    /// All correct except the row of the third class.
    fn predictions(last: usize) -> Vec<usize> {
        (0..31).map(|row| if row == 30 { last } else { row % 2 }).collect()
    }

    #[test]
    fn a_difference_that_depends_on_one_row_is_not_certain() {
        let scored =
            |last| Scored::new(&sample(), &predictions(last), &MacroF1, &Replicates::new(31, 3)).unwrap();
        let gap = scored(2).above(&scored(0));
        assert!(gap.mean > 0.3 && gap.sd > 0.1, "{gap:?}");
        let same = scored(2).above(&scored(2));
        assert_eq!((same.mean, same.sd), (0.0, 0.0));
        let (low, high) = scored(2).interval();
        assert_eq!((low, high), (1.0, 1.0), "smooth weights lose no class");
    }

    #[test]
    fn a_metric_that_needs_every_class_is_judged_by_rows_that_have_them() {
        let scored =
            |last| Scored::new(&sample(), &predictions(last), &Rare, &Replicates::new(31, 3)).unwrap();
        assert!(scored(2).resampled.iter().any(Option::is_none));
        let gap = scored(2).above(&scored(0));
        assert_eq!((gap.mean, gap.sd), (1.0, 0.0));
    }
}
