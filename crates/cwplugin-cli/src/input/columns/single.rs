//! One column of probabilities for two classes.

use std::collections::BTreeSet;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use cwplugin::data::quoted;

use super::classes::PREFIXES;
use super::{Layout, Request};
use crate::input::values;
use crate::user_error::UserError;

/// Labels that name the positive of two classes.
const POSITIVE: [&str; 5] = ["1", "true", "yes", "positive", "pos"];

impl Request<'_> {
    /// The layout if `column` is the probability of one of two classes. The classes are the user's, the model's, or the labels
    /// of the first rows.
    pub(super) fn single(
        &self,
        schema: &Schema,
        column: usize,
        first: Option<&RecordBatch>,
        others: Layout,
        notes: &mut Vec<String>,
    ) -> Result<Layout, UserError> {
        let name = schema.field(column).name();
        let file = &self.file;
        let (classes, by) = match (&self.data.classes, self.model) {
            (Some(classes), _) => (classes.clone(), "--classes"),
            (None, Some((model, _))) => (model.classes().to_vec(), "the model"),
            (None, None) => (self.first_labels(first, others.label), "the labels"),
        };
        let [one, other] = &classes[..] else {
            let what = format!(
                "{file}: one column of probabilities, \"{name}\", is enough for two classes only, but {by} have {}",
                if classes.is_empty() { "none".into() } else { quoted(&classes) }
            );
            return Err(UserError::new(what).hint(
                "name both classes, and the one that the column is about: --classes ham,spam --positive spam",
            ));
        };
        let bare = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
        let both = || [one, other].into_iter();
        let named = both().find(|class| class.eq_ignore_ascii_case(bare));
        let by_word = || both().find(|class| POSITIVE.contains(&class.to_lowercase().as_str()));
        let positive = if let Some(given) = &self.data.positive {
            let Some(positive) = both().find(|class| *class == given) else {
                let what = format!("--positive {given}: unknown class; the classes are {}", quoted(&classes));
                return Err(UserError::new(what).hint(format!("name the class with --positive {other}")));
            };
            if let Some(named) = named.filter(|named| *named != positive) {
                let what =
                    format!("--positive {given}: column \"{name}\" of {file} is named after \"{named}\"");
                return Err(
                    UserError::usage(what).hint(format!("use --positive {named}, or rename the column"))
                );
            }
            positive
        } else {
            let stored = both().find(|class| Some(*class) == self.data.remembered.positive.as_ref());
            let Some(positive) = named.or(stored).or_else(by_word) else {
                let what = format!("{file}: column \"{name}\": the probability of {one} or of {other}?");
                return Err(UserError::new(what).hint(format!("name the class with --positive {other}")));
            };
            if stored != Some(positive) {
                notes.push(format!(
                    "column \"{name}\" is read as the probability of \"{positive}\"; --positive {positive} confirms it"
                ));
            }
            positive
        };
        // The order of a model is that of its weights; else the positive class is the second.
        let negative = if positive == one { other } else { one };
        let classes = match self.model {
            Some((model, _)) => model.classes().to_vec(),
            None => vec![negative.clone(), positive.clone()],
        };
        let single = classes.iter().position(|class| class == positive);
        Ok(Layout { classes, columns: vec![column; 2], single, ..others })
    }

    /// The labels of the first rows, each once.
    pub(super) fn first_labels(&self, first: Option<&RecordBatch>, label: Option<usize>) -> Vec<String> {
        let labels = first.zip(label).and_then(|(rows, column)| values::column_texts(rows, column).ok());
        let labels = labels.into_iter().flatten().filter(|label| !label.is_empty());
        labels.collect::<BTreeSet<String>>().into_iter().collect()
    }
}
