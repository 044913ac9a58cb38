//! The columns that go out: the input's own, the prediction, and the scores if asked for.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use cwplugin::{Model, Probabilities};

use crate::args::Apply;
use crate::input::{Chunk, Conversion, Input};
use crate::refusal::Refusal;
use crate::table::{Format, NPZ_ARRAY, is_stream};

/// Which columns go out, and how.
pub(super) struct Plan {
    pub(super) format: Format,
    pub(super) schema: SchemaRef,
    conversion: Arc<Conversion>,
    passed: Vec<Passed>,
    integer_classes: bool,
    pub(super) with_scores: bool,
}

/// A column of the input that is passed on.
struct Passed {
    column: usize,
    field: Field,
    /// A class column of text becomes numbers where the format has numbers.
    as_numbers: bool,
}

impl Plan {
    pub(super) fn new(args: &Apply, model: &Model, input: &Input) -> Result<Self, Refusal> {
        let format = format(args, input)?;
        if format == Format::Npy && args.scores_out {
            let what = "an NPY file holds one array, so --scores-out has no room in it";
            return Err(Refusal::usage(what).hint("write an NPZ file: -o FILE.npz"));
        }
        let is_numpy = matches!(format, Format::Npy | Format::Npz);
        let passed = match format {
            Format::Npy => Vec::new(),
            Format::Npz => passed_as_matrix(model, input),
            _ => passed_in_order(format, input),
        };
        let is_integer = |class: &String| class.parse::<i64>().is_ok_and(|n| n.to_string() == *class);
        let integer_classes = is_numpy && model.classes().iter().all(is_integer);
        let data_type = if integer_classes { DataType::Int64 } else { DataType::Utf8 };
        let mut fields: Vec<Field> = passed.iter().map(|passed| passed.field.clone()).collect();
        let mut added = vec![Field::new(&args.prediction, data_type, false)];
        if args.scores_out {
            let score = |class: &String| Field::new(format!("score_{class}"), DataType::Float64, false);
            let scores = model.classes().iter().map(score);
            added.extend(scores.map(|field| if is_numpy { in_array(field, "scores") } else { field }));
        }
        for new in added {
            if fields.iter().any(|field| field.name() == new.name()) {
                let what = format!("{}: there is a column \"{}\" already", input.name(), new.name());
                return Err(Refusal::new(what).hint(if *new.name() == args.prediction {
                    "--prediction NAME gives the new column another name"
                } else {
                    "rename that column, or leave out --scores-out"
                }));
            }
            fields.push(new);
        }
        let schema = Arc::new(Schema::new(fields));
        let conversion = input.conversion();
        Ok(Self { format, schema, conversion, passed, integer_classes, with_scores: args.scores_out })
    }

    /// The rows of a chunk as they go out.
    pub(super) fn batch(
        &self,
        chunk: &Chunk,
        model: &Model,
        predicted: &[usize],
        scores: Option<&Probabilities>,
    ) -> anyhow::Result<RecordBatch> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        for passed in &self.passed {
            columns.push(if passed.as_numbers {
                Arc::new(Float64Array::from(self.conversion.numbers(chunk, passed.column)?))
            } else {
                chunk.batch.column(passed.column).clone()
            });
        }
        let names = predicted.iter().map(|&class| model.classes()[class].as_str());
        columns.push(if self.integer_classes {
            Arc::new(names.map(str::parse::<i64>).collect::<Result<Int64Array, _>>()?)
        } else {
            Arc::new(StringArray::from_iter_values(names))
        });
        if let Some(scores) = scores {
            let column = |class| (0..scores.n_rows()).map(move |row| scores.get(row, class));
            let columns_of_scores =
                (0..scores.n_classes()).map(|class| Float64Array::from_iter_values(column(class)));
            columns.extend(columns_of_scores.map(|scores| Arc::new(scores) as ArrayRef));
        }
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }
}

/// What the user says, else what the output's name says, else the input's own.
fn format(args: &Apply, input: &Input) -> Result<Format, Refusal> {
    let path = args.output.as_deref().filter(|path| !is_stream(path));
    if let Some(format) = args.to.or(path.and_then(Format::of_name)) {
        return Ok(format);
    }
    match path {
        Some(path) if path.extension().is_some() => {
            let what = format!("{}: the name says no known format", path.display());
            Err(Refusal::usage(what)
                .hint("end it in .csv, .tsv, .jsonl, .parquet, .arrow, .npy or .npz, or add --to"))
        }
        Some(_) => Ok(input.format()),
        None if input.format().is_text() => Ok(input.format()),
        None => Ok(Format::Csv), // a terminal or a pipe reads text
    }
}

/// Every column of the input, in its order.
fn passed_in_order(format: Format, input: &Input) -> Vec<Passed> {
    let has_numbers = match format {
        Format::Csv | Format::Tsv => false,
        Format::Jsonl => input.format() != Format::Jsonl, // JSON of its own goes out as it came in
        _ => true,
    };
    let pass = |(column, field): (usize, &Arc<Field>)| {
        let is_class = input.class_columns().contains(&column);
        let as_numbers = has_numbers && is_class && !field.data_type().is_floating();
        let field = if as_numbers { number(field.name()) } else { field.as_ref().clone() };
        Passed { column, field, as_numbers }
    };
    input.schema().fields().iter().enumerate().map(pass).collect()
}

/// The other columns, then the classes as one matrix, named and ordered as in the model, so that the matrix of scores
/// has the same columns.
fn passed_as_matrix(model: &Model, input: &Input) -> Vec<Passed> {
    let mut passed = passed_in_order(Format::Npz, input);
    passed.retain(|passed| !input.class_columns().contains(&passed.column));
    for (class, &column) in model.classes().iter().zip(input.class_columns()) {
        let as_numbers = !input.schema().field(column).data_type().is_floating();
        let data_type =
            if as_numbers { &DataType::Float64 } else { input.schema().field(column).data_type() };
        let field = in_array(Field::new(class, data_type.clone(), true), "probabilities");
        passed.push(Passed { column, field, as_numbers });
    }
    passed
}

fn number(name: &str) -> Field {
    Field::new(name, DataType::Float64, false)
}

/// Marks a column as part of a NumPy matrix.
fn in_array(field: Field, array: &str) -> Field {
    field.with_metadata([(NPZ_ARRAY.to_string(), array.to_string())].into())
}
