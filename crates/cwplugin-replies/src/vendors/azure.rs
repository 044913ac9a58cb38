//! Azure AI Language: `results.documents[]` or `documents[]` with `confidenceScores` (sentiment) or `class[]` (custom text).

use serde::Deserialize;
use serde::de::MapAccess;
use serde_json::value::RawValue;

use crate::document_error::vendor_message;
use crate::error::ReplyError;
use crate::output::Output;
use crate::scores::{ByName, Scores, list, score};
use crate::value::{Number, Scalar};
use crate::wrap::{Known, Reply};

score!(
    /// A class of a custom model.
    Class, "category", "confidenceScore", alias = "confidence_score"
);

#[derive(Debug, Default)]
pub(crate) struct Azure<'a> {
    results: Option<Results<'a>>,
    /// Documents without `results` around them.
    top: Results<'a>,
    /// The tasks of a job, each with results.
    tasks: Option<Tasks<'a>>,
    /// One document by itself.
    document: Document<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Results<'a> {
    #[serde(borrow)]
    documents: Option<Vec<Document<'a>>>,
    errors: Option<Vec<Failure<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tasks<'a> {
    #[serde(borrow)]
    items: Option<Vec<Task<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Task<'a> {
    #[serde(borrow)]
    results: Option<Results<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Document<'a> {
    #[serde(borrow)]
    id: Scalar<'a>,
    #[serde(rename = "confidenceScores", alias = "confidence_scores")]
    scores: Option<ByName<'a, Number>>,
    #[serde(alias = "classifications")]
    class: Option<Vec<Class<'a>>>,
}

/// A document that was not classified.
#[derive(Debug, Deserialize)]
struct Failure<'a> {
    #[serde(borrow)]
    error: &'a RawValue,
}

impl<'de> Reply<'de> for Azure<'de> {
    const EXPECTED: &'static str = "an object with documents";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "tasks" => self.tasks = map.next_value()?,
            "results" => self.results = map.next_value()?,
            "documents" => self.top.documents = map.next_value()?,
            "errors" => self.top.errors = map.next_value()?,
            "confidenceScores" | "confidence_scores" => self.document.scores = map.next_value()?,
            "class" | "classifications" => self.document.class = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        if self.document.scores.is_some() || self.document.class.is_some() {
            return self.document.row("", output);
        }
        if let Some(items) = self.tasks.and_then(|tasks| tasks.items).filter(|items| !items.is_empty()) {
            let mut items = items.into_iter().enumerate();
            return items.try_for_each(|(i, task)| {
                task.results.unwrap_or_default().rows(&format!("tasks.items[{i}].results.documents"), output)
            });
        }
        match self.results {
            Some(results) => results.rows("results.documents", output),
            None => self.top.rows("documents", output),
        }
    }
}

impl Results<'_> {
    fn rows(self, path: &str, output: &mut Output<'_>) -> Result<(), ReplyError> {
        // Without the failed documents, rows would be missing unnoticed.
        if let Some(failure) = self.errors.iter().flatten().next() {
            return Err(ReplyError::Vendor { message: vendor_message(failure.error) });
        }
        let Some(documents) = self.documents else {
            return Err(output.shape("", "there are no documents"));
        };
        if documents.is_empty() {
            return Err(ReplyError::NothingListed { field: path.into() });
        }
        let mut documents = documents.into_iter().enumerate();
        documents.try_for_each(|(i, document)| document.row(&format!("{path}[{i}]."), output))
    }
}

impl Document<'_> {
    fn row(self, path: &str, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let scores = match (self.scores, self.class) {
            (Some(scores), _) => {
                Scores::distribution(scores.into_list(), format!("{path}confidenceScores"), ".#")
            }
            (None, Some(class)) => {
                Scores::distribution(list(class), format!("{path}class"), "[#].confidenceScore")
            }
            (None, None) => {
                let field = path.trim_end_matches('.');
                return Err(output.shape(field, "there is no confidenceScores and no class"));
            }
        };
        output.scores(self.id.text(), &scores)
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::Azure as AZURE;
    use crate::vendors::testing::{close, error, row, rows};

    #[test]
    fn documents_are_rows_with_their_ids() {
        let json = r#"{"kind": "SentimentAnalysisResults", "results": {"documents": [
            {"id": "a", "sentiment": "ham", "confidenceScores": {"ham": 0.75, "spam": 0.25}, "sentences": [{"confidenceScores": {"ham": 1}}]},
            {"id": "b", "confidenceScores": {"ham": 0.125, "spam": 0.875}}], "errors": [], "modelVersion": "1"}}"#;
        let rows = rows(AZURE, &["ham", "spam"], json).unwrap();
        assert_eq!((rows[0].0.as_deref(), rows[1].0.as_deref()), (Some("a"), Some("b")));
        close(&rows[0].1, &[0.75, 0.25]);
        close(&rows[1].1, &[0.125, 0.875]);
    }

    #[test]
    fn custom_text_lists_its_classes() {
        let json = r#"{"documents": [{"id": "1", "class": [{"category": "spam", "confidenceScore": 0.5}, {"category": "ham", "confidenceScore": 0.25}]}]}"#;
        close(&row(AZURE, &["ham", "spam"], json), &[1.0 / 3.0, 2.0 / 3.0]);
        let job = format!(r#"{{"jobId": "j", "errors": [], "tasks": {{"items": [{{"results": {json}}}]}}}}"#);
        close(&row(AZURE, &["ham", "spam"], &job), &[1.0 / 3.0, 2.0 / 3.0]);
        let one = r#"{"id": "1", "confidence_scores": {"ham": 0.75, "spam": 0.25}}"#;
        close(&row(AZURE, &["ham", "spam"], one), &[0.75, 0.25]);
    }

    #[test]
    fn failed_documents_are_errors() {
        let json = r#"{"results": {"documents": [{"id": "1", "confidenceScores": {"ham": 1, "spam": 0}}],
            "errors": [{"id": "2", "error": {"code": "InvalidArgument", "message": "empty text"}}]}}"#;
        assert_eq!(error(AZURE, json).to_string(), "the service replied with an error: empty text");
        assert_eq!(error(AZURE, r#"{"results": {"documents": []}}"#).kind(), "empty");
        assert_eq!(error(AZURE, r#"{"documents": [{"id": "1"}]}"#).kind(), "shape");
        assert_eq!(error(AZURE, "{}").kind(), "shape");
    }
}
