//! Weighted votes of several lists of factors.

use serde::{Deserialize, Serialize};

use crate::data::class_names::check_count;
use crate::data::{Probabilities, check_length};
use crate::error::Error;
use crate::numeric::parallel;
use crate::rule::Weights;
use crate::rule::predict::predict;

/// Rows per task: their probabilities and shares stay in the cache.
const PIECE: usize = 1 << 12;

/// Shares are rounded to multiples of this, so that 1/10 + 4/10 and 2/10 + 3/10 tie.
const GRAIN: f64 = 1.0 / (1_u64 << 36) as f64;

/// Largest deviation of the sum of all shares from 1.
const SUM_TOLERANCE: f64 = 1e-9;

/// One step of a mixture: votes with its share for the class `argmax_k factor_k·b_k`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MixtureStep {
    /// Weight of the vote.
    pub share: f64,
    /// One factor per class; may be negative.
    pub factors: Vec<f64>,
}

/// The model of the probing classifier: a weighted vote of steps on every row.
///
/// ```text
/// shares(b) = Σ_i share_i · onehot(argmax_k factor_ik·b_k)          a tie goes to the lowest class, as in NumPy
/// ```
///
/// The prediction is the class with the largest share; ties go to the lowest class. Shares closer than 1e-11 tie.
///
/// Invariants: at least one step; every step has the same number of factors, at least two, all finite; every share is
/// above 0; the shares sum to 1 within 1e-9.
///
/// ```
/// use cwplugin::rule::MixtureStep;
/// use cwplugin::{Mixture, Probabilities};
///
/// let step = |share, factors: [f64; 2]| MixtureStep { share, factors: factors.to_vec() };
/// let mixture = Mixture::new(vec![step(0.75, [1.0, 1.0]), step(0.25, [1.0, 4.0])])?;
/// let shares = mixture.apply(&Probabilities::new(vec![0.7, 0.3, 0.4, 0.6], 2)?)?;
/// assert!(shares.row(0).eq([0.75, 0.25]));
/// assert!(shares.row(1).eq([0.0, 1.0]));
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture {
    steps: Vec<MixtureStep>,
    n_classes: usize,
}

