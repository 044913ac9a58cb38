//! What the user asked for.

mod compare; // methods side by side
mod elicit; // a metric that can only be queried
mod export; // models for other engines
mod fit; // every method's flags
mod report; // a page about a fit
mod stats; // counters instead of rows

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use cwplugin::{RowSums, Scores};
use cwplugin_export::Dialect;

pub(crate) use compare::{Compare, TestColumn};
pub use compare::{Spoil, parse_spoil};
pub(crate) use elicit::{Ask, Asking, Elicit, Finish, Run, Start, Status, Tell};
pub(crate) use export::{Export, Target};
pub(crate) use fit::Fit;
pub(crate) use report::Report;
pub(crate) use stats::{Merge, Stats};

use crate::table::Format;

/// Adapt a classifier that you can only query: learn one weight per class from its probabilities and a few labels, so
/// that your metric is maximised.
#[derive(Debug, Parser)]
#[command(
    name = "cwplugin",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "`cwplugin demo` shows it all on built-in data; `cwplugin COMMAND -h` lists the options of a command."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Flags of every command.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Print one JSON document on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Print no progress, no warnings and no hints
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Use N threads [default: all cores]; the result is the same for any number
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Seed everything random with N
    #[arg(long, value_name = "N", default_value_t = 0, global = true)]
    pub seed: u64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Learn one weight per class from labelled probabilities
    Fit(Fit),
    /// Predict with a model: the input's columns plus `prediction`
    Apply(Apply),
    /// Print every metric before and after, with intervals
    Eval(Eval),
    /// Write a page about a model: what it changes, what to expect, and sliders to try
    Report(Report),
    /// Write a model as ONNX, SQL, Python or Rust, to run it elsewhere
    Export(Export),
    /// Count what a grid fit needs, or print the SQL query that does
    Stats(Stats),
    /// Add up statistics of parts of the rows
    Merge(Merge),
    /// Compare methods on samples of several sizes
    Compare(Compare),
    /// Learn weights from a number that only deploying them can tell
    #[command(subcommand)]
    Elicit(Elicit),
    /// List the metrics with their formulas
    Metrics,
    /// List the methods
    Methods,
    /// Run an end-to-end example on built-in data
    Demo(Demo),
}

/// How to read the rows and which columns mean what.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Input options")]
pub(crate) struct Data {
    /// Read the table as csv, tsv, jsonl, parquet, arrow, npy or npz [default: by extension or content]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) format: Option<Format>,
    /// Take labels from column NAME, or from a second array FILE.npy; an empty label is an unlabelled row
    #[arg(long, value_name = "NAME", default_value = "label")]
    pub(crate) label: String,
    /// Take these classes, in this order: columns A, B, C or prefix + A, …
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = parse_name)]
    pub(crate) classes: Option<Vec<String>>,
    /// Take every column that begins with TEXT as a class [default: p_, prob_ or proba_, else all numeric columns]
    #[arg(long, value_name = "TEXT")]
    pub(crate) prefix: Option<String>,
    /// Weigh the rows by column NAME
    #[arg(long, value_name = "NAME")]
    pub(crate) weight: Option<String>,
    /// Keep these columns out of the classes
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) id: Vec<String>,
    /// Take the numbers as probabilities, logits or logprobs
    #[arg(long, value_name = "KIND", hide_possible_values = true, default_value = "probabilities")]
    pub(crate) scores: ScoresArg,
    /// Divide every row by its sum
    #[arg(long)]
    pub(crate) normalize: bool,
    /// Split CSV fields at CHAR [default: , or ; or tab, by the header]
    #[arg(long, value_name = "CHAR", value_parser = parse_delimiter)]
    pub(crate) delimiter: Option<u8>,
}

impl Data {
    /// No option at all.
    pub(crate) fn plain() -> Self {
        Self {
            format: None,
            label: "label".into(),
            classes: None,
            prefix: None,
            weight: None,
            id: Vec::new(),
            scores: ScoresArg::Probabilities,
            normalize: false,
            delimiter: None,
        }
    }

