//! The output columns: those of the input, the prediction, and the scores.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use cwplugin::{Model, Probabilities};

use crate::args::Apply;
use crate::input::{Chunk, Conversion, Input};
use crate::table::{Format, is_stream};
use crate::user_error::UserError;

/// The output columns and their format.
pub(super) struct Plan {
    pub(super) format: Format,
    pub(super) schema: SchemaRef,
    conversion: Arc<Conversion>,
    /// For each column of the input, whether its text becomes numbers.
    as_numbers: Vec<bool>,
    pub(super) with_scores: bool,
}

impl Plan {
    pub(super) fn new(args: &Apply, model: &Model, input: &Input) -> Result<Self, UserError> {
        let format = format(args, input)?;
        // Text stays text in text formats, and JSON stays JSON.
        let has_numbers = match format {
            Format::Csv | Format::Tsv => false,
            Format::Jsonl => input.format() != Format::Jsonl,
            _ => true,
        };
        let fields = input.conversion.schema.fields();
        let is_text_class = |(column, field): (usize, &Arc<Field>)| {
            has_numbers
                && input.conversion.layout.columns.contains(&column)
                && !field.data_type().is_floating()
        };
        let as_numbers: Vec<bool> = fields.iter().enumerate().map(is_text_class).collect();
        let number = |name: &str| Field::new(name, DataType::Float64, false);
        let mut fields: Vec<Field> = fields
            .iter()
            .zip(&as_numbers)
            .map(
                |(field, &as_numbers)| {
                    if as_numbers { number(field.name()) } else { field.as_ref().clone() }
                },
            )
            .collect();
        let mut added = vec![Field::new(&args.prediction, DataType::Utf8, false)];
        if args.scores_out {
            added.extend(model.classes().iter().map(|class| number(&format!("score_{class}"))));
        }
        for new in added {
            if fields.iter().any(|field| field.name() == new.name()) {
                let what = format!("{}: column \"{}\" exists already", input.name(), new.name());
                return Err(UserError::new(what).hint(if *new.name() == args.prediction {
                    "give the new column another name with --prediction NAME"
                } else {
                    "rename that column, or omit --scores-out"
                }));
            }
            fields.push(new);
        }
        let schema = Arc::new(Schema::new(fields));
        let conversion = Arc::clone(&input.conversion);
        Ok(Self { format, schema, conversion, as_numbers, with_scores: args.scores_out })
    }

    /// The output rows of a chunk.
    pub(super) fn batch(
        &self,
        chunk: &Chunk,
        model: &Model,
        predicted: &[usize],
        scores: Option<&Probabilities>,
    ) -> anyhow::Result<RecordBatch> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        for (column, &as_numbers) in self.as_numbers.iter().enumerate() {
            columns.push(if as_numbers {
                Arc::new(Float64Array::from(self.conversion.numbers(chunk, column)?))
            } else {
                chunk.batch.column(column).clone()
            });
        }
        let names = predicted.iter().map(|&class| model.classes()[class].as_str());
        columns.push(Arc::new(StringArray::from_iter_values(names)));
        if let Some(scores) = scores {
            for class in 0..scores.n_classes() {
                let of_class = (0..scores.n_rows()).map(|row| scores.get(row, class));
                columns.push(Arc::new(Float64Array::from_iter_values(of_class)));
            }
        }
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }
}

/// The format by `--to`, else by the extension of the output, else that of the input.
fn format(args: &Apply, input: &Input) -> Result<Format, UserError> {
    let path = args.output.as_deref().filter(|path| !is_stream(path));
    if let Some(format) = args.to.or(path.and_then(Format::of_name)) {
        return Ok(format);
    }
    match (path, input.format()) {
        (Some(path), _) if path.extension().is_some() => {
            let what = format!("{}: unknown extension", path.display());
            Err(UserError::usage(what).hint("use .csv, .tsv, .jsonl, .parquet or .arrow, or add --to"))
        }
        (_, Format::Npy | Format::Npz) => Ok(Format::Csv), // they cannot be written
        (None, format) if !format.is_text() => Ok(Format::Csv), // for a terminal or a pipe
        (_, format) => Ok(format),
    }
}
