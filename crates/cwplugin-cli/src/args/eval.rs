//! Flags of `cwplugin eval`, and those that it shares with `cwplugin report`.

use std::path::PathBuf;
use std::time::Duration;

use super::{Data, parse_timeout};

#[derive(Debug, clap::Args)]
pub(crate) struct Eval {
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) path: PathBuf,
    /// Compare the unadjusted black box with this model
    #[arg(long, short, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
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
