//! Flags of the commands that use a model: `cwplugin apply`, `eval`, `report` and `export`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{NonEmptyStringValueParser, TypedValueParser};
use cwplugin::Scores;
use cwplugin_export::Dialect;
use cwplugin_export::onnx::Element;

use super::{Data, dialects, one_of, parse_name, parse_timeout, scales};
use crate::table::Format;

#[derive(Debug, clap::Args)]
pub(crate) struct Apply {
    /// Read the model from this file
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) path: PathBuf,
    /// Write the table to FILE [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the table as csv, tsv, jsonl, parquet or arrow [default: by the extension of FILE, else the input's format;
    /// csv instead of a binary format on standard output, and instead of npy or npz]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: Option<Format>,
    /// Name the new column NAME
    #[arg(long, value_name = "NAME", default_value = "prediction", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) prediction: String,
    /// Also write the adjusted scores, as columns `score_CLASS` that sum to 1
    #[arg(long)]
    pub(crate) scores_out: bool,
    /// Read the model's features from these columns, or row by row from FILE.npy or another table of numbers [default: the
    /// columns named in the model]
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Debug, clap::Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct Eval {
    /// Compare the unadjusted black box with the model in this file
    #[arg(value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA", required = true)]
    pub(crate) path: PathBuf,
    /// Print the whole confusion matrix, not only the largest confusions, of more than 12 classes
    #[arg(long)]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) measures: Measures,
    #[command(flatten)]
    pub(crate) data: Data,
}

/// Which metrics, and their confidence intervals.
#[derive(Debug, clap::Args)]
pub(crate) struct Measures {
    /// Evaluate these metrics, all or NAME,… (repeatable)
    #[arg(long, value_name = "NAME", default_value = "all")]
    pub(crate) metric: Vec<String>,
    /// Wait this long for each answer of --metric command:PROGRAM [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Draw N bootstrap resamples for the confidence intervals
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_resamples)]
    pub(crate) resamples: usize,
    /// Read the model's features from these columns, or row by row from FILE.npy or another table of numbers [default: the
    /// columns named in the model]
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
}

fn parse_resamples(text: &str) -> Result<usize, String> {
    let n = text.parse().ok().filter(|n| (1..=100_000).contains(n));
    n.ok_or_else(|| "give a whole number from 1 to 100000".into())
}

#[derive(Debug, clap::Args)]
pub(crate) struct Report {
    /// Read the model from this file
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// Read this table, usually the one that was fitted; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) path: PathBuf,
    /// Evaluate on these labelled rows, which were not used in the fit
    #[arg(long, value_name = "DATA2")]
    pub(crate) test: Option<PathBuf>,
    /// Write the HTML page to FILE [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Refit N bootstrap samples of DATA to show the variation of the weights, and subsets for the learning curve; 0 skips
    /// both [default: 40, fewer for many rows or classes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub(crate) refits: Option<u16>,
    #[command(flatten)]
    pub(crate) measures: Measures,
    #[command(flatten)]
    pub(crate) data: Data,
}

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
