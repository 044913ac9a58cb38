//! Amazon Comprehend: `SentimentScore{Positive, …}`, `Classes[]{Name, Score, Page}`, `Labels[]{Name, Score}`.

use serde::Deserialize;
use serde::de::MapAccess;
use serde_json::value::RawValue;

use crate::document_error::vendor_message;
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
    batch: Option<Vec<Sentiment<'a>>>,
    errors: Option<Vec<&'a RawValue>>,
}

/// The sentiment of one text of a batch.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Sentiment<'a> {
    #[serde(borrow, rename = "SentimentScore")]
    scores: Option<ByName<'a, Number>>,
}

impl<'de> Reply<'de> for Comprehend<'de> {
    const EXPECTED: &'static str = "an object with SentimentScore, Classes or Labels";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "SentimentScore" => self.sentiment = map.next_value()?,
            "Classes" => self.classes = map.next_value()?,
            "Labels" => self.labels = map.next_value()?,
            "ResultList" => self.batch = map.next_value()?,
            "ErrorList" => self.errors = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        if let Some(error) = self.errors.into_iter().flatten().next() {
            return Err(ReplyError::Vendor { message: vendor_message(error) });
        }
        if let Some(scores) = self.sentiment {
            return output
                .scores(None, &Scores::distribution(scores.into_list(), "SentimentScore".into(), ".#"));
        }
        if let Some(batch) = self.batch {
            return sentiments(batch, output);
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

/// One row per text of a batch.
fn sentiments(batch: Vec<Sentiment<'_>>, output: &mut Output<'_>) -> Result<(), ReplyError> {
    if batch.is_empty() {
        return Err(ReplyError::NothingListed { field: "ResultList".into() });
    }
    for (i, text) in batch.into_iter().enumerate() {
        let Some(scores) = text.scores else {
            return Err(output.shape(&format!("ResultList[{i}]"), "there is no SentimentScore"));
        };
        let field = format!("ResultList[{i}].SentimentScore");
        output.scores(None, &Scores::distribution(scores.into_list(), field, ".#"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Source::Comprehend as COMPREHEND;
    use crate::vendors::testing::{close, error, row, rows};

    #[test]
    fn sentiment_has_a_score_per_name() {
        let json = r#"{"Sentiment": "POSITIVE", "SentimentScore": {"Positive": 0.5, "Negative": 0.25, "Neutral": 0.125, "Mixed": 0.125}}"#;
        close(&row(COMPREHEND, &["negative", "positive"], json), &[1.0 / 3.0, 2.0 / 3.0]);
    }

    #[test]
    fn a_batch_has_one_row_per_text() {
        let json = |errors: &str| {
            format!(
                r#"{{"ResultList": [{{"Index": 0, "SentimentScore": {{"Positive": 0.75, "Negative": 0.25}}}},
                {{"Index": 1, "SentimentScore": {{"Positive": 0.125, "Negative": 0.875}}}}], "ErrorList": [{errors}]}}"#
            )
        };
        close(&rows(COMPREHEND, &["negative", "positive"], &json("")).unwrap()[1].1, &[0.875, 0.125]);
        let failed =
            json(r#"{"Index": 2, "ErrorCode": "TEXT_SIZE_LIMIT_EXCEEDED", "ErrorMessage": "too long"}"#);
        assert_eq!(error(COMPREHEND, &failed).to_string(), "the service replied with an error: too long");
        assert_eq!(error(COMPREHEND, r#"{"ResultList": []}"#).kind(), "empty");
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
