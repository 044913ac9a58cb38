//! `cwplugin apply`: predict with a model.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use cwplugin::{Model, Sample, Weights};
use serde_json::json;

use super::read_model;
use crate::args::{Apply, Common};
use crate::input::{Chunk, Columns, Input, Labels};
use crate::output::{Screen, is_same_file, is_stdout};
use crate::refusal::Refusal;
use crate::table::{Format, NPZ_ARRAY, Writer};

pub(crate) fn run(args: &Apply, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let to_stdout = args.output.as_deref().is_none_or(is_stdout);
    if common.json && to_stdout && args.output.is_some() {
        return Err(Refusal::usage("--json and -o - both want standard output")
            .hint("write the table with -o FILE, or leave out --json")
            .into());
    }
    if let Some(path) = args.output.as_deref().filter(|path| is_same_file(path, &args.model)) {
        return Err(Refusal::usage(format!("-o {}: the table would replace the model", path.display()))
            .hint("choose another name, such as -o predictions.csv")
            .into());
    }
    let model = read_model(&args.model)?;
    let model_file = Some((&model, args.model.as_path()));
    let mut input = Input::open(&args.data, Labels::Ignored, Columns::All, model_file)?;
    // With --json and no -o, standard output holds the summary, and the predictions in it.
    let in_summary = common.json && args.output.is_none();
    let plan = Plan::new(args, &model, &input)?;
    let mut progress = screen.progress("predicting");
    // A bad path fails before the work; but nothing goes to standard output before the first rows have been checked.
    let mut first = if to_stdout { input.next_chunk(&mut progress)? } else { None };
    let mut writer = if in_summary {
        None
    } else {
        Some(Writer::create(args.output.as_deref(), Some(plan.format), plan.format, plan.schema.clone())?)
    };

    let mut tally = Tally::new(&model)?;
    let mut listed = Vec::new();
    loop {
        let next = match first.take() {
            Some(chunk) => Some(chunk),
            None => input.next_chunk(&mut progress)?,
        };
        let Some(chunk) = next else { break };
        let predicted = model.predict(chunk.sample.probabilities())?;
        tally.add(&chunk.sample, &predicted);
        match &mut writer {
            Some(writer) => writer.write(&plan.batch(&input, &chunk, &model, &predicted)?)?,
            None => listed.extend(predicted),
        }
    }
    if let Some(writer) = writer {
        writer.finish()?;
    }
    drop(progress);
    if common.json {
        let mut summary = tally.json(&model);
        if in_summary {
            let names: Vec<_> = listed.into_iter().map(|class| &model.classes()[class]).collect();
            summary["predictions"] = json!(names);
        } else {
            summary["output"] = json!(args.output.as_ref().map(|path| path.display().to_string()));
        }
        screen.json(&summary)?;
    }
    screen.note(format_args!("{} rows, {} predictions changed by the weights", tally.rows, tally.changed));
    Ok(())
}

/// The columns that go out.
struct Plan {
    format: Format,
    schema: SchemaRef,
    /// Columns of the input to pass on; class columns of text become numbers where the format has numbers.
    passed: Vec<(usize, bool)>,
    integer_classes: bool,
    scores: bool,
}

