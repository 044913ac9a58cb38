//! `cwplugin apply`: predict with a model.

mod plan; // the columns that go out

use std::path::Path;

use cwplugin::{Model, Sample, Weights};
use serde_json::json;

use super::read_model;
use crate::args::{Apply, Common};
use crate::input::{Columns, Input, Labels};
use crate::output::{Screen, count_of, refuse_replacing};
use crate::refusal::Refusal;
use crate::table::{Writer, is_stream};
use plan::Plan;

pub(crate) fn run(args: &Apply, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let to_stdout = args.output.as_deref().is_none_or(is_stream);
    if common.json && to_stdout && args.output.is_some() {
        return Err(Refusal::usage("--json and -o - both want standard output")
            .hint("write the table with -o FILE, or leave out --json")
            .into());
    }
    let labels = Path::new(&args.data.label);
    refuse_replacing(args.output.as_deref(), &[(&args.model, "the model"), (labels, "the labels")])?;
    let model = read_model(&args.model)?;
    let model_file = Some((&model, args.model.as_path()));
    let mut input = Input::open(&args.path, &args.data, Labels::Ignored, Columns::All, model_file)?;
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
        tally.add(&chunk.sample, &predicted)?;
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
    let changed = count_of(tally.changed, "prediction");
    screen.note(format_args!("{}, {changed} changed by the weights", count_of(tally.rows, "row")));
    Ok(())
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

    fn add(&mut self, sample: &Sample, predicted: &[usize]) -> Result<(), cwplugin::Error> {
        self.rows += predicted.len();
        for (clean, &class) in self.clean.predict(sample.probabilities())?.into_iter().zip(predicted) {
            self.predicted[class] += 1;
            self.changed += usize::from(clean != class);
        }
        Ok(())
    }

    fn json(&self, model: &Model) -> serde_json::Value {
        let counts: serde_json::Map<_, _> =
            model.classes().iter().cloned().zip(self.predicted.iter().map(|&n| json!(n))).collect();
        json!({"rows": self.rows, "changed": self.changed, "predicted": counts})
    }
}
