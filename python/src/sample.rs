//! Probabilities, labels and weights from Python become a sample.

use std::collections::BTreeMap;

use cwplugin::model::{InputOptions, VotesPerRow};
use cwplugin::{Features, RowSums, Sample, Scores};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::convert::{Borrow, Reading, Use, VOTES, probabilities, votes};
use crate::errors::{Columns, UserError, warn};

/// The attributes of `cwplugin._rows.Rows`.
#[derive(FromPyObject)]
pub(crate) struct Rows<'py> {
    probabilities: Bound<'py, PyAny>,
    labels: Option<Labels<'py>>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    features: Option<PyReadonlyArray2<'py, f64>>,
    feature_names: Option<Vec<String>>,
    /// The names of the classes, as models know them.
    pub(crate) classes: Vec<String>,
    /// What the columns are called.
    columns: Vec<String>,
    label: String,
    weight: String,
    scores: String,
    normalize: bool,
    /// How the rows were read from replies, as JSON.
    input: Option<String>,
    /// The votes of every row that was read from votes.
    votes: Option<PyReadonlyArray1<'py, u64>>,
}

/// The attributes of `cwplugin._labels.Codes`: a code for every row, and for each code the index of its class, or
/// [`Sample::UNLABELLED`].
#[derive(FromPyObject)]
struct Labels<'py> {
    codes: PyReadonlyArray1<'py, u32>,
    indices: PyReadonlyArray1<'py, u32>,
}

impl Labels<'_> {
    fn classes(&self) -> PyResult<Vec<u32>> {
        let indices = self.indices.as_slice()?;
        Ok(self.codes.as_slice()?.iter().map(|&code| indices[code as usize]).collect())
    }
}

impl<'py> Rows<'py> {
    pub(crate) fn py(&self) -> Python<'py> {
        self.probabilities.py()
    }

    pub(crate) fn columns(&self) -> Columns {
        Columns {
            classes: self.classes.clone(),
            probabilities: self.columns.clone(),
            label: self.label.clone(),
            weight: self.weight.clone(),
        }
    }

    /// How the rows become probabilities, for the model; as the program stores it.
    pub(crate) fn input(&self) -> PyResult<InputOptions> {
        let Reading { scores, sums } = Reading::new(self.py(), &self.scores, self.normalize)?;
        let mut input: InputOptions = match &self.input {
            Some(text) => serde_json::from_str(text).map_err(|error| {
                UserError::new(format!("input is not that of replies: {error}")).raise(self.py())
            })?,
            None => InputOptions::default(),
        };
        match scores {
            Some(scores) => input.scores = Some(scores).filter(|scores| *scores != Scores::Probabilities),
            None => input.from = Some(VOTES.into()),
        }
        input.normalize = sums == RowSums::Normalize;
        input.votes = self.votes_per_row()?;
        // Of replies, the reader has said it.
        if self.votes.is_none() && input.votes.is_some_and(|votes| votes.max == 1) {
            warn(
                self.py(),
                "every row has one vote: it names a class, but not how certain it is\n  hint: ask several times",
            )?;
        }
        Ok(input)
    }

    /// How many votes the rows have, if they have votes.
    pub(crate) fn votes_per_row(&self) -> PyResult<Option<VotesPerRow>> {
        if let Some(totals) = &self.votes {
            return Ok(per_row(totals));
        }
        if Reading::new(self.py(), &self.scores, self.normalize)?.scores.is_some() {
            return Ok(None);
        }
        let (_, rows) = votes(&self.probabilities, self.classes.len(), &self.columns())?;
        Ok(VotesPerRow::of(&rows))
    }

    /// The rows for a fit, or for work after the call; they are not affected by what is written to an array meanwhile.
    pub(crate) fn sample(&self) -> PyResult<Sample> {
        self.sample_for(Use::Often)
    }

    /// The rows for one pass within the call, with their borrow, which must last as long as the pass.
    pub(crate) fn in_place(&self) -> PyResult<(Sample, Option<Borrow<'py>>)> {
        Ok((self.sample_for(Use::Once)?, Borrow::of(&self.probabilities)))
    }

    fn sample_for(&self, used: Use) -> PyResult<Sample> {
        let py = self.probabilities.py();
        let columns = self.columns();
        let wrong = |error| columns.error(py, &error);
        let reading = Reading::new(py, &self.scores, self.normalize)?;
        let probabilities = probabilities(&self.probabilities, self.classes.len(), reading, &columns, used)?;
        let mut sample = match &self.labels {
            Some(labels) => Sample::from_codes(probabilities, labels.classes()?).map_err(wrong)?,
            None => Sample::unlabelled(probabilities),
        };
        sample = sample.with_classes(self.classes.clone()).map_err(wrong)?;
        if let Some(weights) = &self.weights {
            sample = sample.with_weights(weights.as_array().to_vec()).map_err(wrong)?;
        }
        let Some(values) = &self.features else { return Ok(sample) };
        let values = values.as_array();
        let features = Features::new(values.iter().copied().collect(), values.ncols()).map_err(wrong)?;
        let features = match &self.feature_names {
            Some(names) => features.with_names(names.clone()).map_err(wrong)?,
            None => features,
        };
        sample.with_features(features).map_err(wrong)
    }
}

fn per_row(totals: &PyReadonlyArray1<'_, u64>) -> Option<VotesPerRow> {
    let mut rows = BTreeMap::new();
    for total in totals.as_array() {
        *rows.entry(*total).or_default() += 1;
    }
    VotesPerRow::of(&rows)
}

/// How many votes rows have, in words.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // from Python
pub(crate) fn votes_per_row(totals: PyReadonlyArray1<'_, u64>) -> Option<String> {
    per_row(&totals).map(|votes| votes.to_string())
}
