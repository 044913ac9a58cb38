//! `cwplugin export`: write a model for other engines.

mod flags; // which target, and what means nothing to it

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;

use cwplugin::Model;
use cwplugin_export::onnx::{self, Order};
use cwplugin_export::{Error, SqlOptions};
use serde_json::json;

use super::read_model;
use crate::args::{Common, Export, Target};
use crate::atomic::write_file;
use crate::output::{Screen, refuse_replacing};
use crate::refusal::Refusal;
use crate::table::is_stream;

/// The format itself ends here.
const MAX_ONNX_BYTES: u64 = 2 << 30;

pub(crate) fn run(args: &Export, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let target = flags::target(args)?;
    flags::refuse_meaningless(args, target)?;
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    if target == Target::Onnx && output.is_none() {
        refuse_bytes(common.json)?;
    }
    let mut inputs = vec![(args.model.as_path(), "the model")];
    inputs.extend(args.append_to.as_deref().map(|path| (path, "the classifier")));
    refuse_replacing(output, &inputs)?;
    let model = read_model(&args.model)?;
    let made = make(args, target, &model)?;
    if let Some(path) = output {
        write_file(path, &made.content)?;
    }
    match (common.json, output) {
        (true, _) => screen.json(&made.json(target, output))?,
        (false, None) => screen.print_bytes(&made.content)?,
        (false, Some(path)) => screen.note(format_args!("wrote {}", path.display())),
    }
    made.notes.iter().for_each(|note| screen.note(note));
    Ok(())
}

/// An export, and what is to be said about it.
struct Made {
    content: Vec<u8>,
    facts: serde_json::Map<String, serde_json::Value>,
    notes: Vec<String>,
}

impl Made {
    fn text(text: String) -> Self {
        Self { content: text.into_bytes(), facts: serde_json::Map::new(), notes: Vec::new() }
    }

    /// What there is to know; the text itself too, unless it is in a file.
    fn json(&self, target: Target, output: Option<&Path>) -> serde_json::Value {
        let mut facts = serde_json::Map::new();
        facts.insert("to".into(), json!(flags::name(target)));
        facts.extend(self.facts.clone());
        match output {
            Some(path) => facts.insert("output".into(), json!(path.display().to_string())),
            None => facts.insert("text".into(), json!(String::from_utf8_lossy(&self.content))),
        };
        facts.into()
    }
}

fn make(args: &Export, target: Target, model: &Model) -> anyhow::Result<Made> {
    let name = args.model.display().to_string();
    let refuse = |error: &Error| refusal(&name, error);
    match (target, &args.append_to, args.dialect) {
        (Target::Onnx, Some(path), _) => append(args, model, path),
        (Target::Onnx, None, _) => {
            if args.scores.is_some() && model.rule().n_features().is_some() {
                let what = format!("--scores means nothing to {name}, which takes features");
                return Err(Refusal::usage(what).hint("leave out --scores").into());
            }
            let content = onnx::model(model, &options(args)).map_err(|error| refuse(&error))?;
            let notes = Vec::new();
            let mut facts = serde_json::Map::new();
            facts.insert("outputs".into(), json!(["label", "scores"]));
            Ok(Made { content, facts, notes })
        }
        (Target::Sql, _, Some(dialect)) => {
            let mut options = SqlOptions::default();
            if let Some(prefix) = &args.prefix {
                options = options.prefix(prefix);
            }
            if let Some(columns) = &args.columns {
                options = options.columns(columns.clone());
            }
            let text = cwplugin_export::sql(model, dialect, &options).map_err(|error| refuse(&error))?;
            let mut made = Made::text(text);
            made.facts.insert("dialect".into(), json!(dialect.name()));
            Ok(made)
        }
        (Target::Sql, _, None) => Err(Refusal::usage("--to sql without --dialect: engines differ")
            .hint("add --dialect duckdb, datafusion, spark, bigquery, snowflake or postgres")
            .into()),
        (Target::Python, ..) => {
            Ok(Made::text(cwplugin_export::python(model).map_err(|error| refuse(&error))?))
        }
        (Target::Rust, ..) => Ok(Made::text(cwplugin_export::rust(model).map_err(|error| refuse(&error))?)),
    }
}

