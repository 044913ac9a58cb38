//! `cwplugin export`: a model as ONNX, SQL, Python or Rust.

mod flags; // the target, and the flags that it does not support

use std::io::{self, IsTerminal as _};
use std::path::Path;

use cwplugin::{Model, quoted};
use cwplugin_export::onnx::{self, Order};
use cwplugin_export::{Error, SqlOptions};
use serde_json::{Value, json};

use super::read_model;
use crate::args::{Common, Export, Target};
use crate::atomic::write_file;
use crate::input::read_bytes;
use crate::output::{Screen, refuse_replacing};
use crate::table::is_stream;
use crate::user_error::UserError;

/// The limit of protocol buffers.
const MAX_ONNX_BYTES: u64 = 2 << 30;

pub(crate) fn run(args: &Export, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let target = flags::target(args)?;
    flags::refuse_unsupported(args, target)?;
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    if target == Target::Onnx && output.is_none() {
        refuse_binary_output(common.json)?;
    }
    let mut inputs = vec![(args.model.as_path(), "the model")];
    inputs.extend(args.append_to.as_deref().map(|path| (path, "the classifier")));
    refuse_replacing(output, &inputs)?;
    let model = read_model(&args.model)?;
    let made = export(args, target, &model)?;
    if let Some(path) = output {
        write_file(path, &made.content)?;
    }
    match (common.json, output) {
        (true, _) => screen.json(&made.json(target, output))?,
        (false, None) => screen.print_bytes(&made.content)?,
        (false, Some(path)) => screen.note_written(path),
    }
    made.notes.iter().for_each(|note| screen.note(note));
    Ok(())
}

/// An export, with facts and notes about it.
struct Exported {
    content: Vec<u8>,
    facts: Vec<(&'static str, Value)>,
    notes: Vec<String>,
}

impl Exported {
    fn text(text: String) -> Self {
        Self { content: text.into_bytes(), facts: Vec::new(), notes: Vec::new() }
    }

    /// The facts, and the text unless it was written to a file.
    fn json(&self, target: Target, output: Option<&Path>) -> Value {
        let mut facts = json!({"to": flags::name(target)});
        for (name, fact) in &self.facts {
            facts[*name] = fact.clone();
        }
        match output {
            Some(path) => facts["output"] = json!(path.display().to_string()),
            None => facts["text"] = json!(String::from_utf8_lossy(&self.content)),
        }
        facts
    }
}

fn export(args: &Export, target: Target, model: &Model) -> anyhow::Result<Exported> {
    let name = args.model.display().to_string();
    let user_error = |error: Error| user_error(&name, &error);
    match (target, &args.append_to, args.dialect) {
        (Target::Onnx, Some(path), _) => append(args, model, path),
        (Target::Onnx, None, _) => {
            if args.scores.is_some() && model.rule().n_features().is_some() {
                let what = format!("--scores is not supported by {name}, which uses features");
                return Err(UserError::usage(what).hint("omit --scores").into());
            }
            let content = onnx::model(model, &options(args)).map_err(user_error)?;
            Ok(Exported { content, facts: vec![("outputs", json!(["label", "scores"]))], notes: Vec::new() })
        }
        (Target::Sql, _, Some(dialect)) => {
            let mut options = SqlOptions::default();
            if let Some(prefix) = &args.prefix {
                options = options.prefix(prefix);
            }
            if let Some(columns) = &args.columns {
                options = options.columns(columns.clone());
            }
            let text = cwplugin_export::sql(model, dialect, &options).map_err(user_error)?;
            Ok(Exported { facts: vec![("dialect", json!(dialect.name()))], ..Exported::text(text) })
        }
        (Target::Sql, _, None) => Err(UserError::usage("--to sql needs --dialect")
            .hint("add --dialect duckdb, datafusion, spark, bigquery, snowflake or postgres")
            .into()),
        (Target::Python, ..) => Ok(Exported::text(cwplugin_export::python(model).map_err(user_error)?)),
        (Target::Rust, ..) => Ok(Exported::text(cwplugin_export::rust(model).map_err(user_error)?)),
    }
}

/// Appends the model to a classifier.
fn append(args: &Export, model: &Model, path: &Path) -> anyhow::Result<Exported> {
    let name = path.display().to_string();
    let hint = "--append-to needs the ONNX file of the classifier; save large weights as external data";
    let existing = read_bytes(path, "an ONNX model", MAX_ONNX_BYTES, hint)?;
    let appended = onnx::append_to(model, &existing, &options(args));
    let appended = appended.map_err(|error| match error {
        Error::TakesFeatures => user_error(&args.model.display().to_string(), &error),
        error => user_error(&name, &error),
    })?;
    let facts = vec![
        ("tensor", json!(appended.tensor)),
        ("outputs", json!(appended.outputs)),
        ("is_order_known", json!(appended.is_order_known)),
    ];
    let mut notes = vec![format!(
        "added outputs {} and {}, computed from {}",
        appended.outputs[0], appended.outputs[1], appended.tensor
    )];
    if !appended.is_order_known {
        notes.push(format!("its columns are matched by position to the classes {}", quoted(model.classes())));
    }
    Ok(Exported { content: appended.bytes, facts, notes })
}

fn options(args: &Export) -> onnx::Options {
    let mut options = onnx::Options::default();
    if let Some(input) = args.input {
        options = options.element(input);
    }
    if let Some(scores) = args.scores {
        options = options.scores(scores);
    }
    if let Some(name) = &args.output_name {
        options = options.output(name);
    }
    if args.by_position {
        options = options.order(Order::ByPosition);
    }
    options
}

/// The error, with the flags of this command in the hint.
fn user_error(name: &str, error: &Error) -> UserError {
    let cure = match error {
        Error::WrongColumns { .. } | Error::UnnamedFeatures { .. } => {
            "name one column per class or feature, in the model's order: --columns X,Y,Z".into()
        }
        Error::TooLong { .. } => "--to onnx, --to python or --to rust has no such limit".into(),
        Error::TakesFeatures => "omit --append-to: the model replaces the classifier".into(),
        Error::WhichOutput { .. } | Error::NoSuchOutput { .. } | Error::WrongShape { .. } => {
            format!("{}: --output-name NAME", error.cure())
        }
        Error::OtherClasses { .. } => {
            "fit the model with these class names, or match the classes by position with --by-position".into()
        }
        error => error.cure().to_string(),
    };
    UserError::new(format!("{name}: {error}")).hint(cure)
}

/// Refuses binary output to a terminal, or beside JSON.
fn refuse_binary_output(json: bool) -> Result<(), UserError> {
    if json {
        return Err(UserError::usage("--json and the ONNX model both write to standard output")
            .hint("write the model with -o FILE.onnx, or omit --json"));
    }
    if io::stdout().is_terminal() {
        return Err(UserError::usage("an ONNX model cannot be printed to a terminal")
            .hint("write it with -o FILE.onnx, or to a pipe"));
    }
    Ok(())
}
