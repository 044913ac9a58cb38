//! `cwplugin export`: a model as ONNX, SQL, Python or Rust.

use std::io::{self, IsTerminal as _};
use std::path::Path;

use clap::ValueEnum as _;
use cwplugin::Model;
use cwplugin::data::quoted;
use cwplugin_export::onnx::{self, Order};
use cwplugin_export::{Error, SqlOptions};
use serde_json::{Value, json};

use super::{deliver, read_model};
use crate::args::{Common, Export, Target};
use crate::output::{Screen, refuse_replacing};
use crate::table::is_stream;
use crate::user_error::UserError;
use crate::whole_file::read_bytes;

/// The limit of protocol buffers.
const MAX_ONNX_BYTES: u64 = 2 << 30;

pub(crate) fn run(args: &Export, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let target = chosen_target(args)?;
    refuse_unsupported(args, target)?;
    let output = args.output.as_deref().filter(|path| !is_stream(path));
    if target == Target::Onnx && output.is_none() {
        refuse_binary_output(common.json)?;
    }
    let mut inputs = vec![(args.model.as_path(), "the model")];
    inputs.extend(args.append_to.as_deref().map(|path| (path, "the classifier")));
    refuse_replacing("-o", output, &inputs)?;
    let model = read_model(&args.model)?;
    let made = export(args, target, &model)?;
    let facts = common.json.then(|| made.json(target, output));
    deliver(&made.content, output, facts.as_ref(), screen)?;
    made.notes.iter().for_each(|note| screen.note(note));
    let input = model.input();
    let mut rest = input.clone();
    if target == Target::Onnx {
        rest.scores = None; // the graph converts them
    }
    if !rest.is_plain() {
        let what = "note: the model was fitted on raw input (`input` in the model file); the export takes probabilities";
        screen.note(format_args!("{what} of {}", quoted(model.classes())));
    }
    Ok(())
}

/// The target by `--to`, else by the extension of the output.
fn chosen_target(args: &Export) -> Result<Target, UserError> {
    let path = args.output.as_deref().filter(|path| !is_stream(path));
    if let Some(target) = args.to.or(path.and_then(of_name)) {
        return Ok(target);
    }
    let what = match path {
        Some(path) => format!("{}: unknown extension", path.display()),
        None => "no target".into(),
    };
    Err(UserError::usage(what).hint("add --to onnx, sql, python or rust"))
}

fn of_name(path: &Path) -> Option<Target> {
    match path.extension()?.to_str()? {
        "onnx" => Some(Target::Onnx),
        "sql" => Some(Target::Sql),
        "py" => Some(Target::Python),
        "rs" => Some(Target::Rust),
        _ => None,
    }
}

/// Its name on the command line.
fn name_of(target: Target) -> String {
    target.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}

/// Refuses a flag of another target.
fn refuse_unsupported(args: &Export, target: Target) -> Result<(), UserError> {
    let flags = [
        ("--dialect", args.dialect.is_some(), Target::Sql),
        ("--prefix", args.prefix.is_some(), Target::Sql),
        ("--columns", args.columns.is_some(), Target::Sql),
        ("--input", args.input.is_some(), Target::Onnx),
        ("--scores", args.scores.is_some(), Target::Onnx),
        ("--append-to", args.append_to.is_some(), Target::Onnx),
        ("--output-name", args.output_name.is_some(), Target::Onnx),
        ("--by-position", args.by_position, Target::Onnx),
    ];
    let unsupported = flags.into_iter().find(|(_, is_given, of)| *is_given && *of != target);
    if let Some((flag, _, of)) = unsupported {
        let what = format!("{flag} is not supported by --to {}", name_of(target));
        return Err(UserError::usage(what).hint(format!("omit {flag}, or use --to {}", name_of(of))));
    }
    match args.append_to {
        Some(_) if args.input.is_some() => Err(UserError::usage("--input is not supported with --append-to")
            .hint("omit --input: the classifier has its own inputs")),
        None if args.output_name.is_some() || args.by_position => {
            let flag = if args.by_position { "--by-position" } else { "--output-name" };
            Err(UserError::usage(format!("{flag} is not supported without --append-to"))
                .hint(format!("omit {flag}, or name the classifier: --append-to FILE.onnx")))
        }
        _ => Ok(()),
    }
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
        let mut facts = json!({"to": name_of(target)});
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
            let content = onnx::model(model, &options(args, model)).map_err(user_error)?;
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
    let appended = onnx::append_to(model, &existing, &options(args, model));
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

/// The options of the user; the scale of the numbers is by default that of the fit.
fn options(args: &Export, model: &Model) -> onnx::Options {
    let mut options = onnx::Options::default();
    if let Some(input) = args.input {
        options = options.element(input);
    }
    if let Some(scores) = args.scores.or(model.input().scores) {
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
