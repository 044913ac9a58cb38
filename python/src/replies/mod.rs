//! Replies of language models and services become rows.

mod failure; // a document that cannot be read
mod cure; // what to do about an error, with the parameters of the package
mod request; // the parameters
mod sink; // documents become rows or counts
mod table; // rows or counts become arrays

use std::collections::BTreeSet;

use cwplugin_replies::{Documents, FieldPath, ReplyError, Source, equal_in_any_case, names_in};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::errors::UserError;
use failure::{Failure, Place};
use request::ReadRequest;
use sink::{Sink, label_of};

/// Reads replies that arrive in pieces.
#[pyclass(name = "ReplyReader", module = "cwplugin._core")]
pub(crate) struct PyReplyReader {
    request: ReadRequest,
    /// `None` for votes.
    source: Option<Source>,
    reply: Option<FieldPath>,
    /// `None` until the classes are known.
    sink: Option<Sink>,
    /// Names in lists of scores and labels found so far, and documents that wait until all of them are.
    names: BTreeSet<String>,
    labels: BTreeSet<String>,
    waiting: Vec<(Place, Vec<u8>)>,
    files: Vec<String>,
    documents: Option<Documents>,
    n_documents: usize,
    /// Documents before the file that is open.
    n_before: usize,
    failures: Vec<Failure>,
}

#[pymethods]
impl PyReplyReader {
    #[new]
    fn new(py: Python<'_>, request: ReadRequest) -> PyResult<Self> {
        let is_votes = request.is_votes();
        let wrong = |error: ReplyError| configuration(&error, is_votes).raise(py);
        request.check().map_err(|error| error.raise(py))?;
        let source = request.source().map_err(wrong)?;
        let reply = request.reply().map_err(wrong)?;
        request.missing().map_err(wrong)?;
        let sink = request.known_classes().map(|classes| request.sink(classes)).transpose().map_err(wrong)?;
        Ok(Self {
            request,
            source,
            reply,
            sink,
            names: BTreeSet::new(),
            labels: BTreeSet::new(),
            waiting: Vec::new(),
            files: Vec::new(),
            documents: None,
            n_documents: 0,
            n_before: 0,
            failures: Vec::new(),
        })
    }

    /// The bytes that follow are those of a file, or of a text without a name.
    fn open(&mut self, name: Option<String>) {
        self.n_before = self.n_documents;
        self.files.extend(name);
        self.documents = Some(Documents::new(self.source.unwrap_or(Source::Openai)));
    }

    /// Reads the next bytes of the file.
    fn push(&mut self, py: Python<'_>, bytes: PyBackedBytes) -> PyResult<()> {
        py.detach(|| self.split(|documents| documents.push(&bytes)))
            .map_err(|failure| self.error(&failure).raise(py))
    }

    /// There are no more bytes in the file, which is one of a folder if `is_part`: then it must have a reply, for without one a row
    /// would be missing unnoticed.
    #[pyo3(signature = (is_part=false))]
    fn close(&mut self, py: Python<'_>, is_part: bool) -> PyResult<()> {
        let closed = py.detach(|| self.split(Documents::finish));
        self.documents = None;
        closed.map_err(|failure| self.error(&failure).raise(py))?;
        if !is_part || self.n_documents > self.n_before {
            return Ok(());
        }
        if !self.request.skip {
            let hint = "send the request again, or delete the file; errors=\"skip\" leaves it out";
            return Err(UserError::new(format!("{}there is no reply", self.prefix(None)))
                .hint(hint)
                .raise(py));
        }
        let place =
            Place { index: self.n_documents, file: self.files.len().checked_sub(1), number: 0, line: 0 };
        let error = ReplyError::NothingListed { field: String::new() };
        self.failures.push(Failure { place: Some(place), error });
        Ok(())
    }

    /// Reads documents.
    fn add(&mut self, py: Python<'_>, documents: Vec<PyBackedBytes>) -> PyResult<()> {
        py.detach(|| {
            documents.iter().try_for_each(|document| {
                let number = self.n_documents + 1;
                self.take(Place { index: number - 1, file: None, number, line: number }, document)
            })
        })
        .map_err(|failure| self.error(&failure).raise(py))
    }

    /// All rows.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<table::Arrays<'py>> {
        let is_inferred = self.sink.is_none();
        if let Some(error) = self.equal_labels() {
            return Err(error.raise(py));
        }
        py.detach(|| self.settle()).map_err(|failure| self.error(&failure).raise(py))?;
        let table = match self.sink.take() {
            Some(sink) => sink.into_table(),
            None => return Err(self.unknown_classes().raise(py)),
        };
        if let Some((place, id, error)) = table.without_class.first()
            && (!self.request.skip || table.is_empty())
        {
            let cure = cure::of(error, true).unwrap_or_default();
            let hint = format!("{cure}; errors=\"skip\" leaves such ids out");
            let what = format!("{}id \"{id}\": {error}", self.prefix(None));
            return Err(UserError::in_row(*place, what).hint(hint).raise(py));
        }
        if table.is_empty() {
            let hint = "pass replies, one for each row";
            return Err(match self.failures.first() {
                Some(first) => self.error(first),
                None => UserError::new(format!("{}no replies", self.prefix(None))).hint(hint),
            }
            .raise(py));
        }
        if is_inferred && table.has_unnamed_scores() && self.source.is_some_and(Source::has_tokens) {
            let what = "the numbers of the replies have no names, and the order of the classes is not known";
            let hint = "name the classes in the order of the model's outputs: classes=[…]";
            return Err(UserError::new(what).hint(hint).raise(py));
        }
        let failures = self.failures.iter();
        let errors = failures.map(|failure| {
            let index = failure.place.map_or(0, |place| place.index);
            (index, self.text(failure))
        });
        let without_class =
            table.without_class.iter().map(|(place, id, error)| (*place, format!("id \"{id}\": {error}")));
        let errors = errors.chain(without_class).collect();
        table.into_arrays(py, errors, self.request.input()?)
    }
}

