//! `cwplugin stats`: count the statistics for a grid fit.

use std::path::Path;

use cwplugin::{Reference, Scores, Statistics, Step};
use cwplugin_export::{Dialect, StatisticsQuery};
use serde_json::json;

use super::deliver;
use crate::args::{Common, Data, Stats};
use crate::input::statistics_file::StatisticsFile;
use crate::input::{Input, Needs, refuse_listed_twice};
use crate::output::{Screen, count_of, refuse_replacing};
use crate::table::is_stream;
use crate::user_error::UserError;

pub(crate) fn run(args: &Stats, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    match (args.sql, &args.path) {
        (Some(dialect), _) => print_query(args, dialect, common, screen),
        (None, Some(path)) => count(args, path, common, screen),
        (None, None) => Err(UserError::usage("no table and no --sql")
            .hint("cwplugin stats DATA -o stats.json, or cwplugin stats --sql DIALECT --table NAME --classes A,B,C")
            .into()),
    }
}

/// Counts the rows of a table.
fn count(args: &Stats, path: &Path, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    // clap accepts flags that require --sql together with DATA, which conflicts with --sql.
    for (flag, is_given) in [("--table", args.table.is_some()), ("--columns", args.columns.is_some())] {
        if is_given {
            let what = format!("{flag} is not supported without --sql");
            return Err(UserError::usage(what).hint(format!("omit {flag}")).into());
        }
    }
    let (labels, output) = (Path::new(&args.data.label), args.output.as_deref());
    refuse_replacing("-o", output, &[(path, "the table"), (labels, "the labels")])?;
    let input = Input::open(path, &args.data, Needs::LABELLED, screen)?;
    let reference = reference(&args.reference, input.classes())?;
    let step = Step::bins(args.bins.get() as usize)?;
    let mut statistics = Statistics::new(input.classes().to_vec(), reference, step).map_err(|error| {
        UserError::usage(format!("--bins {}: {error}", args.bins)).hint("use fewer bins, e.g. --bins 1000")
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
        n => format!(" ({} ignored)", count_of(n, "unlabelled row")),
    };
    screen.note(format_args!(
        "{}{unlabelled}, {} classes × {} bins, reference \"{}\"",
        count_of(statistics.n_labelled(), "labelled row"),
        statistics.classes().len(),
        args.bins,
        statistics.classes()[reference]
    ));
    match output.filter(|path| !is_stream(path)) {
        Some(path) => screen.note_written(path),
        None => {
            screen.note("hint: save them for `cwplugin fit --stats` and `cwplugin merge` with -o stats.json");
        }
    }
    Ok(())
}

fn print_query(args: &Stats, dialect: Dialect, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let query = query(args, dialect)?;
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    let text = query.text();
    let facts = common.json.then(|| json!({"dialect": query.dialect.name(), "query": text}));
    deliver(text.as_bytes(), output, facts.as_ref(), screen)
}

/// The query for the flags; the table is not read.
fn query(args: &Stats, dialect: Dialect) -> Result<StatisticsQuery, UserError> {
    let data = &args.data;
    refuse_file_flags(data)?;
    let Some(table) = args.table.clone() else {
        return Err(UserError::usage("--sql needs --table")
            .hint("add --table NAME, e.g. --table scores or --table db.scores"));
    };
    let Some(names) = &data.classes else {
        return Err(UserError::usage("--sql needs --classes")
            .hint("add --classes A,B,C, and --prefix p_ if their columns are p_A, p_B, p_C"));
    };
    refuse_listed_twice(names, "--classes")?;
    if names.len() < 2 {
        return Err(UserError::usage("--classes names one class, but at least two are needed")
            .hint("name each class once"));
    }
    Ok(StatisticsQuery {
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
) -> Result<Vec<(String, String)>, UserError> {
    let columns = match columns {
        Some(columns) => columns.to_vec(),
        None => names.iter().map(|name| format!("{}{name}", prefix.unwrap_or_default())).collect(),
    };
    refuse_listed_twice(&columns, "--columns")?;
    if columns.len() != names.len() {
        let what =
            format!("--columns names {} columns, but --classes {} classes", columns.len(), names.len());
        return Err(UserError::usage(what).hint("name one column per class, in the order of --classes"));
    }
    Ok(names.iter().cloned().zip(columns).collect())
}

fn reference(name: &str, classes: &[String]) -> Result<usize, UserError> {
    match crate::input::reference(name, classes, "last")? {
        Reference::Last => Ok(classes.len() - 1),
        Reference::Class(class) => Ok(class),
        _ => Err(UserError::usage(format!("--reference {name}: not known before the rows are counted"))
            .hint("name the class, e.g. the one with the most rows: --reference NAME or class:NAME")),
    }
}

/// Refuses flags that a query does not support.
fn refuse_file_flags(data: &Data) -> Result<(), UserError> {
    let flag = [
        ("--format", data.format.is_some()),
        ("--delimiter", data.delimiter.is_some()),
        ("--id", !data.id.is_empty()),
        ("--from", data.replies.from.is_some()),
        ("--missing", data.replies.missing.is_some()),
        ("--positive", data.positive.is_some()),
        ("--decimal", data.decimal.is_some()),
        ("--label-map", data.label_map.is_some()),
        ("--label-index", data.label_index.is_some()),
        ("--ignore-case", data.ignore_case),
    ]
    .into_iter()
    .find(|(_, is_given)| *is_given);
    if let Some((flag, _)) = flag {
        return Err(
            UserError::usage(format!("{flag} is not supported by --sql")).hint(format!("omit {flag}"))
        );
    }
    let is_raw = data.scores.is_some_and(|scores| scores != Scores::Probabilities);
    if data.normalize || is_raw {
        let flag = if data.normalize { "--normalize" } else { "--scores" };
        return Err(UserError::usage(format!(
            "{flag} is not supported by --sql: the query needs probabilities that sum to 1"
        ))
        .hint("convert them in a view, and name the view with --table"));
    }
    Ok(())
}
