//! The parameters of `cwplugin.read_replies`.

use std::collections::BTreeMap;

use cwplugin::model::InputOptions;
use cwplugin_replies::{Classes, FieldPath, Missing, Reader, ReplyError, Rows, Source, VoteCounter};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::sink::Sink;
use crate::errors::UserError;

/// The name of the source of votes, which is not one of replies.
pub(super) const VOTES: &str = "votes";

/// The attributes of `cwplugin._replies.ReadRequest`.
#[derive(FromPyObject)]
pub(crate) struct ReadRequest {
    source: String,
    classes: Option<Vec<String>>,
    spellings: Vec<(String, Vec<String>)>,
    reply: Option<String>,
    answer_at: Option<String>,
    missing: Option<String>,
    pub(super) label: String,
    id: String,
    /// Whether replies that cannot be read are left out.
    pub(super) skip: bool,
}

impl ReadRequest {
    pub(super) fn is_votes(&self) -> bool {
        self.source == VOTES
    }

    /// Refuses parameters that votes do not have.
    pub(super) fn check(&self) -> Result<(), UserError> {
        let wrong = |what: &str| UserError::new(format!("{what} is not supported by source=\"votes\""));
        match (&self.reply, &self.missing) {
            _ if !self.is_votes() => Ok(()),
            (Some(_), _) => Err(wrong("reply").hint("leave it out; answer_at= is the field of the answer")),
            (_, Some(_)) => {
                Err(wrong("missing").hint("leave it out: a class without votes gets half a vote"))
            }
            _ => Ok(()),
        }
    }

    /// The options as a model stores them, as JSON; as the program does.
    pub(super) fn input(&self) -> PyResult<String> {
        let wrong = |error: ReplyError| PyValueError::new_err(error.to_string());
        let mut options = InputOptions::default();
        options.from = Some(self.source.clone());
        options.spellings = self.spellings.iter().cloned().collect::<BTreeMap<_, _>>();
        options.reply = self.reply().map_err(wrong)?.map(|path| path.to_string());
        let answer_at = self.answer_at.as_ref().map(|path| path.parse::<FieldPath>()).transpose();
        options.answer_at = answer_at.map_err(wrong)?.map(|path| path.to_string());
        options.missing = self
            .missing
            .as_ref()
            .map(|_| self.missing())
            .transpose()
            .map_err(wrong)?
            .map(|rule| rule.to_string());
        serde_json::to_string(&options).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The source; `None` for votes.
    pub(super) fn source(&self) -> Result<Option<Source>, ReplyError> {
        if self.is_votes() { Ok(None) } else { self.source.parse().map(Some) }
    }

    pub(super) fn reply(&self) -> Result<Option<FieldPath>, ReplyError> {
        self.reply.as_ref().map(|path| path.parse()).transpose()
    }

    pub(super) fn missing(&self) -> Result<Missing, ReplyError> {
        self.missing.as_deref().map_or(Ok(Missing::Spread), str::parse)
    }

    /// The classes that are given, or those of the spellings.
    pub(super) fn known_classes(&self) -> Option<Vec<String>> {
        let spelled = || self.spellings.iter().map(|(class, _)| class.clone()).collect();
        self.classes.clone().or_else(|| (self.spellings.len() > 1).then(spelled))
    }

    /// What reads documents, for these classes.
    pub(super) fn sink(&self, classes: Vec<String>) -> Result<Sink, ReplyError> {
        let spellings = self.spellings.iter().map(|(class, list)| (class, list));
        let classes = Classes::new(classes)?.spellings(spellings)?;
        let Some(source) = self.source()? else {
            let mut counter = VoteCounter::new(classes.clone()).label_field(&self.label).id_field(&self.id);
            if let Some(field) = &self.answer_at {
                counter = counter.answer_field(field);
            }
            return Ok(Sink::Votes(classes, counter));
        };
        let mut reader = Reader::new(source, classes).missing(self.missing()?);
        if let Some(path) = self.reply()? {
            reader = reader.reply_at(path);
        }
        if let Some(path) = &self.answer_at {
            reader = reader.answer_at(path.parse()?)?;
        }
        // The defaults, if they are not named, also look at the vendor's own fields.
        if self.label != "label" {
            reader = reader.label_field(&self.label);
        }
        if self.id != "id" {
            reader = reader.id_field(&self.id);
        }
        Ok(Sink::Rows(reader, Rows::new()))
    }
}
