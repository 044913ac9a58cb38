//! Chat completions (`choices[].logprobs.content[]`), legacy completions (`choices[].logprobs{tokens[], token_logprobs[],
//! top_logprobs[]{token: logprob}}`) and responses of `OpenAI` (`output[].content[].logprobs[]`).

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Reply, answered, filtered, refusal};
use crate::error::ReplyError;
use crate::output::Output;
use crate::source::Ask;
use crate::tokens::{Alternative, Fields, Position, Positions, Top};
use crate::value::{Json, Number, Presence, Text, quoted};

/// Reasons to stop that leave no answer.
const FILTERS: [&str; 1] = ["content_filter"];

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Choice<'a> {
    #[serde(borrow)]
    message: Option<Message<'a>>,
    text: Presence,
    /// Only in a part of a streamed reply.
    delta: Presence,
    logprobs: Option<Logprobs<'a>>,
    finish_reason: Option<Json<'a>>,
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
    tokens: Option<Vec<Text<'a>>>,
    #[serde(rename = "token_logprobs")]
    values: Option<Vec<Number>>,
    #[serde(rename = "top_logprobs")]
    top: Option<Vec<&'a RawValue>>,
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

impl Reply<'_> {
    /// Adds the row of the first choice.
    pub(super) fn choice(self, ask: Ask, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let Some(choices) = self.choices else { return Err(output.shape("", "there are no choices")) };
        let Some(choice) = choices.into_iter().next() else {
            return Err(output.shape("choices", "the list is empty"));
        };
        if choice.delta != Presence::Absent {
            return Err(ReplyError::Streamed { field: "choices[0].delta".into() });
        }
        let message = choice.message.as_ref();
        if let Some(Text(text)) = message.and_then(|message| message.refusal.as_ref())
            && !text.is_empty()
        {
            return Err(refusal("choices[0].message.refusal", quoted(text)));
        }
        filtered("choices[0].finish_reason", choice.finish_reason, &FILTERS)?;
        match message {
            Some(message) => answered("choices[0].message.content", message.content)?,
            None => answered("choices[0].text", choice.text)?,
        }
        let mut logprobs = choice.logprobs.unwrap_or_default();
        let path = "choices[0].logprobs";
        let fields = if logprobs.content.0.is_empty() {
            logprobs.content.0 = zipped(logprobs.tokens, logprobs.values, logprobs.top);
            Fields::new(output, path, ".top_logprobs[#].#", ".token_logprobs[#]")
        } else {
            Fields::in_list(output, "choices[0].logprobs.content")
        };
        output.tokens(&logprobs.content.0, &fields, path, ask)
    }

    /// Adds the row of the first text in the first message of a response.
    pub(super) fn response(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let incomplete = self.fields.get("incomplete_details").and_then(Json::object);
        let reason = incomplete.and_then(|details| details.get("reason"));
        filtered("incomplete_details.reason", reason, &FILTERS)?;
        let Some(items) = self.parse::<Vec<Item<'_>>>("output", output)? else {
            return Err(self.excused(output.shape("", "there are no choices and no output")));
        };
        let is_message = |item: &Item<'_>| item.r#type.as_ref().is_none_or(|kind| kind.0 == "message");
        for (i, item) in items.into_iter().enumerate().filter(|(_, item)| is_message(item)) {
            for (j, part) in item.content.into_iter().flatten().enumerate() {
                let path = format!("output[{i}].content[{j}]");
                if let Some(Text(text)) = &part.refusal {
                    return Err(refusal(&format!("{path}.refusal"), quoted(text)));
                }
                if part.text == Presence::Absent {
                    continue;
                }
                answered(&format!("{path}.text"), part.text)?;
                let list = format!("{path}.logprobs");
                return output.tokens(
                    &part.logprobs.0,
                    &Fields::in_list(output, list.clone()),
                    &list,
                    Ask::Responses,
                );
            }
        }
        Err(ReplyError::EmptyAnswer { field: "output".into() })
    }
}

/// Three lists as one; a list that is too short has nothing for the last positions.
fn zipped<'a>(
    tokens: Option<Vec<Text<'a>>>,
    values: Option<Vec<Number>>,
    top: Option<Vec<&'a RawValue>>,
) -> Vec<Position<'a>> {
    if values.is_none() && top.is_none() {
        return Vec::new();
    }
    let mut values = values.into_iter().flatten();
    let mut top = top.into_iter().flatten();
    let position = |Text(token): Text<'a>| {
        let value = values.next().unwrap_or_default();
        let chosen = Alternative { text: crate::tokens::bytes_of(token, None), value, linear: false };
        Position { chosen, bytes: None, top: top.next().map_or(Top::Absent, Top::Map) }
    };
    tokens.into_iter().flatten().map(position).collect()
}
