//! A page about a fit.

use std::path::PathBuf;

use super::{Data, Measures};

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
    /// Fit N bootstrap samples of DATA, to see how far the weights go with other labels, and parts of it for the learning
    /// curve; 0 leaves both out [default: 40, on many rows fewer]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub(crate) refits: Option<u16>,
    #[command(flatten)]
    pub(crate) measures: Measures,
    #[command(flatten)]
    pub(crate) data: Data,
}
