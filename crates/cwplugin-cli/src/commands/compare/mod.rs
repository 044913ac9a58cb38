//! `cwplugin compare`: methods on samples of several sizes.

pub(crate) mod rows; // the pool and the test rows
mod draws; // the rows of every sample, for methods outside
mod external; // … and their predictions
pub(crate) mod results; // the results as text, JSON and CSV
mod pictures; // … as plots and as an HTML page

use std::path::Path;

use cwplugin::compare::NoiseIn;
use cwplugin::data::quoted;
use cwplugin::{Comparison, Error, METHODS, Method, Metric as _, Sample};
use serde_json::json;

use super::{create_folder, methods};
use crate::args::{Common, Compare};
use crate::atomic::AtomicFile;
use crate::input::{is_priors_file, metrics_by_names, resolved_options, settled};
use crate::output::{Screen, count_of, refuse_replacing};
use crate::table::is_stream;
use crate::user_error::UserError;
use draws::NamedDraws;
use external::Known;
use results::Results;
use rows::Rows;

/// The sizes of the paper's figures.
pub const SIZES: [usize; 5] = [50, 100, 160, 250, 400];

/// Unlabelled rows that are added to each sample by default.
pub const UNLABELLED: u32 = 500;

pub(crate) fn run(args: &Compare, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut inputs = vec![(args.path.as_path(), "the table"), (Path::new(&args.data.label), "the labels")];
    inputs.extend(args.features.iter().map(|file| (Path::new(file), "the features")));
    let priors = args.options.get("source-priors").map(Path::new).filter(|path| is_priors_file(path));
    inputs.extend(priors.map(|path| (path, "the source priors")));
    inputs.extend(external::inputs(&args.external));
    refuse_replacing("--csv", args.csv.as_deref(), &inputs)?;
    refuse_replacing("--html", args.html.as_deref(), &inputs)?;
    refuse_replacing("--draws-out", args.draws_out.as_deref(), &inputs)?;
    refuse_streams(args, common)?;
    let methods = chosen_methods(&args.methods, !args.features.is_empty())?;
    refuse_unsupported(args, &methods)?;
    let unlabelled = args.unlabelled.unwrap_or(UNLABELLED);
    let csv = args.csv.as_deref().filter(|path| !is_stream(path)).map(AtomicFile::create).transpose()?;
    let html = args.html.as_deref().filter(|path| !is_stream(path)).map(AtomicFile::create).transpose()?;
    let draws_file =
        args.draws_out.as_deref().filter(|path| !is_stream(path)).map(AtomicFile::create).transpose()?;
    args.plot.as_deref().map_or(Ok(()), |folder| create_folder(folder, "--plot needs a folder"))?;

    let rows = rows::read(args, common.seed, screen)?;
    let (classes, pool, test) = (&rows.classes, &rows.pool.sample, &rows.test.sample);
    let metrics = metrics_by_names(&args.metrics, classes, args.metric_timeout)?;
    let metric_names: Vec<String> = metrics.iter().map(|metric| metric.name().to_string()).collect();
    let sizes = sizes(&args.sizes, SIZES.into_iter(), pool, &rows.file)?;
    let mut comparison = Comparison::new(methods.clone(), sizes.clone())
        .repeats(args.repeats as usize)
        .noise(rows::noise(&args.noise, classes)?)
        .noise_in(args.noise_in)
        .unlabelled(unlabelled as usize)
        .seed(common.seed);
    for (option, value) in resolved_options(&args.options, classes)? {
        comparison = comparison.option(option, value);
    }
    let refused = |error: Error| user_error(&error, &rows.file, classes);
    let mut names: Vec<String> = methods.iter().map(|method| method.name.to_string()).collect();
    let mut draws_document = None;
    if args.draws_out.is_some() || !args.external.is_empty() {
        let draws = comparison.draws(pool).map_err(refused)?;
        let draws = NamedDraws::new(draws, &rows.test.rows, comparison.test_rows(test).map_err(refused)?);
        for external in
            external::read(&args.external, &Known { draws: &draws, classes, metrics: &metric_names })?
        {
            names.push(external.name().to_string());
            comparison = comparison.external(external);
        }
        draws_document = args.draws_out.as_ref().map(|_| draws.document(&rows, &metric_names, common.seed));
    }
    if let (Some(file), Some(document)) = (draws_file, &draws_document) {
        file.write_whole(document.as_bytes())?;
    }
    let bar = screen.steps("comparing", comparison.n_samples());
    let cells =
        comparison.run(pool, test, &metrics, |done| bar.done(done)).map_err(|error| refused(error).into());
    let cells = settled(&metrics, cells)?;
    drop(bar);
    let results =
        Results { task: task_name(&args.path), methods: names, metrics: metric_names, sizes, cells };

    if let Some(file) = csv {
        file.write_whole(&results.csv()?)?;
    }
    if let Some(folder) = &args.plot {
        pictures::write_plots(folder, &results)?;
    }
    let head = head(&rows, args, unlabelled, &methods);
    let page = args.html.as_ref().map(|_| pictures::page(&results, &head));
    if let (Some(file), Some(page)) = (html, &page) {
        file.write_whole(page.as_bytes())?;
    }
    if common.json {
        screen.json(&json!({
            "rows": {"pool": pool.n_labelled(), "test": test.n_labelled()},
            "classes": classes,
            "repeats": args.repeats,
            "unlabelled": unlabelled,
            "seed": common.seed,
            "cells": results.json_cells(),
        }))?;
    } else if args.csv.as_deref().is_some_and(is_stream) {
        screen.print_bytes(&results.csv()?)?;
    } else if let Some(page) = page.filter(|_| args.html.as_deref().is_some_and(is_stream)) {
        screen.print_bytes(page.as_bytes())?;
    } else if let Some(document) = draws_document.filter(|_| args.draws_out.as_deref().is_some_and(is_stream))
    {
        screen.print_bytes(document.as_bytes())?;
    } else {
        screen.print(head + "\n" + &results.text())?;
    }
    results.warn(screen);
    for path in [&args.draws_out, &args.csv, &args.plot, &args.html]
        .into_iter()
        .flatten()
        .filter(|path| !is_stream(path))
    {
        screen.note_written(path);
    }
    Ok(())
}

