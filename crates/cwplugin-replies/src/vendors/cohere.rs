//! Cohere classify: `classifications[].labels{NAME: {confidence}}`.

use serde::Deserialize;
use serde::de::MapAccess;

use crate::error::ReplyError;
use crate::output::Output;
use crate::scores::{ByName, Scores};
use crate::value::{Number, Scalar, Text};
use crate::wrap::{Known, Reply};

#[derive(Debug, Default)]
pub(crate) struct Cohere<'a> {
    classifications: Option<Vec<Classification<'a>>>,
    message: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Classification<'a> {
    #[serde(borrow)]
    id: Scalar<'a>,
    labels: Option<ByName<'a, Confidence>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Confidence {
    confidence: Number,
}

impl From<Confidence> for Number {
    fn from(value: Confidence) -> Self {
        value.confidence
    }
}

impl<'de> Reply<'de> for Cohere<'de> {
    const EXPECTED: &'static str = "an object with classifications";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "classifications" => self.classifications = map.next_value()?,
            "message" => self.message = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let Some(texts) = self.classifications else {
            // Errors of Cohere are a message without an error object.
            return Err(match self.message {
                Some(Text(message)) => ReplyError::Vendor { message: message.into_owned() },
                None => output.shape("", "there are no classifications"),
            });
        };
        if texts.is_empty() {
            return Err(ReplyError::NothingListed { field: "classifications".into() });
        }
        for (i, text) in texts.into_iter().enumerate() {
            let Some(labels) = text.labels else {
                return Err(output.shape(&format!("classifications[{i}]"), "there are no labels"));
            };
            let field = format!("classifications[{i}].labels");
            let scores = Scores::distribution(labels.into_list(), field, ".#.confidence");
            output.scores(text.id.text(), &scores)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::Cohere as COHERE;
    use crate::vendors::testing::{close, error, rows};

    #[test]
    fn classifications_are_rows() {
        let json = r#"{"id": "x", "classifications": [
            {"id": "1", "prediction": "spam", "confidence": 0.75, "labels": {"ham": {"confidence": 0.25}, "spam": {"confidence": 0.75}}},
            {"id": "2", "labels": {"spam": {"confidence": 0.125}, "ham": {"confidence": 0.875}}}]}"#;
        let rows = rows(COHERE, &["ham", "spam"], json).unwrap();
        close(&rows[0].1, &[0.25, 0.75]);
        close(&rows[1].1, &[0.875, 0.125]);
    }

    #[test]
    fn bad_replies_are_named() {
        assert_eq!(error(COHERE, r#"{"message": "invalid api token"}"#).kind(), "vendor");
        assert_eq!(error(COHERE, "{}").kind(), "shape");
        assert_eq!(error(COHERE, r#"{"classifications": []}"#).kind(), "empty");
        let number = error(COHERE, r#"{"classifications": [{"labels": {"ham": {"confidence": null}}}]}"#);
        assert_eq!(
            number.to_string(),
            "classifications[0].labels.ham.confidence is null, not a number from 0 to 1"
        );
    }
}
