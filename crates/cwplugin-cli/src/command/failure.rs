//! Every way a program can fail to answer, and the cure.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use crate::output::shown;
use crate::user_error::UserError;

/// A query up to this length is shown, so that the user can try it by hand.
const SHOWN: usize = 400;

/// How long a program may take to answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limit {
    pub(super) timeout: Duration,
    /// The flag that sets it.
    pub(super) flag: &'static str,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    NotStarted(io::Error),
    Timeout,
    /// It ended without an answer; with command-once also with one.
    Ended(Option<ExitStatus>),
    /// It runs, but closed its standard input or output.
    Closed(&'static str),
    BadAnswer {
        answer: Vec<u8>,
        why: &'static str,
    },
    EmptyLine,
    NoAnswer,
    TooLong(Vec<u8>),
    /// A line without a query.
    Unexpected(Vec<u8>),
}

impl Failure {
    /// The error of the program behind `name`, and the query that it is about.
    pub(super) fn user_error(&self, name: &str, query: Option<&str>, limit: &Limit) -> UserError {
        let (form, program) = name.split_once(':').unwrap_or(("", name));
        let is_once = form == "command-once";
        let what = format!("{}: the program {}", shown(name), self.what(is_once, limit.timeout));
        let more_time = match self {
            Self::Timeout => format!("allow more time with {} SECONDS", limit.flag),
            _ => String::new(),
        };
        let short = query.filter(|query| query.len() <= SHOWN).map(shlex::try_quote);
        let by_hand = match short {
            Some(Ok(query)) => format!("; try it by hand: echo {query} | {program}"),
            _ => String::new(),
        };
        UserError::new(what).hint(format!("{}{more_time}{by_hand}", self.cure(is_once)))
    }

    /// What the program did.
    fn what(&self, is_once: bool, timeout: Duration) -> String {
        let text = |answer: &[u8]| shown(String::from_utf8_lossy(answer).trim());
        match self {
            Self::NotStarted(error) => match error.kind() {
                io::ErrorKind::NotFound => "cannot be started: no such file".into(),
                io::ErrorKind::PermissionDenied => "cannot be started: it is not executable".into(),
                _ => format!("cannot be started ({error})"),
            },
            Self::Timeout => format!("did not answer within {} seconds", timeout.as_secs_f64()),
            Self::Ended(status) if is_once => format!("ended {}", exit_of(*status)),
            Self::Ended(status) => format!("ended {} before it answered", exit_of(*status)),
            Self::Closed(pipe) => format!("closed its standard {pipe} before it answered"),
            Self::BadAnswer { answer, why } => format!("answered \"{}\", {why}", text(answer)),
            Self::EmptyLine => "answered with an empty line".into(),
            Self::NoAnswer => "ended without an answer".into(),
            Self::TooLong(answer) => format!("answered \"{}\" without a line end", text(answer)),
            Self::Unexpected(line) => format!("printed \"{}\" without a query", text(line)),
        }
    }

    fn cure(&self, is_once: bool) -> &'static str {
        match self {
            Self::NotStarted(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                "name its interpreter, as in command:python3 FILE, or run chmod +x"
            }
            Self::NotStarted(_) => {
                "write a program and its arguments, as in command:python3 metric.py; for shell syntax use command:sh -c '…'"
            }
            Self::Timeout if is_once => "",
            Self::Timeout => {
                "flush every answer, in Python print(score, flush=True); use command-once:PROGRAM for a program that \
                 answers once and ends; "
            }
            Self::Ended(_) if is_once => "it must print one number and end with exit code 0",
            Self::Ended(_) | Self::Closed(_) => {
                "it must answer every line until its input ends; use command-once:PROGRAM for a program that answers once \
                 and ends"
            }
            Self::Unexpected(_) => {
                "it must answer every line with one line, and print nothing else on standard output; use \
                 command-once:PROGRAM for a program that answers once and ends"
            }
            Self::BadAnswer { .. } | Self::EmptyLine | Self::NoAnswer | Self::TooLong(_) => {
                "it must answer with one finite number, such as 0.75, and print nothing else on standard output"
            }
        }
    }
}

fn exit_of(status: Option<ExitStatus>) -> String {
    match status.and_then(|status| status.code()) {
        Some(code) => format!("with exit code {code}"),
        None => "by a signal".into(),
    }
}
