//! `lab experiment`: the paper's experiments, on files of predictions, and some on generated rows; and its theory.

mod tasks; // the list of tasks
mod generated; // rows from a known distribution
mod rows; // rows of the files
mod source; // names and hashes of the files
mod comparison; // one task: rows in, cells out
pub(crate) mod figures; // a figure for each metric of a result
mod theory; // measurements of the paper's theorems

use std::fs;
use std::path::{Path, PathBuf};

use cwplugin::Method;
use cwplugin_cli::{Common, Screen, UserError, method_by_name, refuse_listed_twice, write_file};
use serde_json::{Value, json};

use crate::args::Experiment;
use tasks::{TASKS, Task};

const FOLDER: &str = "CWPLUGIN_DATA";

pub(crate) fn run(args: &Experiment, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let tasks = tasks::by_name(&args.name);
    let mut has_theory = [theory::NAME, "all"].contains(&args.name.as_str());
    if tasks.is_empty() && !has_theory {
        let names: Vec<&str> = TASKS.iter().map(|task| task.name).chain([theory::NAME]).collect();
        return Err(UserError::usage(format!("unknown experiment \"{}\"", args.name))
            .hint(format!("write all, or one of {}", names.join(", ")))
            .into());
    }
    refuse_listed_twice(&args.methods, "--methods")?;
    let methods: Vec<&Method> =
        args.methods.iter().map(|name| method_by_name(name.trim())).collect::<Result<_, _>>()?;
    if tasks.is_empty() {
        theory::refuse_idle_flags(args, &methods)?;
    } else if has_theory && !methods.is_empty() && !methods.iter().any(|method| theory::suits(method)) {
        has_theory = false;
        screen.note(format_args!("{} is skipped: none of --methods uses the metric", theory::NAME));
    }
    let needs_files = tasks.iter().any(|task| !task.rows.files().is_empty());
    let folder = if needs_files { folder(args.data.as_deref())? } else { PathBuf::new() };
    refuse_missing(&tasks, &folder)?;
    fs::create_dir_all(&args.output).map_err(|error| {
        UserError::new(format!("{}: the folder cannot be created ({error})", args.output.display()))
            .hint("--output names a folder for the results")
    })?;
    let (mut cells, mut proven) = (Vec::new(), None);
    let total = tasks.len() + usize::from(has_theory);
    for (i, task) in tasks.iter().enumerate() {
        screen.note(format_args!("{} ({} of {total})", task.name, i + 1));
        let results = comparison::run(task, &methods, &folder, args, common, screen)?;
        if common.json {
            cells.extend(results.json_cells());
        } else {
            screen.print(format!("\n{}: {}\n{}", task.name, task.title, results.text()))?;
        }
        results.warn(screen);
    }
    if has_theory {
        screen.note(format_args!("{} ({total} of {total})", theory::NAME));
        let theory = theory::run(&methods, args, common, screen)?;
        if !common.json {
            screen.print(format!(
                "\n{}: every slope, with its theoretical value\n\n{}",
                theory::NAME,
                theory.text
            ))?;
        }
        proven = Some(theory.document);
    }
    if common.json {
        let mut document = json!({ "cells": cells });
        if let Some(theory) = proven {
            document[theory::NAME] = theory;
        }
        screen.json(&document)?;
    }
    screen.note(format_args!("wrote {}", args.output.display()));
    Ok(())
}

/// The folder with the prediction files.
fn folder(asked: Option<&Path>) -> Result<PathBuf, UserError> {
    let named = asked.map(Path::to_path_buf);
    let named = named.or_else(|| std::env::var_os(FOLDER).filter(|name| !name.is_empty()).map(PathBuf::from));
    let Some(folder) = named else {
        return Err(UserError::usage("no folder of prediction files").hint(format!(
            "name their folder with --data DIR or {FOLDER}; experiments/README.md describes how to create them"
        )));
    };
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(UserError::new(format!("{}: no such folder", folder.display()))
        .hint("experiments/README.md describes how to create the prediction files"))
}

/// Rejects a folder without the files of all tasks, before the first one is run.
fn refuse_missing(tasks: &[&Task], folder: &Path) -> Result<(), UserError> {
    let files = tasks.iter().flat_map(|task| task.rows.files()).map(|file| folder.join(file));
    match files.into_iter().find(|path| !path.is_file()) {
        None => Ok(()),
        Some(path) => Err(UserError::new(format!("{}: no such file", path.display()))
            .hint("experiments/README.md describes how to create the prediction files")),
    }
}

/// Writes a result file; files of other tasks stay intact if this one is interrupted.
fn write(args: &Experiment, name: &str, text: &str) -> anyhow::Result<()> {
    write_file(&args.output.join(name), text.as_bytes())
}

/// One field or cell per line, for readable diffs.
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
