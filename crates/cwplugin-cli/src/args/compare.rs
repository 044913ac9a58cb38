//! Flags of `cwplugin compare`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::TypedValueParser;
use cwplugin::compare::NoiseIn;

use super::fit::MethodOptions;
use super::{Data, one_of, parse_timeout};

#[derive(Debug, clap::Args)]
pub(crate) struct Compare {
    /// Read this table; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) path: PathBuf,
    /// Compare these methods; `cwplugin methods` lists them [default: all; logistic only with --features]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) methods: Vec<String>,
    /// Fit and score with these metrics
    #[arg(
        long,
        alias = "metric",
        value_name = "NAME,…",
        default_value = "accuracy,macro-f1,macro-g-mean,mcc,macro-fowlkes-mallows"
    )]
    pub(crate) metrics: Vec<String>,
    /// Wait this long for each answer of --metrics command:PROGRAM [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) metric_timeout: Option<Duration>,
    /// Draw samples of these sizes [default: 50,100,160,250,400, up to the number of rows]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sizes: Vec<u32>,
    /// Draw N samples of each size
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) repeats: u32,
    /// Hold out this share of the labelled rows for testing
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = parse_test_share, conflicts_with = "test_column")]
    pub(crate) test_share: f64,
    /// Test on the rows whose column NAME is VALUE; draw samples from the others
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_test_column)]
    pub(crate) test_column: Option<TestColumn>,
    /// Delete this share of the rows of these classes, from the pool and from the test rows (repeatable)
    #[arg(long, value_name = "CLASS,…:SHARE", value_parser = parse_class_share)]
    pub(crate) shift: Vec<ClassShare>,
    /// Change the label of this share of the rows of these classes (repeatable)
    #[arg(long, value_name = "CLASS,…:SHARE", value_parser = parse_class_share)]
    pub(crate) noise: Vec<ClassShare>,
    /// Change the labels of --noise in every sample, or everywhere: once in the pool and in the test rows
    #[arg(long, value_name = "WHERE", default_value = "sample", value_parser = noise_places(), requires = "noise")]
    pub(crate) noise_in: NoiseIn,
    /// Add up to N unlabelled rows of the pool to every sample, for methods that use them [default: 500]
    #[arg(long, value_name = "N")]
    pub(crate) unlabelled: Option<u32>,
    /// Let `logistic` learn from these columns, or row by row from FILE.npy or another table of numbers
    #[arg(long, value_name = "NAME,…|FILE", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Write the rows of every sample and the test rows to FILE as JSON, for methods outside this program
    #[arg(long, value_name = "FILE")]
    pub(crate) draws_out: Option<PathBuf>,
    /// Score the predictions in FILE too, made by another method for the draws of --draws-out (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) external: Vec<PathBuf>,
    /// Write all cells to FILE as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write one SVG plot per metric to DIR: the metric against the sample size
    #[arg(long, value_name = "DIR")]
    pub(crate) plot: Option<PathBuf>,
    /// Write an HTML page with a plot and a table per metric to FILE
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

/// Some classes and a share of their rows: what is done to these depends on the flag.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassShare {
    /// The names, separated by commas.
    pub(crate) classes: String,
    pub(crate) share: f64,
}

/// Reads where noise is.
fn noise_places() -> impl TypedValueParser<Value = NoiseIn> {
    one_of(NoiseIn::ALL.map(|place| (place.name(), place)))
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

/// Reads `CLASS,…:SHARE`. The last colon separates the share, since the name of a class may have one too.
///
/// # Errors
///
/// What to write instead.
pub fn parse_class_share(text: &str) -> Result<ClassShare, String> {
    let parse = || {
        let (classes, share) = text.rsplit_once(':')?;
        let share = share.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
        (!classes.trim().is_empty()).then(|| ClassShare { classes: classes.trim().into(), share })
    };
    parse()
        .ok_or_else(|| "write CLASS:SHARE or CLASS,CLASS:SHARE with a share from 0 to 1, e.g. a,b:0.8".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_a_share_are_separated_by_the_last_colon() {
        let parsed = |classes: &str, share| Ok(ClassShare { classes: classes.into(), share });
        assert_eq!(parse_class_share("a:0.6"), parsed("a", 0.6));
        assert_eq!(parse_class_share("a, b:1"), parsed("a, b", 1.0));
        assert_eq!(parse_class_share("a:b:0.5"), parsed("a:b", 0.5));
        for wrong in ["a", "a:", ":0.5", "a:1.5", "a:x", "a:NaN"] {
            assert!(parse_class_share(wrong).is_err(), "{wrong}");
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
