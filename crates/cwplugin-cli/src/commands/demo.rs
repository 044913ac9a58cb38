//! `cwplugin demo`: an end-to-end example on built-in data.

use std::path::Path;

use cwplugin::metric::{self, MacroF1};
use cwplugin::{Evaluation, Fit, Model, Outcomes, Sample};
use serde_json::json;

use super::create_folder;
use super::eval::{class_table, evaluate, metric_table};
use super::fit::{candidates, screen_width};
use super::report::fit_page;
use crate::args::{Common, Demo};
use crate::atomic::{AtomicFile, write_file};
use crate::input::metrics_by_names;
use crate::output::{Screen, width};

/// Real predictions, written by `testdata/make_demo.py`.
const SAMPLE: &str = include_str!("../demo/sample.csv");
const TEST: &str = include_str!("../demo/test.csv");

const FIT: &str = "cwplugin fit sample.csv --metric macro-f1 -o model.json";
const REPORT: &str = "cwplugin report model.json sample.csv --test test.csv -o report.html";

/// The file of the page.
const PAGE: &str = "cwplugin-demo.html";

const RESAMPLES: usize = 1000;

pub(crate) fn run(args: &Demo, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if let Some(folder) = &args.save {
        return save(folder, common, screen);
    }
    let (sample, test) = (parse(SAMPLE)?, parse(TEST)?);
    let model = Fit::new(MacroF1).seed(common.seed).fit(&sample)?;
    let classes = sample.classes();
    let mut outcomes = Outcomes::new(classes.len());
    outcomes.add_sample(&test, model.rule())?;
    let resampling = (RESAMPLES, common.seed);
    let metrics = ["macro-f1", "accuracy", "mcc", "macro-g-mean"].map(|name| metric::by_name(name, classes));
    let metrics = metrics.into_iter().collect::<Result<Vec<_>, _>>()?;
    let evaluation = Evaluation::new(classes.to_vec(), outcomes.clone(), 0, &metrics, Some(&[]), resampling)?;

    // The page is written before the text, so that it exists even if the text goes to `head`.
    let path = args.output.as_deref().unwrap_or(Path::new(PAGE));
    let file = AtomicFile::create(path)?;
    let all = metrics_by_names(&["all".into()], classes, None)?;
    let everything = evaluate(classes.to_vec(), (outcomes, 0), Some(&model), &all, resampling, screen)?;
    let mut page = fit_page(&model, (&sample, Some(&test)), &all, &everything, None, screen);
    page.provenance.data = "sample.csv".into();
    page.provenance.test = Some("test.csv".into());
    page.provenance.commands = ["cwplugin demo --save .", FIT, REPORT].map(String::from).to_vec();
    file.write_whole(page.to_html()?.as_bytes())?;

    if common.json {
        let model: serde_json::Value = serde_json::from_str(&model.to_json())?;
        let report = path.display().to_string();
        screen.json(&json!({"model": model, "test": evaluation.to_json(), "report": report}))?;
    } else {
        screen.print(example(&model, &sample, &evaluation, path))?;
    }
    Ok(())
}

fn example(model: &Model, sample: &Sample, evaluation: &Evaluation, page: &Path) -> String {
    let score = &evaluation.scores[0];
    format!(
        "\
A black box classifies handwritten digits. It was trained where nines and eights are common.
You use it where ones and threes are common, you cannot retrain it, and you need a high macro-F1.
You have {n_sample} rows of its probabilities with the true digit.

1. Fit                            {FIT}

   {verdict}

{candidates}2. Evaluate on {n_test} other rows     cwplugin eval model.json test.csv

{metrics}
{per_class}
   On these rows the model raises macro-F1 from {clean:.3} to {after:.3}.
   Some classes lose precision or recall: check the table before you deploy.

3. Predict new rows               cwplugin apply model.json new.csv -o predictions.csv

4. Read the report                {REPORT}

   Its page is {page}: open it in a browser.

To try it on these tables, run `cwplugin demo --save DIR`, which writes sample.csv and test.csv.
",
        n_sample = sample.n_labelled(),
        n_test = evaluation.outcomes.n_rows(),
        verdict = model.verdict().unwrap_or_default(),
        candidates =
            model.report().map(|report| candidates(report, screen_width()) + "\n").unwrap_or_default(),
        metrics = metric_table(evaluation, width()),
        per_class = class_table(evaluation, width()),
        page = page.display(),
        clean = score.clean.value,
        after = score.fitted.value,
    )
}

fn save(folder: &Path, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    create_folder(folder, "choose another folder")?;
    let mut written = Vec::new();
    for (name, text) in [("sample.csv", SAMPLE), ("test.csv", TEST)] {
        let path = folder.join(name);
        write_file(&path, text.as_bytes())?;
        screen.note_written(&path);
        written.push(path.display().to_string());
    }
    if common.json {
        screen.json(&json!({ "written": written }))?;
    }
    Ok(())
}

/// Parses a built-in table: `label,p_A,p_B,…`.
fn parse(csv: &str) -> anyhow::Result<Sample> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let classes: Vec<String> =
        reader.headers()?.iter().skip(1).map(|name| name.replacen("p_", "", 1)).collect();
    let (mut rows, mut labels) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record = record?;
        labels.push(record[0].to_string());
        rows.push(record.iter().skip(1).map(str::parse).collect::<Result<Vec<f64>, _>>()?);
    }
    Ok(Sample::from_rows(rows, &classes)?.labels(labels)?)
}
