//! Google Natural Language (`categories[]`, `moderationCategories[]`) and Vision (`labelAnnotations[]`): independent scores.
//!
//! Google leaves out fields that are 0, so a score that is absent is 0.

use serde::Deserialize;
use serde::de::MapAccess;
use serde_json::value::RawValue;

use crate::document_error::vendor_message;
use crate::error::ReplyError;
use crate::output::Output;
use crate::scores::{Score, Scores, list, score};
use crate::value::Number;
use crate::wrap::{Known, Reply};

score!(Category, "name", "confidence");
score!(Annotation, "description", "score");

/// Scores with 0 in the place of absent ones.
fn filled<'a, T: Into<Score<'a>>>(entries: Vec<T>) -> Vec<Score<'a>> {
    let mut scores = list(entries);
    for score in scores.iter_mut().filter(|score| score.value == Number::Absent) {
        score.value = Number::Value(0.0);
    }
    scores
}

#[derive(Debug, Default)]
pub(crate) struct NaturalLanguage<'a> {
    categories: Option<Vec<Category<'a>>>,
    moderation: Option<Vec<Category<'a>>>,
}

impl<'de> Reply<'de> for NaturalLanguage<'de> {
    const EXPECTED: &'static str = "an object with categories or moderationCategories";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "categories" => self.categories = map.next_value()?,
            "moderationCategories" | "moderation_categories" => self.moderation = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let (field, list) = match (self.categories, self.moderation) {
            (Some(list), _) => ("categories", list),
            (None, Some(list)) => ("moderationCategories", list),
            (None, None) => {
                return Err(output.shape("", "there are no categories and no moderationCategories"));
            }
        };
        output.scores(None, &Scores::independent(filled(list), field.into(), "[#].confidence"))
    }
}

#[derive(Debug, Default)]
pub(crate) struct Vision<'a> {
    image: Image<'a>,
    responses: Option<Vec<Image<'a>>>,
}

/// The annotations of one image.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Image<'a> {
    #[serde(borrow, rename = "labelAnnotations", alias = "label_annotations")]
    labels: Option<Vec<Annotation<'a>>>,
    error: Option<&'a RawValue>,
}

impl<'de> Reply<'de> for Vision<'de> {
    const EXPECTED: &'static str = "an object with labelAnnotations";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "labelAnnotations" | "label_annotations" => self.image.labels = map.next_value()?,
            "responses" => self.responses = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError> {
        let Some(responses) = self.responses else { return self.image.row("", output) };
        if responses.is_empty() {
            return Err(ReplyError::NothingListed { field: "responses".into() });
        }
        let mut images = responses.into_iter().enumerate();
        images.try_for_each(|(i, image)| image.row(&format!("responses[{i}]."), output))
    }
}

impl Image<'_> {
    fn row(self, path: &str, output: &mut Output<'_>) -> Result<(), ReplyError> {
        if let Some(error) = self.error {
            return Err(ReplyError::Vendor { message: vendor_message(error) });
        }
        let Some(labels) = self.labels else {
            return Err(output.shape(path.trim_end_matches('.'), "there are no labelAnnotations"));
        };
        let field = format!("{path}labelAnnotations");
        output.scores(None, &Scores::independent(filled(labels), field, "[#].score"))
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::{GoogleNl, Vision};
    use crate::vendors::testing::{close, error, row, rows};

    #[test]
    fn categories_are_restricted_and_normalised() {
        let json = r#"{"categories": [{"name": "/Arts", "confidence": 0.9}, {"name": "/News", "confidence": 0.6}, {"name": "/X", "confidence": 0.8}]}"#;
        close(&row(GoogleNl, &["/News", "/Arts"], json), &[0.4, 0.6]);
        let json = r#"{"moderationCategories": [{"name": "Toxic", "confidence": 0.5}, {"name": "Insult"}], "languageCode": "en"}"#;
        close(&row(GoogleNl, &["toxic", "insult"], json), &[1.0, 0.0]);
        assert_eq!(error(GoogleNl, r#"{"categories": []}"#).kind(), "empty");
        assert_eq!(error(GoogleNl, "{}").kind(), "shape");
    }

    #[test]
    fn images_are_rows() {
        let cat = r#"{"labelAnnotations": [{"mid": "/m/01yrx", "description": "Cat", "score": 0.75, "topicality": 0.1}, {"description": "Pet", "score": 0.5}]}"#;
        close(&row(Vision, &["cat", "dog"], cat), &[0.6, 0.4]); // dog: the smallest score listed
        let two = format!(
            r#"{{"responses": [{cat}, {{"labelAnnotations": [{{"description": "Dog", "score": 0.5}}]}}]}}"#
        );
        close(&rows(Vision, &["cat", "dog"], &two).unwrap()[1].1, &[0.5, 0.5]);
        let failed = r#"{"responses": [{"error": {"code": 3, "message": "bad image data"}}]}"#;
        assert_eq!(error(Vision, failed).to_string(), "the service replied with an error: bad image data");
        assert_eq!(error(Vision, r#"{"responses": [{}]}"#).kind(), "shape");
    }
}
