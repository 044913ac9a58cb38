//! Chat completions (`choices[].logprobs.content[]`) and responses (`output[].content[].logprobs[]`) of `OpenAI`.

use serde::Deserialize;
use serde::de::MapAccess;

use crate::error::ReplyError;
use crate::output::Output;
use crate::source::Ask;
use crate::tokens::{Fields, Positions};
use crate::value::{Presence, Text, quoted};
use crate::vendors::refusal;
use crate::wrap::{Known, Reply};

#[derive(Debug, Default)]
pub(crate) struct Openai<'a> {
    chat: Chat<'a>,
    output: Option<Vec<Item<'a>>>,
    incomplete: Option<Incomplete<'a>>,
}

/// A chat completion; servers other than `OpenAI`'s reply with it too.
#[derive(Debug, Default)]
pub(crate) struct Chat<'a> {
    pub(crate) choices: Option<Vec<Choice<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Choice<'a> {
    #[serde(borrow)]
    message: Option<Message<'a>>,
    logprobs: Option<Logprobs<'a>>,
    finish_reason: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message<'a> {
    content: Presence,
    #[serde(borrow)]
    refusal: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Logprobs<'a> {
    #[serde(borrow)]
    content: Positions<'a>,
}

/// An item of a response: a message, reasoning, or the call of a tool.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Item<'a> {
    #[serde(borrow)]
    content: Option<Vec<Part<'a>>>,
    r#type: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Part<'a> {
    text: Presence,
    #[serde(borrow)]
    logprobs: Positions<'a>,
    refusal: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Incomplete<'a> {
    #[serde(borrow)]
    reason: Option<Text<'a>>,
}

impl<'de> Reply<'de> for Openai<'de> {
    const EXPECTED: &'static str = "an object with choices or output";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "choices" => self.chat.choices = map.next_value()?,
            "output" => self.output = map.next_value()?,
            "incomplete_details" => self.incomplete = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        match (self.chat.choices, self.output) {
            (Some(choices), _) => Chat { choices: Some(choices) }.rows(output, Ask::Chat),
            (None, Some(items)) => response(items, self.incomplete, output),
            (None, None) => Err(output.shape("", "there are no choices and no output")),
        }
    }
}

impl Chat<'_> {
    /// Adds the row of the first choice.
    pub(crate) fn rows(self, output: &mut Output<'_>, ask: Ask) -> Result<(), ReplyError> {
        let Some(choice) = self.choices.into_iter().flatten().next() else {
            return Err(output.shape("choices", "there are none"));
        };
        if let Some(message) = &choice.message {
            if let Some(Text(text)) = message.refusal.as_ref().filter(|text| !text.0.is_empty()) {
                return Err(refusal("choices[0].message.refusal", quoted(text)));
            }
            filtered(choice.finish_reason.as_ref())?;
            match message.content {
                Presence::Null => return Err(refusal("choices[0].message.content", "null")),
                Presence::Empty => {
                    return Err(ReplyError::EmptyAnswer { field: "choices[0].message.content".into() });
                }
                Presence::Absent | Presence::Present => {}
            }
        }
        filtered(choice.finish_reason.as_ref())?;
        let Positions(positions) = choice.logprobs.unwrap_or_default().content;
        if positions.is_empty() {
            return Err(ReplyError::NoLogprobs { field: "choices[0].logprobs".into(), ask });
        }
        let fields = Fields {
            origin: output.source.name(),
            alternative: "choices[0].logprobs.content[#].top_logprobs[#].logprob".into(),
            chosen: "choices[0].logprobs.content[#].logprob".into(),
        };
        output.tokens(&positions, &fields)
    }
}

/// An error if a filter removed the answer.
pub(crate) fn filtered(finish_reason: Option<&Text<'_>>) -> Result<(), ReplyError> {
    match finish_reason {
        Some(Text(reason)) if reason == "content_filter" => {
            Err(refusal("choices[0].finish_reason", quoted(reason)))
        }
        _ => Ok(()),
    }
}

