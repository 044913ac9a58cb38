//! Whether predictions meet the constraints, on the labelled rows and on new rows.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::evaluate::{Outcomes, Side};
use crate::metric::Constraint;
use crate::metric::{check_size, checked_score};

/// Bootstrap resamples for the probability of a constraint.
const RESAMPLES: usize = 1_000;

/// A constraint and whether a rule meets it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ConstraintStatus {
    /// The constraint as written.
    pub constraint: String,
    /// Value of the constrained metric on the labelled rows.
    pub value: f64,
    /// Distance of the value to the limit; below 0 if the constraint is violated.
    pub margin: f64,
    /// Estimated probability that the constraint holds on new rows: the share of bootstrap resamples in which it holds
    /// after subtracting the optimism of choosing the rule on these rows.
    pub probability: f64,
}

impl ConstraintStatus {
    /// Whether the constraint holds on the labelled rows.
    pub fn is_met(&self) -> bool {
        self.margin >= 0.0
    }

    /// The status of constraints for the fitted rule, on rows that it was not chosen on.
    ///
    /// # Errors
    ///
    /// If a metric is for another number of classes or not finite.
    pub fn of(constraints: &[Constraint], outcomes: &Outcomes, seed: u64) -> Result<Vec<Self>, Error> {
        Self::of_chosen(constraints, outcomes, &vec![0.0; constraints.len()], seed)
    }

    /// [`ConstraintStatus::of`] on rows that the rule was chosen on; `optimism` is the bias of each value.
    pub(crate) fn of_chosen(
        constraints: &[Constraint],
        outcomes: &Outcomes,
        optimism: &[f64],
        seed: u64,
    ) -> Result<Vec<Self>, Error> {
        if constraints.is_empty() {
            return Ok(Vec::new()); // without resamples
        }
        let confusion = outcomes.confusion(Side::Fitted);
        let m = confusion.classes().len();
        constraints.iter().try_for_each(|constraint| check_size(constraint.metric(), m))?;
        let resampled = outcomes.resampled(RESAMPLES, seed, |[_, fitted]| {
            // A metric may be NaN on a resample; the constraint then does not hold.
            let margins = constraints.iter().map(|constraint| constraint.margin(&fitted).1);
            margins.zip(optimism).map(|(margin, bias)| margin >= *bias).collect::<Vec<_>>()
        });
        let status = |(i, constraint): (usize, &Constraint)| {
            checked_score(constraint.metric(), &confusion)?;
            let (value, margin) = constraint.margin(&confusion);
            let times = resampled.iter().filter(|holds| holds[i]).count();
            let probability = times as f64 / RESAMPLES as f64;
            Ok(Self { constraint: constraint.to_string(), value, margin, probability })
        };
        constraints.iter().enumerate().map(status).collect()
    }
}
