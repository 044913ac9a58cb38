//! The command line.

mod bench; // flags of `lab bench`
mod experiment; // flags of `lab experiment`
mod figures; // flags of `lab figures`
mod forecasts; // flags of `lab forecasts`

use clap::{Parser, Subcommand};
use cwplugin_cli::Common;

pub(crate) use bench::{Bench, Dtype};
pub(crate) use experiment::Experiment;
pub(crate) use figures::Figures;
pub(crate) use forecasts::Forecasts;

/// Run the paper's experiments, measure its theory, and measure speed.
#[derive(Debug, Parser)]
#[command(
    name = "lab",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the paper's experiments, on files or generated rows, and measure its theory
    Experiment(Experiment),
    /// Draw the figures of the experiments again, from their result files
    Figures(Figures),
    /// Compare what fits forecast with their scores on thousands of other rows
    Forecasts(Forecasts),
    /// Measure how fast this machine fits and predicts
    Bench(Bench),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
