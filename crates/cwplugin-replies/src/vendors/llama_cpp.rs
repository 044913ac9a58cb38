//! llama.cpp: chat as `OpenAI`, and `/completion` with `completion_probabilities[]`.
//!
//! New builds list log-probabilities (`top_logprobs`), or probabilities after sampling (`top_probs`); old builds list
//! probabilities (`probs[]{tok_str, prob}`).

use serde::de::MapAccess;

use crate::error::ReplyError;
use crate::output::Output;
use crate::source::Ask;
use crate::tokens::{Fields, Position, Positions};
use crate::value::Presence;
use crate::vendors::openai::Chat;
use crate::wrap::{Known, Reply};

#[derive(Debug, Default)]
pub(crate) struct LlamaCpp<'a> {
    chat: Chat<'a>,
    content: Presence,
    probabilities: Option<Positions<'a>>,
}

impl<'de> Reply<'de> for LlamaCpp<'de> {
    const EXPECTED: &'static str = "an object with choices or completion_probabilities";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "choices" => self.chat.choices = map.next_value()?,
            "content" => self.content = map.next_value()?,
            "completion_probabilities" => self.probabilities = Some(map.next_value()?),
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        if self.chat.choices.is_some() {
            return self.chat.rows(output, Ask::LlamaCpp);
        }
        match self.content {
            Presence::Null => {
                return Err(ReplyError::Refusal { field: "content".into(), value: "null".into() });
            }
            Presence::Empty => return Err(ReplyError::EmptyAnswer { field: "content".into() }),
            Presence::Absent if self.probabilities.is_none() => {
                return Err(output.shape("", "there are no choices and no completion_probabilities"));
            }
            Presence::Absent | Presence::Present => {}
        }
        let Positions(positions) = self.probabilities.unwrap_or_default();
        let Some(first) = positions.first() else {
            let field = "completion_probabilities".to_owned();
            return Err(ReplyError::NoLogprobs { field, ask: Ask::LlamaCpp });
        };
        let fields = fields(first, output.source.name());
        output.tokens(&positions, &fields)
    }
}

/// The paths of the numbers in this build.
fn fields(first: &Position<'_>, origin: &'static str) -> Fields {
    let linear =
        first.top.read().is_ok_and(|list| list.first().is_some_and(|alternative| alternative.linear));
    let (alternative, chosen) = match (linear, first.chosen.linear) {
        (false, _) => ("top_logprobs[#].logprob", "logprob"),
        (true, true) => ("top_probs[#].prob", "prob"),
        (true, false) => ("probs[#].prob", "content"),
    };
    Fields {
        origin,
        alternative: format!("completion_probabilities[#].{alternative}").into(),
        chosen: format!("completion_probabilities[#].{chosen}").into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::LlamaCpp as LLAMA;
    use crate::vendors::testing::{close, error, row};

    fn completion(position: &str) -> String {
        format!(r#"{{"content": " ham", "completion_probabilities": [{position}], "stop": true}}"#)
    }

    #[test]
    fn new_and_old_builds_list_other_numbers() {
        let (ham, spam) = ((-0.5_f64).exp(), (-1.0_f64).exp());
        let new = completion(
            r#"{"id": 1, "token": " ham", "bytes": [32, 104, 97, 109], "logprob": -0.5,
            "top_logprobs": [{"id": 1, "token": " ham", "bytes": [], "logprob": -0.5}, {"id": 2, "token": " spam", "bytes": [], "logprob": -1.0}]}"#,
        );
        close(&row(LLAMA, &["ham", "spam"], &new), &[ham / (ham + spam), spam / (ham + spam)]);
        let sampled = completion(
            r#"{"id": 1, "token": " ham", "bytes": [], "prob": 0.5, "top_probs": [{"id": 1, "token": " ham", "prob": 0.5}, {"id": 2, "token": " spam", "prob": 0.125}]}"#,
        );
        close(&row(LLAMA, &["ham", "spam"], &sampled), &[0.8, 0.2]);
        let old = completion(
            r#"{"content": " ham", "probs": [{"tok_str": " ham", "prob": 0.5}, {"tok_str": " spam", "prob": 0.125}, {"tok_str": " x", "prob": 0.0}]}"#,
        );
        close(&row(LLAMA, &["ham", "spam"], &old), &[0.8, 0.2]);
    }

    #[test]
    fn bad_numbers_are_named_by_the_fields_of_the_build() {
        let old = completion(r#"{"content": "a", "probs": [{"tok_str": "ham", "prob": 2}]}"#);
        let message = "completion_probabilities[0].probs[0].prob is 2, not a probability";
        assert_eq!(error(LLAMA, &old).to_string(), message);
    }

    #[test]
    fn replies_without_log_probabilities_say_how_to_ask() {
        assert!(error(LLAMA, r#"{"content": "ham"}"#).cure().unwrap().contains("\"n_probs\": 20"));
        assert_eq!(error(LLAMA, r#"{"content": ""}"#).kind(), "empty");
        assert_eq!(error(LLAMA, "{}").kind(), "shape");
        assert_eq!(error(LLAMA, r#"{"choices": [{"logprobs": null}]}"#).kind(), "no-logprobs");
    }
}
