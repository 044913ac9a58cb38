//! Flags of `cwplugin elicit`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use clap::builder::TypedValueParser;
use cwplugin::Mode;

use super::{Data, one_of, parse_timeout};

#[derive(Debug, Subcommand)]
pub(crate) enum Elicit {
    /// Start a session
    Start(Start),
    /// Print the weights to deploy next; unanswered queries come first
    Ask(Ask),
    /// Record the measured value of deployed weights
    Tell(Tell),
    /// Show the state of a session
    Status {
        /// The session file
        #[arg(value_name = "SESSION")]
        session: PathBuf,
    },
    /// Write a model with the best weights so far
    Finish(Finish),
    /// Run a whole session with a program that measures weights
    Run(Run),
}

/// What a session is about, and which queries it may ask.
#[derive(Debug, clap::Args)]
pub(crate) struct SessionArgs {
    /// Learn from the rows of this table, labelled or not, which weights make a difference; else name the --classes
    #[arg(long, value_name = "DATA", required_unless_present = "classes")]
    pub(crate) predictions: Option<PathBuf>,
    /// Ask at most N queries
    #[arg(long, value_name = "N")]
    pub(crate) budget: u32,
    /// Keep the weight of this class fixed [default: the last]
    #[arg(long, value_name = "CLASS")]
    pub(crate) reference: Option<String>,
    /// Deploy weights of all classes close to the best so far (safe), or of one class and the reference only (restricted, as
    /// in the paper: for offline measurements) [default: safe]
    #[arg(long, value_name = "MODE", hide_possible_values = true, value_parser = modes())]
    pub(crate) mode: Option<Mode>,
    /// Assume that the metric has a single peak in every weight, which takes fewer queries
    #[arg(long)]
    pub(crate) quasi_concave: bool,
    /// Ask every query N times, to estimate the noise of answers without a standard error [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    pub(crate) repeats: Option<u16>,
    /// Stop when alpha (restricted) or the log-weights (safe) are known to EPS [default: 0.0005, 0.01]
    #[arg(long, value_name = "EPS")]
    pub(crate) precision: Option<f64>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Start {
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// Write the session to FILE, which must not exist
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// Ask this program, one line of weights at a time: command:PROGRAM, or command-once:PROGRAM if it is started for each
    /// query
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: String,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    /// Wait this long for each answer of the program [default: 3600]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) timeout: Option<Duration>,
    /// Keep the answers in FILE, and continue from there if it exists
    #[arg(long = "session", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Write the model to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Ask {
    /// The session file
    #[arg(value_name = "SESSION")]
    pub(crate) session: PathBuf,
    /// Print up to N queries that do not depend on each other's answers
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) batch: u16,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Tell {
    /// The session file
    #[arg(value_name = "SESSION")]
    pub(crate) session: PathBuf,
    /// The number of the query
    #[arg(value_name = "ID")]
    pub(crate) id: u64,
    /// The measured value; larger is better
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) value: f64,
    /// The standard error of VALUE
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) se: Option<f64>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Finish {
    /// The session file
    #[arg(value_name = "SESSION")]
    pub(crate) session: PathBuf,
    /// Write the model to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

fn modes() -> impl TypedValueParser<Value = Mode> {
    one_of([Mode::Safe, Mode::Restricted].map(|mode| (mode.name(), mode)))
}
