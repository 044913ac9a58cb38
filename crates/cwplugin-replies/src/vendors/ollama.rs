//! Ollama: `logprobs[]` at the top, beside `response` (generate) or `message` (chat).

use serde::Deserialize;
use serde::de::MapAccess;

use crate::error::ReplyError;
use crate::output::Output;
use crate::source::Ask;
use crate::tokens::{Fields, Positions};
use crate::value::Presence;
use crate::wrap::{Known, Reply};

#[derive(Debug, Default)]
pub(crate) struct Ollama<'a> {
    response: Presence,
    message: Option<Message>,
    logprobs: Positions<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message {
    content: Presence,
}

impl<'de> Reply<'de> for Ollama<'de> {
    const EXPECTED: &'static str = "an object with response or message";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "response" => self.response = map.next_value()?,
            "message" => self.message = map.next_value()?,
            "logprobs" => self.logprobs = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let (field, answer) = match self.message {
            Some(message) => ("message.content", message.content),
            None => ("response", self.response),
        };
        let Positions(positions) = self.logprobs;
        match answer {
            Presence::Null => {
                return Err(ReplyError::Refusal { field: field.into(), value: "null".into() });
            }
            Presence::Empty => return Err(ReplyError::EmptyAnswer { field: field.into() }),
            Presence::Absent if positions.is_empty() => {
                return Err(output.shape("", "there is no response and no message"));
            }
            Presence::Absent | Presence::Present => {}
        }
        if positions.is_empty() {
            return Err(ReplyError::NoLogprobs { field: "logprobs".into(), ask: Ask::Ollama });
        }
        let fields = Fields {
            origin: output.source.name(),
            alternative: "logprobs[#].top_logprobs[#].logprob".into(),
            chosen: "logprobs[#].logprob".into(),
        };
        output.tokens(&positions, &fields)
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::Ollama as OLLAMA;
    use crate::vendors::testing::{close, error, row};

    #[test]
    fn generate_and_chat_have_log_probabilities_at_the_top() {
        let json = |answer: &str| {
            format!(
                r#"{{"model": "m", {answer}, "done": true, "logprobs": [{{"token": "ham", "logprob": -1.0,
                "top_logprobs": [{{"token": "Spam", "logprob": -0.5}}, {{"token": "ham", "logprob": -1.0}}]}}]}}"#
            )
        };
        let (ham, spam) = ((-1.0_f64).exp(), (-0.5_f64).exp());
        let expected = [ham / (ham + spam), spam / (ham + spam)];
        close(&row(OLLAMA, &["ham", "spam"], &json(r#""response": "ham""#)), &expected);
        let chat = json(r#""message": {"role": "assistant", "content": "ham"}"#);
        close(&row(OLLAMA, &["ham", "spam"], &chat), &expected);
    }

    #[test]
    fn replies_without_log_probabilities_say_how_to_ask() {
        let cure = error(OLLAMA, r#"{"response": "ham", "done": true}"#).cure().unwrap();
        assert!(cure.contains("\"logprobs\": true, \"top_logprobs\": 20"));
        assert_eq!(error(OLLAMA, r#"{"message": {"content": ""}}"#).kind(), "empty");
        assert_eq!(error(OLLAMA, r#"{"error": "model not found"}"#).kind(), "vendor");
        assert_eq!(error(OLLAMA, r#"{"done": true}"#).kind(), "shape");
    }
}
