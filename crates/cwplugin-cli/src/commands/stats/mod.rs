//! `cwplugin stats`: count what a grid fit needs.

mod sql; // the query

use std::path::Path;

use cwplugin::{Reference, Statistics, Step};
use cwplugin_export::Dialect;
use serde_json::json;

use crate::args::{Common, Data, ScoresArg, Stats};
use crate::atomic::write_file;
use crate::input::{Input, Want, quoted, refuse_listed_twice};
use crate::output::{Screen, count_of, refuse_replacing};
use crate::refusal::Refusal;
use crate::statistics_file::StatisticsFile;
use crate::table::is_stream;
use sql::{Class, Query};

pub(crate) fn run(args: &Stats, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    match (args.sql, &args.path) {
        (Some(dialect), _) => print_query(args, dialect, common, screen),
        (None, Some(path)) => count(args, path, common, screen),
        (None, None) => Err(Refusal::usage("neither a table nor --sql was given")
            .hint("cwplugin stats DATA -o stats.json, or cwplugin stats --sql DIALECT --table NAME --classes A,B,C")
            .into()),
    }
}

/// Counts the rows of a table.
fn count(args: &Stats, path: &Path, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    // clap lets a flag that requires --sql pass beside DATA, which rules --sql out.
    for (flag, is_given) in [("--table", args.table.is_some()), ("--columns", args.columns.is_some())] {
        if is_given {
            let what = format!("{flag} with {}: it is for the query of --sql", path.display());
            return Err(Refusal::usage(what).hint(format!("leave out {flag}, or the table")).into());
        }
    }
    let (labels, output) = (Path::new(&args.data.label), args.output.as_deref());
    refuse_replacing(output, &[(path, "the table"), (labels, "the labels")])?;
    let input = Input::open(path, &args.data, Want::LABELLED)?;
    let reference = reference(&args.reference, input.classes())?;
    let step = Step::bins(args.bins.get() as usize)?;
    let mut statistics = Statistics::new(input.classes().to_vec(), reference, step).map_err(|error| {
        Refusal::usage(format!("--bins {}: {error}", args.bins)).hint("take fewer bins, e.g. --bins 1000")
    })?;
    let file = StatisticsFile::create(output)?;
    let mut progress = screen.progress("counting");
    let mut samples = input.samples()?;
    while let Some(sample) = samples.next(&mut progress)? {
        statistics.add_rows(&sample)?;
    }
    drop(progress);
    file.write(&statistics, common.json, screen)?;
    let unlabelled = match statistics.n_unlabelled() {
        0 => String::new(),
        n => format!(" ({} passed over)", count_of(n, "unlabelled row")),
    };
    screen.note(format_args!(
        "{}{unlabelled}, {} classes × {} bins, reference \"{}\"",
        count_of(statistics.n_labelled(), "labelled row"),
        statistics.classes().len(),
        args.bins,
        statistics.classes()[reference]
    ));
    match output.filter(|path| !is_stream(path)) {
        Some(path) => screen.note(format_args!("wrote {}", path.display())),
        None => screen.note("hint: -o stats.json keeps them for `cwplugin fit --stats` and `cwplugin merge`"),
    }
    Ok(())
}

fn print_query(args: &Stats, dialect: Dialect, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let query = query(args, dialect)?;
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    let text = query.text();
    if let Some(path) = output {
        write_file(path, text.as_bytes())?;
    }
    match (common.json, output) {
        (true, _) => screen.json(&json!({"dialect": query.dialect.name(), "query": text}))?,
        (false, None) => screen.print(text)?,
        (false, Some(path)) => screen.note(format_args!("wrote {}", path.display())),
    }
    Ok(())
}

/// The query that the flags describe; nothing is read to check it.
fn query(args: &Stats, dialect: Dialect) -> Result<Query, Refusal> {
    let data = &args.data;
    refuse_flags_of_files(data)?;
    let Some(table) = args.table.clone() else {
        return Err(Refusal::usage("--sql without --table: the query has to name a table")
            .hint("add --table NAME, e.g. --table scores or --table db.scores"));
    };
    let Some(names) = &data.classes else {
        return Err(Refusal::usage(
            "--sql without --classes: the table is not looked at, so its classes are unknown",
        )
        .hint("add --classes A,B,C, and --prefix p_ if their columns are p_A, p_B, p_C"));
    };
    refuse_listed_twice(names, "--classes")?;
    if names.len() < 2 {
        return Err(Refusal::usage("--classes names one class, but there have to be two")
            .hint("name every class once"));
    }
    Ok(Query {
        dialect,
        table,
        label: data.label.clone(),
        classes: classes(names, args.columns.as_deref(), data.prefix.as_deref())?,
        weight: data.weight.clone(),
        reference: reference(&args.reference, names)?,
        bins: args.bins.get(),
    })
}

fn classes(
    names: &[String],
    columns: Option<&[String]>,
    prefix: Option<&str>,
) -> Result<Vec<Class>, Refusal> {
    let columns = match columns {
        Some(columns) => columns.to_vec(),
        None => names.iter().map(|name| format!("{}{name}", prefix.unwrap_or_default())).collect(),
    };
    refuse_listed_twice(&columns, "--columns")?;
    if columns.len() != names.len() {
        let what =
            format!("--columns names {} columns, but --classes {} classes", columns.len(), names.len());
        return Err(Refusal::usage(what).hint("name one column per class, in the order of --classes"));
    }
    let pairs = names.iter().cloned().zip(columns);
    Ok(pairs.map(|(name, column)| Class { name, column }).collect())
}

fn reference(name: &str, classes: &[String]) -> Result<usize, Refusal> {
    match Reference::by_name(name, classes) {
        Ok(Reference::Last) => Ok(classes.len() - 1),
        Ok(Reference::Class(class)) => Ok(class),
        Ok(_) => Err(Refusal::usage(format!("--reference {name}: that is known only after the rows have been counted"))
            .hint("name the class, e.g. the one with the most rows: --reference NAME (class:NAME if it is called so)")),
        Err(_) => Err(Refusal::usage(format!("--reference {name}: there is no such class")).hint(format!(
            "write last or one of {} (class:NAME for a class called last, largest or best)",
            quoted(classes.iter().map(String::as_str))
        ))),
    }
}

/// Refuses what a query cannot do, before someone believes that it did.
fn refuse_flags_of_files(data: &Data) -> Result<(), Refusal> {
    let flag = [
        ("--format", data.format.is_some()),
        ("--delimiter", data.delimiter.is_some()),
        ("--id", !data.id.is_empty()),
    ]
    .into_iter()
    .find(|(_, is_given)| *is_given);
    if let Some((flag, _)) = flag {
        return Err(
            Refusal::usage(format!("{flag} with --sql: no file is read")).hint(format!("leave out {flag}"))
        );
    }
    if data.normalize || data.scores != ScoresArg::Probabilities {
        let flag = if data.normalize { "--normalize" } else { "--scores" };
        return Err(Refusal::usage(format!(
            "{flag} with --sql: the query takes probabilities that sum to 1"
        ))
        .hint("make them so in a view, and name the view with --table"));
    }
    Ok(())
}
