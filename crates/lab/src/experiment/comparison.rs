//! One task by the protocol of `compare`: its rows, its methods, its files.

use std::path::Path;
use std::time::Instant;

use cwplugin::{Comparison, Error, METHODS, Method, Sample, metric};
use cwplugin_cli::compare::{Results, SIZES, UNLABELLED, noise, parse_class_share, shifts, sizes};
use cwplugin_cli::{Common, Screen, UserError};
use serde_json::{Value, json};

use super::tasks::Task;
use super::{document_text, figures, write};
use crate::args::Experiment;

/// The metrics of the paper.
const METRICS: [&str; 5] = ["accuracy", "macro-f1", "macro-g-mean", "mcc", "macro-fowlkes-mallows"];

/// Larger sizes than the paper's, if the pool allows them.
const MORE_SIZES: [usize; 2] = [800, 1600];

/// With more classes some things are done only on request: a full matrix, which for 50 classes has 2,500 parameters, more than
/// labelled rows, and takes minutes; and samples larger than the paper's, which would take most of the time.
const FEW_CLASSES: usize = 20;

/// The methods that learn such a matrix.
const FULL_MATRICES: [&str; 2] = ["dirichlet-full", "sms"];

/// Draws of each size by default.
const REPEATS: u32 = 5;

/// Runs one task and writes its results.
pub(super) fn run(
    task: &Task,
    asked: &[&'static Method],
    folder: &Path,
    args: &Experiment,
    common: &Common,
    screen: &Screen,
) -> anyhow::Result<Results> {
    let started = Instant::now();
    let (classes, pool, test) = task.rows.read(folder, common.seed, screen)?;
    let parsed = |text: Option<&str>| {
        text.map(parse_class_share)
            .transpose()
            .map_err(UserError::new)
            .map(|spoil| spoil.into_iter().collect::<Vec<_>>())
    };
    let shifts = shifts(&parsed(task.shift)?, &classes)?;
    let file = folder.join(task.rows.file().unwrap_or(task.name)).display().to_string();
    let shift = |sample: Sample| {
        shifts.iter().try_fold(sample, |sample, shift| shift.apply(&sample, common.seed)).map_err(|error| {
            let what = match error {
                Error::ClassGone { class } => format!("no row of class \"{}\" is left", classes[class]),
                error => error.to_string(),
            };
            UserError::new(format!("{file}: after the shift {}, {what}", task.shift.unwrap_or_default()))
                .hint("the file has too few rows for this task: see experiments/README.md")
        })
    };
    let (pool, test) = (shift(pool)?, shift(test)?);

    let has_features = pool.features().is_some();
    let suits = |method: &&Method| has_features || !method.needs_features;
    let is_usual = |method: &&Method| classes.len() <= FEW_CLASSES || !FULL_MATRICES.contains(&method.name);
    let chosen: Vec<&Method> =
        if asked.is_empty() { METHODS.iter().filter(is_usual).collect() } else { asked.to_vec() };
    let chosen: Vec<&Method> = chosen.into_iter().filter(suits).collect();
    if chosen.is_empty() {
        let what =
            format!("--methods {} needs features, which {} does not have", args.methods.join(","), task.name);
        return Err(UserError::usage(what).hint("name other methods too").into());
    }
    // Samples of nearly the whole pool would all be similar.
    let is_worth = |size: &usize| classes.len() <= FEW_CLASSES && 2 * *size as u64 <= pool.n_labelled();
    let more = MORE_SIZES.into_iter().filter(is_worth);
    let sizes = sizes(&args.sizes, SIZES.into_iter().chain(more), &pool, task.name)?;
    let metrics = METRICS.map(|name| metric::by_name(name, &classes));
    let metrics = metrics.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (repeats, unlabelled) = (args.repeats.unwrap_or(REPEATS), args.unlabelled.unwrap_or(UNLABELLED));
    let comparison = Comparison::new(chosen.clone(), sizes.clone())
        .repeats(repeats as usize)
        .noise(noise(&parsed(task.noise)?, &classes)?)
        .noise_in(task.noise_in)
        .unlabelled(unlabelled as usize)
        .seed(common.seed);
    let scored = comparison.test_rows(&test)?;
    let bar = screen.steps("fitting", comparison.n_samples());
    let cells = comparison.run(&pool, &test, &metrics, |done| bar.done(done))?;
    drop(bar);
    let results = Results {
        task: task.name.into(),
        methods: chosen.iter().map(|method| method.name.to_string()).collect(),
        metrics: METRICS.map(String::from).to_vec(),
        sizes,
        cells,
    };
    let document = json!({
        "task": task.name,
        "title": task.title,
        "black_box": task.black_box,
        "source": task.rows.source(folder, [&pool, &test])?,
        "classes": classes,
        "rows": {"pool": pool.n_labelled(), "test": test.n_labelled()},
        "test_rows_of": classes.iter().enumerate().map(|(class, name)| (name.clone(), json!(scored.n_rows_of(class))))
            .collect::<serde_json::Map<String, Value>>(),
        "shift": task.shift,
        "noise": task.noise,
        "noise_in": task.noise.map(|_| task.noise_in.name()),
        "sizes": results.sizes,
        "repeats": repeats,
        "unlabelled": unlabelled,
        "seed": common.seed,
        "cwplugin": env!("CARGO_PKG_VERSION"),
        "methods": results.methods,
        "metrics": results.metrics,
        "cells": results.json_cells(),
        "seconds": (started.elapsed().as_secs_f64() * 10.0).round() / 10.0,
    });
    write(args, &format!("{}.json", task.name), &document_text(&document))?;
    figures::write(&args.output, &document)?;
    Ok(results)
}
