//! `cwplugin compare`: methods side by side, on samples of several sizes.

pub(crate) mod rows; // the pool and the test rows
pub(crate) mod results; // what came out, as text, JSON, CSV
pub(crate) mod pictures; // … as lines
mod page; // … and as a page

use std::path::Path;

use cwplugin::{Comparison, Error, METHODS, Method, Metric as _, Sample};
use serde_json::json;

use super::methods;
use crate::args::{Common, Compare};
use crate::atomic::AtomicFile;
use crate::input::{is_priors_file, metrics_by_names, quoted, settled};
use crate::output::{Screen, count_of, refuse_replacing_by};
use crate::refusal::Refusal;
use crate::table::is_stream;
use results::Results;
use rows::Rows;

/// The sizes of the paper's figures.
pub const SIZES: [usize; 5] = [50, 100, 160, 250, 400];

/// Rows without labels beside each sample. Whoever has fifty labelled rows has some hundreds without.
pub const UNLABELLED: u32 = 500;

pub(crate) fn run(args: &Compare, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut inputs = vec![(args.path.as_path(), "the table"), (Path::new(&args.data.label), "the labels")];
    inputs.extend(args.features.iter().map(|file| (Path::new(file), "the features")));
    let priors = args
        .options
        .0
        .get("source-priors")
        .map(String::as_str)
        .map(Path::new)
        .filter(|path| is_priors_file(path));
    inputs.extend(priors.map(|path| (path, "the source priors")));
    refuse_replacing_by("--csv", args.csv.as_deref(), &inputs)?;
    refuse_replacing_by("--html", args.html.as_deref(), &inputs)?;
    refuse_streams(args, common)?;
    let methods = chosen_methods(&args.methods, !args.features.is_empty())?;
    refuse_idle_flags(args, &methods)?;
    let unlabelled = args.unlabelled.unwrap_or(UNLABELLED);
    let csv = args.csv.as_deref().filter(|path| !is_stream(path)).map(AtomicFile::create).transpose()?;
    let html = args.html.as_deref().filter(|path| !is_stream(path)).map(AtomicFile::create).transpose()?;
    let folder = args.plot.as_deref().map(pictures::Folder::create).transpose()?;

    let Rows { file, classes, pool, test } = rows::read(args, common.seed, screen)?;
    let metrics = metrics_by_names(&args.metrics, &classes, args.metric_timeout)?;
    let sizes = sizes(&args.sizes, SIZES.into_iter(), &pool, &file)?;
    let mut comparison = Comparison::new(methods.clone(), sizes.clone())
        .repeats(args.repeats as usize)
        .noise(rows::noise(&args.noise, &classes)?)
        .unlabelled(unlabelled as usize)
        .seed(common.seed);
    for (option, value) in args.options.resolved(&classes)? {
        comparison = comparison.option(option, value);
    }
    let bar = screen.steps("comparing", comparison.n_samples());
    let cells = comparison
        .run(&pool, &test, &metrics, |done| bar.done(done))
        .map_err(|error| refuse(&error, &file, &classes).into());
    let cells = settled(&metrics, cells)?;
    drop(bar);
    let results = Results {
        task: task_name(&args.path),
        methods: methods.iter().map(|method| method.name).collect(),
        metrics: metrics.iter().map(|metric| metric.name().to_string()).collect(),
        sizes,
        cells,
    };

    if let Some(file) = csv {
        file.write_whole(results.csv().as_bytes())?;
    }
    if let Some(folder) = folder {
        folder.write(&results)?;
    }
    let has_bare = unlabelled > 0 && methods.iter().any(|method| method.uses_unlabelled);
    let bare = count_of(u64::from(unlabelled), "row");
    let beside = if has_bare { format!(", each with up to {bare} without a label") } else { String::new() };
    let head = format!(
        "{} to draw from, {}; {} of each size{beside}",
        count_of(pool.n_labelled(), "labelled row"),
        count_of(test.n_labelled(), "test row"),
        count_of(u64::from(args.repeats), "sample")
    );
    let page = args.html.as_ref().map(|_| page::page(&results, &head));
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
        screen.print(results.csv())?;
    } else if let Some(page) = page.filter(|_| args.html.as_deref().is_some_and(is_stream)) {
        screen.print(page)?;
    } else {
        screen.print(head + "\n" + &results.text(screen))?;
    }
    results.warn(screen);
    for path in [&args.csv, &args.plot, &args.html].into_iter().flatten().filter(|path| !is_stream(path)) {
        screen.note(format_args!("wrote {}", path.display()));
    }
    Ok(())
}

