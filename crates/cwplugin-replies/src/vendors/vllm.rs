//! vLLM: chat as `OpenAI`, and `/classify`: `data[]{index, label?, probs[], num_classes}`.

use serde::Deserialize;
use serde::de::MapAccess;

use crate::error::ReplyError;
use crate::missing::Listed;
use crate::output::Output;
use crate::source::{Ask, Kind};
use crate::value::{Number, Text};
use crate::vendors::openai::Chat;
use crate::wrap::{Known, Reply};

/// Probabilities may exceed 1 by rounding.
const ROUNDING: f64 = 1e-6;

#[derive(Debug, Default)]
pub(crate) struct Vllm<'a> {
    chat: Chat<'a>,
    data: Option<Vec<Classified<'a>>>,
    /// The message of an error, which has no object of its own.
    message: Option<Text<'a>>,
}

/// The probabilities of one text, in the order of the model's classes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Classified<'a> {
    #[serde(borrow)]
    label: Option<Text<'a>>,
    probs: Vec<Number>,
}

impl<'de> Reply<'de> for Vllm<'de> {
    const EXPECTED: &'static str = "an object with choices or data";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "choices" => self.chat.choices = map.next_value()?,
            "data" => self.data = map.next_value()?,
            "message" => self.message = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        if self.chat.choices.is_some() {
            return self.chat.rows(output, Ask::Chat);
        }
        let Some(data) = self.data else {
            return Err(match self.message {
                Some(Text(message)) => ReplyError::Vendor { message: message.into_owned() },
                None => output.shape("", "there are no choices and no data"),
            });
        };
        if data.is_empty() {
            return Err(ReplyError::NothingListed { field: "data".into() });
        }
        data.iter().enumerate().try_for_each(|(i, text)| text.row(i, output))
    }
}

impl Classified<'_> {
    fn row(&self, i: usize, output: &mut Output<'_>) -> Result<(), ReplyError> {
        self.check_order(i, output)?;
        let field = || format!("data[{i}].probs");
        output.row(None, &field, |q| {
            if self.probs.is_empty() {
                return Err(ReplyError::NothingListed { field: field() });
            }
            if self.probs.len() != q.len() {
                let (found, expected) = (self.probs.len(), q.len());
                return Err(ReplyError::WrongCount { field: field(), found, expected });
            }
            for (k, (q, p)) in q.iter_mut().zip(&self.probs).enumerate() {
                *q = match p {
                    Number::Value(p) if (0.0..=1.0 + ROUNDING).contains(p) => *p,
                    other => {
                        let (field, value) = (format!("data[{i}].probs[{k}]"), other.shown());
                        return Err(ReplyError::BadNumber { field, value, expected: "a number from 0 to 1" });
                    }
                };
            }
            let sum: f64 = q.iter().sum();
            if sum <= 0.0 {
                return Err(ReplyError::NoClass { field: field(), seen: Vec::new() });
            }
            let smallest = q.iter().copied().fold(f64::INFINITY, f64::min);
            Ok(Listed { kind: Kind::Distribution, smallest, unlisted: (1.0 - sum).max(0.0) })
        })
    }

    /// The numbers have no names: if the reply names the most probable class, it must be ours too.
    fn check_order(&self, i: usize, output: &Output<'_>) -> Result<(), ReplyError> {
        let Some((classes, Text(label))) = output.classes().zip(self.label.as_ref()) else { return Ok(()) };
        let value = |k: usize| match self.probs.get(k) {
            Some(Number::Value(p)) => *p,
            _ => f64::NEG_INFINITY,
        };
        let Some(named) = classes.named(label).filter(|_| self.probs.len() == classes.len()) else {
            return Ok(());
        };
        match (0..classes.len()).find(|&k| value(k) > value(named)) {
            Some(k) => Err(ReplyError::OtherOrder {
                field: format!("data[{i}].label"),
                label: label.to_string(),
                class: classes.names()[k].clone(),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source::Vllm as VLLM;
    use crate::vendors::testing::{close, error, row, rows};

    #[test]
    fn classify_gives_one_row_per_text_in_the_order_of_the_classes() {
        let json = r#"{"id": "classify-1", "data": [{"index": 0, "label": "spam", "probs": [0.25, 0.75], "num_classes": 2},
            {"index": 1, "label": "LABEL_0", "probs": [0.875, 0.125], "num_classes": 2}]}"#;
        let rows = rows(VLLM, &["ham", "spam"], json).unwrap();
        close(&rows[0].1, &[0.25, 0.75]);
        close(&rows[1].1, &[0.875, 0.125]);
    }

    #[test]
    fn chat_is_read_as_openai() {
        let json = r#"{"choices": [{"logprobs": {"content": [{"token": "ham", "logprob": -0.25,
            "top_logprobs": [{"token": "ham", "logprob": -0.25}, {"token": "spam", "logprob": -9999.0}]}]}}]}"#;
        let ham = (-0.25_f64).exp();
        close(&row(VLLM, &["ham", "spam"], json), &[ham, 1.0 - ham]); // the bound: what is not listed
    }

    #[test]
    fn other_classes_are_refused() {
        let data = |text: &str| error(VLLM, &format!(r#"{{"data": [{text}]}}"#));
        let error = ReplyError::WrongCount { field: "data[0].probs".into(), found: 3, expected: 2 };
        assert_eq!(data(r#"{"probs": [0.1, 0.2, 0.7]}"#), error);
        let order = data(r#"{"label": "Spam", "probs": [0.75, 0.25]}"#);
        assert_eq!(
            order.to_string(),
            "data[0].label is \"Spam\", but the largest number belongs to class \"ham\""
        );
        assert_eq!(data(r#"{"probs": [0.5, null]}"#).kind(), "number");
        assert_eq!(data(r#"{"probs": []}"#).kind(), "empty");
    }

    #[test]
    fn errors_have_a_message_at_the_top() {
        let json = r#"{"object": "error", "message": "no such model", "code": 404}"#;
        assert_eq!(error(VLLM, json), ReplyError::Vendor { message: "no such model".into() });
    }
}
