//! Every way a program can fail to answer, and the cure.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use crate::output::shown;
use crate::refusal::Refusal;

/// A question that is not longer is shown whole, so that it can be asked by hand.
const SHOWN: usize = 400;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Fault {
    NoStart(io::Error),
    Late,
    /// It ended, or was ended, without an answer; in the one-shot form also with one.
    Ended(Option<ExitStatus>),
    /// It runs, but has closed its standard input or output.
    Closed(&'static str),
    BadAnswer {
        said: Vec<u8>,
        why: &'static str,
    },
    /// An empty line.
    Blank,
    /// Nothing at all.
    Silent,
    Endless(Vec<u8>),
    Unasked(Vec<u8>),
}

/// A fault with the program and the question that it is about.
#[derive(Debug)]
pub(super) struct Failure {
    what: String,
    cure: String,
}

impl Failure {
    /// `name` is the metric's, `program` the command line in it.
    pub(super) fn new(
        fault: &Fault,
        name: &str,
        program: &str,
        question: Option<&str>,
        patience: Duration,
    ) -> Self {
        let is_once = name.starts_with("command-once:");
        let what = format!("{}: it {}", shown(name), what(fault, is_once, patience));
        let cure = cure(fault, is_once);
        let quoted = question.filter(|question| question.len() <= SHOWN).map(shlex::try_quote);
        match quoted {
            Some(Ok(quoted)) => {
                Self { what, cure: format!("{cure}; try it by hand: echo {quoted} | {program}") }
            }
            _ => Self { what, cure },
        }
    }

    pub(super) fn refusal(&self) -> Refusal {
        Refusal::new(&self.what).hint(&self.cure)
    }
}

/// What it did, behind “it”.
fn what(fault: &Fault, is_once: bool, patience: Duration) -> String {
    let text = |said: &[u8]| shown(String::from_utf8_lossy(said).trim());
    match fault {
        Fault::NoStart(error) => match error.kind() {
            io::ErrorKind::NotFound => "cannot be started, because there is no such program".into(),
            io::ErrorKind::PermissionDenied => "cannot be started, because it may not be run".into(),
            _ => format!("cannot be started ({error})"),
        },
        Fault::Late => format!("did not answer within {} seconds", patience.as_secs_f64()),
        Fault::Ended(status) if is_once => format!("ended {}", how(*status)),
        Fault::Ended(status) => format!("ended {} before it answered", how(*status)),
        Fault::Closed(pipe) => format!("closed its standard {pipe} before it answered"),
        Fault::BadAnswer { said, why } => format!("answered \"{}\", {why}", text(said)),
        Fault::Blank => "answered with an empty line".into(),
        Fault::Silent => "ended without an answer".into(),
        Fault::Endless(said) => format!("answered \"{}\" and on and on, without an end", text(said)),
        Fault::Unasked(said) => format!("answered \"{}\" when nothing was asked", text(said)),
    }
}

fn how(status: Option<ExitStatus>) -> String {
    match status.and_then(|status| status.code()) {
        Some(code) => format!("with exit code {code}"),
        None => "by a signal".into(),
    }
}

fn cure(fault: &Fault, is_once: bool) -> String {
    match fault {
        Fault::NoStart(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            "name its interpreter, as in command:python3 FILE, or allow it with chmod +x".into()
        }
        Fault::NoStart(_) => {
            "write a program and its arguments, as in command:python3 metric.py; it is not run by a \
                              shell, which command:sh -c '…' is"
                .into()
        }
        Fault::Late if is_once => "allow more time with --metric-timeout SECONDS".into(),
        Fault::Late => {
            "flush every answer, in Python print(score, flush=True); a program that answers once and ends is \
                        called by command-once:PROGRAM; --metric-timeout SECONDS allows more time"
                .into()
        }
        Fault::Ended(_) if is_once => "it must answer with one number and end with exit code 0".into(),
        Fault::Ended(_) | Fault::Closed(_) => {
            "it must answer line after line until its input ends; a program that \
                                               answers once and ends is called by command-once:PROGRAM"
                .into()
        }
        Fault::Unasked(_) => {
            "it must answer every line with one line, and say nothing else on standard output; a program \
                              that answers once and ends is called by command-once:PROGRAM"
                .into()
        }
        Fault::BadAnswer { .. } | Fault::Blank | Fault::Silent | Fault::Endless(_) => {
            "it must answer with one finite number, such as 0.75, and say nothing else on standard output"
                .into()
        }
    }
}