impl Mixture {
    /// A mixture of these steps.
    ///
    /// # Errors
    ///
    /// If an invariant above does not hold.
    pub fn new(steps: Vec<MixtureStep>) -> Result<Self, Error> {
        let n_classes = steps.first().map_or(0, |step| step.factors.len());
        check_count(n_classes)?;
        for (i, step) in steps.iter().enumerate() {
            check_length("factors", step.factors.len(), n_classes)?;
            if !step.share.is_finite() || step.share <= 0.0 {
                return Err(Error::BadStepShare { step: i, value: step.share });
            }
            if let Some(class) = step.factors.iter().position(|factor| !factor.is_finite()) {
                return Err(Error::BadFactor { step: i, class, value: step.factors[class] });
            }
        }
        let sum: f64 = steps.iter().map(|step| step.share).sum();
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(Error::ShareSum { sum });
        }
        Ok(Self { steps, n_classes })
    }

    /// The unadjusted black box.
    pub(crate) fn clean(n_classes: usize) -> Result<Self, Error> {
        Self::new(vec![MixtureStep { share: 1.0, factors: vec![1.0; n_classes] }])
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// The steps.
    pub fn steps(&self) -> &[MixtureStep] {
        &self.steps
    }

    /// The share of every class in every row. The result does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// If there is not one probability per factor.
    pub fn apply(&self, probabilities: &Probabilities) -> Result<Probabilities, Error> {
        let (n, m) = (probabilities.n_rows(), self.n_classes);
        check_length("classes", probabilities.n_classes(), m)?;
        let mut shares = vec![0.0; n * m];
        let pieces = (0..n).step_by(PIECE).zip(shares.chunks_mut(PIECE * m)).collect();
        parallel::map(pieces, |(start, shares): (usize, &mut [f64])| {
            for step in &self.steps {
                let rows = start..start + shares.len() / m;
                predict(probabilities, rows, [&step.factors], |first, [predicted]| {
                    let rows = shares[(first - start) * m..].chunks_exact_mut(m);
                    for (row, &class) in rows.zip(predicted) {
                        row[class as usize] += step.share;
                    }
                });
            }
            for share in shares {
                *share = (*share / GRAIN).round() * GRAIN;
            }
        });
        Probabilities::new(shares, m)
    }

    /// The class with the largest share in every row.
    ///
    /// # Errors
    ///
    /// As [`Mixture::apply`].
    pub fn predict(&self, probabilities: &Probabilities) -> Result<Vec<usize>, Error> {
        Weights::uniform(self.n_classes)?.predict(&self.apply(probabilities)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(share: f64, factors: &[f64]) -> MixtureStep {
        MixtureStep { share, factors: factors.to_vec() }
    }

    #[test]
    fn steps_are_checked_once() {
        let refused = |steps: Vec<MixtureStep>| Mixture::new(steps).unwrap_err();
        let good = step(0.5, &[1.0, -2.0]);
        assert_eq!(refused(vec![]), Error::TooFewClasses { found: 0 });
        assert_eq!(refused(vec![step(1.0, &[1.0])]), Error::TooFewClasses { found: 1 });
        assert_eq!(
            refused(vec![good.clone(), step(0.5, &[1.0; 3])]),
            Error::LengthMismatch { what: "factors", found: 3, expected: 2 }
        );
        assert_eq!(refused(vec![step(0.0, &[1.0; 2])]), Error::BadStepShare { step: 0, value: 0.0 });
        assert_eq!(
            refused(vec![good.clone(), step(0.5, &[0.0, f64::INFINITY])]),
            Error::BadFactor { step: 1, class: 1, value: f64::INFINITY }
        );
        assert_eq!(refused(vec![good.clone()]), Error::ShareSum { sum: 0.5 });
        let mixture = Mixture::new(vec![good.clone(), good]).unwrap();
        let p = Probabilities::new(vec![1.0, 0.0, 0.0], 3).unwrap();
        assert_eq!(
            mixture.apply(&p).unwrap_err(),
            Error::LengthMismatch { what: "classes", found: 3, expected: 2 }
        );
    }

    #[test]
    fn negative_factors_prefer_less_probable_classes_and_ties_go_to_the_lowest() {
        let p = Probabilities::new(vec![0.5, 0.3, 0.2, 0.0, 0.0, 1.0], 3).unwrap();
        let shares = Mixture::new(vec![step(1.0, &[-1.0, -1.0, -2.0])]).unwrap().apply(&p).unwrap();
        assert!(shares.row(0).eq([0.0, 1.0, 0.0])); // −0.5, −0.3, −0.4
        assert!(shares.row(1).eq([1.0, 0.0, 0.0])); // −0, −0, −2
    }

    #[test]
    fn equal_votes_tie_despite_rounding() {
        // 0.1 + 0.2 is more than 0.3 in doubles.
        let votes = [(0.3, 0), (0.1, 1), (0.2, 1), (0.2, 2), (0.2, 3)];
        let one_hot = |class| std::array::from_fn::<_, 4, _>(|k| f64::from(u8::from(k == class)));
        let steps = votes.map(|(share, class)| step(share, &one_hot(class)));
        let p = Probabilities::new(vec![0.25; 4], 4).unwrap();
        assert_eq!(Mixture::new(steps.to_vec()).unwrap().predict(&p).unwrap(), [0]);
    }

    #[test]
    fn many_rows_give_the_same_shares_as_one_and_sum_to_one() {
        let n = 2 * PIECE + 7;
        let value = |i: usize| [i % 7, i % 5, i % 3].map(|part| (part as f64 + 0.5) / 13.5);
        let rows: Vec<[f64; 3]> =
            (0..n).map(|i| value(i).map(|v| v / value(i).iter().sum::<f64>())).collect();
        let third = 1.0 / 3.0;
        let mixture = Mixture::new(
            [[1.0, 2.0, 3.0], [-1.0, 2.0, 0.1], [5.0, 1.0, 1.0]].map(|f| step(third, &f)).to_vec(),
        )
        .unwrap();
        let shares = mixture.apply(&Probabilities::new(rows.concat(), 3).unwrap()).unwrap();
        for (i, row) in rows.iter().enumerate() {
            let one = mixture.apply(&Probabilities::new(row.to_vec(), 3).unwrap()).unwrap();
            assert!(shares.row(i).eq(one.row(0)), "row {i}");
            assert!((shares.row(i).sum::<f64>() - 1.0).abs() < 1e-10);
        }
    }
}
