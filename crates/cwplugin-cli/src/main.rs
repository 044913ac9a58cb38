//! The program `cwplugin`: adapt a classifier that you can only query.

mod args; // what the user asked for
mod refusal; // what is said when it will not go on
mod table; // files in and out, whatever the format
mod input; // a table becomes probabilities, labels and weights
mod statistics_file; // counters of cuts, in files
mod command; // metrics that the user's own programs compute
mod commands; // one verb, one file
mod output; // what the user sees
mod atomic; // a file is written whole or not at all

use std::io;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, Command};
use crate::output::Screen;
use crate::refusal::Refusal;

fn main() -> ExitCode {
    let args = Args::parse();
    let screen = Screen::new(&args.common);
    atomic::clean_up_on_signals();
    match run(&args, &screen) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            screen.error(&error);
            ExitCode::from(if is_usage(&error) { 2 } else { 1 })
        }
    }
}

fn run(args: &Args, screen: &Screen) -> anyhow::Result<()> {
    if let Some(threads) = args.common.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global()?;
    }
    match &args.command {
        Command::Fit(fit) => commands::fit::run(fit, &args.common, screen)?,
        Command::Apply(apply) => commands::apply::run(apply, &args.common, screen)?,
        Command::Eval(eval) => commands::eval::run(eval, &args.common, screen)?,
        Command::Report(report) => commands::report::run(report, &args.common, screen)?,
        Command::Export(export) => commands::export::run(export, &args.common, screen)?,
        Command::Stats(stats) => commands::stats::run(stats, &args.common, screen)?,
        Command::Compare(compare) => commands::compare::run(compare, &args.common, screen)?,
        Command::Experiment(experiment) => commands::experiment::run(experiment, &args.common, screen)?,
        Command::Elicit(elicit) => commands::elicit::run(elicit, &args.common, screen)?,
        Command::Metrics => commands::metrics::run(&args.common, screen)?,
        Command::Methods => commands::methods::run(&args.common, screen)?,
        Command::Merge(merge) => commands::merge::run(merge, &args.common, screen)?,
        Command::Bench(bench) => commands::bench::run(bench, &args.common, screen)?,
        Command::Demo(demo) => commands::demo::run(demo, &args.common, screen)?,
    }
    screen.flush()
}

/// Whoever reads our output has seen enough: that is no failure.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn is_usage(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Refusal>().is_some_and(Refusal::is_usage)
}
