//! Weights that were asked for: how they came about.

use super::{FitRecord, Model, PairRecord, ScorePair, WarningRecord};
use crate::elicit::{Elicitation, Elicited, ElicitedLine, Mode};
use crate::error::Error;

impl Model {
    /// The model of elicited weights.
    ///
    /// # Errors
    ///
    /// As [`Model::new`].
    pub fn from_elicited(
        classes: Vec<String>,
        recipe: &Elicitation,
        elicited: &Elicited,
    ) -> Result<Self, Error> {
        let mut model = Self::new(classes, elicited.weights.clone())?;
        let name = |class: usize| model.classes[class].clone();
        let pair = |line: &ElicitedLine| {
            Some(PairRecord {
                class: name(line.class),
                alpha: line.alpha,
                score: line.value?,
                plateau: [line.low, line.high],
                evaluations: line.evaluations,
            })
        };
        let unfinished = || WarningRecord {
            kind: "unfinished".into(),
            class: None,
            message: format!("{} answers are not all that the search asks for", elicited.queries),
        };
        let record = FitRecord {
            method: "elicit".into(),
            reference: Some(name(recipe.fixed())),
            mode: Some(recipe.mode().name().into()),
            queries: Some(elicited.queries),
            score: elicited
                .clean
                .zip(elicited.value)
                .map(|(clean, fitted)| ScorePair { clean: clean.mean, fitted: fitted.mean }),
            pairs: elicited.lines.iter().filter_map(pair).collect(),
            warnings: if elicited.is_done { Vec::new() } else { vec![unfinished()] },
            ..FitRecord::default()
        };
        model.fit = Some(record);
        Ok(model)
    }
}

impl Mode {
    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Restricted => "restricted",
            Self::Safe => "safe",
        }
    }
}