    /// The options that differ from none at all, as they are written.
    pub(crate) fn flags(&self) -> Vec<String> {
        fn name_of(value: &impl ValueEnum) -> Option<String> {
            value.to_possible_value().map(|value| value.get_name().to_string())
        }
        let list = |names: &[String]| (!names.is_empty()).then(|| names.join(","));
        let options = [
            ("--format", self.format.as_ref().and_then(name_of)),
            ("--label", (self.label != "label").then(|| self.label.clone())),
            ("--classes", self.classes.as_deref().and_then(list)),
            ("--prefix", self.prefix.clone()),
            ("--weight", self.weight.clone()),
            ("--id", list(&self.id)),
            ("--scores", name_of(&self.scores).filter(|_| self.scores != ScoresArg::Probabilities)),
            ("--delimiter", self.delimiter.map(|byte| char::from(byte).to_string())),
        ];
        let told = options.into_iter().filter_map(|(name, value)| Some([name.to_string(), value?]));
        told.flatten().chain(self.normalize.then(|| "--normalize".to_string())).collect()
    }

    pub(crate) fn row_sums(&self) -> RowSums {
        if self.normalize { RowSums::Normalize } else { RowSums::MustBeOne }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoresArg {
    /// They sum to 1 in every row
    Probabilities,
    /// A softmax makes them probabilities
    Logits,
    /// Their exponentials are probabilities
    Logprobs,
}

impl From<ScoresArg> for Scores {
    fn from(kind: ScoresArg) -> Self {
        match kind {
            ScoresArg::Probabilities => Self::Probabilities,
            ScoresArg::Logits => Self::Logits,
            ScoresArg::Logprobs => Self::Logprobs,
        }
    }
}

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
    /// Write the table as FORMAT [default: by the extension of FILE, else as the input; a binary table goes to
    /// standard output as csv]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: Option<Format>,
    /// Call the new column NAME
    #[arg(long, value_name = "NAME", default_value = "prediction", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) prediction: String,
    /// Write the re-weighted scores too, as columns `score_CLASS` that sum to 1
    #[arg(long)]
    pub(crate) scores_out: bool,
    /// Take the features of the model from these columns, or from the numbers in FILE.npy (any table of numbers), row by row
    /// [default: the columns that the model names]
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Eval {
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) path: PathBuf,
    /// Compare the black box with this model
    #[arg(long, short, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) measures: Measures,
    #[command(flatten)]
    pub(crate) data: Data,
}

/// Which metrics, and how sure one can be of them.
#[derive(Debug, clap::Args)]
pub(crate) struct Measures {
    /// Look at these metrics, all or NAME,… (repeatable)
    #[arg(long, value_name = "NAME", default_value = "all")]
    pub(crate) metric: Vec<String>,
    /// Give the program of --metric command:PROGRAM so long for each answer [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Draw N bootstrap resamples for the intervals
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_resamples)]
    pub(crate) resamples: usize,
    /// Take the features of the model from these columns, or from the numbers in FILE.npy (any table of numbers), row by row
    /// [default: the columns that the model names]
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Write the demo's tables (sample.csv, test.csv) into DIR and stop
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
}

/// Reads the name of an SQL dialect.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = PossibleValuesParser::new(Dialect::ALL.map(Dialect::name));
    names.try_map(|name| Dialect::by_name(&name).ok_or("there is no such dialect"))
}

fn parse_delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"\\t" | b"tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err("give one ASCII character, or tab".into()),
    }
}

/// A name in a list: people put blanks behind the commas.
fn parse_name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("give a name between all commas".into()),
        name => Ok(name.to_string()),
    }
}

fn parse_resamples(text: &str) -> Result<usize, String> {
    let n = text.parse().ok().filter(|n| (1..=100_000).contains(n));
    n.ok_or_else(|| "give a whole number from 1 to 100000".into())
}

/// Reads how long a program may take, in seconds.
///
/// # Errors
///
/// What to write instead.
pub fn parse_timeout(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "give seconds from 0.001 to 86400, e.g. 30".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_flag_has_a_help_line() {
        for command in Args::command().get_subcommands() {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
            }
        }
    }

    #[test]
    fn a_delimiter_is_one_character_or_tab() {
        assert_eq!(parse_delimiter(";"), Ok(b';'));
        assert_eq!(parse_delimiter("tab"), Ok(b'\t'));
        assert!(parse_delimiter("::").is_err());
        assert!(parse_delimiter("\"").is_err());
    }
}
