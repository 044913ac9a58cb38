//! Flags of `cwplugin fit`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use cwplugin::{Absent, Search, Select, Ties};

use super::{Asking, Data, parse_timeout};

#[derive(Debug, clap::Args)]
pub(crate) struct Fit {
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA", required_unless_present_any = ["stats", "oracle"])]
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
    /// Give the program of --metric command:PROGRAM so long for each answer [default: 10; 3600 for that of --oracle]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Keep to this limit, METRIC>=NUMBER or METRIC<=NUMBER, on the labelled rows (repeatable), e.g.
    /// 'precision:fraud>=0.9'
    #[arg(long, value_name = "CONSTRAINT", conflicts_with_all = ["stats", "buffer", "unscored"])]
    pub(crate) subject_to: Vec<String>,
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
    /// Learn from what a program answers when it is told weights, one line each: `cwplugin elicit` in one command.
    /// command:PROGRAM, or command-once:PROGRAM for one that answers once and ends. DATA, labelled or not, is a table to
    /// see which weights make a difference; else name the --classes
    #[arg(long, value_name = "PROGRAM", requires = "budget", help_heading = "Oracle options", conflicts_with_all = [
        "stats", "metric", "method", "search", "ties", "absent", "force", "buffer", "unscored", "select", "mixing",
        "learning_curve", "bags", "features", "source_priors", "subject_to",
    ])]
    pub(crate) oracle: Option<String>,
    /// Ask the oracle at most N times
    #[arg(long, value_name = "N", requires = "oracle", help_heading = "Oracle options")]
    pub(crate) budget: Option<u32>,
    /// Keep the oracle's answers in FILE, and go on from there if it exists
    #[arg(long, value_name = "FILE", requires = "oracle", help_heading = "Oracle options")]
    pub(crate) session: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Oracle options")]
    pub(crate) asking: Asking,
    #[command(flatten)]
    pub(crate) data: Data,
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
