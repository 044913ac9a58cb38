//! Which column means what.

use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{FieldRef, Schema};
use cwplugin::Model;

use super::{Labels, values};
use crate::args::Data;
use crate::refusal::Refusal;
use crate::table::{Format, NPZ_ARRAY};

/// Prefixes of class columns that are recognised unasked.
const PREFIXES: [&str; 3] = ["p_", "prob_", "proba_"];

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
    /// The file does not name its class columns, so that an integer label means a position.
    pub(crate) unnamed: bool,
}

impl Layout {
    /// The columns that are needed, in order; afterwards the layout speaks of a table of these alone.
    pub(super) fn select(&mut self) -> Vec<usize> {
        let needed: Vec<usize> = self.columns.iter().copied().chain(self.label).chain(self.weight).collect();
        let m = self.columns.len();
        self.columns = (0..m).collect();
        self.label = self.label.map(|_| m);
        self.weight = self.weight.map(|_| m + usize::from(self.label.is_some()));
        needed
    }
}

/// What the user, the command and the model want from a table.
pub(super) struct Wanted<'a> {
    pub(super) data: &'a Data,
    pub(super) labels: Labels,
    pub(super) model: Option<(&'a Model, &'a Path)>,
    pub(super) file: String,
    pub(super) format: Format,
}

