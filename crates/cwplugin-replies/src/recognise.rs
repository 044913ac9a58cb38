//! Whether a document is plainly a reply.

use serde_json::Value;

use crate::source::Source;

/// A document that is plainly a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognised {
    /// The source.
    pub source: Source,
    /// The field that contains the reply, if it is not the document itself.
    pub reply_at: Option<String>,
}

/// Fields that together only replies of a source have.
const SHAPES: [(Source, &[&str]); 25] = [
    (Source::Openai, &["/choices/0/message"]),
    (Source::Openai, &["/custom_id", "/response/body"]),
    (Source::Openai, &["/object", "/output/0/type"]),
    (Source::Completions, &["/choices/0/text", "/choices/0/finish_reason"]),
    (Source::Vllm, &["/data/0/probs/0"]),
    (Source::Gemini, &["/candidates/0/content"]),
    (Source::Gemini, &["/candidates/0/logprobsResult"]),
    (Source::Ollama, &["/model", "/created_at", "/done", "/response"]),
    (Source::Ollama, &["/model", "/created_at", "/done", "/message/content"]),
    (Source::LlamaCpp, &["/completion_probabilities/0"]),
    (Source::Huggingface, &["/sequence", "/labels/0", "/scores/0"]),
    (Source::Comprehend, &["/SentimentScore/Positive"]),
    (Source::Comprehend, &["/ResultList/0/SentimentScore"]),
    (Source::Comprehend, &["/Classes/0/Name", "/Classes/0/Score"]),
    (Source::Comprehend, &["/Labels/0/Name", "/Labels/0/Score"]),
    (Source::Rekognition, &["/Labels/0/Name", "/Labels/0/Confidence"]),
    (Source::Azure, &["/results/documents/0/confidenceScores"]),
    (Source::Azure, &["/documents/0/confidenceScores"]),
    (Source::Azure, &["/results/documents/0/class/0"]),
    (Source::GoogleNl, &["/categories/0/name", "/categories/0/confidence"]),
    (Source::GoogleNl, &["/moderationCategories/0/name", "/moderationCategories/0/confidence"]),
    (Source::Vision, &["/labelAnnotations/0/description", "/labelAnnotations/0/score"]),
    (Source::Vision, &["/responses/0/labelAnnotations"]),
    (Source::Clarifai, &["/outputs/0/data/concepts"]),
    (Source::Cohere, &["/classifications/0/labels"]),
];

/// Whether one JSON document is plainly a reply, for a message that names the option to read it.
///
/// Only shapes that a table row does not have are recognised: nested objects and lists with the names of the source.
///
/// ```
/// use cwplugin_replies::{Source, recognise};
///
/// let reply = br#"{"id": 1, "response": {"Sentiment": "MIXED", "SentimentScore": {"Positive": 0.3, "Mixed": 0.7}}}"#;
/// let found = recognise(reply).unwrap();
/// assert_eq!((found.source, found.reply_at.as_deref()), (Source::Comprehend, Some("response")));
/// assert_eq!(recognise(br#"{"label": "a", "p_a": 0.5}"#), None);
/// ```
pub fn recognise(document: &[u8]) -> Option<Recognised> {
    let document = document.strip_prefix(b"\xef\xbb\xbf").unwrap_or(document);
    let value: Value = serde_json::from_slice(document).ok()?;
    if let Some(source) = reply(&value) {
        return Some(Recognised { source, reply_at: None });
    }
    inside(&value, "", WRAPPED)
}

/// Objects around a reply, at most.
const WRAPPED: usize = 3;

/// The reply in a field of the object at `path`.
fn inside(value: &Value, path: &str, depth: usize) -> Option<Recognised> {
    let fields = || value.as_object().into_iter().flatten();
    let at = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let found = fields()
        .find_map(|(name, value)| Some(Recognised { source: reply(value)?, reply_at: Some(at(name)) }));
    let deeper = || fields().find_map(|(name, value)| inside(value, &at(name), depth - 1));
    found.or_else(|| if depth > 1 { deeper() } else { None })
}

fn reply(value: &Value) -> Option<Source> {
    if let Value::Array(list) = value {
        return is_list_of_scores(list).then_some(Source::Huggingface);
    }
    let has_all = |paths: &[&str]| paths.iter().all(|path| value.pointer(path).is_some());
    SHAPES.iter().find(|(_, paths)| has_all(paths)).map(|(source, _)| *source)
}

/// Whether it is a list of labels and scores only, or a list of such lists.
fn is_list_of_scores(list: &[Value]) -> bool {
    let is_score = |value: &Value| {
        let fields = value.as_object().filter(|fields| fields.len() == 2);
        fields.is_some_and(|fields| fields.contains_key("label") && fields.contains_key("score"))
    };
    let is_list =
        |value: &Value| value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_score));
    !list.is_empty() && (list.iter().all(is_score) || list.iter().all(is_list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_found_inside_other_objects() {
        let json = br#"{"at": {"x": 1}, "call": {"body": {"choices": [{"message": {}}]}}}"#;
        let expected = Recognised { source: Source::Openai, reply_at: Some("call.body".into()) };
        assert_eq!(recognise(json), Some(expected));
    }

    #[test]
    fn rows_of_tables_are_not_replies() {
        for json in [
            r#"{"label": "a", "score": 0.5}"#,
            r#"{"label": "a", "scores": {"a": 0.5, "b": 0.5}}"#,
            r#"{"label": "a", "probabilities": [0.5, 0.5]}"#,
            r#"{"choices": 3, "output": [1], "data": [], "labels": ["a"], "scores": [0.5], "model": "m"}"#,
            r#"[{"label": "a", "score": 0.5, "id": 1}]"#,
            r#"[{"label": "a", "p_a": 0.5}, {"label": "b", "p_a": 0.5}]"#,
            "[]",
            "7",
            "{",
            "",
        ] {
            assert_eq!(recognise(json.as_bytes()), None, "{json}");
        }
    }
}
