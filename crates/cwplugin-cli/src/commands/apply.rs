//! `cwplugin apply`: predict with a model.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use cwplugin::{Model, Probabilities, Sample, Weights};
use serde_json::json;

use super::{not_applicable, read_model_before};
use crate::args::{Apply, Common};
use crate::input::{Chunk, Columns, Conversion, Input, Labels, Needs};
use crate::output::{Screen, count_of, refuse_replacing};
use crate::table::{Encoded, Form, Format, VOTES, is_stream};
use crate::user_error::UserError;

pub(crate) fn run(args: &Apply, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let to_stdout = args.output.as_deref().is_none_or(is_stream);
    if common.json && to_stdout && args.output.is_some() {
        return Err(UserError::usage("--json and -o - both write to standard output")
            .hint("write the table with -o FILE, or omit --json")
            .into());
    }
    let labels = Path::new(&args.data.label);
    let mut inputs = vec![(args.model.as_path(), "the model"), (labels, "the labels")];
    inputs.extend(args.features.iter().map(|file| (Path::new(file), "the features")));
    refuse_replacing("-o", args.output.as_deref(), &inputs)?;
    let model = Arc::new(read_model_before(&args.model, &args.path, "apply")?);
    let needs = Needs {
        labels: Labels::Ignored,
        columns: Columns::All,
        model: Some((&*model, args.model.as_path())),
        features: &args.features,
    };
    let input = Input::open(&args.path, &args.data, needs, screen)?;
    // With --json and no -o, the predictions are in the summary on standard output.
    let in_summary = common.json && args.output.is_none();
    let plan = Plan::new(args, &model, &input)?;
    let output = args.output.as_deref();
    let form = if in_summary { None } else { Some(Form::new(output, plan.format, plan.schema.clone())?) };
    let clean = Weights::uniform(model.classes().len())?;
    let mut chunks = input.map({
        let (model, form, path) = (Arc::clone(&model), form.clone(), args.model.clone());
        move |chunk| {
            let refuse = |error| not_applicable(&error, &path, model.classes());
            let (predicted, scores) = if plan.with_scores && !in_summary {
                let (predicted, scores) = model.rule().predict_with_scores(&chunk.sample).map_err(refuse)?;
                (predicted, Some(scores))
            } else {
                (model.rule().predict(&chunk.sample).map_err(refuse)?, None)
            };
            let tally = Tally::of(&chunk.sample, &predicted, &clean)?;
            let encode =
                |form: &Form| form.encode(&plan.batch(&chunk, &model, &predicted, scores.as_ref())?);
            let rows = form.as_ref().map(encode).transpose()?;
            Ok(Predicted { tally, rows, classes: if in_summary { predicted } else { Vec::new() } })
        }
    })?;
    let mut progress = screen.progress("predicting");
    // A bad path fails before the work, but nothing is written to standard output before the first rows are checked.
    let mut first = if to_stdout { chunks.next(&mut progress)? } else { None };
    let mut writer = form.map(|form| form.create(output)).transpose()?;

    let mut tally = Tally::new(&model);
    let mut predictions = Vec::new();
    loop {
        let next = match first.take() {
            Some(chunk) => Some(chunk),
            None => chunks.next(&mut progress)?,
        };
        let Some(chunk) = next else { break };
        tally.add(&chunk.tally);
        if let Some((writer, rows)) = writer.as_mut().zip(chunk.rows) {
            writer.write_encoded(&rows)?;
        }
        predictions.extend(chunk.classes);
    }
    if let Some(writer) = writer {
        writer.finish()?;
    }
    drop(progress);
    if common.json {
        let mut summary = tally.json(&model);
        if in_summary {
            let names: Vec<_> = predictions.into_iter().map(|class| &model.classes()[class]).collect();
            summary["predictions"] = json!(names);
        } else {
            summary["output"] = json!(args.output.as_ref().map(|path| path.display().to_string()));
        }
        screen.json(&summary)?;
    }
    let changed = count_of(tally.changed, "prediction");
    screen.note(format_args!("{}, {changed} changed by the model", count_of(tally.rows, "row")));
    Ok(())
}

/// The output columns, those of the input, the prediction and the scores, and their format.
struct Plan {
    format: Format,
    schema: SchemaRef,
    conversion: Arc<Conversion>,
    /// For each column of the input, whether its text becomes numbers.
    as_numbers: Vec<bool>,
    /// A column with the sum of the counts of the classes.
    with_votes: bool,
    with_scores: bool,
}

impl Plan {
    fn new(args: &Apply, model: &Model, input: &Input) -> Result<Self, UserError> {
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
        let with_votes = input.conversion.has_counts() && fields.iter().all(|field| field.name() != VOTES);
        if with_votes {
            fields.push(Field::new(VOTES, DataType::UInt64, false));
        }
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
        Ok(Self { format, schema, conversion, as_numbers, with_votes, with_scores: args.scores_out })
    }

    /// The output rows of a chunk.
    fn batch(
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
        if self.with_votes {
            columns.push(Arc::new(UInt64Array::from(self.conversion.votes_of(chunk)?)));
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

/// The result for a chunk.
struct Predicted {
    tally: Tally,
    /// The output rows, unless only the summary is printed.
    rows: Option<Encoded>,
    /// The predictions, if the summary lists them.
    classes: Vec<usize>,
}

/// Counts of predictions.
struct Tally {
    rows: usize,
    changed: usize,
    predicted: Vec<usize>,
}

impl Tally {
    fn new(model: &Model) -> Self {
        Self { rows: 0, changed: 0, predicted: vec![0; model.classes().len()] }
    }

    /// Counts some rows, and those whose prediction these weights change.
    fn of(sample: &Sample, predicted: &[usize], clean: &Weights) -> Result<Self, cwplugin::Error> {
        let mut tally = Self { rows: predicted.len(), changed: 0, predicted: vec![0; sample.n_classes()] };
        for (clean, &class) in clean.predict(sample.probabilities())?.into_iter().zip(predicted) {
            tally.predicted[class] += 1;
            tally.changed += usize::from(clean != class);
        }
        Ok(tally)
    }

    fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.changed += other.changed;
        for (sum, count) in self.predicted.iter_mut().zip(&other.predicted) {
            *sum += count;
        }
    }

    fn json(&self, model: &Model) -> serde_json::Value {
        let counts: serde_json::Map<_, _> =
            model.classes().iter().cloned().zip(self.predicted.iter().map(|&n| json!(n))).collect();
        json!({"rows": self.rows, "changed": self.changed, "predicted": counts})
    }
}
