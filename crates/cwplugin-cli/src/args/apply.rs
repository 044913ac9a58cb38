//! Flags of `cwplugin apply`.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;

use super::Data;
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
