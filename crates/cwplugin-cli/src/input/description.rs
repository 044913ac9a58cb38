//! What was read from a table, in a few words.

use super::Conversion;
use crate::output::shown;

impl Conversion {
    /// The classes, their columns, and where the labels are.
    pub(crate) fn description(&self) -> String {
        let n_classes = self.layout.classes.len();
        let name = |&column: &usize| shown(self.schema.field(column).name().trim());
        let mut columns: Vec<String> = self.layout.columns.iter().map(name).collect();
        columns.dedup();
        let columns = match &columns[..] {
            _ if self.layout.unnamed => "columns by position".into(),
            [] => String::new(),
            [one] => format!("column {one}"),
            [first, second] => format!("columns {first}, {second}"),
            [first, .., last] => format!("columns {first} … {last}"),
        };
        let is_reply = self.replies.is_some();
        let source = match (&self.joined, self.layout.label.map(|_| shown(&self.data.label))) {
            (Some(joined), _) if is_reply => format!(" in replies, labels from {}", joined.name),
            (Some(joined), _) => format!(" ({columns}), labels from {}", joined.name),
            (None, Some(label)) if is_reply => format!(" in replies, labels from \"{label}\""),
            (None, Some(label)) => format!(" ({columns}, {label})"),
            (None, None) if is_reply => " in replies".into(),
            (None, None) => format!(" ({columns})"),
        };
        format!("{n_classes} classes{source}")
    }

    /// Whether a warning about the values was printed.
    pub(crate) fn has_warned(&self) -> bool {
        self.notes.has_warnings() || self.remarks_on_votes().1.is_some()
    }
}
