//! One file for each command.

pub(crate) mod fit;
pub(crate) mod apply;
pub(crate) mod eval;
pub(crate) mod report;
pub(crate) mod export;
pub(crate) mod stats;
pub(crate) mod merge;
pub(crate) mod compare;
pub(crate) mod elicit;
pub(crate) mod metrics;
pub(crate) mod methods;
pub(crate) mod completions;
pub(crate) mod man;
pub(crate) mod demo;

use std::path::Path;

use cwplugin::{Error, Model, ModelError};
use serde_json::Value;

use crate::atomic::write_file;
use crate::output::Screen;
use crate::table::is_stream;
use crate::user_error::UserError;
use crate::whole_file::{DOCUMENT, read_text};

/// Reads the model of a command that also reads a table; says so if the two are swapped.
fn read_model_before(path: &Path, data: &Path, command: &str) -> Result<Model, UserError> {
    read_model(path).map_err(|error| {
        if is_stream(data) || read_model(data).is_err() {
            return error;
        }
        let (path, data) = (path.display(), data.display());
        UserError::usage(format!("{data} is the model, and {path} is not: the arguments are swapped"))
            .hint(format!("cwplugin {command} {data} {path}"))
    })
}

/// Reads a model file.
fn read_model(path: &Path) -> Result<Model, UserError> {
    const HINT: &str = "write a model with `cwplugin fit -o FILE`; the model is the first argument: `cwplugin apply MODEL DATA`";
    let text = read_text(path, "a model", DOCUMENT, HINT)?;
    let name = path.display();
    Model::from_json(&text).map_err(|error| match &error {
        ModelError::UnknownVersion { .. } | ModelError::UnknownCalibration { .. } => {
            UserError::new(format!("{name}: not a supported model: {error}"))
                .hint("use a newer cwplugin, or refit the model with this one")
        }
        ModelError::NoCalibration => UserError::new(format!("{name}: not a complete model: {error}"))
            .hint("copy the whole file again, or add \"calibration\": null if the model has only weights"),
        ModelError::Invalid(_) => UserError::new(format!("{name}: not a valid model: {error}"))
            .hint("write a model with `cwplugin fit -o FILE`; docs/model-format.md describes the file"),
        _ => UserError::new(format!("{name}: not a model: {error}")).hint(HINT),
    })
}

/// The error of a model that cannot be applied to valid rows: its numbers are absurd.
fn not_applicable(error: &Error, path: &Path, classes: &[String]) -> UserError {
    let what = match error {
        Error::NotFinite { class, value, .. } => {
            let class = classes.get(*class).map_or("", String::as_str);
            format!("the calibration makes a probability of class \"{class}\" {value}")
        }
        error => error.to_string(),
    };
    UserError::new(format!("{}: {what}", path.display()))
        .hint("fit the model again: its numbers are too large")
}

/// Writes the content to the output, a file or standard output, or prints facts about it instead of the latter.
fn deliver(
    content: &[u8],
    output: Option<&Path>,
    facts: Option<&Value>,
    screen: &Screen,
) -> anyhow::Result<()> {
    if let Some(path) = output {
        write_file(path, content)?;
    }
    match (facts, output) {
        (Some(facts), _) => screen.json(facts)?,
        (None, Some(path)) => screen.note_written(path),
        (None, None) => screen.print_bytes(content)?,
    }
    Ok(())
}

/// Creates a folder if it is missing; a bad path fails before the work.
fn create_folder(path: &Path, hint: &str) -> Result<(), UserError> {
    std::fs::create_dir_all(path).map_err(|error| {
        UserError::new(format!("{}: the folder cannot be created ({error})", path.display())).hint(hint)
    })
}

/// The command line of this run.
fn typed_command() -> String {
    let typed: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    shell_line(std::iter::once("cwplugin").chain(typed.iter().map(String::as_str)))
}

/// A command line, with words quoted for a shell.
fn shell_line<'a>(words: impl Iterator<Item = &'a str>) -> String {
    // Only a NUL cannot be quoted, and arguments have none.
    let quoted = words.map(|word| shlex::try_quote(word).map_or_else(|_| word.to_string(), Into::into));
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::shell_line;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_them() {
        let line = shell_line(["cwplugin", "a b.csv", "x>=0.5", "it's"].into_iter());
        assert_eq!(line, r#"cwplugin 'a b.csv' 'x>=0.5' "it's""#);
    }
}
