//! Which column means what.

mod classes; // which columns are classes

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, Schema};
use cwplugin::Model;

pub use classes::refuse_listed_twice;

use super::{Labels, values};
use crate::args::Data;
use crate::refusal::Refusal;
use crate::table::Format;

/// Row numbers that pandas leaves behind; never a class.
const INDEX_COLUMNS: [&str; 3] = ["", "__index_level_0__", "Unnamed: 0"];

/// The columns of a table by their meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Class names.
    pub(crate) classes: Vec<String>,
    /// For each class its column.
    pub(crate) columns: Vec<usize>,
    pub(crate) label: Option<usize>,
    pub(crate) weight: Option<usize>,
    /// Columns that a model may be learned from, in the order of the user's list.
    pub(crate) features: Vec<usize>,
    /// The file does not name its class columns, so that an integer label means a position.
    pub(crate) unnamed: bool,
}

impl Layout {
    /// A table of so many columns that are nothing but numbers.
    pub(super) fn of_numbers(columns: usize) -> Self {
        let columns = (0..columns).collect();
        Self { classes: Vec::new(), columns, label: None, weight: None, features: Vec::new(), unnamed: true }
    }

    /// The columns that are needed, in order; afterwards the layout speaks of a table of these alone.
    pub(super) fn select(&mut self) -> Vec<usize> {
        let needed = self.columns.iter().copied().chain(self.label).chain(self.weight);
        let needed: Vec<usize> = needed.chain(self.features.iter().copied()).collect();
        let m = self.columns.len();
        self.columns = (0..m).collect();
        self.label = self.label.map(|_| m);
        self.weight = self.weight.map(|_| m + usize::from(self.label.is_some()));
        let first = needed.len() - self.features.len();
        self.features = (first..needed.len()).collect();
        needed
    }
}

/// What the user, the command and the model want from a table.
pub(super) struct Wanted<'a> {
    pub(super) data: &'a Data,
    pub(super) labels: Labels,
    pub(super) model: Option<(&'a Model, &'a Path)>,
    /// Columns that a model may be learned from.
    pub(super) features: Vec<String>,
    pub(super) file: String,
    pub(super) format: Format,
}

