//! From documents to rows.

use crate::classes::Classes;
use crate::document_error::{explained, vendor_message, within, without_constants};
use crate::error::ReplyError;
use crate::missing::Missing;
use crate::output::{Output, Wanted};
use crate::path::FieldPath;
use crate::row::Rows;
use crate::source::Source;
use crate::tokens::Ahead;
use crate::vendors::{add_list, labels_and_scores};
use crate::wrap::{Wrapped, Wrapping};

/// Reads the replies of one source.
///
/// ```
/// use cwplugin_replies::{Classes, Reader, Rows, Source};
///
/// let classes = Classes::new(["ham", "spam"])?;
/// let reader = Reader::new(Source::Huggingface, classes).reply_at("response".parse()?);
/// let mut rows = Rows::new();
/// let line = br#"{"id": 7, "label": "ham", "response": [{"label": "SPAM", "score": 0.75}, {"label": "HAM", "score": 0.25}]}"#;
/// reader.read(line, &mut rows)?;
/// let row = rows.get(0).unwrap();
/// assert_eq!((row.id, row.label, row.probabilities), (Some("7"), Some("ham"), &[0.25, 0.75][..]));
/// # Ok::<(), cwplugin_replies::ReplyError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Reader {
    source: Source,
    classes: Classes,
    missing: Missing,
    answer_at: Option<FieldPath>,
    wrapping: Wrapping,
}

impl Reader {
    /// A reader of documents that are replies, or lines of an `OpenAI` batch output file.
    pub fn new(source: Source, classes: Classes) -> Self {
        let wrapping = wrapping(source, None);
        Self { source, classes, missing: Missing::default(), answer_at: None, wrapping }
    }

    /// What a class gets that a reply does not list; by default [`Missing::Spread`].
    pub fn missing(mut self, missing: Missing) -> Self {
        self.missing = missing;
        self
    }

    /// The field that contains the reply.
    pub fn reply_at(mut self, path: FieldPath) -> Self {
        self.wrapping.reply_at = Some(path);
        self
    }

    /// The field of a JSON answer whose value is the class.
    ///
    /// # Errors
    ///
    /// [`ReplyError::NoAnswerText`] if replies of the source are scores.
    pub fn answer_at(mut self, path: FieldPath) -> Result<Self, ReplyError> {
        if !self.source.has_tokens() {
            return Err(ReplyError::NoAnswerText { origin: self.source.name(), field: path.to_string() });
        }
        self.answer_at = Some(path);
        Ok(self)
    }

    /// The field beside the reply with the label; by default `label`.
    pub fn label_field(mut self, name: impl Into<String>) -> Self {
        self.wrapping.label_field = Some(name.into());
        self
    }

    /// The field beside the reply with the id; by default `custom_id` in a batch line, otherwise `id`.
    pub fn id_field(mut self, name: impl Into<String>) -> Self {
        self.wrapping.id_field = Some(name.into());
        self
    }

    /// The source.
    pub fn source(&self) -> Source {
        self.source
    }

    /// The classes.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Adds the rows of one document to `rows`, and returns their number. A document with an error adds none.
    ///
    /// All rows in `rows` must have the same number of classes.
    ///
    /// # Errors
    ///
    /// Any [`ReplyError`] about a reply.
    pub fn read(&self, document: &[u8], rows: &mut Rows) -> Result<usize, ReplyError> {
        let before = rows.len();
        let json = text(document)?;
        if self.add_usual(json, rows) {
            return Ok(rows.len() - before);
        }
        rows.truncate(before, self.classes.len());
        self.read_generally(document, rows)
    }

    /// Reads a document without shortcuts.
    pub(crate) fn read_generally(&self, document: &[u8], rows: &mut Rows) -> Result<usize, ReplyError> {
        let before = rows.len();
        let json = text(document)?;
        let mut added = self.add(json, None, rows);
        if matches!(added, Err(ReplyError::Json { .. }))
            && let Some(json) = without_constants(json)
        {
            added = self.add(&json, None, rows);
        }
        if let Err(error) = added {
            rows.truncate(before, self.classes.len());
            return Err(error);
        }
        Ok(rows.len() - before)
    }

    /// Adds the rows of a document without something unusual, with less work; whether that was possible. Everything else, and
    /// every error, is left to [`Self::add`].
    fn add_usual(&self, json: &str, rows: &mut Rows) -> bool {
        if self.source.has_tokens() {
            Ahead::read(json).is_some_and(|ahead| self.add(&ahead.rest, Some(&ahead), rows).is_ok())
        } else if self.source == Source::Huggingface && self.wrapping.reply_at.is_none() {
            labels_and_scores(json).is_some_and(|list| add_list(list, &mut self.output(None, rows)).is_ok())
        } else {
            false
        }
    }

