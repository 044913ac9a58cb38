//! What a pass counts on some of the rows; counts of other rows are added.

use serde::{Deserialize, Serialize};

use super::stand::{Counters, Stand};
use super::{Pass, PassError};
use crate::data::Sample;
use crate::error::Error;
use crate::methods::ascent::column_sums;
use crate::numeric::exact_sum::ExactSum;
use crate::plugin::{Statistics, StatisticsError};

/// Counters of the rows of one partition, or of several together.
///
/// Neither the order of the rows nor how they are divided matters: the same rows give the same counts, to the last bit.
#[derive(Debug, Clone, PartialEq)]
pub struct PassCounts {
    pass: Pass,
    /// Who is in the rows, and the cuts against the reference of the pass, if it has one.
    pub(super) statistics: Option<Statistics>,
    /// The sum of each class's probabilities over the labelled rows, beside the statistics.
    pub(super) predicted: Vec<ExactSum>,
    /// One for each set of weights of the pass.
    pub(super) stands: Vec<Stand>,
}

impl PassCounts {
    /// Nothing counted yet.
    ///
    /// # Errors
    ///
    /// If the counters would fill the memory.
    pub fn new(pass: &Pass) -> Result<Self, Error> {
        let classes = pass.classes.clone();
        let statistics = pass.reference.map(|r| Statistics::new(classes, r, Pass::STEP)).transpose()?;
        let predicted = vec![ExactSum::default(); pass.classes.len()];
        let stands = pass.stands.iter().map(|_| Stand::empty(&pass.look)).collect();
        Ok(Self { pass: pass.clone(), statistics, predicted, stands })
    }

    /// Counts rows.
    ///
    /// # Errors
    ///
    /// If the sample has another number of classes, or lacks features that the pass looks at.
    pub fn add_rows(&mut self, sample: &Sample) -> Result<(), Error> {
        let (found, expected) = (sample.n_classes(), self.pass.classes.len());
        if found != expected {
            return Err(Error::LengthMismatch { what: "classes", found, expected });
        }
        if let Some(statistics) = &mut self.statistics {
            statistics.add_rows(sample)?;
            let rows = sample.labelled();
            let weight = rows.weights().map(|weights| |row: usize| weights[row]);
            let sums = column_sums(rows.probabilities(), weight);
            self.predicted.iter_mut().zip(&sums).for_each(|(ours, theirs)| ours.merge(theirs));
        }
        if self.stands.is_empty() {
            return Ok(());
        }
        let mended = match &self.pass.behind {
            Some(model) => Some(model.rule().calibrated_probabilities(sample)?),
            None => None,
        };
        let outlook = mended.as_deref().unwrap_or(sample.probabilities());
        for (stand, weights) in self.stands.iter_mut().zip(&self.pass.stands) {
            stand.add(sample, outlook, weights.as_slice(), &self.pass.look);
        }
        Ok(())
    }

    /// Adds what was counted on other rows.
    ///
    /// # Errors
    ///
    /// If it was another pass.
    pub fn merge(&mut self, other: &Self) -> Result<(), PassError> {
        if self.pass != other.pass {
            return Err(PassError::OtherPass);
        }
        if let (Some(ours), Some(theirs)) = (&mut self.statistics, &other.statistics) {
            ours.merge(theirs)?;
        }
        self.predicted.iter_mut().zip(&other.predicted).for_each(|(ours, theirs)| ours.merge(theirs));
        self.stands.iter_mut().zip(&other.stands).for_each(|(ours, theirs)| ours.merge(theirs));
        Ok(())
    }

    /// Whether this was counted in the pass.
    pub(super) fn is_of(&self, pass: &Pass) -> bool {
        self.pass == *pass
    }

    /// The counts as text.
    pub fn to_json(&self) -> String {
        let document = Document {
            pass: self.pass.to_json(),
            statistics: self.statistics.as_ref().map(Statistics::to_json),
            predicted: self.predicted.iter().map(ExactSum::parts).collect(),
            stands: self.stands.iter().map(Counters::from).collect(),
        };
        serde_json::to_string(&document).unwrap_or_default() // names and finite numbers
    }

    /// Reads counts.
    ///
    /// # Errors
    ///
    /// If the text is none.
    pub fn from_json(text: &str) -> Result<Self, PassError> {
        let wrong = |reason: String| PassError::Unreadable { reason };
        let document: Document = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let pass = Pass::from_json(&document.pass)?;
        let statistics = document.statistics.as_deref().map(Statistics::from_json).transpose();
        let statistics = statistics.map_err(|error: StatisticsError| wrong(error.to_string()))?;
        let stands: Option<Vec<Stand>> =
            document.stands.iter().map(|counters| counters.stand(&pass.look)).collect();
        let sum_of = |parts: &Vec<f64>| {
            let mut sum = ExactSum::default();
            for &part in parts {
                sum.add(part);
            }
            sum
        };
        let predicted: Vec<ExactSum> = document.predicted.iter().map(sum_of).collect();
        match stands {
            Some(stands)
                if stands.len() == pass.stands.len()
                    && predicted.len() == pass.classes.len()
                    && statistics.is_some() == pass.reference.is_some() =>
            {
                Ok(Self { pass, statistics, predicted, stands })
            }
            _ => Err(wrong("the counters are not those of the pass".into())),
        }
    }
}

/// Counts as they travel.
#[derive(Serialize, Deserialize)]
struct Document {
    pass: String,
    statistics: Option<String>,
    predicted: Vec<Vec<f64>>,
    stands: Vec<Counters>,
}
