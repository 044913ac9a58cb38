//! Predictions of methods outside the program: one JSON object per line.

use std::path::{Path, PathBuf};

use cwplugin::compare::{External, ExternalProblem};
use cwplugin::data::{classes_hint, quoted};
use serde::Deserialize;
use serde_json::Value;

use super::draws::NamedDraws;
use crate::output::shown;
use crate::user_error::UserError;
use crate::whole_file::{DOCUMENT, HELD, read_text};

const FORMAT: &str = r#"each line is {"method": NAME, "draw": ID, "predictions": [CLASS, …]}, with "metric" if they are for one metric"#;

/// One line: the predicted classes of all test rows, for one draw.
#[derive(Deserialize)]
struct Line {
    method: String,
    draw: String,
    #[serde(default)]
    metric: Option<String>,
    predictions: Vec<Value>,
}

/// What the names in the lines refer to.
pub(super) struct Known<'a> {
    pub(super) draws: &'a NamedDraws,
    pub(super) classes: &'a [String],
    pub(super) metrics: &'a [String],
}

/// The methods of all files, in the order in which they first occur.
pub(super) fn read(paths: &[PathBuf], known: &Known<'_>) -> Result<Vec<External>, UserError> {
    let mut methods: Vec<External> = Vec::new();
    for path in paths {
        let text = read_text(path, "predictions", HELD, FORMAT)?;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = format!("{}, line {}", path.display(), number + 1);
            if line.len() as u64 > DOCUMENT {
                let what = format!("{place}: the line is longer than {} MiB", DOCUMENT >> 20);
                return Err(UserError::new(what).hint(FORMAT));
            }
            add(&mut methods, line, &place, known)?;
        }
    }
    Ok(methods)
}

fn add(methods: &mut Vec<External>, line: &str, place: &str, known: &Known<'_>) -> Result<(), UserError> {
    let error = |what: String| UserError::new(format!("{place}: {what}"));
    let line: Line = serde_json::from_str(line)
        .map_err(|err| error(format!("not predictions of a draw ({})", without_place(&err))).hint(FORMAT))?;
    let Some((size, repeat)) = known.draws.find(&line.draw) else {
        return Err(error(format!("this comparison has no draw \"{}\"", shown(&line.draw))).hint(
            "use the ids of --draws-out, written with the same table, sizes, repeats, seed, test rows, --noise and --unlabelled",
        ));
    };
    let metric = line.metric.as_deref();
    if let Some(metric) = metric.filter(|metric| !known.metrics.iter().any(|name| name == metric)) {
        let hint =
            format!("the metrics are {}; omit it if the predictions are for all", quoted(known.metrics));
        return Err(error(format!("metric \"{}\" is not compared", shown(metric))).hint(hint));
    }
    let class_of = |(row, value): (usize, &Value)| {
        let name = value.as_str().map_or_else(|| value.to_string(), String::from);
        known.classes.iter().position(|class| *class == name).ok_or_else(|| {
            error(format!("test row {row}: unknown class \"{}\"", shown(&name)))
                .hint(classes_hint(&name, known.classes))
        })
    };
    let classes = line.predictions.iter().enumerate().map(class_of).collect::<Result<Vec<_>, _>>()?;
    let place = methods.iter().position(|method| method.name() == line.method).unwrap_or_else(|| {
        methods.push(External::new(&line.method));
        methods.len() - 1
    });
    if methods[place].has(size, repeat, metric) {
        let what = format!("\"{}\" has predictions for draw \"{}\" already", line.method, line.draw);
        return Err(error(what).hint("give one line per method, draw and metric"));
    }
    let method = std::mem::replace(&mut methods[place], External::new(""));
    methods[place] = method.predictions(size, repeat, metric, classes);
    Ok(())
}

/// The message without line and column, which are those of one line of the file.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or(&text).to_string()
}

/// What to do about predictions that the library refuses.
pub(super) fn hint(problem: &ExternalProblem) -> &'static str {
    match problem {
        ExternalProblem::NameInUse => "give it another name",
        ExternalProblem::WrongLength { .. } => {
            "predict every row of \"test\" in the file of --draws-out, in its order"
        }
        _ => "predict the test rows for every draw in the file of --draws-out",
    }
}

/// The paths as inputs, none of which may be overwritten.
pub(super) fn inputs(paths: &[PathBuf]) -> impl Iterator<Item = (&Path, &'static str)> {
    paths.iter().map(|path| (path.as_path(), "the predictions"))
}
