//! Documents become rows of probabilities, or counts of answers.

use std::collections::HashMap;

use cwplugin_replies::{Classes, Kind, Reader, ReplyError, Rows, VoteCounter, Votes};
use serde_json::value::RawValue;

use super::table::Table;

/// Where documents go.
pub(super) enum Sink {
    Rows(Reader, Rows),
    Votes(Classes, VoteCounter),
}

impl Sink {
    pub(super) fn read(&mut self, document: &[u8]) -> Result<(), ReplyError> {
        match self {
            Self::Rows(reader, rows) => reader.read(document, rows).map(drop),
            Self::Votes(_, counter) => counter.read(document),
        }
    }

    pub(super) fn into_table(self) -> Table {
        match self {
            Self::Rows(reader, rows) => of_rows(reader.classes().names(), &rows),
            Self::Votes(classes, counter) => of_votes(&classes, counter.into_votes()),
        }
    }
}

fn of_rows(classes: &[String], rows: &Rows) -> Table {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    Table {
        classes: classes.to_vec(),
        probabilities: rows.probabilities().to_vec(),
        labels: rows.iter().map(|row| owned(row.label)).collect(),
        ids: rows.iter().map(|row| owned(row.id)).collect(),
        other: rows.iter().map(|row| row.other).collect(),
        votes: None,
        n_independent: rows.iter().filter(|row| row.kind == Kind::Independent).count(),
        n_scores: rows.iter().filter(|row| row.kind != Kind::Tokens).count(),
        without_class: Vec::new(),
    }
}

fn of_votes(classes: &Classes, votes: Vec<Votes>) -> Table {
    let m = classes.len();
    let mut table = Table { classes: classes.names().to_vec(), votes: Some(Vec::new()), ..Table::default() };
    let mut counts = Vec::with_capacity(m * votes.len());
    for (place, one) in votes.into_iter().enumerate() {
        let Some(probabilities) = one.probabilities() else {
            table.without_class.push((place, one.id.clone(), one.no_class(classes)));
            continue;
        };
        table.probabilities.extend(probabilities);
        table.other.push(one.share_of_other());
        table.labels.push(one.label);
        table.ids.push(Some(one.id));
        counts.extend(one.counts);
    }
    Table { votes: Some(counts), ..table }
}

/// The label of a document, if it has one.
pub(super) fn label_of(document: &[u8], field: &str) -> Option<String> {
    let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    let fields: HashMap<String, &RawValue> = serde_json::from_slice(document).ok()?;
    let label = fields.get(field)?.get();
    match label.as_bytes().first()? {
        b'"' => serde_json::from_str::<String>(label).ok().map(|label| label.trim().to_owned()),
        b'n' | b'{' | b'[' => None,
        _ => Some(label.to_owned()),
    }
}
