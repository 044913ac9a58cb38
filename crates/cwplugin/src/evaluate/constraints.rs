//! Whether predictions meet the constraints: on the rows at hand, and on new ones.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::evaluate::{Outcomes, Side};
use crate::metric::Constraint;
use crate::metric::{check_size, checked_score};

/// Resamples that the probability of a constraint is counted on.
const RESAMPLES: usize = 1_000;

/// A constraint, and how far a rule keeps to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConstraintStatus {
    /// The constraint as it is written.
    pub constraint: String,
    /// The number that it limits, on the labelled rows.
    pub value: f64,
    /// By how much that is on the right side of the limit; below 0 on the wrong one.
    pub margin: f64,
    /// The chance that it holds on new rows: the share of the resamples of the labelled rows in which it does, after what the
    /// rule owes to being chosen on these very rows is taken off.
    pub probability: f64,
}

impl ConstraintStatus {
    /// Whether it holds on the labelled rows.
    pub fn is_met(&self) -> bool {
        self.margin >= 0.0
    }

    /// How far the fitted side keeps to these constraints on rows that it was not chosen on.
    ///
    /// # Errors
    ///
    /// If a metric is for another number of classes or not finite.
    pub fn of(constraints: &[Constraint], outcomes: &Outcomes, seed: u64) -> Result<Vec<Self>, Error> {
        Self::of_chosen(constraints, outcomes, &vec![0.0; constraints.len()], seed)
    }

    /// The same on rows that it was chosen on, and that make each number look better by so much.
    pub(crate) fn of_chosen(
        constraints: &[Constraint],
        outcomes: &Outcomes,
        optimism: &[f64],
        seed: u64,
    ) -> Result<Vec<Self>, Error> {
        let confusion = outcomes.confusion(Side::Fitted);
        let m = confusion.classes().len();
        constraints.iter().try_for_each(|constraint| check_size(constraint.metric(), m))?;
        let resampled = outcomes.resampled(RESAMPLES, seed, |[_, fitted]| {
            // A resample may lack what the metric needs; it then does not hold.
            let margins = constraints.iter().map(|constraint| constraint.margin(&fitted).1);
            margins.zip(optimism).map(|(margin, better)| margin >= *better).collect::<Vec<_>>()
        });
        let kept = |(i, constraint): (usize, &Constraint)| {
            checked_score(constraint.metric(), &confusion)?;
            let (value, margin) = constraint.margin(&confusion);
            let times = resampled.iter().filter(|holds| holds[i]).count();
            let probability = times as f64 / RESAMPLES as f64;
            Ok(Self { constraint: constraint.to_string(), value, margin, probability })
        };
        constraints.iter().enumerate().map(kept).collect()
    }
}
