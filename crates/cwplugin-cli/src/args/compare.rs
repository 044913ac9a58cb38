//! Comparing methods.

use std::path::PathBuf;
use std::time::Duration;

use super::fit::MethodOptions;
use super::{Data, parse_timeout};

#[derive(Debug, clap::Args)]
pub(crate) struct Compare {
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) path: PathBuf,
    /// Compare these methods; `cwplugin methods` lists them [default: all that the table has columns for]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,
    /// Fit for and score with these metrics
    #[arg(
        long,
        alias = "metric",
        value_name = "NAME,…",
        default_value = "accuracy,macro-f1,macro-g-mean,mcc,macro-fowlkes-mallows"
    )]
    pub(crate) metrics: Vec<String>,
    /// Give the program of --metrics command:PROGRAM so long for each answer [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Draw samples of these sizes [default: 50,100,160,250,400, as far as there are rows]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sizes: Vec<u32>,
    /// Draw N samples of each size
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) repeats: u32,
    /// Keep this share of the labelled rows for testing
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = parse_test_share, conflicts_with = "test_column")]
    pub(crate) test_share: f64,
    /// Test on the rows whose column NAME holds VALUE, draw samples from the others
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_test_column)]
    pub(crate) test_column: Option<TestColumn>,
    /// Delete this share of the rows of these classes, in the pool and in the test rows (repeatable)
    #[arg(long, value_name = "CLASS,…:SHARE", value_parser = parse_spoil)]
    pub(crate) shift: Vec<Spoil>,
    /// Give this share of the rows of these classes another label, in the samples only (repeatable)
    #[arg(long, value_name = "CLASS,…:SHARE", value_parser = parse_spoil)]
    pub(crate) noise: Vec<Spoil>,
    /// Add to every sample up to N other rows of the pool without their labels, for methods that use such rows [default: 500]
    #[arg(long, value_name = "N")]
    pub(crate) unlabelled: Option<u32>,
    /// Let `logistic` learn from these columns, or from the numbers in FILE.npy (any table of numbers), row by row
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Write every cell to FILE, as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Draw one picture per metric into DIR, as SVG: the metric against the size of the sample
    #[arg(long, value_name = "DIR")]
    pub(crate) plot: Option<PathBuf>,
    /// Write a page with a picture and a table per metric to FILE
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: MethodOptions,
    #[command(flatten)]
    pub(crate) data: Data,
}

/// The rows to test on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestColumn {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// Some classes and a share: what is done to their rows depends on the flag.
#[derive(Debug, Clone, PartialEq)]
pub struct Spoil {
    /// As written, with commas between the classes.
    pub(crate) classes: String,
    pub(crate) share: f64,
}

fn parse_test_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "give a share between 0 and 1, e.g. 0.2".into())
}

fn parse_test_column(text: &str) -> Result<TestColumn, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok(TestColumn { name: name.into(), value: value.into() })
        }
        _ => Err("write NAME=VALUE, e.g. split=test".into()),
    }
}

/// Reads `CLASS,…:SHARE`. A class may have a colon in its name: the last one stands before the share.
///
/// # Errors
///
/// What to write instead.
pub fn parse_spoil(text: &str) -> Result<Spoil, String> {
    let parse = || {
        let (classes, share) = text.rsplit_once(':')?;
        let share = share.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
        (!classes.trim().is_empty()).then(|| Spoil { classes: classes.trim().into(), share })
    };
    parse()
        .ok_or_else(|| "write CLASS:SHARE or CLASS,CLASS:SHARE with a share from 0 to 1, e.g. a,b:0.8".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spoiled_is_written_as_classes_and_a_share() {
        let spoil = |classes: &str, share| Ok(Spoil { classes: classes.into(), share });
        assert_eq!(parse_spoil("a:0.6"), spoil("a", 0.6));
        assert_eq!(parse_spoil("a, b:1"), spoil("a, b", 1.0));
        assert_eq!(parse_spoil("a:b:0.5"), spoil("a:b", 0.5));
        for wrong in ["a", "a:", ":0.5", "a:1.5", "a:x", "a:NaN"] {
            assert!(parse_spoil(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_test_column_has_a_name_and_a_value() {
        let expected = TestColumn { name: "split".into(), value: "a=b".into() };
        assert_eq!(parse_test_column("split=a=b"), Ok(expected));
        assert!(parse_test_column("split").is_err() && parse_test_column("=test").is_err());
        assert!(parse_test_share("1").is_err() && parse_test_share("0").is_err());
    }
}
