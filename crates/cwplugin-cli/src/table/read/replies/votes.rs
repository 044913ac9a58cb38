//! Several answers for each row instead of probabilities.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::SchemaRef;
use cwplugin_replies::{Source as Vendor, VoteCounter, Votes};

use super::super::source::{Progress, Source};
use super::super::{Decode, Rows, Watch};
use super::errors::{in_file, in_vote};
use super::files::{CHUNK, OpenFile};
use super::{ReplyOptions, ReplyReader};
use crate::user_error::UserError;

/// All rows: the answers of one row may be anywhere in the file.
pub(in super::super) struct VoteTable {
    schema: SchemaRef,
    batch: Option<RecordBatch>,
}

impl VoteTable {
    /// Reads and counts all answers of a file that is open already, then those of others; `watch` gets the bytes that were read
    /// and the answers.
    pub(in super::super) fn read(
        first: Source,
        others: VecDeque<PathBuf>,
        progress: &Progress,
        options: &ReplyOptions,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let schema = options.schema();
        let ReplyReader::Answers { classes, field } = &options.reader else {
            return Ok(Self { schema, batch: None });
        };
        let counter = VoteCounter::new(classes.clone()).id_field(&options.id).label_field(&options.label);
        let mut counter = counter.answer_field(field);
        let (name, mut answers) = (first.name().to_owned(), 0);
        let mut source = Some(first);
        let mut others = others.into_iter();
        while let Some(open) = source {
            let mut file = OpenFile::new(open, Vendor::Openai);
            while file.fill(CHUNK)? {
                answers += count(&mut file, &mut counter, options)?;
                watch(progress.get(), answers);
            }
            answers += count(&mut file, &mut counter, options)?;
            source = others.next().map(|path| Source::open_part(&path, progress)).transpose()?;
        }
        let votes = with_class(counter, options, &name)?;
        options.facts.add_votes(&votes);
        let batch = batch(&schema, &votes, classes.len())?;
        Ok(Self { schema, batch: Some(batch) })
    }
}

/// Counts the documents that are complete, and returns how many they are.
fn count(file: &mut OpenFile, counter: &mut VoteCounter, options: &ReplyOptions) -> Result<usize> {
    let mut n = 0;
    loop {
        match file.documents.next() {
            Ok(Some(document)) => {
                let number = document.number;
                counter
                    .read(document.bytes)
                    .map_err(|error| in_vote(&file.name, number, &error, document.bytes, options))?;
                n += 1;
            }
            Ok(None) => return Ok(n),
            Err(error) => return Err(in_file(&file.name, None, &error).into()),
        }
    }
}

/// The rows in which an answer is a class; others are an error, or left out.
fn with_class(counter: VoteCounter, options: &ReplyOptions, name: &str) -> Result<Vec<Votes>> {
    let mut votes = Vec::new();
    for (place, row) in counter.into_votes().into_iter().enumerate() {
        if row.total() > 0 {
            votes.push(row);
            continue;
        }
        let error = row.no_class(options.classes());
        let what = format!("id \"{}\": {error}", row.id);
        if !options.skip_errors {
            let cure = error.cure().unwrap_or_default();
            return Err(UserError::new(format!("{name}: {what}"))
                .hint(format!("{cure}; --skip-errors leaves such rows out"))
                .into());
        }
        options.facts.skip(place + 1, "no-class", &what);
    }
    Ok(votes)
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
