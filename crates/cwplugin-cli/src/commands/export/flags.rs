//! The target of an export, and the flags that it does not support.

use std::path::Path;

use clap::ValueEnum as _;

use crate::args::{Export, Target};
use crate::table::is_stream;
use crate::user_error::UserError;

/// The target by `--to`, else by the extension of the output.
pub(super) fn target(args: &Export) -> Result<Target, UserError> {
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
pub(super) fn name(target: Target) -> String {
    target.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}

/// Refuses a flag of another target.
pub(super) fn refuse_unsupported(args: &Export, target: Target) -> Result<(), UserError> {
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
        let what = format!("{flag} is not supported by --to {}", name(target));
        return Err(UserError::usage(what).hint(format!("omit {flag}, or use --to {}", name(of))));
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
