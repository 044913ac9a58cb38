//! Converts some rows of a table, on any thread.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use cwplugin::model::{InputOptions, VotesPerRow};
use cwplugin::{Error, Sample, Scores};
use cwplugin_replies::{Missing, smooth};

use super::errors::Origin;
use super::features::FeatureColumns;
use super::label_file::LabelFile;
use super::labels::Names;
use super::preparation::{Cells, Preparation, RowFacts};
use super::{Chunk, Columns, Layout, values};
use crate::args::Data;
use crate::output::{count_of, shown};
use crate::table::{Decoded, OpenedFiles, Part, ReplyOptions};
use crate::user_error::UserError;

/// The meaning of the columns, and how to convert them.
#[derive(Debug)]
pub(crate) struct Conversion {
    pub(crate) file: String,
    /// The files of the table that were opened so far.
    pub(crate) files: OpenedFiles,
    pub(crate) schema: SchemaRef,
    pub(crate) layout: Layout,
    /// The class names.
    pub(super) class_names: Arc<[String]>,
    /// To look labels up, if they are needed.
    pub(super) names: Option<Names>,
    /// Labels in another table.
    pub(super) joined: Option<LabelFile>,
    pub(super) features: Option<FeatureColumns>,
    pub(super) preparation: Preparation,
    /// Whether a chunk needs columns that are in its sample.
    pub(super) columns: Columns,
    /// The input is replies, not a table.
    pub(super) replies: Option<Arc<ReplyOptions>>,
    /// The votes of the rows that a model was fitted on, and its file.
    pub(super) fitted_on: Option<(VotesPerRow, String)>,
    /// Whether the file may have lost its end, when all rows are read.
    pub(super) is_cut: Arc<AtomicBool>,
    pub(super) notes: Notes,
    pub(super) data: Data,
}

/// What the user should know about the rows.
#[derive(Debug)]
pub(super) struct Notes {
    /// What was recognised in the first rows.
    recognised: Vec<String>,
    warnings: Vec<String>,
    /// Of the rows that were read.
    facts: Mutex<RowFacts>,
}

impl Notes {
    pub(super) fn new(recognised: Vec<String>, warnings: Vec<String>) -> Self {
        Self { recognised, warnings, facts: Mutex::default() }
    }

    fn add(&self, facts: RowFacts) {
        if let Ok(mut all) = self.facts.lock() {
            all.add(facts);
        }
    }

    pub(super) fn has_warnings(&self) -> bool {
        !self.warnings.is_empty()
    }

    /// One line each, complete when all rows are read.
    pub(super) fn lines(&self) -> Vec<String> {
        let rounded = self.facts.lock().map_or(0, |facts| facts.rounded);
        let rounded = (rounded > 0).then(|| {
            format!(
                "{} {} divided by the row sum, which is off 1 by up to 0.02, as after rounding",
                count_of(rounded, "row"),
                if rounded == 1 { "was" } else { "were" }
            )
        });
        self.recognised.iter().cloned().chain(rounded).collect()
    }
}

impl Conversion {
    /// The rows of a part, checked; `first_row` rows of the table come before them. The error is that of the first bad row,
    /// wherever the parts begin and end.
    pub(super) fn chunk(&self, part: &Part, first_row: usize) -> anyhow::Result<Chunk> {
        if self.columns == Columns::Meaningful
            && let Some((matrix, batch)) = part.decode_matrix(&self.layout.columns)?
            && let Ok(sample) = self.sample(&batch, matrix, first_row)
        {
            return Ok(Chunk { batch, sample });
        }
        let Decoded { batch, error } = part.decode(first_row)?;
        let sample = match self.sample_of(&batch, first_row) {
            Ok(sample) => sample,
            Err(error) => return Err(self.first_error(&batch, first_row).unwrap_or(error)),
        };
        error.map_or(Ok(Chunk { batch, sample }), Err)
    }

    /// The first bad row, by bisection: the columns are checked one by one.
    fn first_error(&self, batch: &RecordBatch, first_row: usize) -> Option<anyhow::Error> {
        let (mut start, mut rows) = (0, batch.num_rows());
        let error =
            |start: usize, rows: usize| self.sample_of(&batch.slice(start, rows), first_row + start).err();
        while rows > 1 {
            let half = rows / 2;
            if error(start, half).is_some() {
                rows = half;
            } else {
                (start, rows) = (start + half, rows - half);
            }
        }
        error(start, rows)
    }

