//! Clarifai: `outputs[].data.concepts[]{name, value}`, independent of each other.

use serde::Deserialize;
use serde::de::MapAccess;
use serde_json::value::RawValue;

use crate::document_error::vendor_message;
use crate::error::ReplyError;
use crate::output::Output as Rows;
use crate::scores::{Scores, list, score};
use crate::value::Scalar;
use crate::wrap::{Known, Reply};

score!(Concept, "name", "value");

#[derive(Debug, Default)]
pub(crate) struct Clarifai<'a> {
    outputs: Option<Vec<Output<'a>>>,
    status: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Output<'a> {
    #[serde(borrow)]
    id: Scalar<'a>,
    data: Option<Data<'a>>,
    status: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Data<'a> {
    #[serde(borrow)]
    concepts: Option<Vec<Concept<'a>>>,
}

impl<'de> Reply<'de> for Clarifai<'de> {
    const EXPECTED: &'static str = "an object with outputs";

    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "outputs" => self.outputs = map.next_value()?,
            "status" => self.status = map.next_value()?,
            _ => return Ok(Known::No),
        }
        Ok(Known::Yes)
    }

    fn rows(self, rows: &mut Rows<'_>) -> Result<(), ReplyError> {
        let outputs = self.outputs.unwrap_or_default();
        if outputs.is_empty() {
            return Err(failure(self.status, "", rows));
        }
        for (i, output) in outputs.into_iter().enumerate() {
            let Some(concepts) = output.data.and_then(|data| data.concepts) else {
                return Err(failure(output.status, &format!("outputs[{i}].data"), rows));
            };
            let field = format!("outputs[{i}].data.concepts");
            rows.scores(output.id.text(), &Scores::independent(list(concepts), field, "[#].value"))?;
        }
        Ok(())
    }
}

/// Without concepts, the status says why.
fn failure(status: Option<&RawValue>, field: &str, rows: &Rows<'_>) -> ReplyError {
    match status {
        Some(status) => ReplyError::Vendor { message: vendor_message(status) },
        None => rows.shape(field, "there are no concepts"),
    }
}

#[cfg(test)]
mod tests {
    use crate::Source::Clarifai as CLARIFAI;
    use crate::vendors::testing::{close, error, row, rows};

    #[test]
    fn outputs_are_rows() {
        let output = |cat: f64, dog: f64| {
            format!(
                r#"{{"status": {{"code": 10000}}, "data": {{"concepts": [{{"id": "ai_1", "name": "cat", "value": {cat}, "app_id": "main"}}, {{"name": "dog", "value": {dog}}}]}}}}"#
            )
        };
        let one = format!(
            r#"{{"status": {{"code": 10000, "description": "Ok"}}, "outputs": [{}]}}"#,
            output(0.75, 0.5)
        );
        close(&row(CLARIFAI, &["dog", "cat"], &one), &[0.4, 0.6]);
        let two = format!(r#"{{"outputs": [{}, {}]}}"#, output(0.75, 0.5), output(0.1, 0.3));
        close(&rows(CLARIFAI, &["dog", "cat"], &two).unwrap()[1].1, &[0.75, 0.25]);
    }

    #[test]
    fn a_failure_has_a_status() {
        let json = r#"{"status": {"code": 11102, "description": "Invalid API key"}}"#;
        assert_eq!(error(CLARIFAI, json).to_string(), "the service replied with an error: Invalid API key");
        assert_eq!(error(CLARIFAI, "{}").kind(), "shape");
        assert_eq!(error(CLARIFAI, r#"{"outputs": [{"data": {"concepts": []}}]}"#).kind(), "empty");
    }
}