impl Wanted<'_> {
    /// The layout, if the names of the columns are enough to tell; refuses what is missing or ambiguous.
    pub(super) fn by_name(&self, schema: &Schema) -> Result<Option<Layout>, Refusal> {
        let label = match self.labels {
            Labels::Needed => Some(self.needed(schema, &self.data.label, "label")?),
            // Who names a column wants that one; `label` is what is looked for if nobody says anything.
            Labels::Welcome if self.data.label != "label" => {
                Some(self.needed(schema, &self.data.label, "label")?)
            }
            Labels::Welcome | Labels::Ignored => schema.index_of(&self.data.label).ok(),
        };
        let weight = match &self.data.weight {
            Some(name) => Some(self.needed(schema, name, "weight")?),
            None => None,
        };
        if let Some(unknown) = self.data.id.iter().find(|name| schema.index_of(name).is_err()) {
            let what = format!("{}: no column \"{unknown}\"{}", self.file, columns_are(schema));
            return Err(Refusal::new(what).hint("--id and --test-column name columns that are no classes"));
        }
        let unnamed = self.unnamed_columns(schema);
        let is_unnamed = !unnamed.is_empty();
        let features = self.feature_columns(schema)?;
        let mut taken = vec![label, weight];
        taken.extend(features.iter().map(|&column| Some(column)));
        let found = self.classes_by_name(schema, unnamed, &taken)?;
        let Some(found) = found else { return Ok(None) };
        let layout = self.layout(schema, found, label, weight)?;
        Ok(Some(Layout { unnamed: is_unnamed, features, ..layout }))
    }

    /// The layout by the rule "every remaining numeric column"; `first` are some rows to look at.
    pub(super) fn by_content(&self, schema: &Schema, first: Option<&RecordBatch>) -> Result<Layout, Refusal> {
        let label = schema.index_of(&self.data.label).ok();
        let weight = self.data.weight.as_ref().and_then(|name| schema.index_of(name).ok());
        let is_free = |i: &usize| {
            let name = schema.field(*i).name();
            Some(*i) != label
                && Some(*i) != weight
                && !self.data.id.contains(name)
                && !self.features.contains(name)
                && !INDEX_COLUMNS.contains(&name.as_str())
        };
        let numeric = (0..schema.fields().len())
            .filter(is_free)
            .filter(|&i| first.is_none_or(|batch| values::is_numeric(batch, i)))
            .map(|i| (schema.field(i).name().clone(), i))
            .collect();
        let features = self.feature_columns(schema)?;
        Ok(Layout { features, ..self.layout(schema, numeric, label, weight)? })
    }

    fn feature_columns(&self, schema: &Schema) -> Result<Vec<usize>, Refusal> {
        self.features.iter().map(|name| self.needed(schema, name, "features")).collect()
    }

    fn layout(
        &self,
        schema: &Schema,
        found: Vec<(String, usize)>,
        label: Option<usize>,
        weight: Option<usize>,
    ) -> Result<Layout, Refusal> {
        if found.len() < 2 {
            let names = found.iter().map(|(_, i)| schema.field(*i).name().as_str());
            let what = format!(
                "{}: {} found, at least 2 class columns are needed{}",
                self.file,
                if found.is_empty() { "no class column".into() } else { format!("only {}", quoted(names)) },
                if schema.fields().is_empty() { String::new() } else { columns_are(schema) },
            );
            return Err(Refusal::new(what)
                .hint("one column per class; name them with --classes A,B,C or --prefix TEXT"));
        }
        let (classes, columns): (Vec<String>, Vec<usize>) = found.into_iter().unzip();
        for (i, class) in classes.iter().enumerate() {
            if classes[..i].contains(class) {
                let column = schema.field(columns[i]).name();
                return Err(self.twice(column, "class"));
            }
        }
        // The model's own order is the order of its weights.
        if let (Some((model, path)), true) = (self.model, self.data.classes.is_some()) {
            let layout = Layout { classes, columns, label, weight, features: Vec::new(), unnamed: false };
            return classes::in_order_of(model, path, &self.file, &layout);
        }
        Ok(Layout { classes, columns, label, weight, features: Vec::new(), unnamed: false })
    }

    fn needed(&self, schema: &Schema, name: &str, what: &str) -> Result<usize, Refusal> {
        if schema.index_of(name).is_ok() {
            return self.only(schema, name, what);
        }
        let noun = if what == "features" { "feature" } else { what };
        let refusal = format!("{}: no {noun} column \"{name}\"{}", self.file, columns_are(schema));
        let fields = schema.fields();
        let likeness = |known: &str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
        let alike =
            fields.iter().map(|field| field.name()).find(|known| fields.len() > 1 && likeness(known) > 0.85);
        Err(Refusal::new(refusal).hint(match (what, self.format, alike) {
            (_, _, Some(alike)) if alike.contains(' ') => format!("did you mean --{what} \"{alike}\"?"),
            (_, _, Some(alike)) => format!("did you mean --{what} {alike}?"),
            ("label", Format::Npy, None) => {
                "the labels of an NPY file are in a second one: --label FILE.npy".to_string()
            }
            (_, Format::Csv | Format::Tsv, None) if fields.len() == 1 => {
                "the first line names the columns, with a comma, semicolon or tab between them; for another \
                 character use --delimiter CHAR"
                    .to_string()
            }
            _ if what == "features" => "name the feature columns with --features NAME,NAME".to_string(),
            _ => format!("name the {what} column with --{what} NAME"),
        }))
    }

    fn only(&self, schema: &Schema, name: &str, what: &str) -> Result<usize, Refusal> {
        let mut named = (0..schema.fields().len()).filter(|&i| schema.field(i).name() == name);
        match (named.next(), named.next()) {
            (Some(column), None) => Ok(column),
            _ => Err(self.twice(name, what)),
        }
    }

    fn twice(&self, column: &str, what: &str) -> Refusal {
        Refusal::new(format!("{}: {what} column \"{column}\" occurs twice", self.file))
            .hint("every class needs one column: rename or drop one of them")
    }
}

fn columns_are(schema: &Schema) -> String {
    format!("; the columns are {}", quoted(schema.fields().iter().map(|field| field.name().as_str())))
}

/// The schema as it is searched: people write `label, p_a, p_b`.
pub(super) fn trimmed(schema: &Schema) -> Schema {
    let trimmed = |field: &FieldRef| field.as_ref().clone().with_name(field.name().trim_start());
    Schema::new(schema.fields().iter().map(trimmed).collect::<Vec<_>>())
}

/// `"a", "b", "c"`, cut short where it would fill the screen.
pub(crate) fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{} and {more} more", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    }
}
