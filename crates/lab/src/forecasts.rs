//! Forecasts against outcomes: what a fit says about new rows, and its score on thousands of them.
//!
//! Every draw shuffles all rows of a table. The first are the sample, the next are unlabelled, and the rest are the test
//! rows, so that no figure depends on the luck of one split.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use cwplugin::{Fit, Method, Metric, Sample, metric};
use cwplugin_cli::compare::read_split;
use cwplugin_cli::{Common, Screen};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::args::Forecasts;

/// The fewest test rows: with fewer, the outcome itself is uncertain.
const MIN_TEST: usize = 500;

/// Runs `lab forecasts`.
pub(crate) fn run(args: &Forecasts, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    for name in &args.methods {
        Method::by_name(name)?;
    }
    let done = done_before(&args.output)?;
    let mut output = OpenOptions::new().create(true).append(true).open(&args.output)?;
    let bar = screen.steps("fitting", args.files.len() * args.repeats as usize);
    for (number, file) in args.files.iter().enumerate() {
        let task = file.file_stem().context("a file has a name")?.to_string_lossy().into_owned();
        let (classes, mut rows, test) = read_split(file, ("split", "test"), &[], screen)?;
        rows.append(test)?;
        let rows = rows.with_classes(classes)?;
        for repeat in 0..args.repeats {
            let lines = draw(&task, &rows, repeat, args, common, &done)?;
            for line in lines {
                writeln!(output, "{line}")?;
            }
            bar.done(number * args.repeats as usize + repeat as usize + 1);
        }
    }
    Ok(())
}

/// The fits of an earlier run, by task, repeat, size, metric and method.
fn done_before(path: &Path) -> anyhow::Result<HashSet<String>> {
    if !path.exists() {
        return Ok(HashSet::new());
    }
    let text = fs::read_to_string(path)?;
    let keys = text.lines().map(|line| {
        let fit: Value = serde_json::from_str(line)?;
        Ok(key(&fit))
    });
    keys.collect()
}

fn key(fit: &Value) -> String {
    ["task", "repeat", "size", "metric", "method"].map(|field| fit[field].to_string()).join(" ")
}

/// All fits on the samples of one draw.
fn draw(
    task: &str,
    rows: &Sample,
    repeat: u64,
    args: &Forecasts,
    common: &Common,
    done: &HashSet<String>,
) -> anyhow::Result<Vec<Value>> {
    let mut order: Vec<usize> = (0..rows.n_rows()).filter(|&row| rows.label(row).is_some()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(common.seed);
    rng.set_stream(repeat);
    order.shuffle(&mut rng);
    let sizes = args.sizes.iter().filter(|&&size| {
        2 * size <= order.len() && size + args.unlabelled + MIN_TEST.min(order.len() / 4) <= order.len()
    });
    let jobs: Vec<(usize, &String, &String)> = sizes
        .flat_map(|&size| args.metrics.iter().map(move |metric| (size, metric)))
        .flat_map(|(size, metric)| args.methods.iter().map(move |method| (size, metric, method)))
        .collect();
    let fits: Vec<anyhow::Result<Option<Value>>> = jobs
        .into_par_iter()
        .map(|(size, metric, method)| {
            let mut fit = json!({
                "task": task, "repeat": repeat, "size": size, "metric": metric, "method": method,
                "classes": rows.n_classes(),
            });
            if done.contains(&key(&fit)) {
                return Ok(None);
            }
            let (labelled, rest) = order.split_at(size);
            let (unlabelled, test) = rest.split_at(args.unlabelled);
            let mut sample = rows.select(labelled);
            sample.append(without_labels(&rows.select(unlabelled))?)?;
            let outcome = outcome(&sample, &rows.select(test), metric, method, common.seed + repeat)?;
            if let (Some(fit), Value::Object(more)) = (fit.as_object_mut(), outcome) {
                fit.extend(more);
            }
            Ok(Some(fit))
        })
        .collect();
    fits.into_iter().filter_map(Result::transpose).collect()
}

fn without_labels(sample: &Sample) -> anyhow::Result<Sample> {
    Ok(Sample::unlabelled(sample.probabilities().clone()).with_classes(sample.classes().to_vec())?)
}

/// What a fit says, and what its rule scores on the test rows.
fn outcome(sample: &Sample, test: &Sample, metric: &str, method: &str, seed: u64) -> anyhow::Result<Value> {
    let metric = metric::by_name(metric, sample.classes())?;
    let score = |rule: &cwplugin::Rule| -> anyhow::Result<f64> { Ok(metric.score(&rule.confusion(test)?)) };
    let clean = score(&cwplugin::Rule::clean(sample.n_classes())?)?;
    let rows: Vec<u64> = (0..sample.n_classes()).map(|class| sample.n_rows_of(class)).collect();
    match Fit::new(&*metric).method(method).seed(seed).fit(sample) {
        Ok(model) => {
            let report = serde_json::to_value(model.report())?;
            let facts = ["forecast", "chosen", "reason", "slopes", "floor", "shrinkage"];
            let facts = facts.map(|name| (name.to_string(), report[name].clone()));
            let mut outcome = serde_json::Map::from_iter(facts);
            outcome.insert("clean".into(), json!(clean));
            outcome.insert("fitted".into(), json!(score(model.rule())?));
            outcome.insert("rows".into(), json!(rows));
            Ok(outcome.into())
        }
        Err(error) => Ok(json!({"clean": clean, "error": error.to_string(), "rows": rows})),
    }
}
