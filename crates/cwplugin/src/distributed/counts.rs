//! The counters of a pass on a part of the rows; counters of several parts are added.

use serde::{Deserialize, Serialize};

use super::point_counts::{Counters, PointCounts};
use super::{Pass, PassError};
use crate::data::{Sample, check_length};
use crate::error::Error;
use crate::methods::ascent::column_sums;
use crate::numeric::exact_sum::ExactSum;
use crate::plugin::{Statistics, StatisticsError};

/// Counters of one partition of the rows, or of several.
///
/// They do not depend on the order or the partition of the rows: the same rows give the same bits.
#[derive(Debug, Clone, PartialEq)]
pub struct PassCounts {
    pub(super) pass: Pass,
    /// Class totals, and the cuts against the reference of the pass, if it has one.
    pub(super) statistics: Option<Statistics>,
    /// The sum of each class's probabilities over the labelled rows; only with statistics.
    pub(super) predicted: Vec<ExactSum>,
    /// One entry per set of weights of the pass.
    pub(super) points: Vec<PointCounts>,
}

impl PassCounts {
    /// Empty counters.
    ///
    /// # Errors
    ///
    /// If there are too many counters.
    pub fn new(pass: &Pass) -> Result<Self, Error> {
        let classes = pass.classes.clone();
        let statistics = pass.reference.map(|r| Statistics::new(classes, r, Pass::STEP)).transpose()?;
        let predicted = vec![ExactSum::default(); pass.classes.len()];
        let points = pass.weights.iter().map(|_| PointCounts::empty(&pass.resolution)).collect();
        Ok(Self { pass: pass.clone(), statistics, predicted, points })
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// If the sample has another number of classes, or lacks features that the pass needs.
    pub fn add_rows(&mut self, sample: &Sample) -> Result<(), Error> {
        check_length("classes", sample.n_classes(), self.pass.classes.len())?;
        if let Some(statistics) = &mut self.statistics {
            statistics.add_rows(sample)?;
            let rows = sample.labelled();
            self.predicted.iter_mut().zip(&column_sums(&rows)).for_each(|(ours, theirs)| ours.merge(theirs));
        }
        if self.points.is_empty() {
            return Ok(());
        }
        let calibrated = self.pass.model.as_ref().map(|model| model.rule().calibrated_probabilities(sample));
        let calibrated = calibrated.transpose()?;
        let probabilities = calibrated.as_deref().unwrap_or(sample.probabilities());
        for (point, weights) in self.points.iter_mut().zip(&self.pass.weights) {
            point.add(sample, probabilities, weights.as_slice(), &self.pass.resolution);
        }
        Ok(())
    }

    /// Adds the counters of other rows.
    ///
    /// # Errors
    ///
    /// If they belong to another pass.
    pub fn merge(&mut self, other: &Self) -> Result<(), PassError> {
        if self.pass != other.pass {
            return Err(PassError::OtherPass);
        }
        if let (Some(ours), Some(theirs)) = (&mut self.statistics, &other.statistics) {
            ours.merge(theirs)?;
        }
        self.predicted.iter_mut().zip(&other.predicted).for_each(|(ours, theirs)| ours.merge(theirs));
        self.points.iter_mut().zip(&other.points).for_each(|(ours, theirs)| ours.merge(theirs));
        Ok(())
    }

    /// The counters as JSON.
    pub fn to_json(&self) -> String {
        let document = Document {
            pass: self.pass.to_json(),
            statistics: self.statistics.as_ref().map(Statistics::to_json),
            predicted: self.predicted.iter().map(ExactSum::parts).collect(),
            stands: self.points.iter().map(Counters::from).collect(),
        };
        serde_json::to_string(&document).unwrap_or_default() // names and finite numbers
    }

    /// Parses counters.
    ///
    /// # Errors
    ///
    /// If the text is not valid.
    pub fn from_json(text: &str) -> Result<Self, PassError> {
        let wrong = |reason: String| PassError::Unreadable { reason };
        let document: Document = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let pass = Pass::from_json(&document.pass)?;
        let statistics = document.statistics.as_deref().map(Statistics::from_json).transpose();
        let statistics = statistics.map_err(|error: StatisticsError| wrong(error.to_string()))?;
        let points: Option<Vec<PointCounts>> =
            document.stands.iter().map(|counters| counters.point_counts(&pass.resolution)).collect();
        let predicted: Vec<ExactSum> = document.predicted.into_iter().map(ExactSum::of_parts).collect();
        match points {
            Some(points)
                if points.len() == pass.weights.len()
                    && predicted.len() == pass.classes.len()
                    && statistics.is_some() == pass.reference.is_some() =>
            {
                Ok(Self { pass, statistics, predicted, points })
            }
            _ => Err(wrong("the counters do not match the pass".into())),
        }
    }
}

/// The JSON document.
#[derive(Serialize, Deserialize)]
struct Document {
    pass: String,
    statistics: Option<String>,
    predicted: Vec<Vec<f64>>,
    stands: Vec<Counters>,
}
