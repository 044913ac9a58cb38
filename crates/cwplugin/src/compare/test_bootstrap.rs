//! The sampling error of a difference to the black box that is due to the test rows.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution as _, Exp1};

use crate::data::Sample;
use crate::error::Error;
use crate::metric::{Confusion, Metric, checked_score};
use crate::numeric::parallel;
use crate::rule::Rule;

/// Bootstrap replicates of the test rows.
pub(super) const REPLICATES: usize = 100;

/// Number of distinct weights per replicate: more rows share weights, so that memory stays at a few megabytes.
const GROUPS: usize = 10_000;

/// Bayesian bootstrap weights of the test rows, and the scores of the black box under them.
#[derive(Debug)]
pub(super) struct TestBootstrap<'a> {
    test: &'a Sample,
    /// One set of weights per replicate.
    weights: Vec<Vec<f32>>,
    /// Per metric, one score per replicate.
    clean: Vec<Result<Vec<f64>, Error>>,
}

impl<'a> TestBootstrap<'a> {
    pub(super) fn new<M: Metric>(test: &'a Sample, metrics: &[M], seed: u64) -> Result<Self, Error> {
        let groups = test.n_rows().min(GROUPS);
        let draw = |replicate: usize| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(1_000 + replicate as u64);
            (0..groups).map(|_| Exp1.sample(&mut rng)).collect::<Vec<f32>>()
        };
        let weights = parallel::map((0..REPLICATES).collect(), draw);
        let mut bootstrap = Self { test, weights, clean: Vec::new() };
        let predictions = Rule::clean(test.n_classes())?.predict(test)?;
        bootstrap.clean = metrics.iter().map(|metric| bootstrap.scores(&predictions, metric)).collect();
        Ok(bootstrap)
    }

    /// The difference to the black box in every replicate, for the metric of this index; `None` if any is not finite.
    pub(super) fn differences(
        &self,
        predictions: &[usize],
        number: usize,
        metric: &dyn Metric,
    ) -> Option<Vec<f64>> {
        let clean = self.clean[number].as_ref().ok()?;
        let scores = self.scores(predictions, metric).ok()?;
        Some(scores.iter().zip(clean).map(|(score, clean)| score - clean).collect())
    }

    fn scores(&self, predictions: &[usize], metric: &dyn Metric) -> Result<Vec<f64>, Error> {
        let m = self.test.n_classes();
        let cell = |(row, &predicted): (usize, &usize)| {
            self.test.label(row).map(|label| (group_of(row), label * m + predicted, self.test.weight(row)))
        };
        let cells: Vec<(usize, usize, f64)> = predictions.iter().enumerate().filter_map(cell).collect();
        let score = |weights: &Vec<f32>| {
            let mut counts = vec![0.0; m * m];
            for &(group, cell, weight) in &cells {
                counts[cell] += f64::from(weights[group]) * weight;
            }
            checked_score(metric, &Confusion::from_cells(m, |truth, predicted| counts[truth * m + predicted]))
        };
        self.weights.iter().map(score).collect()
    }
}

/// Assigns rows beyond the first groups to a random group, independent of the row order (`SplitMix64`).
fn group_of(row: usize) -> usize {
    if row < GROUPS {
        return row;
    }
    let mut mixed = (row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) % GROUPS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;
    use crate::metric::Accuracy;

    /// The test error if the black box is always wrong and another rule is correct half the time.
    fn error_of(rows: usize) -> f64 {
        let p = Probabilities::new([0.9, 0.1].repeat(rows), 2).unwrap();
        let test = Sample::new(p, vec![Some(1); rows]).unwrap();
        let bootstrap = TestBootstrap::new(&test, &[Accuracy], 7).unwrap();
        let half: Vec<usize> = (0..rows).map(|row| row % 2).collect();
        let differences = bootstrap.differences(&half, 0, &Accuracy).unwrap();
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
        (differences.iter().map(|gap| (gap - mean) * (gap - mean)).sum::<f64>() / differences.len() as f64)
            .sqrt()
    }

    #[test]
    fn the_error_is_that_of_a_share_and_falls_with_the_root_of_the_rows() {
        for rows in [100, 2_000, 40_000] {
            let [got, wanted] = [error_of(rows), 0.5 / (rows as f64).sqrt()];
            assert!((got / wanted - 1.0).abs() < 0.3, "{rows} rows: {got} for {wanted}");
        }
    }

    #[test]
    fn a_rule_that_predicts_as_the_black_box_has_no_error() {
        let p = Probabilities::new([0.9, 0.1, 0.2, 0.8, 0.6, 0.4].repeat(30), 2).unwrap();
        let test = Sample::new(p, [Some(0), Some(0), None].repeat(30)).unwrap();
        let bootstrap = TestBootstrap::new(&test, &[Accuracy], 7).unwrap();
        assert_eq!(bootstrap.differences(&[0, 1, 0].repeat(30), 0, &Accuracy), Some(vec![0.0; REPLICATES]));
    }
}