impl PyReplyReader {
    /// Gives bytes to the file, or ends it, and reads the documents that are complete.
    fn split(&mut self, change: impl FnOnce(&mut Documents)) -> Result<(), Failure> {
        let Some(mut documents) = self.documents.take() else { return Ok(()) };
        change(&mut documents);
        let file = self.files.len().checked_sub(1);
        while let Some(document) = documents.next().map_err(|error| {
            let place = Place { index: self.n_documents, file, number: 0, line: 0 };
            Failure { place: Some(place), error }
        })? {
            let (number, line) = (document.number, document.line);
            self.take(Place { index: self.n_documents, file, number, line }, document.bytes)?;
        }
        self.documents = Some(documents);
        Ok(())
    }

    /// Reads one document, or looks for class names in it; with `errors="skip"`, a failure is only noted.
    fn take(&mut self, place: Place, document: &[u8]) -> Result<(), Failure> {
        self.n_documents += 1;
        let taken = match &mut self.sink {
            Some(sink) => sink.read(document),
            None => self.look(document).map(|()| self.waiting.push((place, document.to_vec()))),
        };
        match taken.map_err(|error| Failure { place: Some(place), error }) {
            Err(failure) if self.request.skip && failure.is_reply() => self.failures.push(failure),
            taken => return taken,
        }
        Ok(())
    }

    /// Notes the names of scores, and the label.
    fn look(&mut self, document: &[u8]) -> Result<(), ReplyError> {
        if let Some(source) = self.source.filter(|source| !source.has_tokens()) {
            self.names.extend(names_in(source, self.reply.as_ref(), document)?);
        }
        self.labels.extend(label_of(document, &self.request.label));
        Ok(())
    }

    /// The classes, as the program finds them: the names in lists of scores; for tokens, votes and services that list whatever
    /// they find, the labels.
    fn found(&self) -> &BTreeSet<String> {
        if self.are_by_label() { &self.labels } else { &self.names }
    }

    fn are_by_label(&self) -> bool {
        let lists_anything = matches!(
            self.source,
            Some(Source::GoogleNl | Source::Vision | Source::Rekognition | Source::Clarifai)
        );
        self.names.is_empty() || lists_anything && !self.labels.is_empty()
    }

    /// The error that labels differ only in case: one class with a typing error, more probably than two.
    fn equal_labels(&self) -> Option<UserError> {
        let labels = self.labels.iter().map(String::as_str);
        let (one, other) =
            equal_in_any_case(labels).filter(|_| self.sink.is_none() && self.are_by_label())?;
        let what = format!("{}the labels \"{one}\" and \"{other}\" differ only in case", self.prefix(None));
        Some(UserError::new(what).hint("write the labels alike, or name all classes: classes=[…]"))
    }

    /// Reads what waited for the classes.
    fn settle(&mut self) -> Result<(), Failure> {
        if self.sink.is_some() || self.found().len() < 2 {
            return Ok(());
        }
        self.sink = Some(self.request.sink(self.found().iter().cloned().collect())?);
        self.n_documents = 0;
        for (place, document) in std::mem::take(&mut self.waiting) {
            self.take(place, &document)?;
        }
        Ok(())
    }

    fn unknown_classes(&self) -> UserError {
        if self.waiting.is_empty()
            && let Some(first) = self.failures.first()
        {
            return self.error(first);
        }
        let what = match (self.n_documents, self.found().first()) {
            (0, _) => return UserError::new(format!("{}no replies", self.prefix(None))),
            (_, Some(only)) => format!("the replies name one class, \"{only}\""),
            (_, None) => {
                format!("the replies have no names of classes and no field \"{}\"", self.request.label)
            }
        };
        UserError::new(what).hint("name the classes: classes=[\"…\", \"…\"]")
    }

    fn prefix(&self, place: Option<Place>) -> String {
        let file = place.map_or(self.files.len().checked_sub(1), |place| place.file);
        file.and_then(|file| self.files.get(file)).map_or_else(String::new, |name| format!("{name}: "))
    }

    /// What is wrong, and where.
    fn text(&self, failure: &Failure) -> String {
        let prefix = self.prefix(failure.place);
        match failure.place {
            Some(Place { number: 0, .. }) | None => format!("{prefix}{}", failure.error),
            Some(Place { number, line, .. }) if line == number => {
                format!("{prefix}row {number}: {}", failure.error)
            }
            Some(Place { number, line, .. }) => {
                format!("{prefix}row {number} (line {line}): {}", failure.error)
            }
        }
    }

    fn error(&self, failure: &Failure) -> UserError {
        match failure.place {
            Some(place) => {
                let error = UserError::in_row(place.index, self.text(failure));
                error.maybe_hint(cure::of(&failure.error, self.source.is_none()))
            }
            None => configuration(&failure.error, self.source.is_none()),
        }
    }
}

fn configuration(error: &ReplyError, is_votes: bool) -> UserError {
    UserError::new(error.to_string()).maybe_hint(cure::of(error, is_votes))
}
