//! Amazon Comprehend: `SentimentScore{Positive, …}`, `Classes[]{Name, Score, Page}`, `Labels[]{Name, Score}`.

use serde::de::MapAccess;

use crate::error::ReplyError;
use crate::output::Output;
use crate::scores::{ByName, Repeats, Scores, list, score};
use crate::value::Number;
use crate::wrap::{Known, Reply};

score!(
    /// A class, or a label of a model with several labels per text.
    Class, "Name", "Score"
);

#[derive(Debug, Default)]
pub(crate) struct Comprehend<'a> {
    sentiment: Option<ByName<'a, Number>>,
    classes: Option<Vec<Class<'a>>>,
    labels: Option<Vec<Class<'a>>>,
}

impl<'de> Reply<'de> for Comprehend<'de> {
    const EXPECTED: &'static str = "an object with SentimentScore, Classes or Labels";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "SentimentScore" => self.sentiment = map.next_value()?,
            "Classes" => self.classes = map.next_value()?,
            "Labels" => self.labels = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        if let Some(scores) = self.sentiment {
            return output
                .scores(None, &Scores::distribution(scores.into_list(), "SentimentScore".into(), ".#"));
        }
        // Which list is filled depends on the model; the other one may be there, but empty.
        let scores = match (self.classes, self.labels) {
            (Some(classes), labels) if !classes.is_empty() || labels.as_ref().is_none_or(Vec::is_empty) => {
                Scores::distribution(list(classes), "Classes".into(), "[#].Score")
            }
            (_, Some(labels)) => Scores::independent(list(labels), "Labels".into(), "[#].Score"),
            _ => return Err(output.shape("", "there is no SentimentScore, Classes or Labels")),
        };
        output.scores(None, &Scores { repeats: Repeats::Mean, ..scores })
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::Comprehend as COMPREHEND;
    use crate::vendors::testing::{close, error, row};

    #[test]
    fn sentiment_has_a_score_per_name() {
        let json = r#"{"Sentiment": "POSITIVE", "SentimentScore": {"Positive": 0.5, "Negative": 0.25, "Neutral": 0.125, "Mixed": 0.125}}"#;
        close(&row(COMPREHEND, &["negative", "positive"], json), &[1.0 / 3.0, 2.0 / 3.0]);
    }

    #[test]
    fn scores_of_several_pages_are_averaged() {
        let json = r#"{"Classes": [{"Name": "ham", "Score": 0.75, "Page": 1}, {"Name": "spam", "Score": 0.25, "Page": 1},
            {"Name": "ham", "Score": 0.5, "Page": 2}, {"Name": "spam", "Score": 0.5, "Page": 2}]}"#;
        close(&row(COMPREHEND, &["ham", "spam"], json), &[0.625, 0.375]);
    }

    #[test]
    fn labels_are_independent() {
        let json =
            r#"{"Classes": [], "Labels": [{"Name": "ham", "Score": 0.9}, {"Name": "spam", "Score": 0.6}]}"#;
        close(&row(COMPREHEND, &["ham", "spam"], json), &[0.6, 0.4]);
    }

    #[test]
    fn bad_replies_are_named() {
        assert_eq!(error(COMPREHEND, r#"{"Classes": []}"#).kind(), "empty");
        assert_eq!(error(COMPREHEND, "{}").kind(), "shape");
        assert_eq!(
            error(COMPREHEND, r#"{"Error": {"Code": "Throttling", "Message": "slow down"}}"#).kind(),
            "vendor"
        );
        let number = error(COMPREHEND, r#"{"SentimentScore": {"Ham": "x"}}"#);
        assert_eq!(number.to_string(), "SentimentScore.Ham is \"x\", not a number from 0 to 1");
    }
}
