//! Labels in another table, joined by an id.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::plain::for_each_text;
use crate::output::{count_of, shown};
use crate::table::{Format, ReadOptions, Reader};
use crate::user_error::UserError;

/// The column that joins tables by default.
const ID: &str = "id";

/// The labels of a table, by id.
#[derive(Debug)]
pub(super) struct LabelFile {
    pub(super) name: String,
    /// The column with the ids, in both tables.
    pub(super) id: String,
    labels: HashMap<String, Label>,
    /// The first id, here and in the other table.
    first_ids: (String, OnceLock<String>),
    /// Rows of the other table that have no label here.
    unmatched: AtomicUsize,
}

#[derive(Debug)]
struct Label {
    text: String,
    /// The row, from 1.
    row: usize,
    /// The row of the other table that has this id, from 1; 0 until it is found.
    used_by: AtomicUsize,
}

impl LabelFile {
    /// Whether `--label` names a table; NPY files hold the labels in the order of the rows.
    pub(super) fn is_named(label: &str) -> bool {
        let path = Path::new(label);
        path.is_file() && Format::of_name(path).is_some_and(|format| format != Format::Npy)
    }

    /// Whether `--label` looks like a file, and there is none.
    pub(super) fn is_absent(label: &str) -> bool {
        let path = Path::new(label);
        (Format::of_name(path).is_some() || label.contains('/')) && !path.exists()
    }

    /// The error that `--label` is not a file, and what else it is not; it could be `other`.
    pub(super) fn absent(label: &str, also: &str, other: &str) -> UserError {
        UserError::new(format!("--label {label}: no such file{also}"))
            .hint(format!("name a table that exists, with a column of ids and one of labels, or {other}"))
    }

    /// Reads the table; `id` is the column that joins it.
    pub(super) fn read(path: &Path, id: Option<&String>) -> anyhow::Result<Self> {
        let id = id.map_or(ID, String::as_str).to_owned();
        let reader = Reader::open(path, &ReadOptions::default())?;
        let (name, schema) = (reader.name().to_owned(), reader.schema());
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().trim()).collect();
        let Some(ids) = names.iter().position(|name| *name == id) else {
            let what = format!("{name}: no column \"{id}\" to join the labels by");
            return Err(UserError::new(what).hint("name the column that both tables have: --id NAME").into());
        };
        let others: Vec<usize> = (0..names.len()).filter(|&i| i != ids).collect();
        let column = match (names.iter().position(|name| *name == "label"), &others[..]) {
            (Some(label), _) => label,
            (None, [only]) => *only,
            (None, _) => {
                let what = format!("{name}: no column \"label\"");
                return Err(UserError::new(what).hint("name the column of the labels \"label\"").into());
            }
        };
        let mut labels: HashMap<String, Label> = HashMap::new();
        let mut first_id = String::new();
        for_each_text(reader, &[ids, column], |row, cells| {
            let [key, text] = cells else { return Ok(()) };
            let at =
                |fact: String| UserError::new(format!("{name}: row {}, column \"{id}\": {fact}", row + 1));
            if key.is_empty() {
                return Err(at("the id is missing".into()).hint("fill it in, or drop the row").into());
            }
            if row == 0 {
                (*key).clone_into(&mut first_id);
            }
            match labels.entry((*key).to_owned()) {
                Entry::Occupied(first) => {
                    let fact = format!("\"{key}\" occurs twice, first in row {}", first.get().row);
                    Err(at(fact).hint("keep one label for each id").into())
                }
                Entry::Vacant(entry) => {
                    entry.insert(Label {
                        text: (*text).to_owned(),
                        row: row + 1,
                        used_by: AtomicUsize::new(0),
                    });
                    Ok(())
                }
            }
        })?;
        if labels.is_empty() {
            return Err(UserError::new(format!("{name}: the table has no rows"))
                .hint("add rows with an id and a label below the header")
                .into());
        }
        let first_ids = (first_id, OnceLock::new());
        Ok(Self { name, id, labels, first_ids, unmatched: AtomicUsize::new(0) })
    }

    /// The label of a row, counted from 1, and the row of the label; `None` if it has none.
    ///
    /// # Errors
    ///
    /// The row that had this id before.
    pub(super) fn label(&self, id: &str, row: usize) -> Result<Option<(&str, usize)>, usize> {
        let Some(label) = self.labels.get(id) else {
            self.unmatched.fetch_add(1, Ordering::Relaxed);
            let _ = self.first_ids.1.set(id.to_owned()); // only the first one is kept
            return Ok(None);
        };
        // A row with an error is converted again.
        match label.used_by.compare_exchange(0, row, Ordering::Relaxed, Ordering::Relaxed) {
            Err(first) if first != row => Err(first),
            _ => Ok(Some((&label.text, label.row))),
        }
    }

    /// The error that no row of the table `file` has a label.
    pub(super) fn without_rows(&self, file: &str) -> UserError {
        let Self { name, id, first_ids: (ours, theirs), .. } = self;
        let theirs = theirs.get().map_or("", String::as_str);
        let what = format!(
            "{file}: no row has a label in {name}, joined by \"{id}\": the first ids are \"{}\" and \"{}\"",
            shown(theirs),
            shown(ours)
        );
        UserError::new(what)
            .hint("write the ids alike, or name another column that both tables have with --id NAME")
    }

    /// All labels.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.labels.values().map(|label| label.text.as_str()).filter(|text| !text.is_empty())
    }

    /// What was joined, when all rows are read; `None` if nothing was.
    pub(super) fn summary(&self) -> Option<String> {
        let matched = self.labels.values().filter(|label| label.used_by.load(Ordering::Relaxed) > 0).count();
        let summary = format!(
            "{} of {} matched by \"{}\"; {} without a label, {} without a row",
            matched,
            count_of(self.labels.len(), "label"),
            self.id,
            count_of(self.unmatched.load(Ordering::Relaxed), "row"),
            count_of(self.labels.len() - matched, "label"),
        );
        (matched > 0).then_some(summary)
    }
}
