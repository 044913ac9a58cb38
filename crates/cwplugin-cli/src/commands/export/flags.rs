//! Which target, and what means nothing to it.

use std::path::Path;

use clap::ValueEnum as _;

use crate::args::{Export, Target};
use crate::refusal::Refusal;
use crate::table::is_stream;

/// What the user says, else what the output's name says.
pub(super) fn target(args: &Export) -> Result<Target, Refusal> {
    let path = args.output.as_deref().filter(|path| !is_stream(path));
    if let Some(target) = args.to.or(path.and_then(of_name)) {
        return Ok(target);
    }
    let what = match path {
        Some(path) => format!("{}: the name says no known target", path.display()),
        None => "no target was given".into(),
    };
    Err(Refusal::usage(what).hint("add --to onnx, sql, python or rust"))
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

/// As it is written on the command line.
pub(super) fn name(target: Target) -> String {
    target.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}

/// Refuses a flag of another target, before someone believes that it did something.
pub(super) fn refuse_meaningless(args: &Export, target: Target) -> Result<(), Refusal> {
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
    let meaningless = flags.into_iter().find(|(_, is_given, of)| *is_given && *of != target);
    if let Some((flag, _, of)) = meaningless {
        let what = format!("{flag} means nothing to --to {}", name(target));
        return Err(Refusal::usage(what).hint(format!("leave out {flag}, or choose --to {}", name(of))));
    }
    match args.append_to {
        Some(_) if args.input.is_some() => Err(Refusal::usage("--input means nothing with --append-to")
            .hint("leave out --input: the classifier has inputs of its own")),
        None if args.output_name.is_some() || args.by_position => {
            let flag = if args.by_position { "--by-position" } else { "--output-name" };
            Err(Refusal::usage(format!("{flag} means nothing without --append-to"))
                .hint(format!("leave out {flag}, or name the classifier: --append-to FILE.onnx")))
        }
        _ => Ok(()),
    }
}
