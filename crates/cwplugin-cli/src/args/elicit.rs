//! Flags of `cwplugin elicit`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Subcommand, ValueEnum};
use cwplugin::Mode;

use super::{Data, parse_timeout};

#[derive(Debug, Subcommand)]
pub(crate) enum Elicit {
    /// Begin a session: which classes, and how many queries
    Start(Start),
    /// Print the weights to deploy next; those that are not answered yet come first
    Ask(Ask),
    /// Say what deployed weights turned out to be worth
    Tell(Tell),
    /// Show what is known so far
    Status(Status),
    /// Write the model of the best weights so far
    Finish(Finish),
    /// All of it in one command, where a program says what weights are worth
    Run(Run),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Start {
    /// Look at the rows of this table, labelled or not, to see which weights make a difference; else name the --classes
    #[arg(long, value_name = "DATA", required_unless_present = "classes")]
    pub(crate) predictions: Option<PathBuf>,
    /// Ask at most N times
    #[arg(long, value_name = "N")]
    pub(crate) budget: u32,
    /// Keep the weight of this class fixed [default: the last]
    #[arg(long, value_name = "CLASS")]
    pub(crate) reference: Option<String>,
    #[command(flatten)]
    pub(crate) asking: Asking,
    /// Write the session to FILE, which must not exist
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) data: Data,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// Ask this program, one line of weights at a time: command:PROGRAM, or command-once:PROGRAM for one that answers
    /// once and ends
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: String,
    /// Look at the rows of this table, labelled or not, to see which weights make a difference; else name the --classes
    #[arg(long, value_name = "DATA", required_unless_present = "classes")]
    pub(crate) predictions: Option<PathBuf>,
    /// Ask at most N times
    #[arg(long, value_name = "N")]
    pub(crate) budget: u32,
    /// Keep the weight of this class fixed [default: the last]
    #[arg(long, value_name = "CLASS")]
    pub(crate) reference: Option<String>,
    /// Give the program so long for each answer [default: 3600]
    #[arg(long, value_name = "SECONDS", value_parser = parse_timeout)]
    pub(crate) timeout: Option<Duration>,
    /// Keep the answers in FILE, and go on from there if it exists
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,
    /// Write the model to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) asking: Asking,
    #[command(flatten)]
    pub(crate) data: Data,
}

/// How a number is asked for that only deploying weights can tell.
#[derive(Debug, clap::Args)]
pub(crate) struct Asking {
    /// Deploy weights not far from the best so far, all classes in play (safe), or of one class and the reference alone
    /// (restricted: the paper's, for an oracle that harms nobody) [default: safe]
    #[arg(long, value_name = "MODE", hide_possible_values = true)]
    pub(crate) mode: Option<ModeArg>,
    /// The metric rises to one peak and then falls as a weight grows: fewer queries do
    #[arg(long)]
    pub(crate) quasi_concave: bool,
    /// Ask for everything N times, to learn how noisy answers without a standard error are [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    pub(crate) repeats: Option<u16>,
    /// Stop where alpha (restricted) or the logarithm of a weight (safe) is known to EPS [default: 0.0005, 0.01]
    #[arg(long, value_name = "EPS")]
    pub(crate) precision: Option<f64>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Ask {
    /// The session
    #[arg(value_name = "SESSION")]
    pub(crate) session: PathBuf,
    /// Ask up to N queries at once, where one does not depend on the answer to another
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) batch: u16,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Tell {
    /// The session
    #[arg(value_name = "SESSION")]
    pub(crate) session: PathBuf,
    /// The number of the query
    #[arg(value_name = "ID")]
    pub(crate) id: u64,
    /// What its weights are worth; larger is better
    #[arg(value_name = "VALUE", allow_negative_numbers = true)]
    pub(crate) value: f64,
    /// The standard error of VALUE
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub(crate) se: Option<f64>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Status {
    /// The session
    #[arg(value_name = "SESSION")]
    pub(crate) session: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Finish {
    /// The session
    #[arg(value_name = "SESSION")]
    pub(crate) session: PathBuf,
    /// Write the model to FILE
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// Not far from the best so far
    Safe,
    /// One class and the reference alone
    Restricted,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Safe => Self::Safe,
            ModeArg::Restricted => Self::Restricted,
        }
    }
}
