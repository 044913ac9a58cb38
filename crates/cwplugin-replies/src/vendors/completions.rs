//! Legacy completions: `choices[].logprobs{tokens[], token_logprobs[], top_logprobs[]{token: logprob}}`.

use serde::Deserialize;
use serde::de::MapAccess;
use serde_json::value::RawValue;

use crate::error::ReplyError;
use crate::output::Output;
use crate::source::Ask;
use crate::tokens::{Alternative, Fields, Position, Positions, Top};
use crate::value::{Number, Presence, Text};
use crate::vendors::openai::filtered;
use crate::wrap::{Known, Reply};

#[derive(Debug, Default)]
pub(crate) struct Completions<'a> {
    choices: Option<Vec<Choice<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Choice<'a> {
    text: Presence,
    #[serde(borrow)]
    logprobs: Option<Logprobs<'a>>,
    finish_reason: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Logprobs<'a> {
    #[serde(borrow)]
    tokens: Option<Vec<Text<'a>>>,
    #[serde(rename = "token_logprobs")]
    values: Option<Vec<Number>>,
    #[serde(rename = "top_logprobs")]
    top: Option<Vec<&'a RawValue>>,
    /// Some servers list tokens here as in chat completions.
    content: Positions<'a>,
}

impl<'de> Reply<'de> for Completions<'de> {
    const EXPECTED: &'static str = "an object with choices";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "choices" => self.choices = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let Some(choices) = self.choices else { return Err(output.shape("", "there are no choices")) };
        let Some(choice) = choices.into_iter().next() else {
            return Err(output.shape("choices", "there are none"));
        };
        filtered(choice.finish_reason.as_ref())?;
        let field = || "choices[0].text".to_owned();
        match choice.text {
            Presence::Null => return Err(ReplyError::Refusal { field: field(), value: "null".into() }),
            Presence::Empty => return Err(ReplyError::EmptyAnswer { field: field() }),
            Presence::Absent | Presence::Present => {}
        }
        let logprobs = choice.logprobs.unwrap_or_default();
        let mut fields = Fields {
            origin: output.source.name(),
            alternative: "choices[0].logprobs.top_logprobs[#].#".into(),
            chosen: "choices[0].logprobs.token_logprobs[#]".into(),
        };
        let mut positions = logprobs.content.0;
        if positions.is_empty() {
            positions = zipped(logprobs.tokens, logprobs.values, logprobs.top);
        } else {
            fields.alternative = "choices[0].logprobs.content[#].top_logprobs[#].logprob".into();
            fields.chosen = "choices[0].logprobs.content[#].logprob".into();
        }
        if positions.is_empty() {
            let field = "choices[0].logprobs".to_owned();
            return Err(ReplyError::NoLogprobs { field, ask: Ask::Completions });
        }
        output.tokens(&positions, &fields)
    }
}

/// Three lists as one; a list that is too short has nothing for the last positions.
fn zipped<'a>(
    tokens: Option<Vec<Text<'a>>>,
    values: Option<Vec<Number>>,
    top: Option<Vec<&'a RawValue>>,
) -> Vec<Position<'a>> {
    let (tokens, values, top) =
        (tokens.unwrap_or_default(), values.unwrap_or_default(), top.unwrap_or_default());
    if values.is_empty() && top.is_empty() {
        return Vec::new();
    }
    let mut values = values.into_iter();
    let mut top = top.into_iter();
    let position = |Text(token): Text<'a>| {
        let text = match token {
            std::borrow::Cow::Borrowed(text) => text.as_bytes().into(),
            std::borrow::Cow::Owned(text) => text.into_bytes().into(),
        };
        let value = values.next().unwrap_or_default();
        let top = top.next().map_or(Top::Absent, Top::Map);
        Position { chosen: Alternative { text, value, linear: false }, bytes: None, top }
    };
    tokens.into_iter().map(position).collect()
}

#[cfg(test)]
mod tests {
    use crate::Source::Completions as COMPLETIONS;
    use crate::vendors::testing::{close, error, row};

    #[test]
    fn alternatives_are_an_object_per_token() {
        let json = r#"{"choices": [{"text": "\n spam", "logprobs": {"tokens": ["\n", " spam"], "token_logprobs": [-0.5, -0.25],
            "top_logprobs": [{"\n": -0.5, " ham": -2.0}, {" ham": -1.75, " spam": -0.25}], "text_offset": [3, 4]}}]}"#;
        let p = |log: f64| log.exp();
        let (ham, spam) = (p(-2.0) + p(-0.5) * p(-1.75), p(-0.5) * p(-0.25));
        close(&row(COMPLETIONS, &["ham", "spam"], json), &[ham / (ham + spam), spam / (ham + spam)]);
    }

    #[test]
    fn the_field_of_a_bad_number_has_the_token() {
        let json = r#"{"choices": [{"text": "a", "logprobs": {"tokens": ["a"], "top_logprobs": [{"a": -1, " ham": 3}]}}]}"#;
        let message = "choices[0].logprobs.top_logprobs[0]. ham is 3, not a log-probability of at most 0";
        assert_eq!(error(COMPLETIONS, json).to_string(), message);
    }

    #[test]
    fn replies_without_log_probabilities_say_how_to_ask() {
        let json = r#"{"choices": [{"text": "ham", "logprobs": null}]}"#;
        assert_eq!(error(COMPLETIONS, json).cure().unwrap(), "ask for them: logprobs=5");
        assert_eq!(error(COMPLETIONS, r#"{"choices": [{"text": ""}]}"#).kind(), "empty");
        assert_eq!(
            error(COMPLETIONS, r#"{"choices": [{"text": "a", "finish_reason": "content_filter"}]}"#).kind(),
            "refusal"
        );
        assert_eq!(error(COMPLETIONS, "{}").kind(), "shape");
    }
}