/// Puts the model behind a classifier.
fn append(args: &Export, model: &Model, path: &Path) -> anyhow::Result<Made> {
    let name = path.display().to_string();
    let existing = read_onnx(path)?;
    let appended = onnx::append_to(model, &existing, &options(args));
    let appended = appended.map_err(|error| match error {
        Error::TakesFeatures => refusal(&args.model.display().to_string(), &error),
        error => refusal(&name, &error),
    })?;
    let mut facts = serde_json::Map::new();
    facts.insert("tensor".into(), json!(appended.tensor));
    facts.insert("outputs".into(), json!(appended.outputs));
    facts.insert("is_order_known".into(), json!(appended.is_order_known));
    let mut notes =
        vec![format!("{} and {} are behind {}", appended.outputs[0], appended.outputs[1], appended.tensor)];
    if !appended.is_order_known {
        notes.push(format!(
            "its columns are taken in the order of the model's classes: {}",
            crate::input::quoted(model.classes().iter().map(String::as_str))
        ));
    }
    Ok(Made { content: appended.bytes, facts, notes })
}

fn options(args: &Export) -> onnx::Options {
    let mut options = onnx::Options::default();
    if let Some(input) = args.input {
        options = options.element(input.into());
    }
    if let Some(scores) = args.scores {
        options = options.scores(scores.into());
    }
    if let Some(name) = &args.output_name {
        options = options.output(name);
    }
    if args.by_position {
        options = options.order(Order::ByPosition);
    }
    options
}

/// The fact and the cure, with the flags of this command.
fn refusal(name: &str, error: &Error) -> Refusal {
    let cure = match error {
        Error::WrongColumns { .. } | Error::UnnamedFeatures { .. } => {
            "name one column per class or feature, in the model's order: --columns X,Y,Z".into()
        }
        Error::TooLong { .. } => "--to onnx, --to python or --to rust has no such limit".into(),
        Error::TakesFeatures => {
            "leave out --append-to: it replaces the classifier and needs no probabilities".into()
        }
        Error::WhichOutput { .. } | Error::NoSuchOutput { .. } | Error::WrongShape { .. } => {
            format!("{}: --output-name NAME", error.cure())
        }
        Error::OtherClasses { .. } => {
            "fit the model with its class names, or take the columns as they stand with --by-position".into()
        }
        error => error.cure().to_string(),
    };
    Refusal::new(format!("{name}: {error}")).hint(cure)
}

fn read_onnx(path: &Path) -> Result<Vec<u8>, Refusal> {
    let refuse = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Refusal::new(format!("{}: no such file", path.display()))
            .hint("--append-to takes the ONNX file of the classifier"),
        io::ErrorKind::IsADirectory => Refusal::new(format!("{}: is a folder", path.display()))
            .hint("--append-to takes the ONNX file of the classifier"),
        _ => Refusal::new(format!("{}: cannot be read ({error})", path.display()))
            .hint("check the file's permissions"),
    };
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_ONNX_BYTES).read_to_end(&mut bytes));
    if read.map_err(refuse)? as u64 == MAX_ONNX_BYTES {
        return Err(Refusal::new(format!("{}: too large for an ONNX model", path.display()))
            .hint("save its weights as external data, which keeps the model itself small"));
    }
    Ok(bytes)
}

/// Bytes are not for the eyes, nor for a JSON document.
fn refuse_bytes(json: bool) -> Result<(), Refusal> {
    if json {
        return Err(Refusal::usage("--json and an ONNX model both want standard output")
            .hint("write the model with -o FILE.onnx, or leave out --json"));
    }
    if io::stdout().is_terminal() {
        return Err(Refusal::usage("an ONNX model is not text, and standard output is a terminal")
            .hint("write it with -o FILE.onnx, or into a pipe"));
    }
    Ok(())
}
