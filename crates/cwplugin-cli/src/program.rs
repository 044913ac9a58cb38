//! From a command line to an exit code.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::args::{Args, ColorChoice, Command, Common};
use crate::output::{Screen, moves_text, rendered, stdout_error};
use crate::user_error::UserError;
use crate::{atomic, closed, command, commands, signals};

/// Runs the program `cwplugin` with these arguments; the first is its own name.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    if commands::completions::answer(&words) {
        return ExitCode::SUCCESS;
    }
    let args = match Args::of_words(&words) {
        Ok(args) => args,
        Err(error) if error.use_stderr() => return wrong_usage(&error, &words),
        Err(help) => {
            let common = Common::plain(ColorChoice::of_words(&words));
            return run("cwplugin", &common, |_| {
                closed::refuse_closed_stdout()?;
                help.print().map_err(stdout_error)
            });
        }
    };
    run("cwplugin", &args.common, |screen| dispatch(&args, screen))
}

/// Prints what is wrong with the command line.
fn wrong_usage(error: &clap::Error, words: &[OsString]) -> ExitCode {
    // Names of files may come from anywhere, and the parser quotes them as they are.
    if words.iter().any(|word| word.to_string_lossy().contains(moves_text)) {
        let text = rendered(&error.render().to_string(), false);
        let _ = io::stderr().write_all(text.as_bytes());
    } else {
        let _ = error.print();
    }
    ExitCode::from(2)
}

/// Runs a command of the program called `name`: exit 0 if it succeeds or its output is closed, 2 if the command line is
/// wrong, 128 and its number after a signal, 1 for any other error.
pub fn run(
    name: &'static str,
    common: &Common,
    command: impl FnOnce(&Screen) -> anyhow::Result<()>,
) -> ExitCode {
    let screen = Screen::new(name, common);
    let shown = screen.clone();
    signals::end_on_signals(move || {
        command::kill_all();
        atomic::remove_unfinished();
        shown.remove_progress();
    });
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
