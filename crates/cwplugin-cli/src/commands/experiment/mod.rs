//! `cwplugin experiment`: the paper's experiments, on files of predictions, and some on generated rows.

mod generated; // rows of a known law
mod rows; // what the files hold
mod source; // … and which files they were
mod tasks; // what is run

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cwplugin::{Comparison, Error, Family, FitOptions, METHODS, Method, Recipe, Sample, metric};
use serde_json::{Value, json};

use super::compare::results::Results;
use super::compare::{SIZES, pictures, rows as spoil, sizes};
use super::methods;
use crate::args::{Common, Experiment, parse_spoil};
use crate::atomic::AtomicFile;
use crate::output::Screen;
use crate::refusal::Refusal;
use tasks::{TASKS, Task};

/// The metrics of the paper.
const METRICS: [&str; 5] = ["accuracy", "macro-f1", "macro-g-mean", "mcc", "macro-fowlkes-mallows"];

/// What the paper has no room for, where the pool allows.
const MORE_SIZES: [usize; 2] = [800, 1600];

/// With more classes some things are done only if they are asked for: a full matrix, which for 50 has 2,500 numbers to
/// learn, more than there are labelled rows, and takes minutes; and samples larger than the paper's, which would take
/// most of the time.
const FEW_CLASSES: usize = 20;

const FOLDER: &str = "CWPLUGIN_DATA";

pub(crate) fn run(args: &Experiment, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let tasks = tasks::by_name(&args.name);
    if tasks.is_empty() {
        let names: Vec<&str> = TASKS.iter().map(|task| task.name).collect();
        return Err(Refusal::usage(format!("there is no experiment \"{}\"", args.name))
            .hint(format!("write all, or one of {}", names.join(", ")))
            .into());
    }
    crate::input::refuse_listed_twice(&args.methods, "--methods")?;
    let methods: Vec<&Method> =
        args.methods.iter().map(|name| methods::by_name(name.trim())).collect::<Result<_, _>>()?;
    let needs_files = tasks.iter().any(|task| !task.rows.files().is_empty());
    let folder = if needs_files { folder(args.data.as_deref())? } else { PathBuf::new() };
    refuse_missing(&tasks, &folder)?;
    fs::create_dir_all(&args.output).map_err(|error| {
        Refusal::new(format!("{}: cannot be made a folder ({error})", args.output.display()))
            .hint("--output names a folder for the results")
    })?;
    let mut cells = Vec::new();
    for (i, task) in tasks.iter().enumerate() {
        screen.note(format_args!("{} ({} of {})", task.name, i + 1, tasks.len()));
        let results = run_task(task, &methods, &folder, args, common, screen)?;
        if common.json {
            cells.extend(results.json_cells());
        } else {
            screen.print(format!("\n{}: {}\n{}", task.name, task.title, results.text(screen)))?;
        }
        results.warn(screen);
    }
    if common.json {
        screen.json(&json!({ "cells": cells }))?;
    }
    screen.note(format_args!("wrote {}", args.output.display()));
    Ok(())
}

/// The folder with the prediction files.
fn folder(asked: Option<&Path>) -> Result<PathBuf, Refusal> {
    let named = asked.map(Path::to_path_buf);
    let named = named.or_else(|| std::env::var_os(FOLDER).filter(|name| !name.is_empty()).map(PathBuf::from));
    let Some(folder) = named else {
        return Err(Refusal::usage("where are the prediction files?").hint(format!(
            "name their folder with --data DIR or {FOLDER}; experiments/README.md says how to make them"
        )));
    };
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(Refusal::new(format!("{}: no such folder", folder.display()))
        .hint("experiments/README.md says how the prediction files are made"))
}

/// Refuses a folder that lacks a file of any task, before the first one is run.
fn refuse_missing(tasks: &[&Task], folder: &Path) -> Result<(), Refusal> {
    let files = tasks.iter().flat_map(|task| task.rows.files()).map(|file| folder.join(file));
    match files.into_iter().find(|path| !path.is_file()) {
        None => Ok(()),
        Some(path) => Err(Refusal::new(format!("{}: no such file", path.display()))
            .hint("experiments/README.md says how the prediction files are made")),
    }
}

