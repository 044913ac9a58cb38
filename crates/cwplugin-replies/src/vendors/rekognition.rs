//! Amazon Rekognition: `Labels[]{Name, Confidence}` from 0 to 100, independent of each other.

use serde::de::MapAccess;

use crate::error::ReplyError;
use crate::output::Output;
use crate::scores::{Scores, list, score};
use crate::wrap::{Known, Reply};

score!(Label, "Name", "Confidence");

#[derive(Debug, Default)]
pub(crate) struct Rekognition<'a> {
    labels: Option<Vec<Label<'a>>>,
    custom: Option<Vec<Label<'a>>>,
}

impl<'de> Reply<'de> for Rekognition<'de> {
    const EXPECTED: &'static str = "an object with Labels";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "Labels" => self.labels = map.next_value()?,
            "CustomLabels" => self.custom = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let (field, labels) = match (self.labels, self.custom) {
            (Some(labels), _) => ("Labels", labels),
            (None, Some(labels)) => ("CustomLabels", labels),
            (None, None) => return Err(output.shape("", "there are no Labels")),
        };
        let scores = Scores::independent(list(labels), field.into(), "[#].Confidence");
        output.scores(None, &Scores { one: 100.0, ..scores })
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::Rekognition as REKOGNITION;
    use crate::vendors::testing::{close, error, row};

    #[test]
    fn confidence_is_a_percentage() {
        let json = r#"{"Labels": [{"Name": "Cat", "Confidence": 75.0, "Instances": [], "Parents": [{"Name": "Animal"}]},
            {"Name": "Dog", "Confidence": 50}], "LabelModelVersion": "3.0"}"#;
        close(&row(REKOGNITION, &["dog", "cat"], json), &[0.4, 0.6]);
        let bad = error(REKOGNITION, r#"{"Labels": [{"Name": "ham", "Confidence": 101.0}]}"#);
        assert_eq!(bad.to_string(), "Labels[0].Confidence is 101, not a number from 0 to 100");
        assert_eq!(error(REKOGNITION, r#"{"Labels": []}"#).kind(), "empty");
        assert_eq!(error(REKOGNITION, "{}").kind(), "shape");
    }
}
