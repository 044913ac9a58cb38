//! Gemini: `candidates[].logprobsResult{topCandidates[].candidates[], chosenCandidates[]}`; also in the spelling of the Python SDK.

use serde::Deserialize;
use serde::de::MapAccess;
use serde_json::value::RawValue;

use crate::error::ReplyError;
use crate::output::Output;
use crate::source::Ask;
use crate::tokens::{Alternative, Fields, Position, Top};
use crate::value::{Presence, Text, quoted};
use crate::vendors::refusal;
use crate::wrap::{Known, Reply};

/// Reasons to stop that leave no answer.
const FILTERS: [&str; 7] =
    ["SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"];

#[derive(Debug, Default)]
pub(crate) struct Gemini<'a> {
    candidates: Option<Vec<Candidate<'a>>>,
    feedback: Option<Feedback<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Candidate<'a> {
    content: Option<Content>,
    #[serde(borrow, alias = "finish_reason", rename = "finishReason")]
    finish_reason: Option<Text<'a>>,
    #[serde(alias = "logprobs_result", rename = "logprobsResult")]
    logprobs: Option<Logprobs<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Content {
    parts: Option<Vec<Part>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part {
    text: Presence,
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

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Feedback<'a> {
    #[serde(borrow, alias = "block_reason", rename = "blockReason")]
    block_reason: Option<Text<'a>>,
}

impl<'de> Reply<'de> for Gemini<'de> {
    const EXPECTED: &'static str = "an object with candidates";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "candidates" => self.candidates = map.next_value()?,
            "promptFeedback" | "prompt_feedback" => self.feedback = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        if let Some(Text(reason)) = self.feedback.and_then(|feedback| feedback.block_reason) {
            return Err(refusal("promptFeedback.blockReason", quoted(&reason)));
        }
        let Some(candidates) = self.candidates else {
            return Err(output.shape("", "there are no candidates"));
        };
        let Some(candidate) = candidates.into_iter().next() else {
            return Err(output.shape("candidates", "there are none"));
        };
        if let Some(Text(reason)) = &candidate.finish_reason
            && FILTERS.contains(&reason.as_ref())
        {
            return Err(refusal("candidates[0].finishReason", quoted(reason)));
        }
        let positions = positions(candidate.logprobs.unwrap_or_default());
        let has_text =
            |content: &Content| content.parts.iter().flatten().any(|part| part.text == Presence::Present);
        match &candidate.content {
            Some(content) if !has_text(content) => {
                return Err(ReplyError::EmptyAnswer { field: "candidates[0].content.parts".into() });
            }
            None if positions.is_empty() => {
                return Err(ReplyError::EmptyAnswer { field: "candidates[0].content".into() });
            }
            _ => {}
        }
        if positions.is_empty() {
            let field = "candidates[0].logprobsResult".to_owned();
            return Err(ReplyError::NoLogprobs { field, ask: Ask::Gemini });
        }
        let path = "candidates[0].logprobsResult";
        let fields = Fields {
            origin: output.source.name(),
            alternative: format!("{path}.topCandidates[#].candidates[#].logProbability").into(),
            chosen: format!("{path}.chosenCandidates[#].logProbability").into(),
        };
        output.tokens(&positions, &fields)
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

#[cfg(test)]
mod tests {
    use crate::Source::Gemini as GEMINI;
    use crate::vendors::testing::{close, error, row};

    #[test]
    fn the_chosen_token_may_be_missing_from_the_top() {
        let json = |names: [&str; 4]| {
            let [result, top, chosen, log] = names;
            format!(
                r#"{{"candidates": [{{"content": {{"parts": [{{"text": "spam"}}], "role": "model"}}, "finishReason": "STOP", "avgLogprobs": -0.1,
                "{result}": {{"{top}": [{{"candidates": [{{"token": "ham", "tokenId": 5, "{log}": -1.5}}]}}],
                "{chosen}": [{{"token": "spam", "tokenId": 7, "{log}": -2.5}}]}}}}]}}"#
            )
        };
        let (ham, spam) = ((-1.5_f64).exp(), (-2.5_f64).exp());
        let expected = [ham / (ham + spam), spam / (ham + spam)];
        let camel = json(["logprobsResult", "topCandidates", "chosenCandidates", "logProbability"]);
        let snake = json(["logprobs_result", "top_candidates", "chosen_candidates", "log_probability"]);
        close(&row(GEMINI, &["ham", "spam"], &camel), &expected);
        close(&row(GEMINI, &["ham", "spam"], &snake), &expected);
    }

    #[test]
    fn replies_without_an_answer_say_why() {
        assert_eq!(error(GEMINI, r#"{"promptFeedback": {"blockReason": "SAFETY"}}"#).kind(), "refusal");
        assert_eq!(error(GEMINI, r#"{"candidates": [{"finishReason": "SAFETY"}]}"#).kind(), "refusal");
        assert_eq!(error(GEMINI, r#"{"candidates": [{"content": {"role": "model"}}]}"#).kind(), "empty");
        assert_eq!(error(GEMINI, r#"{"candidates": []}"#).kind(), "shape");
        let json = r#"{"candidates": [{"content": {"parts": [{"text": "ham"}]}, "avgLogprobs": -0.1}]}"#;
        assert!(error(GEMINI, json).cure().unwrap().contains("response_logprobs=True, logprobs=19"));
    }
}
