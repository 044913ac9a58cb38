//! The class columns.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use arrow_schema::Schema;
use cwplugin::Model;
use cwplugin::data::quoted;

use super::{Layout, Request, VOTES_ARE, columns_are};
use crate::args::From;
use crate::table::NPZ_ARRAY;
use crate::user_error::UserError;

/// Prefixes of class columns that are recognised by default.
pub(in crate::input) const PREFIXES: [&str; 3] = ["p_", "prob_", "proba_"];

impl Request<'_> {
    /// Class names and columns; `None` if the column names do not determine them. `unnamed` columns are taken by position.
    pub(super) fn classes_by_name(
        &self,
        schema: &Schema,
        unnamed: Vec<usize>,
        taken: &[usize],
    ) -> Result<Option<Vec<(String, usize)>>, UserError> {
        let has_both = |model: &Model| model.classes().iter().all(|class| self.has_column(schema, class));
        let is_single = self.data.remembered.positive.is_some()
            && self.model.is_none_or(|(model, _)| !has_both(model) && unnamed.is_empty());
        if self.data.positive.is_some() || is_single {
            return Ok(None);
        }
        let (names, by) = match (&self.data.classes, self.model) {
            (Some(names), _) => {
                refuse_listed_twice(names, "--classes")?;
                (names.as_slice(), "--classes".to_string())
            }
            (None, Some((model, path))) => (model.classes(), path.display().to_string()),
            (None, None) => return self.prefixed(schema, taken),
        };
        if unnamed.is_empty() {
            self.listed(schema, names, &by).map(Some)
        } else {
            self.by_position(names, unnamed, &by).map(Some)
        }
    }

    /// The columns of an NPY file, or of an NPZ file without class names.
    pub(super) fn unnamed_columns(&self, schema: &Schema) -> Vec<usize> {
        let of_matrix: Vec<usize> = (0..schema.fields().len())
            .filter(|&i| schema.field(i).metadata().contains_key(NPZ_ARRAY))
            .collect();
        let is_unnamed = of_matrix
            .iter()
            .enumerate()
            .all(|(position, &i)| *schema.field(i).name() == position.to_string());
        // Classes that are called 0, 1, … match by name.
        let names = self.data.classes.as_deref().or(self.model.map(|(model, _)| model.classes()));
        let match_by_name = names.is_some_and(|names| names.iter().all(|name| schema.index_of(name).is_ok()));
        if is_unnamed && !match_by_name { of_matrix } else { Vec::new() }
    }

    fn by_position(
        &self,
        names: &[String],
        columns: Vec<usize>,
        by: &str,
    ) -> Result<Vec<(String, usize)>, UserError> {
        if names.len() != columns.len() {
            let (file, n, m) = (&self.file, columns.len(), names.len());
            let what = format!("{file}: the matrix has {n} columns, but {by} names {m} classes");
            let cure = "columns without names are matched to the classes by position";
            return Err(UserError::new(what).hint(cure));
        }
        Ok(names.iter().cloned().zip(columns).collect())
    }

    /// The columns of listed classes: the name, or a prefix and the name.
    fn listed(&self, schema: &Schema, names: &[String], by: &str) -> Result<Vec<(String, usize)>, UserError> {
        let mut columns: HashMap<&str, (usize, usize)> = HashMap::new();
        for (i, field) in schema.fields().iter().enumerate() {
            columns.entry(field.name()).or_insert((i, 0)).1 += 1;
        }
        let has = |column: &String| columns.contains_key(column.as_str());
        let prefixes = self.prefixes();
        let candidates = |name: &String| -> Vec<String> {
            prefixes.iter().map(|prefix| format!("{prefix}{name}")).collect()
        };
        // One prefix for all if possible: a table may have both `p_a` and another column `a`.
        let common = (0..prefixes.len()).find(|&i| names.iter().all(|name| has(&candidates(name)[i])));
        let mut found = Vec::new();
        for name in names {
            let candidates = candidates(name);
            let column =
                common.map(|i| &candidates[i]).or_else(|| candidates.iter().find(|column| has(column)));
            let Some(column) = column else {
                let what =
                    format!("{}: no column for class \"{name}\" of {by}{}", self.file, columns_are(schema));
                let looked_for = format!("looked for {}", quoted(&candidates));
                let other = names.iter().find(|other| names.len() == 2 && *other != name);
                let is_other = other.is_some_and(|other| self.has_column(schema, other));
                return Err(UserError::new(what).hint(match other {
                    _ if self.data.replies.from == Some(From::Votes) => format!("{looked_for}; {VOTES_ARE}"),
                    Some(other) if is_other => format!("{looked_for}; if the table has one column of probabilities, of \"{other}\", add --positive {other}"),
                    Some(other) => format!("{looked_for}; if the table has one column of probabilities, name its class, e.g. --positive {other}"),
                    None => looked_for,
                }));
            };
            match columns.get(column.as_str()) {
                Some((i, 1)) => found.push((name.clone(), *i)),
                _ => return Err(self.twice(column, "class")),
            }
        }
        if self.model.is_some() && self.data.classes.is_none() {
            self.refuse_other_classes(schema, &found, by)?;
        }
        Ok(if self.data.classes.is_some() { without_prefix(found, &prefixes) } else { found })
    }

    /// Possible prefixes of class names, best first.
    fn prefixes(&self) -> Vec<&str> {
        match (&self.data.prefix, &self.data.classes) {
            (Some(prefix), _) => vec![prefix, ""],
            (None, Some(_)) => std::iter::once("").chain(PREFIXES).collect(),
            (None, None) => PREFIXES.into_iter().chain([""]).collect(),
        }
    }

    /// Refuses class columns that the model does not have: the table is of another black box.
    fn refuse_other_classes(
        &self,
        schema: &Schema,
        found: &[(String, usize)],
        by: &str,
    ) -> Result<(), UserError> {
        let columns: HashSet<usize> = found.iter().map(|(_, i)| *i).collect();
        let known = |column: usize| columns.contains(&column);
        let other = PREFIXES.iter().copied().chain(self.data.prefix.as_deref()).find_map(|prefix| {
            // A column with this prefix is a class only if the model's own columns have the prefix.
            let has_prefix = |i: usize| schema.field(i).name().starts_with(prefix);
            let in_use = found.iter().any(|(name, i)| has_prefix(*i) && schema.field(*i).name() != name);
            (0..schema.fields().len()).find(|&i| in_use && has_prefix(i) && !known(i))
        });
        let Some(column) = other else { return Ok(()) };
        let (column, names) = (schema.field(column).name(), quoted(found.iter().map(|(name, _)| name)));
        let what =
            format!("{}: class column \"{column}\" is not in {by}, whose classes are {names}", self.file);
        Err(UserError::new(what).hint(
            "fit a model on all classes; to ignore the column, list the others with --classes and add --normalize",
        ))
    }

    /// Whether the table has a column for this class.
    fn has_column(&self, schema: &Schema, class: &str) -> bool {
        self.prefixes().iter().any(|prefix| schema.index_of(&format!("{prefix}{class}")).is_ok())
    }

    /// Columns with the user's prefix, or at least two with a default one.
    fn prefixed(&self, schema: &Schema, taken: &[usize]) -> Result<Option<Vec<(String, usize)>>, UserError> {
        let found = self.prefixed_columns(schema, taken);
        match &self.data.prefix {
            Some(prefix) if found.is_empty() => {
                let what =
                    format!("{}: no column starts with \"{prefix}\"{}", self.file, columns_are(schema));
                Err(UserError::new(what).hint("--prefix gives the start of the names of class columns"))
            }
            _ => Ok(Some(found).filter(|found| found.len() >= 2)),
        }
    }

    /// Columns with the user's prefix, or with that default prefix that most columns have.
    pub(super) fn prefixed_columns(&self, schema: &Schema, taken: &[usize]) -> Vec<(String, usize)> {
        let with = |prefix: &str| -> Vec<(String, usize)> {
            let named =
                |i: usize| schema.field(i).name().strip_prefix(prefix).map(|name| (name.to_string(), i));
            (0..schema.fields().len())
                .filter(|i| !taken.contains(i) && !self.data.id.contains(schema.field(*i).name()))
                .filter_map(named)
                .filter(|(name, _)| !name.is_empty())
                .collect()
        };
        if let Some(prefix) = &self.data.prefix {
            return with(prefix);
        }
        let found = PREFIXES.map(with);
        let several = found.iter().find(|found| found.len() >= 2);
        several.or_else(|| found.iter().find(|found| !found.is_empty())).cloned().unwrap_or_default()
    }
}

