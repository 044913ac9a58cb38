//! Flags of `cwplugin report`.

use std::path::PathBuf;

use super::{Data, Measures};

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
    /// both [default: 40, fewer for many rows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1000))]
    pub(crate) refits: Option<u16>,
    #[command(flatten)]
    pub(crate) measures: Measures,
    #[command(flatten)]
    pub(crate) data: Data,
}
