//! Gemini (`candidates[].logprobsResult{topCandidates[].candidates[], chosenCandidates[]}`, also in the spelling of the Python
//! SDK), Ollama (`logprobs[]` at the top) and llama.cpp's `/completion` (`completion_probabilities[]`).

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Reply, answered, filtered};
use crate::error::ReplyError;
use crate::output::Output;
use crate::source::Ask;
use crate::tokens::{Alternative, Fields, Position, Positions, Top};
use crate::value::{Json, Presence};

/// Reasons of Gemini to stop that leave no answer.
const FILTERS: [&str; 7] =
    ["SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"];

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Candidate<'a> {
    #[serde(borrow)]
    content: Option<Json<'a>>,
    #[serde(alias = "finish_reason", rename = "finishReason")]
    finish_reason: Option<Json<'a>>,
    #[serde(alias = "logprobs_result", rename = "logprobsResult")]
    logprobs: Option<Logprobs<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Logprobs<'a> {
    #[serde(borrow, alias = "top_candidates", rename = "topCandidates")]
    top: Option<Vec<Candidates<'a>>>,
    #[serde(alias = "chosen_candidates", rename = "chosenCandidates")]
    chosen: Option<Vec<Alternative<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Candidates<'a> {
    #[serde(borrow)]
    candidates: Option<&'a RawValue>,
}

impl Reply<'_> {
    /// Adds the row of Gemini's first candidate.
    pub(super) fn candidate(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let either = |a: &str, b: &str| self.fields.get(a).or_else(|| self.fields.get(b));
        let feedback = either("promptFeedback", "prompt_feedback").and_then(Json::object).unwrap_or_default();
        let reason = feedback.get("blockReason").or_else(|| feedback.get("block_reason"));
        if let Some(reason) = reason.and_then(Json::text) {
            return Err(super::refusal("promptFeedback.blockReason", crate::value::quoted(&reason)));
        }
        let Some(candidates) = self.parse::<Vec<Candidate<'_>>>("candidates", output)? else {
            return Err(output.shape("", "there are no candidates"));
        };
        let Some(candidate) = candidates.into_iter().next() else {
            return Err(output.shape("candidates", "the list is empty"));
        };
        filtered("candidates[0].finishReason", candidate.finish_reason, &FILTERS)?;
        let positions = positions(candidate.logprobs.unwrap_or_default());
        let is_answered = match candidate.content {
            Some(content) => has_text(content),
            None => !positions.is_empty(),
        };
        if !is_answered {
            return Err(ReplyError::EmptyAnswer { field: "candidates[0].content".into() });
        }
        let path = "candidates[0].logprobsResult";
        let fields = Fields::new(
            output,
            path,
            ".topCandidates[#].candidates[#].logProbability",
            ".chosenCandidates[#].logProbability",
        );
        output.tokens(&positions, &fields, path, Ask::Gemini)
    }

    /// Adds the row of Ollama's chat or generate.
    pub(super) fn generated(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        self.complete("done")?;
        let message = self.fields.get("message").and_then(Json::object);
        let (field, fields) = match &message {
            Some(message) => ("message.content", message),
            None => ("response", &self.fields),
        };
        let Positions(positions) = self.parse("logprobs", output)?.unwrap_or_default();
        let name = if message.is_some() { "content" } else { "response" };
        match fields.0.iter().find(|(key, _)| key == name) {
            Some((_, answer)) => answered(field, answer.presence())?,
            None if positions.is_empty() => {
                return Err(output.shape("", "there is no response and no message"));
            }
            None => {}
        }
        output.tokens(&positions, &Fields::in_list(output, "logprobs"), "logprobs", Ask::Ollama)
    }

    /// Adds the row of llama.cpp's `/completion`. New builds list log-probabilities (`top_logprobs`), or probabilities after
    /// sampling (`top_probs`); old builds list probabilities (`probs[]{tok_str, prob}`).
    pub(super) fn completion(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        self.complete("stop")?;
        let path = "completion_probabilities";
        let positions: Option<Positions<'_>> = self.parse(path, output)?;
        match self.fields.0.iter().find(|(key, _)| key == "content") {
            Some((_, answer)) => answered("content", answer.presence())?,
            None if positions.is_none() => {
                return Err(output.shape("", "there are no choices and no completion_probabilities"));
            }
            None => {}
        }
        let Positions(positions) = positions.unwrap_or_default();
        let (alternative, chosen) = positions.first().map_or(("", ""), names);
        let fields = Fields::new(output, path, alternative, chosen);
        output.tokens(&positions, &fields, path, Ask::LlamaCpp)
    }
}

/// The two lists as one.
fn positions(logprobs: Logprobs<'_>) -> Vec<Position<'_>> {
    let mut top = logprobs.top.unwrap_or_default().into_iter();
    let mut chosen = logprobs.chosen.unwrap_or_default().into_iter();
    let n = top.len().max(chosen.len());
    let mut position = || Position {
        chosen: chosen.next().unwrap_or_default(),
        bytes: None,
        top: top.next().and_then(|top| top.candidates).map_or(Top::Absent, Top::List),
    };
    (0..n).map(|_| position()).collect()
}

/// Whether a part of Gemini's content is a text.
fn has_text(content: Json<'_>) -> bool {
    let parts = content.object().and_then(|content| content.get("parts")?.items());
    let texts = parts.into_iter().flatten().filter_map(|part| part.object()?.get("text"));
    texts.into_iter().any(|text| text.presence() == Presence::Present)
}

/// The names of the numbers in this build of llama.cpp.
fn names(first: &Position<'_>) -> (&'static str, &'static str) {
    let is_linear = |list: Vec<Alternative<'_>>| list.first().is_some_and(|alternative| alternative.linear);
    match (first.top.read().is_ok_and(is_linear), first.chosen.linear) {
        (false, _) => ("[#].top_logprobs[#].logprob", "[#].logprob"),
        (true, true) => ("[#].top_probs[#].prob", "[#].prob"),
        (true, false) => ("[#].probs[#].prob", "[#].content"),
    }
}
