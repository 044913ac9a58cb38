//! Flags of `cwplugin stats` and `cwplugin merge`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use cwplugin_export::Dialect;

use super::{Data, dialects, parse_name};

#[derive(Debug, clap::Args)]
pub(crate) struct Stats {
    /// Count the rows of this table; `-` is standard input
    #[arg(value_name = "DATA", required_unless_present = "sql", conflicts_with = "sql")]
    pub(crate) path: Option<PathBuf>,
    /// Print an SQL query for duckdb, datafusion, spark, bigquery, snowflake or postgres instead
    #[arg(long, value_name = "DIALECT", value_parser = dialects(), hide_possible_values = true)]
    pub(crate) sql: Option<Dialect>,
    /// SQL: count the rows of table NAME; a name with a dot or a parenthesis is not quoted, e.g. db.scores
    #[arg(long, value_name = "NAME", value_parser = parse_name, requires = "sql")]
    pub(crate) table: Option<String>,
    /// SQL: read the probabilities from these columns, in the order of --classes [default: prefix + A, …]
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', value_parser = parse_name, conflicts_with = "prefix", requires = "sql")]
    pub(crate) columns: Option<Vec<String>>,
    /// Keep this class fixed: last, NAME or class:NAME
    #[arg(long, value_name = "CLASS", default_value = "last")]
    pub(crate) reference: String,
    /// Count on a grid of N alphas, 0 to (N - 1)/N
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_bins)]
    pub(crate) bins: NonZeroU32,
    /// Write the statistics to FILE, as JSON (.json) or as a table (.parquet, .csv, …), or the query [default: standard
    /// output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Merge {
    /// Add up the statistics in these files
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Write the sum to FILE, as JSON (.json) or as a table (.parquet, .csv, …) [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

fn parse_bins(text: &str) -> Result<NonZeroU32, String> {
    let bins = text.parse().ok().filter(|bins: &NonZeroU32| (2..=1_000_000).contains(&bins.get()));
    bins.ok_or_else(|| "give a whole number from 2 to 1000000".into())
}