impl Wanted<'_> {
    /// The layout, if the names of the columns are enough to tell; refuses what is missing or ambiguous.
    pub(super) fn by_name(&self, schema: &Schema) -> Result<Option<Layout>, Refusal> {
        let label = match self.labels {
            Labels::Needed => Some(self.needed(schema, &self.data.label, "label")?),
            Labels::Ignored => schema.index_of(&self.data.label).ok(),
        };
        let weight = match &self.data.weight {
            Some(name) => Some(self.needed(schema, name, "weight")?),
            None => None,
        };
        if let Some(classes) = &self.data.classes {
            refuse_listed_twice(classes)?;
        }
        let unnamed = self.unnamed_columns(schema);
        let is_unnamed = !unnamed.is_empty();
        let found = match (&self.data.classes, self.model) {
            (Some(names), _) if !unnamed.is_empty() => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                Some(self.by_position(&names, unnamed, "--classes")?)
            }
            (None, Some((model, path))) if !unnamed.is_empty() => {
                let names: Vec<&str> = model.classes().iter().map(String::as_str).collect();
                Some(self.by_position(&names, unnamed, &path.display().to_string())?)
            }
            (Some(names), _) => Some(self.listed(schema, names, "--classes")?),
            (None, Some((model, path))) => {
                Some(self.listed(schema, model.classes(), &path.display().to_string())?)
            }
            (None, None) => self.prefixed(schema, &[label, weight])?,
        };
        let Some(found) = found else { return Ok(None) };
        let layout = self.layout(schema, found, label, weight)?;
        Ok(Some(Layout { unnamed: is_unnamed, ..layout }))
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
                && !INDEX_COLUMNS.contains(&name.as_str())
        };
        let numeric = (0..schema.fields().len())
            .filter(is_free)
            .filter(|&i| first.is_none_or(|batch| values::is_numeric(batch, i)))
            .map(|i| (schema.field(i).name().clone(), i))
            .collect();
        self.layout(schema, numeric, label, weight)
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
            let layout = Layout { classes, columns, label, weight, unnamed: false };
            return in_order_of(model, path, &self.file, &layout);
        }
        Ok(Layout { classes, columns, label, weight, unnamed: false })
    }

    /// The columns of an NPY file, or of an NPZ file that names no classes: known by their position alone.
    fn unnamed_columns(&self, schema: &Schema) -> Vec<usize> {
        let of_matrix: Vec<usize> = (0..schema.fields().len())
            .filter(|&i| schema.field(i).metadata().contains_key(NPZ_ARRAY))
            .collect();
        let is_unnamed = of_matrix
            .iter()
            .enumerate()
            .all(|(position, &i)| *schema.field(i).name() == position.to_string());
        // A model or a list of the same numbers finds them by name.
        let wanted = self.data.classes.as_deref().or(self.model.map(|(model, _)| model.classes()));
        let is_named_so = wanted.is_some_and(|names| names.iter().all(|name| schema.index_of(name).is_ok()));
        if is_unnamed && !is_named_so { of_matrix } else { Vec::new() }
    }

    fn by_position(
        &self,
        names: &[&str],
        columns: Vec<usize>,
        by: &str,
    ) -> Result<Vec<(String, usize)>, Refusal> {
        if names.len() != columns.len() {
            let what = format!(
                "{}: the matrix has {} columns, but {by} names {} classes",
                self.file,
                columns.len(),
                names.len()
            );
            return Err(Refusal::new(what).hint("columns without names are taken in order, one per class"));
        }
        Ok(names.iter().map(ToString::to_string).zip(columns).collect())
    }

    /// Columns of the classes that a list names: the name itself, or a prefix and the name.
    fn listed(&self, schema: &Schema, names: &[String], by: &str) -> Result<Vec<(String, usize)>, Refusal> {
        let has = |column: &String| schema.index_of(column).is_ok();
        let prefixes = self.prefixes();
        let candidates = |name: &String| -> Vec<String> {
            prefixes.iter().map(|prefix| format!("{prefix}{name}")).collect()
        };
        // One prefix for all, if there is one: a table may hold both `p_a` and another column `a`.
        let common = (0..prefixes.len()).find(|&i| names.iter().all(|name| has(&candidates(name)[i])));
        let mut found = Vec::new();
        for name in names {
            let candidates = candidates(name);
            let column =
                common.map(|i| &candidates[i]).or_else(|| candidates.iter().find(|column| has(column)));
            let Some(column) = column else {
                let what =
                    format!("{}: no column for class \"{name}\" of {by}{}", self.file, columns_are(schema));
                let hint = format!("looked for {}", quoted(candidates.iter().map(String::as_str)));
                return Err(Refusal::new(what).hint(hint));
            };
            found.push((name.clone(), self.only(schema, column, "class")?));
        }
        if self.model.is_some() && self.data.classes.is_none() {
            self.refuse_further_classes(schema, &found, by)?;
        }
        Ok(found)
    }

    /// What may stand before a class name, best first: as told, else as `fit` looks for them, else as listed.
    fn prefixes(&self) -> Vec<&str> {
        match (&self.data.prefix, &self.data.classes) {
            (Some(prefix), _) => vec![prefix, ""],
            (None, Some(_)) => std::iter::once("").chain(PREFIXES).collect(),
            (None, None) => PREFIXES.into_iter().chain([""]).collect(),
        }
    }

    /// A table with more class columns than the model knows was made by another black box.
    fn refuse_further_classes(
        &self,
        schema: &Schema,
        found: &[(String, usize)],
        by: &str,
    ) -> Result<(), Refusal> {
        let known = |column: usize| found.iter().any(|(_, i)| *i == column);
        let further = PREFIXES.iter().copied().chain(self.data.prefix.as_deref()).find_map(|prefix| {
            // Only where the model's own classes carry the prefix is a further one a class.
            let has_prefix = |i: usize| schema.field(i).name().starts_with(prefix);
            let in_use = found.iter().any(|(name, i)| has_prefix(*i) && schema.field(*i).name() != name);
            (0..schema.fields().len()).find(|&i| in_use && has_prefix(i) && !known(i))
        });
        match further {
            None => Ok(()),
            Some(column) => {
                let names = found.iter().map(|(name, _)| name.as_str());
                let column = schema.field(column).name();
                let what = format!(
                    "{}: class column \"{column}\" is not in {by}, whose classes are {}",
                    self.file,
                    quoted(names)
                );
                Err(Refusal::new(what).hint(
                    "fit a model on all classes; to leave the column out, list the others with --classes and \
                     add --normalize",
                ))
            }
        }
    }

    /// Columns with the user's prefix, or with one that is recognised unasked.
    fn prefixed(
        &self,
        schema: &Schema,
        taken: &[Option<usize>],
    ) -> Result<Option<Vec<(String, usize)>>, Refusal> {
        let with = |prefix: &str| -> Vec<(String, usize)> {
            let named =
                |i: usize| schema.field(i).name().strip_prefix(prefix).map(|name| (name.to_string(), i));
            (0..schema.fields().len())
                .filter(|i| !taken.contains(&Some(*i)) && !self.data.id.contains(schema.field(*i).name()))
                .filter_map(named)
                .filter(|(name, _)| !name.is_empty())
                .collect()
        };
        match &self.data.prefix {
            Some(prefix) => match with(prefix) {
                found if found.is_empty() => {
                    let what =
                        format!("{}: no column begins with \"{prefix}\"{}", self.file, columns_are(schema));
                    Err(Refusal::new(what).hint("--prefix names the beginning of the class columns"))
                }
                found => Ok(Some(found)),
            },
            None => Ok(PREFIXES.iter().map(|prefix| with(prefix)).find(|found| found.len() >= 2)),
        }
    }

    fn needed(&self, schema: &Schema, name: &str, what: &str) -> Result<usize, Refusal> {
        if schema.index_of(name).is_ok() {
            return self.only(schema, name, what);
        }
        let refusal = format!("{}: no {what} column \"{name}\"{}", self.file, columns_are(schema));
        let fields = schema.fields();
        let likeness = |known: &str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
        let alike =
            fields.iter().map(|field| field.name()).find(|known| fields.len() > 1 && likeness(known) > 0.85);
        Err(Refusal::new(refusal).hint(match (what, self.format, alike) {
            (_, _, Some(alike)) => format!("did you mean --{what} {alike}?"),
            ("label", Format::Npy, None) => {
                "the labels of an NPY file are in a second one: --label FILE.npy".to_string()
            }
            (_, Format::Csv | Format::Tsv, None) if fields.len() == 1 => {
                "the first line names the columns, with a comma, semicolon or tab between them; for another \
                 character use --delimiter CHAR"
                    .to_string()
            }
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

fn refuse_listed_twice(classes: &[String]) -> Result<(), Refusal> {
    match classes.iter().enumerate().find(|(i, class)| classes[..*i].contains(class)) {
        Some((_, class)) => {
            Err(Refusal::usage(format!("--classes names \"{class}\" twice")).hint("name every class once"))
        }
        None => Ok(()),
    }
}

/// The schema as it is searched: people write `label, p_a, p_b`.
pub(super) fn trimmed(schema: &Schema) -> Schema {
    let trimmed = |field: &FieldRef| field.as_ref().clone().with_name(field.name().trim_start());
    Schema::new(schema.fields().iter().map(trimmed).collect::<Vec<_>>())
}

/// Puts the columns that the user listed into the model's order.
fn in_order_of(model: &Model, path: &Path, file: &str, layout: &Layout) -> Result<Layout, Refusal> {
    let place = |class: &String| layout.classes.iter().position(|name| name == class);
    let columns: Option<Vec<usize>> =
        model.classes().iter().map(|class| place(class).map(|i| layout.columns[i])).collect();
    match columns {
        Some(columns) if columns.len() == layout.columns.len() => {
            Ok(Layout { classes: model.classes().to_vec(), columns, ..*layout })
        }
        _ => {
            let what = format!(
                "{file}: --classes names {}, but the classes of {} are {}",
                quoted(layout.classes.iter().map(String::as_str)),
                path.display(),
                quoted(model.classes().iter().map(String::as_str))
            );
            Err(Refusal::new(what).hint("list the model's classes, in any order"))
        }
    }
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
