//! The replies of each source: which fields they have, and what the numbers in them are.

mod chat; // choices of OpenAI, vLLM, llama.cpp and legacy completions; responses
mod models; // Gemini, Ollama, llama.cpp's /completion
mod classify; // vLLM's /classify
mod services; // lists of scores

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::MapAccess;

use crate::document_error::{explained, within};
use crate::error::ReplyError;
use crate::output::Output;
use crate::source::{Ask, Source};
use crate::value::{Json, Object, Presence, cut, quoted};
use chat::Choice;
#[cfg(any(test, fuzzing))]
pub(crate) use services::labels_by_parser;
pub(crate) use services::{add_list, labels_and_scores};

/// Characters of a service's message that are shown.
const SHOWN: usize = 300;

/// A reply as it was read.
#[derive(Debug, Default)]
pub(crate) struct Reply<'a> {
    /// Nearly all bytes of most replies, so they are read in the first pass.
    choices: Option<Vec<Choice<'a>>>,
    /// All other fields.
    fields: Object<'a>,
    /// A reply that is a list.
    pub(crate) list: Option<Vec<Json<'a>>>,
}

impl<'de> Reply<'de> {
    /// Reads the value of `key`.
    pub(crate) fn field<A: MapAccess<'de>>(
        &mut self,
        key: Cow<'de, str>,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key.as_ref() {
            "choices" => self.choices = map.next_value()?,
            _ => self.fields.0.push((key, map.next_value()?)),
        }
        Ok(())
    }

    /// Adds the rows of the reply.
    pub(crate) fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        if self.list.is_some() && output.source != Source::Huggingface {
            return Err(output.shape("", "expected an object, found a list"));
        }
        match output.source {
            Source::Openai if self.choices.is_none() => self.response(output),
            Source::Vllm if self.choices.is_none() => self.classified(output),
            Source::Openai | Source::Vllm => self.choice(Ask::Chat, output),
            Source::Completions => self.choice(Ask::Completions, output),
            Source::Gemini => self.candidate(output),
            Source::Ollama => self.generated(output),
            Source::LlamaCpp if self.choices.is_none() => self.completion(output),
            Source::LlamaCpp => self.choice(Ask::LlamaCpp, output),
            _ => self.scores(output),
        }
    }

    /// The error of the service, if the reply is only a message; else the error that it is no reply.
    fn excused(&self, shape: ReplyError) -> ReplyError {
        let message = ["message", "detail"].iter().find_map(|name| self.fields.get(name)?.text());
        message.map_or(shape, |message| ReplyError::Vendor { message: cut(&message, SHOWN) })
    }

    /// An error if a field says that more parts of the reply follow.
    fn complete(&self, name: &str) -> Result<(), ReplyError> {
        match self.fields.get(name) {
            Some(Json("false")) => Err(ReplyError::Streamed { field: format!("{name} is false") }),
            _ => Ok(()),
        }
    }

    /// The value of a field, unless it is null.
    fn parse<T: Deserialize<'de>>(&self, name: &str, output: &Output<'_>) -> Result<Option<T>, ReplyError> {
        let Some(Json(json)) = self.fields.get(name) else { return Ok(None) };
        let error = |error| within(explained(json, &error, output.source.name()), name);
        serde_json::from_str(json).map(Some).map_err(error)
    }
}

/// What a reply without an answer says about it.
fn refusal(field: &str, value: impl Into<String>) -> ReplyError {
    ReplyError::Refusal { field: field.into(), value: value.into() }
}

/// An error if the reason to stop is one that leaves no answer.
fn filtered(field: &str, reason: Option<Json<'_>>, filters: &[&str]) -> Result<(), ReplyError> {
    match reason.and_then(Json::text) {
        Some(reason) if filters.contains(&reason.as_ref()) => Err(refusal(field, quoted(&reason))),
        _ => Ok(()),
    }
}

/// An error if there is no answer text.
fn answered(field: &str, answer: Presence) -> Result<(), ReplyError> {
    match answer {
        Presence::Null => Err(refusal(field, "null")),
        Presence::Empty => Err(ReplyError::EmptyAnswer { field: field.into() }),
        Presence::Absent | Presence::Present => Ok(()),
    }
}

#[cfg(test)]
mod tests;
