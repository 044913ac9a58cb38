//! Flags of `cwplugin stats`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use super::{Data, parse_name};
use crate::commands::stats::Dialect;

#[derive(Debug, clap::Args)]
pub(crate) struct Stats {
    /// Print the query for duckdb, datafusion, spark, bigquery, snowflake or postgres
    #[arg(long, value_name = "DIALECT", hide_possible_values = true)]
    pub(crate) sql: Dialect,
    /// Count the rows of table NAME; one with a dot or a parenthesis is taken as written, e.g. db.scores
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    pub(crate) table: Option<String>,
    /// Take the probabilities of the classes from these columns, in this order [default: prefix + A, …]
    #[arg(long, value_name = "X,Y,Z", value_delimiter = ',', value_parser = parse_name, conflicts_with = "prefix")]
    pub(crate) columns: Option<Vec<String>>,
    /// Keep this class fixed: last, NAME or class:NAME
    #[arg(long, value_name = "CLASS", default_value = "last")]
    pub(crate) reference: String,
    /// Count on a grid of N alphas, 0 to (N - 1)/N
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_bins)]
    pub(crate) bins: NonZeroU32,
    /// Write the query to FILE [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) data: Data,
}

fn parse_bins(text: &str) -> Result<NonZeroU32, String> {
    let bins = text.parse().ok().filter(|bins: &NonZeroU32| (2..=1_000_000).contains(&bins.get()));
    bins.ok_or_else(|| "give a whole number from 2 to 1000000".into())
}
