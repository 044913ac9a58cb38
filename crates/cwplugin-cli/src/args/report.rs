//! A page about a fit.

use std::path::PathBuf;
use std::time::Duration;

use super::{Data, parse_resamples, parse_timeout};

#[derive(Debug, clap::Args)]
pub(crate) struct Report {
    /// Read the model from this file
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// Read this table, as a rule the one that was fitted; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) path: PathBuf,
    /// Look at these labelled rows, which were not fitted, for everything that is to be judged
    #[arg(long, value_name = "DATA2")]
    pub(crate) test: Option<PathBuf>,
    /// Write the page to FILE [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Show these metrics, all or NAME,… (repeatable)
    #[arg(long, value_name = "NAME", default_value = "all")]
    pub(crate) metric: Vec<String>,
    /// Give the program of --metric command:PROGRAM so long for each answer [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Draw N bootstrap resamples for the intervals
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_resamples)]
    pub(crate) resamples: usize,
    /// Fit N bootstrap samples of DATA, to see how far the weights go with other labels, and parts of it for the learning
    /// curve; 0 leaves both out [default: 40, on many rows fewer]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub(crate) refits: Option<u16>,
    /// Take the features of the model from these columns, or from the numbers in FILE.npy (any table of numbers), row by row
    /// [default: the columns that the model names]
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    #[command(flatten)]
    pub(crate) data: Data,
}
