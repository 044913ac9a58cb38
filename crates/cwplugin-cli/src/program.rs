//! From a command line to an exit code.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use crate::args::{Args, Command, Common};
use crate::output::Screen;
use crate::user_error::UserError;
use crate::{atomic, command, commands};

/// The exit code of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Runs the program `cwplugin` with these arguments; the first is its own name.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    if commands::completions::answer(&words) {
        return ExitCode::SUCCESS;
    }
    let args = match Args::of_words(&words) {
        Ok(args) => args,
        Err(error) => error.exit(), // prints the help, or what is wrong
    };
    run("cwplugin", &args.common, |screen| dispatch(&args, screen))
}

/// Runs a command of the program called `name`: exit 0 if it succeeds or its output is closed, 2 if the command line is
/// wrong, 1 for any other error.
pub fn run(
    name: &'static str,
    common: &Common,
    command: impl FnOnce(&Screen) -> anyhow::Result<()>,
) -> ExitCode {
    let screen = Screen::new(name, common);
    clean_up_on_signals(screen.clone());
    let outcome = set_threads(common).and_then(|()| command(&screen)).and_then(|()| screen.flush());
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            screen.error(&error);
            let is_usage = error.downcast_ref().is_some_and(|error: &UserError| error.is_usage);
            ExitCode::from(if is_usage { 2 } else { 1 })
        }
    }
}

/// On Ctrl-C or a termination signal, stops the programs that were started, removes temporary files and the progress.
fn clean_up_on_signals(screen: Screen) {
    // If no handler can be set, the default applies: the program ends, and a hidden file may remain.
    let _ = ctrlc::set_handler(move || {
        command::kill_all();
        atomic::remove_unfinished();
        screen.remove_progress();
        std::process::exit(INTERRUPTED);
    });
}

fn set_threads(common: &Common) -> anyhow::Result<()> {
    if let Some(threads) = common.threads {
        rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global()?;
    }
    Ok(())
}

fn dispatch(args: &Args, screen: &Screen) -> anyhow::Result<()> {
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
        Command::Completions(shell) => commands::completions::run(shell, &args.common, screen),
        Command::Man(man) => commands::man::run(man, &args.common, screen),
        Command::Demo(demo) => commands::demo::run(demo, &args.common, screen),
    }
}

/// Whether the reader of our output closed it, which is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