/// Runs one task and writes what came out; what other tasks wrote stays whole if this one is stopped.
fn run_task(
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
        text.map(parse_spoil)
            .transpose()
            .map_err(Refusal::new)
            .map(|spoil| spoil.into_iter().collect::<Vec<_>>())
    };
    let shifts = spoil::shifts(&parsed(task.shift)?, &classes)?;
    let file = folder.join(task.rows.file().unwrap_or(task.name)).display().to_string();
    let shift = |sample: Sample| {
        shifts.iter().try_fold(sample, |sample, shift| shift.apply(&sample, common.seed)).map_err(|error| {
            let what = match error {
                Error::ClassGone { class } => format!("no row of class \"{}\" is left", classes[class]),
                error => error.to_string(),
            };
            Refusal::new(format!("{file}: after the shift {}, {what}", task.shift.unwrap_or_default()))
                .hint("the file has too few rows for this task: see experiments/README.md")
        })
    };
    let (pool, test) = (shift(pool)?, shift(test)?);

    let has_features = pool.features().is_some();
    let suits = |method: &&Method| has_features || !method.needs_features();
    let is_usual = |method: &&Method| {
        classes.len() <= FEW_CLASSES || method.recipe != Recipe::Calibrate(Family::DirichletFull)
    };
    let chosen: Vec<&Method> =
        if asked.is_empty() { METHODS.iter().filter(is_usual).collect() } else { asked.to_vec() };
    let chosen: Vec<&Method> = chosen.into_iter().filter(suits).collect();
    if chosen.is_empty() {
        let what =
            format!("--methods {} learns from features, and {} has none", args.methods.join(","), task.name);
        return Err(Refusal::usage(what).hint("name other methods too").into());
    }
    // Of a pool that is nearly used up the samples are all alike.
    let is_worth = |size: &usize| classes.len() <= FEW_CLASSES && 2 * *size as u64 <= pool.n_labelled();
    let more = MORE_SIZES.into_iter().filter(is_worth);
    let sizes = sizes(&args.sizes, SIZES.into_iter().chain(more), &pool, task.name)?;
    let metrics = METRICS.map(|name| metric::by_name(name, &classes));
    let metrics = metrics.into_iter().collect::<Result<Vec<_>, _>>()?;
    let comparison = Comparison::new(chosen.clone(), sizes.clone())
        .repeats(args.repeats as usize)
        .noise(spoil::noise(&parsed(task.noise)?, &classes)?)
        .unlabelled(args.unlabelled as usize)
        .options(FitOptions { seed: common.seed, ..FitOptions::default() });
    let bar = screen.steps("fitting", comparison.n_samples());
    let cells = comparison.run(&pool, &test, &metrics, |done| bar.done(done))?;
    drop(bar);
    let results = Results {
        task: task.name.into(),
        methods: chosen.iter().map(|method| method.name).collect(),
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
        "test_rows_of": classes.iter().enumerate().map(|(class, name)| (name.clone(), json!(test.n_rows_of(class))))
            .collect::<serde_json::Map<String, Value>>(),
        "shift": task.shift,
        "noise": task.noise,
        "sizes": results.sizes,
        "repeats": args.repeats,
        "unlabelled": args.unlabelled,
        "seed": common.seed,
        "cwplugin": env!("CARGO_PKG_VERSION"),
        "methods": results.methods,
        "metrics": results.metrics,
        "cells": results.json_cells(),
        "seconds": (started.elapsed().as_secs_f64() * 10.0).round() / 10.0,
    });
    let write =
        |name: String, text: &str| AtomicFile::create(&args.output.join(name))?.write_whole(text.as_bytes());
    write(format!("{}.json", task.name), &document_text(&document))?;
    write(format!("{}.svg", task.name), &pictures::grid(&results, task.title))?;
    Ok(results)
}

/// One field a line and one cell a line, so that a difference can be read.
fn document_text(document: &Value) -> String {
    let mut lines = Vec::new();
    for (key, value) in document.as_object().into_iter().flatten() {
        let key = Value::from(key.as_str());
        match value.as_array().filter(|items| items.iter().any(Value::is_object)) {
            None => lines.push(format!("  {key}: {value}")),
            Some(items) => {
                let items: Vec<String> = items.iter().map(|item| format!("    {item}")).collect();
                lines.push(format!("  {key}: [\n{}\n  ]", items.join(",\n")));
            }
        }
    }
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