    fn add(&self, json: &str, ahead: Option<&Ahead<'_>>, rows: &mut Rows) -> Result<(), ReplyError> {
        add_rows(json, &self.wrapping, self.output(ahead, rows))
    }

    fn output<'o>(&'o self, ahead: Option<&'o Ahead<'o>>, rows: &'o mut Rows) -> Output<'o> {
        let (missing, answer_at) = (self.missing, self.answer_at.as_ref());
        let wanted = Wanted::Rows { classes: &self.classes, missing, answer_at, rows };
        Output { source: self.source, wanted, ahead }
    }
}

/// The names in the lists of scores of one document, in order: candidates for classes. Log-probabilities of tokens have none.
///
/// # Errors
///
/// Any [`ReplyError`] about a reply.
///
/// ```
/// use cwplugin_replies::{Source, names_in};
///
/// let document = br#"{"Sentiment": "MIXED", "SentimentScore": {"Positive": 0.3, "Mixed": 0.7}}"#;
/// assert_eq!(names_in(Source::Comprehend, None, document)?, ["Positive", "Mixed"]);
/// # Ok::<(), cwplugin_replies::ReplyError>(())
/// ```
pub fn names_in(
    source: Source,
    reply_at: Option<&FieldPath>,
    document: &[u8],
) -> Result<Vec<String>, ReplyError> {
    let mut names = Vec::new();
    let output = Output { source, wanted: Wanted::Names(&mut names), ahead: None };
    add_rows(text(document)?, &wrapping(source, reply_at.cloned()), output)?;
    Ok(names)
}

fn wrapping(source: Source, reply_at: Option<FieldPath>) -> Wrapping {
    let batch_lines = matches!(source, Source::Openai | Source::Vllm);
    Wrapping { reply_at, batch_lines, ..Wrapping::default() }
}

/// The document as text, without a byte order mark.
pub(crate) fn text(document: &[u8]) -> Result<&str, ReplyError> {
    let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    std::str::from_utf8(document).map_err(|error| ReplyError::NotUtf8 { offset: error.valid_up_to() })
}

/// Adds the rows of one document.
fn add_rows(json: &str, wrapping: &Wrapping, output: Output<'_>) -> Result<(), ReplyError> {
    let document = Wrapped::read(json, wrapping);
    document.map_err(|error| explained(json, &error, output.source.name()))?.into_rows(wrapping, output)
}

impl Wrapped<'_> {
    fn into_rows(self, wrapping: &Wrapping, mut output: Output<'_>) -> Result<(), ReplyError> {
        if let Some(error) = self.error {
            return Err(ReplyError::Vendor { message: vendor_message(error) });
        }
        if let Some(status) = self.status.filter(|status| *status >= 400) {
            return Err(ReplyError::Vendor { message: format!("status {status}") });
        }
        if !self.has_reply {
            let field =
                wrapping.reply_at.as_ref().map_or_else(|| "response.body".into(), ToString::to_string);
            return Err(ReplyError::NoField { field });
        }
        let before = output.n_rows();
        self.reply.rows(&mut output).map_err(|error| match &wrapping.reply_at {
            Some(path) => within(error, &path.to_string()),
            None if self.is_batch_line => within(error, "response.body"),
            None => error,
        })?;
        let Wanted::Rows { rows, .. } = output.wanted else { return Ok(()) };
        let n = rows.len() - before;
        // Beside the reply, or named by the caller: the caller's own id, and not one of the vendor's.
        let custom_id = self.custom_id.id().filter(|_| wrapping.id_field.is_none());
        let is_beside = wrapping.reply_at.is_some() || wrapping.id_field.is_some();
        let beside = custom_id.or_else(|| self.id.id().filter(|_| is_beside));
        let own_id = self.id.id().or_else(|| self.reply_id.id());
        for i in before..rows.len() {
            let id = if n == 1 || !rows.has_id(i) { beside } else { None };
            if let Some(id) = id.or_else(|| own_id.filter(|_| !rows.has_id(i))) {
                rows.set_id(i, id);
            }
        }
        let label_field = wrapping.label_field();
        let Some(label) = self.label.label(label_field)? else { return Ok(()) };
        if n > 1 {
            return Err(ReplyError::OneLabel { field: label_field.to_owned(), rows: n });
        }
        (before..rows.len()).for_each(|i| rows.set_label(i, label));
        Ok(())
    }
}
