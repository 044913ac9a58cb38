//! Flags of `cwplugin export`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use cwplugin::Scores;
use cwplugin_export::Dialect;
use cwplugin_export::onnx::Element;

use super::{dialects, one_of, parse_name, scales};

#[derive(Debug, clap::Args)]
pub(crate) struct Export {
    /// Read the model from this file
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// Export as onnx, sql, python or rust [default: by the extension of FILE]
    #[arg(long, value_name = "TARGET", hide_possible_values = true)]
    pub(crate) to: Option<Target>,
    /// Write the export to FILE [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// SQL: write for duckdb, datafusion, spark, bigquery, snowflake or postgres
    #[arg(long, value_name = "DIALECT", value_parser = dialects(), hide_possible_values = true)]
    pub(crate) dialect: Option<Dialect>,
    /// SQL: read the probability of class A from column TEXT + A [default: p_]
    #[arg(long, value_name = "TEXT")]
    pub(crate) prefix: Option<String>,
    /// SQL: read these columns, in the order of the model's classes or features
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', value_parser = parse_name, conflicts_with = "prefix")]
    pub(crate) columns: Option<Vec<String>>,
    /// ONNX: use double or float inputs [default: double]
    #[arg(long, value_name = "TYPE", hide_possible_values = true, value_parser = elements())]
    pub(crate) input: Option<Element>,
    /// ONNX: interpret the inputs as probabilities, logits or logprobs [default: probabilities]
    #[arg(long, value_name = "KIND", hide_possible_values = true, value_parser = scales())]
    pub(crate) scores: Option<Scores>,
    /// ONNX: append the model to the classifier in this file, which keeps its own outputs
    #[arg(long, value_name = "FILE.onnx")]
    pub(crate) append_to: Option<PathBuf>,
    /// ONNX: read the probabilities from output NAME of that classifier [default: the only possible one]
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) output_name: Option<String>,
    /// ONNX: match the classes of that classifier by position, not by name
    #[arg(long)]
    pub(crate) by_position: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    /// An ONNX graph
    Onnx,
    /// One expression
    Sql,
    /// One module without dependencies
    Python,
    /// One file without dependencies
    Rust,
}

fn elements() -> impl TypedValueParser<Value = Element> {
    one_of([("double", Element::Double), ("float", Element::Float)])
}