/// One line about the rows and the samples.
fn head(rows: &Rows, args: &Compare, unlabelled: u32, methods: &[&Method]) -> String {
    let with_unlabelled = if unlabelled > 0 && methods.iter().any(|method| method.uses_unlabelled) {
        format!(", each with up to {}", count_of(u64::from(unlabelled), "unlabelled row"))
    } else {
        String::new()
    };
    let noise = match args.noise_in {
        NoiseIn::Everywhere => "; pool and test rows have noisy labels",
        _ => "",
    };
    format!(
        "{} in the pool, {}; {} of each size{with_unlabelled}{noise}",
        count_of(rows.pool.sample.n_labelled(), "labelled row"),
        count_of(rows.test.sample.n_labelled(), "test row"),
        count_of(u64::from(args.repeats), "sample")
    )
}

/// Refuses two documents on standard output.
fn refuse_streams(args: &Compare, common: &Common) -> Result<(), UserError> {
    let to_stream = |path: &Option<std::path::PathBuf>| path.as_deref().is_some_and(is_stream);
    let writing: Vec<&str> = [
        ("--json", common.json),
        ("--csv -", to_stream(&args.csv)),
        ("--html -", to_stream(&args.html)),
        ("--draws-out -", to_stream(&args.draws_out)),
    ]
    .into_iter()
    .filter_map(|(flag, writes)| writes.then_some(flag))
    .collect();
    match writing[..] {
        [first, second, ..] => {
            Err(UserError::usage(format!("{first} and {second} both write to standard output"))
                .hint(format!("write one of them to a file: {} FILE", second.trim_end_matches(" -"))))
        }
        _ => Ok(()),
    }
}

/// The methods by name; without names, all (those with features only if there are features).
fn chosen_methods(names: &[String], has_features: bool) -> Result<Vec<&'static Method>, UserError> {
    crate::input::refuse_listed_twice(names, "--methods")?;
    if names.is_empty() {
        return Ok(METHODS.iter().filter(|method| has_features || !method.needs_features).collect());
    }
    let methods: Vec<_> = names.iter().map(|name| methods::by_name(name.trim())).collect::<Result<_, _>>()?;
    match methods.iter().find(|method| method.needs_features && !has_features) {
        Some(method) => Err(methods::lacks_features(method)),
        None => Ok(methods),
    }
}

/// Refuses flags that none of the methods supports.
fn refuse_unsupported(args: &Compare, methods: &[&Method]) -> Result<(), UserError> {
    let error = |flag: &str, other: &str| {
        let names: Vec<&str> = methods.iter().map(|method| method.name).collect();
        UserError::usage(format!("{flag} is not supported by --methods {}", names.join(",")))
            .hint(format!("omit it, or add {other} to --methods"))
    };
    for &option in args.options.0.keys() {
        if !methods.iter().any(|method| method.option(option).is_some()) {
            let other = Method::supporting(option).map_or("auto", |other| other.name);
            return Err(error(&format!("--{option}"), other));
        }
    }
    if !args.features.is_empty() && !methods.iter().any(|method| method.needs_features) {
        return Err(error("--features", "logistic"));
    }
    let is_for_others = args.draws_out.is_some() || !args.external.is_empty();
    if args.unlabelled.is_some_and(|n| n > 0)
        && !is_for_others
        && !methods.iter().any(|method| method.uses_unlabelled)
    {
        return Err(error("--unlabelled", "auto"));
    }
    Ok(())
}

/// The requested sizes; without any, the usual ones up to the number of rows. Messages call the rows `name`.
///
/// # Errors
///
/// If there are too few rows.
pub fn sizes(
    asked: &[u32],
    usual: impl Iterator<Item = usize>,
    pool: &Sample,
    name: &str,
) -> Result<Vec<usize>, UserError> {
    let rows = pool.n_labelled() as usize;
    let mut sizes: Vec<usize> = asked.iter().map(|&size| size as usize).collect();
    if asked.is_empty() {
        sizes = usual.filter(|&size| size <= rows).collect();
    }
    sizes.sort_unstable();
    sizes.dedup();
    let there_are = format!("the pool has only {}", count_of(rows as u64, "labelled row"));
    match sizes.last() {
        Some(&largest) if largest <= rows => Ok(sizes),
        Some(&largest) => Err(UserError::new(format!("{name}: --sizes {largest}, but {there_are}"))
            .hint("use smaller --sizes, or fewer test rows")),
        None => {
            let what = format!("{name}: {there_are}, fewer than the smallest size, {}", SIZES[0]);
            Err(UserError::new(what).hint("use smaller samples with --sizes"))
        }
    }
}

/// The name of the table.
fn task_name(path: &Path) -> String {
    let stem = path.file_stem().filter(|_| !is_stream(path));
    stem.map_or_else(|| "standard input".into(), |stem| stem.to_string_lossy().into_owned())
}

fn user_error(error: &Error, file: &str, classes: &[String]) -> UserError {
    match error {
        Error::External { problem, .. } => UserError::new(error.to_string()).hint(external::hint(problem)),
        error => {
            UserError::new(format!("{file}: {error}")).hint(format!("the classes are {}", quoted(classes)))
        }
    }
}
