//! Questions in, answers out: a program and the two pipes to it.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::group::Group;

/// Bytes of one answer, at most; a number is shorter.
const LONGEST: u64 = 1000;

/// Answers that may wait to be looked at; whoever says more must wait too, and fills no memory.
const WAITING: usize = 4;

/// How long a program may take to end once it is not needed, or once it has closed a pipe.
const GRACE: Duration = Duration::from_secs(1);

/// A program that runs.
#[derive(Debug)]
pub(super) struct Talk {
    group: Group,
    /// Dropped, its standard input is closed.
    questions: Option<Sender<String>>,
    events: Receiver<Event>,
}

/// What comes from a program.
#[derive(Debug)]
enum Event {
    /// A line, and what has come behind it already: an answer has nothing behind it.
    Line(Vec<u8>, Vec<u8>),
    /// The beginning of a line that does not end.
    Endless(Vec<u8>),
    /// No more lines.
    Closed,
    /// It does not read what it is asked.
    NotTaken,
    Late,
}

impl Talk {
    pub(super) fn start(words: &[String]) -> Result<Self, Fault> {
        Self::open(words).map_err(Fault::NoStart)
    }

    fn open(words: &[String]) -> io::Result<Self> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        // Standard error is the user's: what the program has to say there is seen at once, and whole.
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut group = Group::start(&mut command)?;
        let child = group.child();
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (questions, asked) = mpsc::channel();
        let (heard, events) = mpsc::sync_channel(WAITING);
        let not_taken = heard.clone();
        thread::Builder::new().spawn(move || write(stdin, &asked, &not_taken))?;
        thread::Builder::new().spawn(move || read(stdout, &heard))?;
        Ok(Self { group, questions: Some(questions), events })
    }

    /// Asks one question of a program that goes on to the next.
    pub(super) fn ask(&mut self, question: &str, patience: Duration) -> Result<Vec<u8>, Fault> {
        let deadline = Instant::now() + patience;
        match self.events.try_recv() {
            Ok(event) => return Err(self.fault_of(&event)),
            Err(_) => self.send(question),
        }
        match self.next(deadline) {
            Event::Line(line, rest) if rest.is_empty() => Ok(line),
            Event::Line(_, rest) if rest.trim_ascii().is_empty() => Err(Fault::Blank),
            Event::Line(_, rest) => Err(Fault::Unasked(first_line(&rest).to_vec())),
            event => Err(self.fault_of(&event)),
        }
    }

    /// Asks the only question of a program, which answers and ends.
    pub(super) fn ask_once(mut self, question: &str, patience: Duration) -> Result<Vec<u8>, Fault> {
        let deadline = Instant::now() + patience;
        self.send(question);
        self.questions = None;
        let mut said = Vec::new();
        loop {
            match self.next(deadline) {
                Event::Line(line, _) => {
                    said.extend(line);
                    said.push(b'\n');
                    if said.len() as u64 > LONGEST {
                        return Err(Fault::Endless(said));
                    }
                }
                Event::Closed => break,
                Event::NotTaken => {} // who needs no question need not read it
                event => return Err(self.fault_of(&event)),
            }
        }
        if !self.group.ends_within(deadline.saturating_duration_since(Instant::now())) {
            return Err(Fault::Late);
        }
        match self.group.stop() {
            Some(status) if status.success() && said.is_empty() => Err(Fault::Silent),
            Some(status) if status.success() => Ok(said),
            status => Err(Fault::Ended(status)),
        }
    }

    /// Ends the talk: a program that has more to say has answered what nobody asked.
    pub(super) fn finish(mut self) -> Result<(), Fault> {
        self.questions = None;
        let deadline = Instant::now() + GRACE;
        loop {
            match self.next(deadline) {
                Event::Line(line, _) if line.trim_ascii().is_empty() => {}
                Event::Line(line, _) | Event::Endless(line) => return Err(Fault::Unasked(line)),
                Event::Closed | Event::Late => break,
                Event::NotTaken => {}
            }
        }
        self.group.ends_within(deadline.saturating_duration_since(Instant::now()));
        Ok(())
    }

    fn send(&self, question: &str) {
        // If nobody listens, an event says why.
        if let Some(questions) = &self.questions {
            let _ = questions.send(format!("{question}\n"));
        }
    }

    fn next(&self, deadline: Instant) -> Event {
        match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => event,
            Err(RecvTimeoutError::Timeout) => Event::Late,
            Err(RecvTimeoutError::Disconnected) => Event::Closed,
        }
    }

    fn fault_of(&mut self, event: &Event) -> Fault {
        let closed = match event {
            Event::Line(line, _) => return Fault::Unasked(line.clone()),
            Event::Endless(line) => return Fault::Endless(line.clone()),
            Event::Late => return Fault::Late,
            Event::Closed => "output",
            Event::NotTaken => "input",
        };
        // A pipe closes a little before its program has ended.
        if self.group.ends_within(GRACE) { Fault::Ended(self.group.stop()) } else { Fault::Closed(closed) }
    }
}

fn first_line(text: &[u8]) -> &[u8] {
    text.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default()
}

fn write(mut stdin: ChildStdin, asked: &Receiver<String>, not_taken: &SyncSender<Event>) {
    for question in asked {
        if stdin.write_all(question.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            let _ = not_taken.send(Event::NotTaken);
            return;
        }
    }
}

fn read(stdout: ChildStdout, heard: &SyncSender<Event>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = stdout.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line);
        let event = match read {
            Err(_) | Ok(0) => Event::Closed,
            Ok(_) if line.pop_if(|byte| *byte == b'\n').is_none() && line.len() as u64 > LONGEST => {
                Event::Endless(line)
            }
            Ok(_) => Event::Line(line, stdout.buffer().to_vec()),
        };
        let is_last = !matches!(event, Event::Line(..));
        if heard.send(event).is_err() || is_last {
            return;
        }
    }
}
