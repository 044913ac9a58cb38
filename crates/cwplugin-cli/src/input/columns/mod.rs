//! The meaning of the columns.

mod classes; // the class columns by name
mod content; // … by content
mod single; // one column for two classes

use std::collections::{HashMap, HashSet};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, Schema};
use cwplugin::Model;
pub(super) use cwplugin::data::quoted;
use cwplugin::data::{MAX_CLASSES, nearest};

pub(super) use classes::PREFIXES;
pub use classes::refuse_listed_twice;

use super::{FEWER_CLASSES, Labels};
use crate::args::{Data, From, Remembered};
use crate::table::Format;
use crate::user_error::UserError;

/// Row numbers written by pandas; never a class.
const INDEX_COLUMNS: [&str; 3] = ["", "__index_level_0__", "Unnamed: 0"];

/// What `--from votes` reads.
const VOTES_ARE: &str = "votes are answers in JSON lines, such as {\"id\": \"r1\", \"answer\": \"spam\"} (--answer-at names another \
                         field than answer), or a table of counts with a column for each class";

/// The columns of a table by their meaning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Class names.
    pub(crate) classes: Vec<String>,
    /// The column of each class.
    pub(crate) columns: Vec<usize>,
    pub(crate) label: Option<usize>,
    pub(crate) weight: Option<usize>,
    /// The column that joins a table of labels.
    pub(crate) id: Option<usize>,
    /// Feature columns, in the order of the user's list.
    pub(crate) features: Vec<usize>,
    /// The file does not name its class columns, so an integer label is a position.
    pub(crate) unnamed: bool,
    /// One column, named twice, is the probability of this one of two classes.
    pub(crate) single: Option<usize>,
}

impl Layout {
    /// A table of numbers without classes.
    pub(super) fn of_numbers(columns: usize) -> Self {
        Self { columns: (0..columns).collect(), unnamed: true, ..Self::default() }
    }

    /// The needed columns, in order; afterwards the layout is that of a table of these columns.
    pub(super) fn select(&mut self) -> Vec<usize> {
        let needed = self.columns.iter().copied().chain(self.label).chain(self.weight).chain(self.id);
        let needed: Vec<usize> = needed.chain(self.features.iter().copied()).collect();
        let m = self.columns.len();
        self.columns = (0..m).collect();
        let mut others = m..;
        for column in [&mut self.label, &mut self.weight, &mut self.id] {
            *column = column.and_then(|_| others.next());
        }
        self.features = others.take(self.features.len()).collect();
        needed
    }
}

/// What the user, the command and the model request from a table.
pub(super) struct Request<'a> {
    pub(super) data: &'a Data,
    pub(super) labels: Labels,
    pub(super) model: Option<(&'a Model, &'a Path)>,
    /// Feature columns.
    pub(super) features: Vec<String>,
    /// The column that joins a table of labels.
    pub(super) id: Option<&'a str>,
    pub(super) file: String,
    pub(super) format: Format,
}

