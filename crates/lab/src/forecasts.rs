//! Forecasts against outcomes: what a fit says about new rows, and its score on thousands of them.
//!
//! Every draw shuffles all rows of a table. The first are the sample, the next are unlabelled, and the rest are the test
//! rows, so that no figure depends on the luck of one split.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use cwplugin::{Confusion, Fit, Method, Metric, Rule, Sample, metric};
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

/// Parts of the test rows for the standard errors of the outcome.
const PARTS: usize = 20;

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
    let unadjusted = Rule::clean(sample.n_classes())?;
    let clean = metric.score(&unadjusted.confusion(test)?);
    let rows: Vec<u64> = (0..sample.n_classes()).map(|class| sample.n_rows_of(class)).collect();
    match Fit::new(&*metric).method(method).seed(seed).fit(sample) {
        Ok(model) => {
            let report = serde_json::to_value(model.report())?;
            let facts = ["forecast", "chosen", "reason", "slopes", "floor", "shrinkage"];
            let facts = facts.map(|name| (name.to_string(), report[name].clone()));
            let mut outcome = serde_json::Map::from_iter(facts);
            outcome.insert("clean".into(), json!(clean));
            outcome.insert("fitted".into(), json!(metric.score(&model.rule().confusion(test)?)));
            let [score_error, gain_error] = standard_errors(test, [&unadjusted, model.rule()], &*metric)?;
            outcome.insert("score_error".into(), json!(score_error));
            outcome.insert("gain_error".into(), json!(gain_error));
            outcome.insert("rows".into(), json!(rows));
            Ok(outcome.into())
        }
        Err(error) => Ok(json!({"clean": clean, "error": error.to_string(), "rows": rows})),
    }
}

/// Standard errors of the second rule's score and of its gain over the first on these rows, by the jackknife: each part is left
/// out in turn. The rows are in random order.
fn standard_errors(test: &Sample, rules: [&Rule; 2], metric: &dyn Metric) -> anyhow::Result<[f64; 2]> {
    let n = test.n_rows();
    let ends = |part: usize| (part * n / PARTS..(part + 1) * n / PARTS).collect::<Vec<usize>>();
    let parts: Vec<Sample> = (0..PARTS).map(|part| test.select(&ends(part))).collect();
    let mut left_out = Vec::new();
    for rule in rules {
        let parts = parts.iter().map(|part| rule.confusion(part)).collect::<Result<Vec<_>, _>>()?;
        let scores = (0..PARTS).map(|out| {
            let mut others = Confusion::zeros(test.n_classes());
            for (_, part) in parts.iter().enumerate().filter(|(part, _)| *part != out) {
                for (truth, row) in part.rows().enumerate() {
                    row.iter()
                        .enumerate()
                        .for_each(|(predicted, &weight)| others.add(truth, predicted, weight));
                }
            }
            metric.score(&others)
        });
        left_out.push(scores.collect::<Vec<f64>>());
    }
    let gains: Vec<f64> =
        left_out[1].iter().zip(&left_out[0]).map(|(fitted, clean)| fitted - clean).collect();
    Ok([&left_out[1], &gains].map(|scores| {
        let mean = scores.iter().sum::<f64>() / PARTS as f64;
        let squares: f64 = scores.iter().map(|score| (score - mean) * (score - mean)).sum();
        ((PARTS - 1) as f64 / PARTS as f64 * squares).sqrt()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cwplugin::Probabilities;

    /// 2,000 rows of which a share q is correct: the standard error of the accuracy is `√(q·(1 − q)/n)`.
    #[test]
    fn the_standard_error_of_an_accuracy_is_that_of_a_share() {
        let (n, mut rng) = (2_000, ChaCha8Rng::seed_from_u64(3));
        let p = Probabilities::new([0.8, 0.2].repeat(n), 2).unwrap();
        let mut labels: Vec<Option<usize>> = (0..n).map(|row| Some(usize::from(row % 4 == 0))).collect();
        labels.shuffle(&mut rng);
        let test = Sample::new(p, labels).unwrap();
        let (clean, accuracy) =
            (Rule::clean(2).unwrap(), metric::by_name("accuracy", test.classes()).unwrap());
        let [score, gain] = standard_errors(&test, [&clean, &clean], &*accuracy).unwrap();
        let expected = (0.75 * 0.25 / n as f64).sqrt();
        assert!((score / expected - 1.0).abs() < 0.4, "{score} {expected}");
        assert!(gain.abs() < 1e-12, "{gain}");
    }
}
