//! Flags of `lab bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use cwplugin::Step;
use cwplugin_cli::parse_timeout;

#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Generate N random rows
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = parse_rows)]
    pub(crate) rows: usize,
    /// Generate M classes
    #[arg(long, value_name = "M", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub(crate) classes: u32,
    /// Store the probabilities as f32 or f64
    #[arg(long, value_name = "TYPE", hide_possible_values = true, default_value = "f64")]
    pub(crate) dtype: Dtype,
    /// Use the rows of this table instead of random ones
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rows", "classes"])]
    pub(crate) data: Option<PathBuf>,
    /// Measure only how long it takes to decode the table
    #[arg(long, requires = "data")]
    pub(crate) decode: bool,
    /// Measure the fit of every method instead
    #[arg(long, conflicts_with = "decode")]
    pub(crate) fits: bool,
    /// Measure the fit of this method only
    #[arg(long, value_name = "NAME", requires = "fits", conflicts_with = "decode")]
    pub(crate) method: Option<String>,
    /// Search a grid of step EPS
    #[arg(long, value_name = "EPS", default_value = "0.01", value_parser = parse_step)]
    pub(crate) step: Step,
    /// Maximise this metric
    #[arg(long, value_name = "NAME", default_value = "macro-f1")]
    pub(crate) metric: String,
    /// Wait this long for each answer of --metric command:PROGRAM [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Run everything N times and take the median
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) repeats: u16,
}

/// How numbers are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dtype {
    /// Single precision
    F32,
    /// Double precision
    F64,
}

fn parse_rows(text: &str) -> Result<usize, String> {
    // Accept 1e7 for ten million.
    let n = text.parse::<f64>().ok().filter(|n| (1.0..=1e10).contains(n) && n.fract() <= 0.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a whole number from 1 to 1e10
    n.map(|n| n as usize).ok_or_else(|| "give a whole number from 1 to 1e10".into())
}

fn parse_step(text: &str) -> Result<Step, String> {
    let step = text.parse::<f64>().ok().and_then(|epsilon| Step::try_from(epsilon).ok());
    step.ok_or_else(|| "give a number from 1e-6 to 0.5".into())
}
