//! `cwplugin demo`: the whole story on built-in data.

use std::io::ErrorKind;
use std::path::Path;

use cwplugin::metric::{self, MacroF1};
use cwplugin::{Auto, Evaluation, Fitted, Metric as _, Model, Outcomes, Probabilities, Sample};
use serde_json::json;

use super::eval::Shown;
use super::fit::trials;
use crate::args::{Common, Demo};
use crate::atomic::write_file;
use crate::output::Screen;
use crate::refusal::Refusal;

/// Real predictions, made by `testdata/make_demo.py`.
const SAMPLE: &str = include_str!("../demo/sample.csv");
const TEST: &str = include_str!("../demo/test.csv");

const RESAMPLES: usize = 1000;

pub(crate) fn run(args: &Demo, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if let Some(folder) = &args.save {
        return save(folder, common, screen);
    }
    let (classes, sample) = parse(SAMPLE)?;
    let (_, test) = parse(TEST)?;
    let fitted = Auto::new(MacroF1).seed(common.seed).fit(&sample)?;
    let model = Model::from_fit(classes.clone(), &fitted, "auto", common.seed)?;
    let mut outcomes = Outcomes::new(classes.len());
    outcomes.add_sample(&test, model.rule())?;
    let metrics = ["macro-f1", "accuracy", "mcc", "macro-g-mean"].map(|name| metric::by_name(name, &classes));
    let metrics = metrics.into_iter().collect::<Result<Vec<_>, _>>()?;
    let scores = outcomes.intervals(&metrics, RESAMPLES, common.seed)?;
    let metrics = metrics.iter().map(|metric| metric.name().to_string()).collect();
    let kept = Vec::new();
    let evaluation = Evaluation { classes, metrics, scores, kept, outcomes, unlabelled: 0, has_model: true };
    let evaluation = Shown { evaluation, changed_by: Some("model") };
    if common.json {
        let model: serde_json::Value = serde_json::from_str(&model.to_json())?;
        screen.json(&json!({"model": model, "test": evaluation.to_json()}))?;
    } else {
        screen.print(story(&model, &fitted, &sample, &evaluation))?;
    }
    Ok(())
}

fn story(model: &Model, fitted: &Fitted, sample: &Sample, evaluation: &Shown) -> String {
    let score = &evaluation.scores[0];
    format!(
        "\
A black box reads handwritten digits. It was trained where nines and eights are common;
you use it where ones and threes are, you cannot retrain it, and macro-F1 is what counts.
You have {n_sample} rows of its probabilities with the true digit.

1. Learn from them                cwplugin fit sample.csv --metric macro-f1 -o model.json

   {verdict}

{trials}2. Look at {n_test} other rows         cwplugin eval test.csv --model model.json

{metrics}
{per_class}
   From now on predict with the model: on these rows macro-F1 goes from {clean:.3} to {after:.3}.
   It is a trade: look at the classes that pay for it before you deploy.

3. Predict new rows               cwplugin apply model.json new.csv -o predictions.csv

Try it on these tables: `cwplugin demo --save DIR` writes sample.csv and test.csv.
",
        n_sample = sample.n_labelled(),
        n_test = evaluation.outcomes.n_rows(),
        verdict = model.verdict().unwrap_or_default(),
        trials = trials(fitted),
        metrics = evaluation.metric_table(),
        per_class = evaluation.class_table(),
        clean = score.clean.value,
        after = score.fitted.value,
    )
}

fn save(folder: &Path, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::AlreadyExists | ErrorKind::NotADirectory => "a file is in its place".to_string(),
            _ => error.to_string(),
        };
        Refusal::new(format!("{}: the folder cannot be created, because {why}", folder.display()))
            .hint("choose another folder")
    })?;
    let mut written = Vec::new();
    for (name, text) in [("sample.csv", SAMPLE), ("test.csv", TEST)] {
        let path = folder.join(name);
        write_file(&path, text.as_bytes())?;
        screen.note(format_args!("wrote {}", path.display()));
        written.push(path.display().to_string());
    }
    if common.json {
        screen.json(&json!({ "written": written }))?;
    }
    Ok(())
}

/// Reads a built-in table: `label,p_A,p_B,…`.
fn parse(csv: &str) -> anyhow::Result<(Vec<String>, Sample)> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let classes: Vec<String> =
        reader.headers()?.iter().skip(1).map(|name| name.replacen("p_", "", 1)).collect();
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record?;
        labels.push(classes.iter().position(|class| *class == record[0]));
        for value in record.iter().skip(1) {
            values.push(value.parse::<f64>()?);
        }
    }
    let probabilities = Probabilities::new(values, classes.len())?;
    Ok((classes, Sample::new(probabilities, labels)?))
}
