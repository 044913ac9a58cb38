//! Which columns are classes.

use std::path::Path;

use arrow_schema::Schema;
use cwplugin::Model;

use super::{Layout, Wanted, columns_are, quoted};
use crate::refusal::Refusal;
use crate::table::NPZ_ARRAY;

/// Prefixes of class columns that are recognised unasked.
const PREFIXES: [&str; 3] = ["p_", "prob_", "proba_"];

impl Wanted<'_> {
    /// Class names and columns, if the names of the columns are enough to tell; `unnamed` ones are known by position.
    pub(super) fn classes_by_name(
        &self,
        schema: &Schema,
        unnamed: Vec<usize>,
        taken: &[Option<usize>],
    ) -> Result<Option<Vec<(String, usize)>>, Refusal> {
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

    /// The columns of an NPY file, or of an NPZ file that names no classes: known by their position alone.
    pub(super) fn unnamed_columns(&self, schema: &Schema) -> Vec<usize> {
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
        names: &[String],
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
        Ok(names.iter().cloned().zip(columns).collect())
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
        Ok(if self.data.classes.is_some() { without_prefix(found, &prefixes) } else { found })
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
}

/// Who lists the columns `p_a,p_b` means the classes `a` and `b`.
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

/// Refuses a list in which a name stands twice.
///
/// # Errors
///
/// The name, and what to do about it.
pub fn refuse_listed_twice(names: &[String], flag: &str) -> Result<(), Refusal> {
    let what = match flag {
        "--classes" => "class",
        "--methods" => "method",
        "--features" => "column or file",
        _ => "column",
    };
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => {
            Err(Refusal::usage(format!("{flag} names \"{name}\" twice"))
                .hint(format!("name every {what} once")))
        }
        None => Ok(()),
    }
}

/// Puts the columns that the user listed into the model's order.
pub(super) fn in_order_of(
    model: &Model,
    path: &Path,
    file: &str,
    layout: &Layout,
) -> Result<Layout, Refusal> {
    let place = |class: &String| layout.classes.iter().position(|name| name == class);
    let columns: Option<Vec<usize>> =
        model.classes().iter().map(|class| place(class).map(|i| layout.columns[i])).collect();
    match columns {
        Some(columns) if columns.len() == layout.columns.len() => {
            Ok(Layout { classes: model.classes().to_vec(), columns, ..layout.clone() })
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