/// Two documents cannot go by one stream.
fn refuse_streams(args: &Compare, common: &Common) -> Result<(), Refusal> {
    let to_stream = |path: &Option<std::path::PathBuf>| path.as_deref().is_some_and(is_stream);
    let wanting: Vec<&str> =
        [("--json", common.json), ("--csv -", to_stream(&args.csv)), ("--html -", to_stream(&args.html))]
            .into_iter()
            .filter_map(|(flag, wants)| wants.then_some(flag))
            .collect();
    match wanting[..] {
        [first, second, ..] => Err(Refusal::usage(format!("{first} and {second} both want standard output"))
            .hint(format!("write one of them to a file: {} FILE", second.trim_end_matches(" -")))),
        _ => Ok(()),
    }
}

/// The methods by their names; without names, all that the rows have something for.
fn chosen_methods(names: &[String], has_features: bool) -> Result<Vec<&'static Method>, Refusal> {
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
fn refuse_idle_flags(args: &Compare, methods: &[&Method]) -> Result<(), Refusal> {
    let refuse = |flag: &str, other: &str| {
        let names: Vec<&str> = methods.iter().map(|method| method.name).collect();
        Refusal::usage(format!("{flag} is not supported by --methods {}", names.join(",")))
            .hint(format!("leave it out, or add {other} to the methods"))
    };
    for &option in args.options.0.keys() {
        if !methods.iter().any(|method| method.option(option).is_some()) {
            let other = Method::supporting(option).map_or("auto", |other| other.name);
            return Err(refuse(&format!("--{option}"), other));
        }
    }
    if !args.features.is_empty() && !methods.iter().any(|method| method.needs_features) {
        return Err(refuse("--features", "logistic"));
    }
    if args.unlabelled.is_some_and(|n| n > 0) && !methods.iter().any(|method| method.uses_unlabelled) {
        return Err(refuse("--unlabelled", "auto"));
    }
    Ok(())
}

/// The sizes that were asked for; without any, the usual ones, as far as there are rows. Messages call the rows `name`.
///
/// # Errors
///
/// If there are too few rows.
pub fn sizes(
    asked: &[u32],
    usual: impl Iterator<Item = usize>,
    pool: &Sample,
    name: &str,
) -> Result<Vec<usize>, Refusal> {
    let rows = pool.n_labelled() as usize;
    let mut sizes: Vec<usize> = asked.iter().map(|&size| size as usize).collect();
    if asked.is_empty() {
        sizes = usual.filter(|&size| size <= rows).collect();
    }
    sizes.sort_unstable();
    sizes.dedup();
    let there_are = format!("there are only {} to draw from", count_of(rows as u64, "labelled row"));
    match sizes.last() {
        Some(&largest) if largest <= rows => Ok(sizes),
        Some(&largest) => Err(Refusal::new(format!("{name}: --sizes {largest}, but {there_are}"))
            .hint("ask for smaller sizes, or keep fewer test rows")),
        None => {
            let what = format!("{name}: {there_are}, fewer than the smallest size, {}", SIZES[0]);
            Err(Refusal::new(what).hint("ask for smaller samples with --sizes"))
        }
    }
}

/// What the table is called.
fn task_name(path: &Path) -> String {
    let stem = path.file_stem().filter(|_| !is_stream(path));
    stem.map_or_else(|| "standard input".into(), |stem| stem.to_string_lossy().into_owned())
}

fn refuse(error: &Error, file: &str, classes: &[String]) -> Refusal {
    Refusal::new(format!("{file}: {error}"))
        .hint(format!("the classes are {}", quoted(classes.iter().map(String::as_str))))
}