impl Plan {
    fn new(args: &Apply, model: &Model, input: &Input) -> anyhow::Result<Self> {
        let format =
            args.to.or(args.output.as_deref().and_then(Format::of_name)).unwrap_or(match input.format() {
                text @ (Format::Csv | Format::Tsv | Format::Jsonl) => text,
                binary if args.output.is_some() => binary,
                _ => Format::Csv, // a terminal or a pipe reads text
            });
        let has_numbers = match format {
            Format::Csv | Format::Tsv => false,
            Format::Jsonl => input.format() != Format::Jsonl, // JSON of its own goes out as it came in
            _ => true,
        };
        let is_numpy = matches!(format, Format::Npy | Format::Npz);
        if format == Format::Npy && args.scores_out {
            let what = "an NPY file holds one array, so --scores-out has no room in it";
            return Err(Refusal::usage(what).hint("write an NPZ file: -o FILE.npz").into());
        }
        let is_class = |column: usize| input.class_columns().contains(&column);
        let mut passed = Vec::new();
        let mut fields: Vec<Field> = Vec::new();
        for (column, field) in input.schema().fields().iter().enumerate().filter(|_| format != Format::Npy) {
            let as_numbers = has_numbers && is_class(column) && !field.data_type().is_floating();
            let mut field = field.as_ref().clone();
            if as_numbers {
                field = Field::new(field.name(), DataType::Float64, false);
            }
            if is_class(column) && is_numpy {
                field = in_array(field, "probabilities");
            }
            fields.push(field);
            passed.push((column, as_numbers));
        }
        let integer_classes = is_numpy
            && model
                .classes()
                .iter()
                .all(|class| class.parse::<i64>().is_ok_and(|n| n.to_string() == *class));
        let data_type = if integer_classes { DataType::Int64 } else { DataType::Utf8 };
        let mut added = vec![Field::new(&args.prediction, data_type, false)];
        if args.scores_out {
            let score = |class: &String| Field::new(format!("score_{class}"), DataType::Float64, false);
            let scores = model.classes().iter().map(score);
            added.extend(scores.map(|field| if is_numpy { in_array(field, "scores") } else { field }));
        }
        for new in added {
            if fields.iter().any(|field| field.name() == new.name()) {
                let what = format!("{}: there is a column \"{}\" already", input.name(), new.name());
                return Err(Refusal::new(what)
                    .hint(if *new.name() == args.prediction {
                        "--prediction NAME gives the new column another name"
                    } else {
                        "rename that column, or leave out --scores-out"
                    })
                    .into());
            }
            fields.push(new);
        }
        let schema = Arc::new(Schema::new(fields));
        Ok(Self { format, schema, passed, integer_classes, scores: args.scores_out })
    }

    fn batch(
        &self,
        input: &Input,
        chunk: &Chunk,
        model: &Model,
        predicted: &[usize],
    ) -> anyhow::Result<RecordBatch> {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
        for &(column, as_numbers) in &self.passed {
            columns.push(if as_numbers {
                Arc::new(Float64Array::from(input.numbers(&chunk.batch, column)?))
            } else {
                chunk.batch.column(column).clone()
            });
        }
        let names = predicted.iter().map(|&class| model.classes()[class].as_str());
        columns.push(if self.integer_classes {
            Arc::new(names.map(str::parse::<i64>).collect::<Result<Int64Array, _>>()?)
        } else {
            Arc::new(StringArray::from_iter_values(names))
        });
        if self.scores {
            let scores = reweighted(&chunk.sample, model.weights());
            columns.extend(scores.into_iter().map(|scores| Arc::new(Float64Array::from(scores)) as ArrayRef));
        }
        Ok(RecordBatch::try_new(self.schema.clone(), columns)?)
    }
}

fn in_array(field: Field, array: &str) -> Field {
    field.with_metadata([(NPZ_ARRAY.to_string(), array.to_string())].into())
}

/// `w_k·b_k` divided by their sum over the row, one list per class.
fn reweighted(sample: &Sample, weights: &Weights) -> Vec<Vec<f64>> {
    let mut scores = vec![Vec::with_capacity(sample.n_rows()); weights.n_classes()];
    for row in sample.probabilities().rows() {
        let products: Vec<f64> = row.iter().zip(weights.as_slice()).map(|(b, w)| b * w).collect();
        let sum: f64 = products.iter().sum();
        for (scores, product) in scores.iter_mut().zip(products) {
            // Every class with a probability may have weight 0: then no class has a score.
            scores.push(if sum > 0.0 { product / sum } else { 0.0 });
        }
    }
    scores
}

/// What happened, in numbers.
struct Tally {
    rows: usize,
    changed: usize,
    predicted: Vec<usize>,
    clean: Weights,
}

impl Tally {
    fn new(model: &Model) -> Result<Self, cwplugin::Error> {
        let m = model.classes().len();
        Ok(Self { rows: 0, changed: 0, predicted: vec![0; m], clean: Weights::uniform(m)? })
    }

    fn add(&mut self, sample: &Sample, predicted: &[usize]) {
        self.rows += predicted.len();
        for (row, &class) in sample.probabilities().rows().zip(predicted) {
            self.predicted[class] += 1;
            self.changed += usize::from(self.clean.predict_row(row) != class);
        }
    }

    fn json(&self, model: &Model) -> serde_json::Value {
        let counts: serde_json::Map<_, _> =
            model.classes().iter().cloned().zip(self.predicted.iter().map(|&n| json!(n))).collect();
        json!({"rows": self.rows, "changed": self.changed, "predicted": counts})
    }
}