/// Adds the row of the first text in the first message.
fn response(
    items: Vec<Item<'_>>,
    incomplete: Option<Incomplete<'_>>,
    output: &mut Output<'_>,
) -> Result<(), ReplyError> {
    if let Some(Text(reason)) = incomplete.and_then(|incomplete| incomplete.reason)
        && reason == "content_filter"
    {
        return Err(refusal("incomplete_details.reason", quoted(&reason)));
    }
    let is_message = |item: &Item<'_>| item.r#type.as_ref().is_none_or(|Text(name)| name == "message");
    for (i, item) in items.into_iter().enumerate().filter(|(_, item)| is_message(item)) {
        for (j, part) in item.content.into_iter().flatten().enumerate() {
            let field = format!("output[{i}].content[{j}]");
            if let Some(Text(text)) = part.refusal {
                return Err(refusal(&format!("{field}.refusal"), quoted(&text)));
            }
            match part.text {
                Presence::Absent => continue,
                Presence::Null => return Err(refusal(&format!("{field}.text"), "null")),
                Presence::Empty => return Err(ReplyError::EmptyAnswer { field: format!("{field}.text") }),
                Presence::Present => {}
            }
            let Positions(positions) = part.logprobs;
            if positions.is_empty() {
                let field = format!("{field}.logprobs");
                return Err(ReplyError::NoLogprobs { field, ask: Ask::Responses });
            }
            let fields = Fields {
                origin: output.source.name(),
                alternative: format!("{field}.logprobs[#].top_logprobs[#].logprob").into(),
                chosen: format!("{field}.logprobs[#].logprob").into(),
            };
            return output.tokens(&positions, &fields);
        }
    }
    Err(ReplyError::EmptyAnswer { field: "output".into() })
}

#[cfg(test)]
mod tests {
    use crate::Source::Openai as OPENAI;
    use crate::vendors::testing::{close, error, row, rows};

    const POSITION: &str = r#"{"token": "spam", "logprob": -0.5, "bytes": null, "top_logprobs": [
        {"token": "spam", "logprob": -0.5, "bytes": null}, {"token": "Ham", "logprob": -1.5, "bytes": null}]}"#;

    #[test]
    fn chat_completions_and_responses_have_the_same_tokens() {
        let (spam, ham) = ((-0.5_f64).exp(), (-1.5_f64).exp());
        let expected = [ham / (ham + spam), spam / (ham + spam)];
        let chat = format!(
            r#"{{"id": "chatcmpl-1", "choices": [{{"message": {{"content": "spam"}}, "logprobs": {{"content": [{POSITION}]}}}}]}}"#
        );
        close(&row(OPENAI, &["ham", "spam"], &chat), &expected);
        assert_eq!(rows(OPENAI, &["ham", "spam"], &chat).unwrap()[0].0.as_deref(), Some("chatcmpl-1"));
        let response = format!(
            r#"{{"error": null, "output": [{{"type": "reasoning", "summary": []}},
                {{"type": "message", "content": [{{"type": "output_text", "text": "spam", "logprobs": [{POSITION}]}}]}}]}}"#
        );
        close(&row(OPENAI, &["ham", "spam"], &response), &expected);
    }

    #[test]
    fn replies_without_an_answer_say_why() {
        let chat = |choice: &str| error(OPENAI, &format!(r#"{{"choices": [{choice}]}}"#));
        assert_eq!(chat(r#"{"message": {"content": "", "refusal": null}}"#).kind(), "empty");
        assert_eq!(
            chat(r#"{"message": {"content": null}}"#).to_string(),
            "no answer: choices[0].message.content is null"
        );
        assert_eq!(chat(r#"{"message": {"content": null, "refusal": "I can't"}}"#).kind(), "refusal");
        assert_eq!(chat(r#"{"finish_reason": "content_filter"}"#).kind(), "refusal");
        let logprobs = chat(r#"{"message": {"content": "ham"}, "logprobs": null}"#);
        assert!(logprobs.cure().unwrap().contains("top_logprobs=20"));
        assert_eq!(error(OPENAI, r#"{"choices": []}"#).kind(), "shape");
        assert_eq!(error(OPENAI, r#"{"x": 1}"#).kind(), "shape");
    }

    #[test]
    fn responses_without_an_answer_say_why() {
        let part = |part: &str| {
            error(OPENAI, &format!(r#"{{"output": [{{"type": "message", "content": [{part}]}}]}}"#))
        };
        assert!(
            part(r#"{"text": "ham", "logprobs": []}"#)
                .cure()
                .unwrap()
                .contains("message.output_text.logprobs")
        );
        assert_eq!(part(r#"{"type": "refusal", "refusal": "no"}"#).kind(), "refusal");
        assert_eq!(part(r#"{"text": "", "logprobs": []}"#).kind(), "empty");
        assert_eq!(error(OPENAI, r#"{"output": []}"#).kind(), "empty");
    }
}
