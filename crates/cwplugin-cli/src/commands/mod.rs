//! One verb, one file.

pub(crate) mod apply;
pub(crate) mod compare;
pub(crate) mod demo;
pub(crate) mod elicit;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod merge;
pub(crate) mod methods;
pub(crate) mod metrics;
pub(crate) mod report;
pub(crate) mod stats;

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

use cwplugin::{Error, Model, ModelError};

use crate::refusal::Refusal;

/// A model of a million classes is smaller.
const MAX_MODEL_BYTES: u64 = 256 << 20;

/// Reads a text that is not larger than it may be: `/dev/zero` has no end.
fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    let mut text = String::new();
    if File::open(path)?.take(limit).read_to_string(&mut text)? as u64 == limit {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "too large for a model"));
    }
    Ok(text)
}

/// What makes predictions differ from the black box's.
fn what_changes(model: &Model) -> &'static str {
    if model.rule().calibration().is_some() { "model" } else { "weights" }
}

/// Reads a model file.
fn read_model(path: &Path) -> anyhow::Result<Model> {
    const ORDER: &str =
        "`cwplugin fit -o FILE` writes a model; the model comes first: `cwplugin apply MODEL DATA`";
    let name = path.display();
    if path.is_dir() {
        return Err(Refusal::new(format!("{name}: is a folder, not a model"))
            .hint("`cwplugin fit -o FILE` writes a model")
            .into());
    }
    let text = read_text(path, MAX_MODEL_BYTES).map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            Refusal::new(format!("{name}: no such file")).hint("`cwplugin fit -o FILE` writes a model")
        }
        ErrorKind::InvalidData => {
            Refusal::new(format!("{name}: not a model: the file is not text")).hint(ORDER)
        }
        ErrorKind::FileTooLarge => Refusal::new(format!("{name}: not a model: {error}")).hint(ORDER),
        _ => Refusal::new(format!("{name}: cannot be read ({error})")).hint("check the file's permissions"),
    })?;
    if text.trim().is_empty() {
        return Err(Refusal::new(format!("{name}: is empty, not a model"))
            .hint("`cwplugin fit -o FILE` writes a model")
            .into());
    }
    Model::from_json(&text).map_err(|error| {
        match &error {
            ModelError::UnknownVersion { .. } | ModelError::UnknownCalibration { .. } => {
                Refusal::new(format!("{name}: not a model that can be used here: {error}"))
                    .hint("use a newer cwplugin, or fit the model again with this one")
            }
            ModelError::Invalid(Error::LengthMismatch { what: "weights", found, expected }) => {
                Refusal::new(format!("{name}: not a model: {expected} classes, but {found} weights"))
                    .hint("`cwplugin fit -o FILE` writes a model; docs/model-format.md describes it")
            }
            ModelError::Invalid(_) => Refusal::new(format!("{name}: not a model: {error}"))
                .hint("`cwplugin fit -o FILE` writes a model; docs/model-format.md describes it"),
            _ => Refusal::new(format!("{name}: not a model: {error}")).hint(ORDER),
        }
        .into()
    })
}

/// The command as the user typed it.
fn typed_command() -> String {
    let typed: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    shell_line(std::iter::once("cwplugin").chain(typed.iter().map(String::as_str)))
}

/// Words as a shell takes them for what they are.
fn shell_line<'a>(words: impl Iterator<Item = &'a str>) -> String {
    // Only a NUL cannot be quoted, and no argument has one.
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
