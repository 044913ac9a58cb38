//! The model of elicited weights.

use serde::{Deserialize, Serialize};

use super::{Elicitation, Elicited, ElicitedLine, Mode};
use crate::error::Error;
use crate::model::Model;
use crate::report::{FitReport, PairReport, ScorePair, Warning};

/// The report of an elicitation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ElicitReport {
    /// The reference class.
    pub reference: String,
    /// `restricted` or `safe`.
    pub mode: String,
    /// Answers used.
    pub queries: usize,
    /// The result for each class.
    pub pairs: Vec<PairReport>,
}

/// The model of elicited weights.
///
/// # Errors
///
/// As [`Model::new`].
pub(super) fn model(classes: &[String], recipe: &Elicitation, elicited: &Elicited) -> Result<Model, Error> {
    let pair = |line: &ElicitedLine| {
        Some(PairReport {
            class: classes[line.class].clone(),
            alpha: line.alpha,
            score: line.value?,
            plateau: [line.low, line.high],
            evaluations: line.evaluations,
        })
    };
    let details = ElicitReport {
        reference: classes[recipe.fixed()].clone(),
        mode: recipe.mode().name().into(),
        queries: elicited.queries,
        pairs: elicited.lines.iter().filter_map(pair).collect(),
    };
    let unfinished = || {
        let message =
            format!("the search is not finished: it has {} answers and needs more", elicited.queries);
        Warning::new("unfinished", message)
    };
    let score = elicited.clean.zip(elicited.value);
    let report = FitReport {
        method: "elicit".into(),
        score: score.map(|(clean, fitted)| ScorePair { clean: clean.mean, fitted: fitted.mean }),
        warnings: if elicited.is_done { Vec::new() } else { vec![unfinished()] },
        ..FitReport::default()
    };
    Model::of_fit(classes, elicited.weights.clone().into(), report.with_details(&details))
}

impl Mode {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Restricted => "restricted",
            Self::Safe => "safe",
        }
    }
}