/// The listed columns `p_a,p_b` are the classes `a` and `b`.
fn without_prefix(found: Vec<(String, usize)>, prefixes: &[&str]) -> Vec<(String, usize)> {
    let strips = |prefix: &&&str| {
        !prefix.is_empty()
            && found.iter().all(|(name, _)| name.len() > prefix.len() && name.starts_with(**prefix))
    };
    match prefixes.iter().find(strips) {
        Some(prefix) => {
            found.iter().map(|(name, column)| (name[prefix.len()..].to_string(), *column)).collect()
        }
        None => found,
    }
}

/// Refuses a list with a repeated name.
///
/// # Errors
///
/// If a name occurs twice.
pub fn refuse_listed_twice(names: &[String], flag: &str) -> Result<(), UserError> {
    let what = match flag {
        "--classes" => "class",
        "--methods" => "method",
        "--features" => "column or file",
        _ => "column",
    };
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(*name)) {
        Some(name) => {
            Err(UserError::usage(format!("{flag} names \"{name}\" twice"))
                .hint(format!("name each {what} once")))
        }
        None => Ok(()),
    }
}

/// Puts the columns that the user listed into the model's order.
pub(super) fn in_order_of(
    model: &Model,
    path: &Path,
    file: &str,
    layout: Layout,
) -> Result<Layout, UserError> {
    let place = |class: &String| layout.classes.iter().position(|name| name == class);
    let columns: Option<Vec<usize>> =
        model.classes().iter().map(|class| place(class).map(|i| layout.columns[i])).collect();
    match columns {
        Some(columns) if columns.len() == layout.columns.len() => {
            Ok(Layout { classes: model.classes().to_vec(), columns, ..layout })
        }
        _ => {
            let (given, known, path) = (quoted(&layout.classes), quoted(model.classes()), path.display());
            let what = format!("{file}: --classes names {given}, but the classes of {path} are {known}");
            Err(UserError::new(what).hint("list the model's classes, in any order"))
        }
    }
}
