//! The command line.

mod replies; // options of replies
mod data; // options of the input table
mod remembered; // … that a model was fitted with
mod fit; // flags of fit, and one for each option of a method
mod model; // flags of apply, eval, report and export
mod stats; // flags of stats and merge
mod compare;
mod elicit;
mod shell; // flags of completions and man
mod color; // when to use colours
mod mistakes; // suggestions for commands and flags that do not exist

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use cwplugin::Scores;
use cwplugin_export::Dialect;

pub(crate) use color::ColorChoice;
pub use compare::{ClassShare, parse_class_share};
pub(crate) use compare::{Compare, TestColumn};
pub(crate) use data::Data;
pub(crate) use elicit::{Ask, Elicit, Finish, Run, SessionArgs, Start, Tell};
pub(crate) use fit::{Fit, MethodOptions};
pub(crate) use model::{Apply, Eval, Export, Report, Target};
pub(crate) use remembered::Remembered;
pub(crate) use replies::{From, ReplyArgs};
pub(crate) use shell::{Completions, Man};
pub(crate) use stats::{Merge, Stats};

/// Adapt a classifier that you can only query: learn a decision rule for your metric from its probabilities and a few
/// labels.
#[derive(Debug, Parser)]
#[command(
    name = "cwplugin",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "`cwplugin demo` runs an example on built-in data; `cwplugin COMMAND -h` lists the options of a command."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Args {
    /// Reads a command line; the first word is the name of the program.
    ///
    /// # Errors
    ///
    /// What is wrong with it, or the help or the version that it asks for.
    pub(crate) fn of_words(words: &[OsString]) -> Result<Self, clap::Error> {
        let mut command = Self::command().color(ColorChoice::of_words(words).of_clap());
        let matches = command.try_get_matches_from_mut(words);
        matches.and_then(|matches| Self::from_arg_matches(&matches)).map_err(mistakes::with_suggestion)
    }
}

/// Flags of every command.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Print one JSON document on standard output
    #[arg(long, global = true)]
    pub json: bool,
    /// Print no progress, warnings or hints
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Use N threads [default: all cores]; results do not depend on it
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Set the random seed to N
    #[arg(long, value_name = "N", default_value_t = 0, global = true)]
    pub seed: u64,
    /// Use colours: auto (on a terminal), always or never
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, hide_possible_values = true)]
    pub(crate) color: ColorChoice,
}

impl Common {
    /// The defaults, but for colours.
    pub(crate) fn plain(color: ColorChoice) -> Self {
        Self { json: false, quiet: false, threads: None, seed: 0, color }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Learn a decision rule from labelled probabilities
    Fit(Fit),
    /// Predict with a model: add a column `prediction` to a table
    Apply(Apply),
    /// Print every metric before and after, with confidence intervals
    Eval(Eval),
    /// Write an HTML report about a model
    Report(Report),
    /// Export a model as ONNX, SQL, Python or Rust
    Export(Export),
    /// Count the statistics for a grid fit, or print an SQL query that counts them
    Stats(Stats),
    /// Add up statistics of parts of the rows
    Merge(Merge),
    /// Compare methods on samples of several sizes
    Compare(Compare),
    /// Learn weights for a metric that can only be measured by deploying them
    #[command(subcommand)]
    Elicit(Elicit),
    /// List the metrics with their formulas
    Metrics,
    /// List the methods with their options
    Methods,
    /// Print the completion script of a shell
    Completions(Completions),
    /// Print a manual page, or write all of them
    Man(Man),
    /// Run an end-to-end example on built-in data
    Demo(Demo),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Write the tables of the demo (sample.csv, test.csv) to DIR and stop
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) save: Option<PathBuf>,
    /// Write the report page to FILE [default: cwplugin-demo.html]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Reads one of these words.
fn one_of<T, const N: usize>(known: [(&'static str, T); N]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let words = PossibleValuesParser::new(known.map(|(word, _)| word));
    words.try_map(move |word| {
        known.iter().find(|(known, _)| *known == word).map(|(_, value)| *value).ok_or("")
    })
}

/// Reads the name of an SQL dialect.
fn dialects() -> impl TypedValueParser<Value = Dialect> {
    one_of(Dialect::ALL.map(|dialect| (dialect.name(), dialect)))
}

/// Reads the scale of scores.
fn scales() -> impl TypedValueParser<Value = Scores> {
    one_of(Scores::ALL.map(|scale| (scale.name(), scale)))
}

/// A name in a list, without spaces around it.
fn parse_name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("give a name between all commas".into()),
        name => Ok(name.to_string()),
    }
}

/// Reads a timeout in seconds.
///
/// # Errors
///
/// What to write instead.
pub fn parse_timeout(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "give seconds from 0.001 to 86400, e.g. 30".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_flag_has_a_help_line() {
        for command in Args::command().get_subcommands() {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
            }
        }
    }
}
