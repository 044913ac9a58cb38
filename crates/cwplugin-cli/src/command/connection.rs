//! A running program and the pipes to it.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::group::Group;

/// Bytes of one answer, at most.
const LONGEST: u64 = 1000;

/// Lines that may wait to be read; a program that prints more is blocked.
const WAITING: usize = 4;

/// How long a program may take to end after its input or output is closed.
const GRACE: Duration = Duration::from_secs(1);

/// A running program.
#[derive(Debug)]
pub(super) struct Connection {
    group: Group,
    /// Dropping it closes the program's standard input.
    queries: Option<Sender<String>>,
    events: Receiver<Event>,
}

/// Output of a program.
#[derive(Debug)]
enum Event {
    /// A line, and the bytes after it: none after a valid answer.
    Line(Vec<u8>, Vec<u8>),
    /// The beginning of a line that is too long.
    TooLong(Vec<u8>),
    /// No more lines.
    Closed,
    /// It does not read its input.
    InputClosed,
    Timeout,
}

impl Connection {
    pub(super) fn start(words: &[String]) -> Result<Self, Failure> {
        Self::open(words).map_err(Failure::NotStarted)
    }

    fn open(words: &[String]) -> io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        // Its standard error goes to the user.
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut group = Group::start(&mut command)?;
        let child = group.child();
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (queries, received) = mpsc::channel();
        let (output, events) = mpsc::sync_channel(WAITING);
        let input_closed = output.clone();
        thread::Builder::new().spawn(move || write(stdin, &received, &input_closed))?;
        thread::Builder::new().spawn(move || read(stdout, &output))?;
        Ok(Self { group, queries: Some(queries), events })
    }

    /// Sends a query and reads the answer.
    pub(super) fn ask(&mut self, query: &str, timeout: Duration) -> Result<Vec<u8>, Failure> {
        let deadline = Instant::now() + timeout;
        match self.events.try_recv() {
            Ok(event) => return Err(self.failure_of(&event)),
            Err(_) => self.send(query),
        }
        match self.next(deadline) {
            Event::Line(line, rest) if rest.is_empty() => Ok(line),
            Event::Line(_, rest) if rest.trim_ascii().is_empty() => Err(Failure::EmptyLine),
            Event::Line(_, rest) => Err(Failure::Unexpected(first_line(&rest).to_vec())),
            event => Err(self.failure_of(&event)),
        }
    }

    /// Sends the only query to a program that answers and ends.
    pub(super) fn ask_once(mut self, query: &str, timeout: Duration) -> Result<Vec<u8>, Failure> {
        let deadline = Instant::now() + timeout;
        self.send(query);
        self.queries = None;
        let mut answer = Vec::new();
        loop {
            match self.next(deadline) {
                Event::Line(line, _) => {
                    answer.extend(line);
                    answer.push(b'\n');
                    if answer.len() as u64 > LONGEST {
                        return Err(Failure::TooLong(answer));
                    }
                }
                Event::Closed => break,
                Event::InputClosed => {} // a program need not read the query
                event => return Err(self.failure_of(&event)),
            }
        }
        if !self.group.ends_within(deadline.saturating_duration_since(Instant::now())) {
            return Err(Failure::Timeout);
        }
        match self.group.stop() {
            Some(status) if status.success() && answer.is_empty() => Err(Failure::NoAnswer),
            Some(status) if status.success() => Ok(answer),
            status => Err(Failure::Ended(status)),
        }
    }

    /// Closes the input and waits; further output is an error.
    pub(super) fn finish(mut self) -> Result<(), Failure> {
        self.queries = None;
        let deadline = Instant::now() + GRACE;
        loop {
            match self.next(deadline) {
                Event::Line(line, _) if line.trim_ascii().is_empty() => {}
                Event::Line(line, _) | Event::TooLong(line) => return Err(Failure::Unexpected(line)),
                Event::Closed | Event::Timeout => break,
                Event::InputClosed => {}
            }
        }
        self.group.ends_within(deadline.saturating_duration_since(Instant::now()));
        Ok(())
    }

    fn send(&self, query: &str) {
        // If the program does not read, an event reports it.
        if let Some(queries) = &self.queries {
            let _ = queries.send(format!("{query}\n"));
        }
    }

    fn next(&self, deadline: Instant) -> Event {
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => Event::Timeout,
            Err(RecvTimeoutError::Disconnected) => Event::Closed,
        }
    }

    fn failure_of(&mut self, event: &Event) -> Failure {
        let closed = match event {
            Event::Line(line, _) => return Failure::Unexpected(line.clone()),
            Event::TooLong(line) => return Failure::TooLong(line.clone()),
            Event::Timeout => return Failure::Timeout,
            Event::Closed => "output",
            Event::InputClosed => "input",
        };
        // A pipe is closed shortly before its program ends.
        if self.group.ends_within(GRACE) {
            Failure::Ended(self.group.stop())
        } else {
            Failure::Closed(closed)
        }
    }
}

fn first_line(text: &[u8]) -> &[u8] {
    text.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default()
}

fn write(mut stdin: ChildStdin, received: &Receiver<String>, input_closed: &SyncSender<Event>) {
    for query in received {
        if stdin.write_all(query.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            let _ = input_closed.send(Event::InputClosed);
            return;
        }
    }
}

fn read(stdout: ChildStdout, output: &SyncSender<Event>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = stdout.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line);
        let event = match read {
            Err(_) | Ok(0) => Event::Closed,
            Ok(_) if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() as u64 > LONGEST => {
                Event::TooLong(line)
            }
            Ok(_) => Event::Line(line, stdout.buffer().to_vec()),
        };
        let is_last = !matches!(event, Event::Line(..));
        if output.send(event).is_err() || is_last {
            return;
        }
    }
}