    fn sample_of(&self, batch: &RecordBatch, first_row: usize) -> anyhow::Result<Sample> {
        self.sample(batch, values::matrix(batch, &self.origin(first_row))?, first_row)
    }

    fn sample(&self, batch: &RecordBatch, matrix: Vec<f64>, first_row: usize) -> anyhow::Result<Sample> {
        let (sample, facts) = self.convert(batch, matrix, first_row)?;
        // Only rows of a valid batch count: an invalid one is converted again, in parts.
        self.notes.add(facts);
        Ok(sample)
    }

    fn convert(
        &self,
        batch: &RecordBatch,
        matrix: Vec<f64>,
        first_row: usize,
    ) -> anyhow::Result<(Sample, RowFacts)> {
        let origin = self.origin(first_row);
        let (probabilities, facts) = self.preparation.probabilities(matrix, &origin)?;
        let labels = match (&self.names, &self.joined, self.layout.label) {
            (Some(names), Some(joined), _) => self.joined_labels(batch, names, joined, &origin)?,
            (Some(names), None, Some(column)) => values::labels(batch, column, names, &origin)?,
            _ => vec![None; batch.num_rows()],
        };
        let sample = Sample::new(probabilities, labels).map_err(|error| origin.user_error(&error))?;
        let sample = sample.with_classes(Arc::clone(&self.class_names))?;
        let sample = match self.layout.weight {
            Some(column) => {
                let weights = values::numbers(batch, column, &origin)?.into_owned();
                sample.with_weights(weights).map_err(|error| origin.user_error(&error))?
            }
            None => sample,
        };
        match &self.features {
            Some(features) => Ok((sample.with_features(features.of_batch(batch, &origin)?)?, facts)),
            None => Ok((sample, facts)),
        }
    }

    /// The labels of another table, by the ids of the rows.
    fn joined_labels(
        &self,
        batch: &RecordBatch,
        names: &Names,
        joined: &LabelFile,
        origin: &Origin,
    ) -> anyhow::Result<Vec<Option<usize>>> {
        let column = self.layout.id.unwrap_or_default();
        let find = |(row, id): (usize, String)| {
            if id.is_empty() {
                return Err(origin
                    .at(row, column, "the id is missing")
                    .hint("fill it in, or drop the row")
                    .into());
            }
            let label = joined.label(&id, origin.first_row + row + 1).map_err(|first| {
                let fact = format!(
                    "\"{id}\" occurs twice, first in row {first}, but has one label in {}",
                    joined.name
                );
                origin.at(row, column, &fact).hint("keep one row for each id")
            })?;
            let Some((label, label_row)) = label.filter(|(label, _)| !label.is_empty()) else {
                return Ok(None);
            };
            names.class(label, false).map(Some).ok_or_else(|| {
                let what = format!("{}: row {label_row}: unknown class \"{}\"", joined.name, shown(label));
                UserError::new(what).hint(names.cure(label)).into()
            })
        };
        values::column_texts(batch, column)?.into_iter().enumerate().map(find).collect()
    }

    /// How the table becomes probabilities, for the model; complete when all rows are read.
    pub(crate) fn options(&self) -> anyhow::Result<InputOptions> {
        let Preparation { scores, normalize, has_comma, cells, .. } = self.preparation;
        let mut options = InputOptions::default();
        self.data.replies.store(&mut options)?;
        options.scores = Some(scores).filter(|scores| *scores != Scores::Probabilities);
        options.normalize = normalize;
        options.decimal = has_comma.then_some(',');
        options.positive = match cells {
            Cells::Positive(class) => self.layout.classes.get(class).cloned(),
            _ => None,
        };
        options.votes = VotesPerRow::of(&self.votes());
        Ok(options)
    }

    /// Rows by their number of votes, when all of them are read; none if they are not votes.
    fn votes(&self) -> BTreeMap<u64, u64> {
        match &self.replies {
            Some(replies) => replies.facts.votes(),
            None => self.notes.facts.lock().map(|facts| facts.votes.clone()).unwrap_or_default(),
        }
    }

