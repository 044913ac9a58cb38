//! From a command line to an exit status.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Args, Command, Common};
use crate::output::Screen;
use crate::refusal::Refusal;
use crate::{atomic, commands};

/// Runs the program `cwplugin` with these arguments; the first is its own name.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = Args::parse_from(args);
    run("cwplugin", &args.common, |screen| command(&args, screen))
}

/// Runs a command of the program called `name`: exit 0 if it succeeds or nobody reads its output any more, 2 if the command
/// line is wrong, 1 if anything else is.
pub fn run(
    name: &'static str,
    common: &Common,
    command: impl FnOnce(&Screen) -> anyhow::Result<()>,
) -> ExitCode {
    let screen = Screen::new(name, common);
    atomic::clean_up_on_signals();
    let outcome = set_threads(common).and_then(|()| command(&screen)).and_then(|()| screen.flush());
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            screen.error(&error);
            ExitCode::from(if is_usage(&error) { 2 } else { 1 })
        }
    }
}

fn set_threads(common: &Common) -> anyhow::Result<()> {
    if let Some(threads) = common.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global()?;
    }
    Ok(())
}

fn command(args: &Args, screen: &Screen) -> anyhow::Result<()> {
    match &args.command {
        Command::Fit(fit) => commands::fit::run(fit, &args.common, screen),
        Command::Apply(apply) => commands::apply::run(apply, &args.common, screen),
        Command::Eval(eval) => commands::eval::run(eval, &args.common, screen),
        Command::Report(report) => commands::report::run(report, &args.common, screen),
        Command::Export(export) => commands::export::run(export, &args.common, screen),
        Command::Stats(stats) => commands::stats::run(stats, &args.common, screen),
        Command::Compare(compare) => commands::compare::run(compare, &args.common, screen),
        Command::Elicit(elicit) => commands::elicit::run(elicit, &args.common, screen),
        Command::Metrics => commands::metrics::run(&args.common, screen),
        Command::Methods => commands::methods::run(&args.common, screen),
        Command::Merge(merge) => commands::merge::run(merge, &args.common, screen),
        Command::Demo(demo) => commands::demo::run(demo, &args.common, screen),
    }
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
