//! The program `lab`: the paper's experiments, its theory, and benchmarks. Not published.

mod args; // the command line
mod experiment; // the paper's experiments and theory
mod forecasts; // forecasts of fits against outcomes
mod bench; // run times

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    cwplugin_cli::run("lab", &args.common, |screen| match &args.command {
        Command::Experiment(experiment) => experiment::run(experiment, &args.common, screen),
        Command::Figures(figures) => experiment::figures::run(figures, screen),
        Command::Forecasts(forecasts) => forecasts::run(forecasts, &args.common, screen),
        Command::Bench(bench) => bench::run(bench, &args.common, screen),
    })
}
