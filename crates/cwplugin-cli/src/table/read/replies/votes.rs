//! Several answers for each row instead of probabilities.

use std::sync::Arc;

use anyhow::Result;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::SchemaRef;
use cwplugin_replies::{Documents, Source as Vendor, VoteCounter, Votes};

use super::super::source::Source;
use super::super::{Decode, Rows};
use super::{OpenFile, ReplyOptions, ReplyReader, in_file};
use crate::user_error::{UserError, count_of};

/// All rows: the answers of one row may be anywhere in the file.
pub(in super::super) struct VoteTable {
    schema: SchemaRef,
    batch: Option<RecordBatch>,
}

impl VoteTable {
    /// Reads and counts all answers.
    pub(in super::super) fn read(source: Source, options: &ReplyOptions) -> Result<Self> {
        let schema = options.schema();
        let ReplyReader::Answers { classes, field } = &options.reader else {
            return Ok(Self { schema, batch: None });
        };
        let counter = VoteCounter::new(classes.clone()).id_field(&options.id).label_field(&options.label);
        let mut counter = counter.answer_field(field);
        let mut file = OpenFile::new(source, Vendor::Openai);
        let mut is_open = true;
        while is_open {
            is_open = file.fill(1 << 20)?;
            count(&mut file.documents, &mut counter, &file.name)?;
        }
        let mut votes = Vec::new();
        for (place, row) in counter.into_votes().into_iter().enumerate() {
            if row.total() == 0 {
                let what = format!(
                    "id \"{}\": none of {} is a class",
                    row.id,
                    count_of(row.other as usize, "answer")
                );
                if !options.skip_errors {
                    return Err(UserError::new(format!("{}: {what}", file.name))
                        .hint("name the texts of a class with --class NAME=TEXT, or leave such rows out with --skip-errors")
                        .into());
                }
                options.facts.skip(place + 1, "no-class", &what);
                continue;
            }
            votes.push(row);
        }
        options.facts.add_votes(&votes);
        let batch = batch(&schema, &votes, classes.len())?;
        Ok(Self { schema, batch: Some(batch) })
    }
}

/// Counts the documents that are complete.
fn count(documents: &mut Documents, counter: &mut VoteCounter, name: &str) -> Result<()> {
    loop {
        match documents.next() {
            Ok(Some(document)) => {
                let number = document.number;
                counter.read(document.bytes).map_err(|error| in_file(name, Some(number), &error))?;
            }
            Ok(None) => return Ok(()),
            Err(error) => return Err(in_file(name, None, &error).into()),
        }
    }
}

fn batch(schema: &SchemaRef, votes: &[Votes], m: usize) -> Result<RecordBatch> {
    let texts = |text: fn(&Votes) -> Option<&str>| -> ArrayRef {
        Arc::new(votes.iter().map(text).collect::<StringArray>())
    };
    let mut columns = vec![texts(|row| Some(&row.id)), texts(|row| row.label.as_deref())];
    let rows: Vec<Vec<f64>> = votes.iter().filter_map(Votes::probabilities).collect();
    for class in 0..m {
        columns.push(Arc::new(rows.iter().map(|row| row[class]).collect::<Float64Array>()));
    }
    columns.push(Arc::new(votes.iter().map(Votes::share_of_other).collect::<Float64Array>()));
    columns.push(Arc::new(votes.iter().map(Votes::total).collect::<UInt64Array>()));
    Ok(RecordBatch::try_new(Arc::clone(schema), columns)?)
}

impl Decode for VoteTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn select(&mut self, columns: &[usize]) -> Result<()> {
        self.batch = self.batch.take().map(|batch| batch.project(columns)).transpose()?;
        Ok(())
    }

    fn next_rows(&mut self) -> Result<Option<Rows>> {
        Ok(self.batch.take().map(Rows::Batch))
    }
}