    /// A note about the votes, and a warning if there is only one, or far fewer than in the fit of the model.
    pub(super) fn remarks_on_votes(&self) -> (Option<String>, Option<String>) {
        let rows = self.votes();
        let Some(votes) = VotesPerRow::of(&rows) else { return (None, None) };
        let far_fewer = self.fitted_on.as_ref().filter(|(fitted, _)| votes.is_far_below(*fitted));
        let warning = far_fewer.map(|(fitted, model)| {
            format!(
                "the rows have {votes}, but {model} was fitted on rows of {fitted}; ask as often as for the fit, or fit a \
                 model on as few"
            )
        });
        let single =
            || "every row has one vote, so the order of the other classes is unknown: ask several times";
        let warning = warning.or_else(|| (votes.max == 1).then(|| single().to_owned()));
        (Some(format!("{} of {votes}", count_of(rows.values().sum::<u64>(), "row"))), warning)
    }

    /// Whether the table has the votes for each class.
    pub(crate) fn has_counts(&self) -> bool {
        self.preparation.cells == Cells::Votes
    }

    /// Whether the table, or another one, has labels.
    pub(crate) fn has_labels(&self) -> bool {
        self.layout.label.is_some() || self.joined.is_some()
    }

    /// What the user should know, when all rows are read: notes and warnings.
    pub(super) fn remarks(&self) -> (Vec<String>, Vec<String>) {
        let joined =
            self.joined.iter().filter_map(|joined| Some(format!("{}: {}", joined.name, joined.summary()?)));
        let replies = self.replies.as_ref().map(|replies| replies.remarks());
        let (notes, warnings) = replies.unwrap_or_default();
        let (votes, few_votes) = self.remarks_on_votes();
        let in_file = |remark: String| format!("{}: {remark}", self.file);
        let notes = votes.into_iter().chain(notes).chain(self.notes.lines());
        let notes = joined.chain(notes.map(in_file)).collect();
        let is_cut = self.is_cut.load(Ordering::Relaxed);
        let cut = is_cut.then(|| "the stream has no end marker: rows are missing if it was cut".to_owned());
        let warnings = cut.into_iter().chain(few_votes).chain(warnings).chain(self.notes.warnings.clone());
        let warnings = warnings.map(in_file).collect();
        (notes, warnings)
    }

    /// The votes of every row of a chunk of counts; it was checked before.
    pub(crate) fn votes_of(&self, chunk: &Chunk) -> anyhow::Result<Vec<u64>> {
        let mut counts = values::matrix(&chunk.batch, &self.origin(0))?;
        Ok(counts.chunks_exact_mut(self.layout.columns.len()).map(smooth).collect::<Result<_, _>>()?)
    }

    /// A column of a chunk as numbers; the chunk was checked before.
    pub(crate) fn numbers(&self, chunk: &Chunk, column: usize) -> anyhow::Result<Vec<f64>> {
        Ok(values::numbers(&chunk.batch, column, &self.origin(0))?.into_owned())
    }

    /// The error of a table without labels.
    pub(crate) fn no_labelled_rows(&self) -> UserError {
        let (file, column) = (&self.file, &self.data.label);
        if let Some(joined) = &self.joined {
            return joined.without_rows(file);
        }
        if self.replies.is_some() {
            return UserError::new(format!("{file}: no reply has a label in field \"{column}\" beside it")).hint(
                "name the field with --label NAME, or a table of labels with --label FILE and its column of ids with --id NAME",
            );
        }
        UserError::new(format!("{file}: column \"{column}\": no row has a label and a weight above 0"))
            .hint("label some rows with a class name; rows with an empty label are unlabelled")
    }

    /// The error of rows that cannot be kept beside those before them: usually they do not fit into memory.
    pub(crate) fn not_kept(&self, error: &Error) -> UserError {
        UserError::new(format!("{}: {error}", self.file))
            .hint("use a part of the rows, or count them: cwplugin stats, then cwplugin fit --stats")
    }

    fn origin(&self, first_row: usize) -> Origin<'_> {
        let stored = &self.data.remembered;
        Origin {
            file: &self.file,
            first_row,
            layout: &self.layout,
            schema: &self.schema,
            scores: self.preparation.scores,
            model: stored.scores.map(|_| stored.model.as_str()),
            has_comma: self.preparation.has_comma,
            noun: if self.replies.is_some() { "field" } else { "column" },
            may_be_missing: self.preparation.missing.is_some_and(|missing| missing != Missing::Refuse),
            has_counts: self.has_counts(),
        }
    }
}