impl Request<'_> {
    /// The layout by the column names; `None` if they do not determine it, an error if a column is missing or ambiguous.
    pub(super) fn by_name(&self, schema: &Schema) -> Result<Option<Layout>, UserError> {
        let label = match self.labels {
            Labels::Needed => Some(self.needed(schema, &self.data.label, "label")?),
            // A column that is named must exist; `label` is the default.
            Labels::Optional if self.data.label != "label" => {
                Some(self.needed(schema, &self.data.label, "label")?)
            }
            Labels::Optional | Labels::Ignored => schema.index_of(&self.data.label).ok(),
        };
        let weight = self.data.weight.as_ref().map(|name| self.needed(schema, name, "weight")).transpose()?;
        if let Some(unknown) = self.data.id.iter().find(|name| schema.index_of(name).is_err()) {
            let what = format!("{}: no column \"{unknown}\"{}", self.file, columns_are(schema));
            return Err(UserError::new(what)
                .hint("--id and --test-column name columns of the table that are not classes"));
        }
        let unnamed = self.unnamed_columns(schema);
        let features = self.feature_columns(schema)?;
        let id = self.id.map(|name| self.needed(schema, name, "id")).transpose()?;
        let taken =
            label.into_iter().chain(weight).chain(id).chain(features.iter().copied()).collect::<Vec<_>>();
        let others =
            Layout { label, weight, id, features, unnamed: !unnamed.is_empty(), ..Layout::default() };
        let found = self.classes_by_name(schema, unnamed, &taken)?;
        found.map(|found| self.with_classes(schema, found, others)).transpose()
    }

    /// The layout if the column names do not determine it; `first` are some rows. `notes` gets what was recognised.
    pub(super) fn by_content(
        &self,
        schema: &Schema,
        first: Option<&RecordBatch>,
        notes: &mut Vec<String>,
    ) -> Result<Layout, UserError> {
        let label = schema.index_of(&self.data.label).ok();
        let weight = self.data.weight.as_ref().and_then(|name| schema.index_of(name).ok());
        let features = self.feature_columns(schema)?;
        let id = self.id.and_then(|name| schema.index_of(name).ok());
        let taken =
            label.into_iter().chain(weight).chain(id).chain(features.iter().copied()).collect::<Vec<_>>();
        let others = Layout { label, weight, id, features, ..Layout::default() };
        let prefixed = self.prefixed_columns(schema, &taken);
        let found = match prefixed.len() {
            0 => self.classes_by_content(schema, first, label, &taken, notes)?,
            _ => prefixed,
        };
        match (&found[..], &self.data.positive) {
            ([(_, column)], _) => self.single(schema, *column, first, others, notes),
            (several @ [_, _, ..], None) if self.data.remembered.positive.is_some() => {
                Err(self.not_single(schema, several))
            }
            ([], _) | (_, None) => self.with_classes(schema, found, others),
            (_, Some(positive)) => {
                let names = quoted(found.iter().map(|(_, i)| schema.field(*i).name()));
                let what = format!(
                    "--positive {positive}: {} has more than one column of probabilities, {names}",
                    self.file
                );
                Err(UserError::usage(what)
                    .hint("omit --positive, or exclude the other columns with --id NAME"))
            }
        }
    }

    /// The error that a model was fitted on one column, and several might be that.
    fn not_single(&self, schema: &Schema, found: &[(String, usize)]) -> UserError {
        let Remembered { model, positive, .. } = &self.data.remembered;
        let names = quoted(found.iter().map(|(_, i)| schema.field(*i).name()));
        let positive = positive.as_deref().unwrap_or_default();
        let what = format!(
            "{}: {model} was fitted on one column, the probability of \"{positive}\"; which of {names} is it?",
            self.file
        );
        UserError::new(what).hint("exclude the other columns with --id NAME")
    }

    fn feature_columns(&self, schema: &Schema) -> Result<Vec<usize>, UserError> {
        let mut named: HashMap<&str, Vec<usize>> = HashMap::new();
        for (i, field) in schema.fields().iter().enumerate() {
            named.entry(field.name()).or_default().push(i);
        }
        let column = |name: &String| match named.get(name.as_str()).map(Vec::as_slice) {
            Some([only]) => Ok(*only),
            _ => self.needed(schema, name, "features"),
        };
        self.features.iter().map(column).collect()
    }

    /// Adds the classes to the `others`.
    fn with_classes(
        &self,
        schema: &Schema,
        found: Vec<(String, usize)>,
        others: Layout,
    ) -> Result<Layout, UserError> {
        if found.len() < 2 {
            let names = found.iter().map(|(_, i)| schema.field(*i).name());
            let what = format!(
                "{}: {} found, at least 2 class columns are needed{}",
                self.file,
                if found.is_empty() { "no class column".into() } else { format!("only {}", quoted(names)) },
                if schema.fields().is_empty() { String::new() } else { columns_are(schema) },
            );
            return Err(UserError::new(what).hint(match self.data.replies.from {
                Some(From::Votes) => VOTES_ARE,
                _ => "a table has one column per class; name them with --classes A,B,C or --prefix TEXT",
            }));
        }
        self.check_count(found.len())?;
        let (classes, columns): (Vec<String>, Vec<usize>) = found.into_iter().unzip();
        let mut seen = HashSet::new();
        if let Some((_, &column)) = classes.iter().zip(&columns).find(|(class, _)| !seen.insert(*class)) {
            return Err(self.twice(schema.field(column).name(), "class"));
        }
        let layout = Layout { classes, columns, ..others };
        match self.model.filter(|_| self.data.classes.is_some()) {
            // The order of the model is that of its weights.
            Some((model, path)) => classes::in_order_of(model, path, &self.file, layout),
            None => Ok(layout),
        }
    }

    /// Refuses more classes than a confusion matrix can have.
    pub(super) fn check_count(&self, classes: usize) -> Result<(), UserError> {
        if classes <= MAX_CLASSES {
            return Ok(());
        }
        let what = format!("{}: {classes} class columns, at most {MAX_CLASSES} are supported", self.file);
        Err(UserError::new(what).hint(FEWER_CLASSES))
    }

    fn needed(&self, schema: &Schema, name: &str, what: &str) -> Result<usize, UserError> {
        if schema.index_of(name).is_ok() {
            return self.only(schema, name, what);
        }
        let noun = if what == "features" { "feature" } else { what };
        let error = format!("{}: no {noun} column \"{name}\"{}", self.file, columns_are(schema));
        let fields = schema.fields();
        let similar = nearest(name, fields.iter().map(|field| field.name())).filter(|_| fields.len() > 1);
        Err(UserError::new(error).hint(match (what, self.format, similar) {
            (_, _, Some(name)) if name.contains(' ') => format!("did you mean --{what} \"{name}\"?"),
            (_, _, Some(name)) => format!("did you mean --{what} {name}?"),
            ("label", Format::Npy, None) => {
                "give the labels of an NPY file in a second file: --label FILE.npy".to_string()
            }
            (_, Format::Csv | Format::Tsv, None) if fields.len() == 1 => {
                "the first line must name the columns, separated by comma, semicolon or tab; for another \
                 delimiter use --delimiter CHAR"
                    .to_string()
            }
            _ if what == "features" => "name the feature columns with --features NAME,NAME".to_string(),
            _ => format!("name the {what} column with --{what} NAME"),
        }))
    }

    fn only(&self, schema: &Schema, name: &str, what: &str) -> Result<usize, UserError> {
        let mut named = (0..schema.fields().len()).filter(|&i| schema.field(i).name() == name);
        match (named.next(), named.next()) {
            (Some(column), None) => Ok(column),
            _ => Err(self.twice(name, what)),
        }
    }

    fn twice(&self, column: &str, what: &str) -> UserError {
        UserError::new(format!("{}: {what} column \"{column}\" occurs twice", self.file))
            .hint("rename or drop one of them")
    }
}

fn columns_are(schema: &Schema) -> String {
    format!("; the columns are {}", quoted(schema.fields().iter().map(|field| field.name())))
}

/// The schema without leading spaces in names, as in `label, p_a, p_b`.
pub(super) fn trimmed(schema: &Schema) -> Schema {
    let trimmed = |field: &FieldRef| field.as_ref().clone().with_name(field.name().trim_start());
    Schema::new(schema.fields().iter().map(trimmed).collect::<Vec<_>>())
}
