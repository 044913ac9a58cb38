//! What the user asked for.

mod bench; // measuring
mod compare; // methods side by side
mod elicit; // a metric that can only be queried
mod experiment; // the paper's tables
mod stats; // counters instead of rows

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{Parser, Subcommand, ValueEnum};
use cwplugin::{Absent, RowSums, Scores, Search, Select, Ties};

pub(crate) use bench::{Bench, Dtype};
pub(crate) use compare::{Compare, Spoil, TestColumn, parse_spoil};
pub(crate) use elicit::{Ask, Elicit, Finish, Start, Status, Tell};
pub(crate) use experiment::Experiment;
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
pub(crate) struct Common {
    /// Print one JSON document on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print no progress, no warnings and no hints
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Use N threads [default: all cores]; the result is the same for any number
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Seed everything random with N
    #[arg(long, value_name = "N", default_value_t = 0, global = true)]
    pub(crate) seed: u64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Learn one weight per class from labelled probabilities
    Fit(Fit),
    /// Predict with a model: the input's columns plus `prediction`
    Apply(Apply),
    /// Print every metric before and after, with intervals
    Eval(Eval),
    /// Count what a grid fit needs, or print the SQL query that does
    Stats(Stats),
    /// Add up statistics of parts of the rows
    Merge(Merge),
    /// Compare methods on samples of several sizes
    Compare(Compare),
    /// Run the paper's experiments, on files or generated rows, and measure its theory
    Experiment(Experiment),
    /// Learn weights from a number that only deploying them can tell
    #[command(subcommand)]
    Elicit(Elicit),
    /// List the metrics with their formulas
    Metrics,
    /// List the methods
    Methods,
    /// Run the whole story on built-in data
    Demo(Demo),
    /// Measure how fast this machine fits and predicts
    Bench(Bench),
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SelectArg {
    /// On the very rows that are fitted
    InSample,
    /// On held-out rows
    Cv,
}

impl From<SelectArg> for Select {
    fn from(how: SelectArg) -> Self {
        match how {
            SelectArg::InSample => Self::InSample,
            SelectArg::Cv => Self::CrossValidation,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Fit {
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA", required_unless_present = "stats")]
    pub(crate) path: Option<PathBuf>,
    /// Fit from the statistics in FILE instead of rows
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "path", "format", "label", "classes", "prefix", "weight", "id", "scores", "normalize", "delimiter", "buffer",
        "unscored", "features", "source_priors", "bags",
    ])]
    pub(crate) stats: Option<PathBuf>,
    /// Maximise this metric; `cwplugin metrics` lists them
    #[arg(long, value_name = "NAME", default_value = "macro-f1")]
    pub(crate) metric: String,
    /// Give the program of --metric command:PROGRAM so long for each answer [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Use this method; `cwplugin methods` lists them [default: auto; cwplugin with --stats or one of the next seven
    /// flags, which are its own]
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// Keep this class fixed: last, largest, best, NAME or class:NAME [default: largest]
    #[arg(long, value_name = "CLASS")]
    pub(crate) reference: Option<String>,
    /// Try these alphas: exact, grid:EPS or binary:EPS [default: exact]
    #[arg(long, value_name = "SEARCH", value_parser = parse_search)]
    pub(crate) search: Option<Search>,
    /// Among equally good alphas take: first, nearest-half or middle [default: middle]
    #[arg(long, value_name = "RULE", value_parser = parse_ties)]
    pub(crate) ties: Option<Ties>,
    /// Give a class without labelled rows weight 1 (keep) or 0 (drop) [default: keep]
    #[arg(long, value_name = "RULE", value_parser = parse_absent)]
    pub(crate) absent: Option<Absent>,
    /// Let binary search run on a metric that may have several peaks
    #[arg(long)]
    pub(crate) force: bool,
    /// With a grid or binary search keep at most N MiB of rows in memory; beyond that they are counted and forgotten
    /// [default: 64]
    #[arg(long, value_name = "N")]
    pub(crate) buffer: Option<u32>,
    /// Do not score the rows before and after: a file beyond the buffer is then read once, not twice
    #[arg(long)]
    pub(crate) unscored: bool,
    /// Choose the penalty of dirichlet-diag and dirichlet-full by the log loss of the rows themselves (in-sample) or of
    /// held-out rows (cv) [default: in-sample]
    #[arg(long, value_name = "HOW", hide_possible_values = true)]
    pub(crate) select: Option<SelectArg>,
    /// Let the label of a labelled row count with this share in expected, from 0 to 1, beside the mended probabilities
    /// [default: 0]
    #[arg(long, value_name = "SHARE", value_parser = parse_mixing)]
    pub(crate) mixing: Option<f64>,
    /// Show what fewer labels would have brought, and how many more would be needed: fits parts of the labelled rows and
    /// scores them on the others
    #[arg(long, conflicts_with_all = ["stats", "buffer"])]
    pub(crate) learning_curve: bool,
    /// Let bagged refit on N bootstrap samples [default: 50, on very many rows fewer]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000))]
    pub(crate) bags: Option<u16>,
    /// Learn a model from these columns, or from the numbers in FILE.npy (any table of numbers), row by row
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Tell label-shift the shares that the black box learned from: a=0.6,b=0.4, or 0.6,0.4 in the order of the classes, or
    /// a CSV or JSON file; then unlabelled rows count too, and there may be no labels at all
    #[arg(long, value_name = "PRIORS")]
    pub(crate) source_priors: Option<String>,
    /// Write the model to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) data: Data,
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
    /// Print these metrics, all or NAME,… (repeatable)
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
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Write the demo's tables (sample.csv, test.csv) into DIR and stop
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
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

fn parse_timeout(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "give seconds from 0.001 to 86400, e.g. 30".into())
}

fn parse_mixing(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "give a share from 0 to 1, e.g. 0.5".into())
}

fn parse_search(text: &str) -> Result<Search, String> {
    text.parse::<Search>().map_err(|error| match error {
        cwplugin::Error::BadStep { .. } => error.to_string(),
        _ => "write exact, grid:EPS or binary:EPS, e.g. grid:0.01".into(),
    })
}

fn parse_ties(text: &str) -> Result<Ties, String> {
    text.parse().map_err(|_| "write first, nearest-half or middle".into())
}

fn parse_absent(text: &str) -> Result<Absent, String> {
    text.parse().map_err(|_| "write keep or drop".into())
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
