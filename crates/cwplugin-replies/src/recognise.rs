//! Whether a document is plainly a reply.

use serde_json::{Map, Value};

use crate::source::Source;

/// A document that is plainly a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognised {
    /// The source.
    pub source: Source,
    /// The field that contains the reply, if it is not the document itself.
    pub reply_at: Option<String>,
}

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
    let fields = value.as_object()?;
    fields.iter().find_map(|(name, value)| {
        let source = reply(value)?;
        Some(Recognised { source, reply_at: Some(name.clone()) })
    })
}

fn reply(value: &Value) -> Option<Source> {
    match value {
        Value::Object(fields) => language_model(fields).or_else(|| service(fields)),
        Value::Array(list) => list_of_scores(list).then_some(Source::Huggingface),
        _ => None,
    }
}

/// Replies with an answer text.
fn language_model(fields: &Map<String, Value>) -> Option<Source> {
    let has = |name: &str| fields.contains_key(name);
    if let Some(choice) = first_of(fields, "choices") {
        if choice.contains_key("message") {
            return Some(Source::Openai);
        }
        return (choice.contains_key("text") && choice.contains_key("finish_reason"))
            .then_some(Source::Completions);
    }
    if has("custom_id") && fields.get("response").is_some_and(|response| response.get("body").is_some()) {
        return Some(Source::Openai);
    }
    if fields.get("object").is_some_and(|object| object == "response") && first_of(fields, "output").is_some()
    {
        return Some(Source::Openai);
    }
    let candidate = first_of(fields, "candidates");
    if candidate.is_some_and(|candidate| {
        candidate.contains_key("content") || candidate.contains_key("logprobsResult")
    }) {
        return Some(Source::Gemini);
    }
    if first_of(fields, "completion_probabilities").is_some() {
        return Some(Source::LlamaCpp);
    }
    let answer = fields.get("response").is_some_and(Value::is_string)
        || fields.get("message").is_some_and(|message| message.get("content").is_some());
    if has("model") && has("created_at") && has("done") && answer {
        return Some(Source::Ollama);
    }
    first_of(fields, "data")
        .filter(|data| data.get("probs").is_some_and(Value::is_array))
        .map(|_| Source::Vllm)
}

/// Replies with scores.
fn service(fields: &Map<String, Value>) -> Option<Source> {
    let lists = |name: &str, keys: [&str; 2]| {
        first_of(fields, name).is_some_and(|first| keys.iter().all(|key| first.contains_key(*key)))
    };
    let is_list = |name: &str| fields.get(name).is_some_and(Value::is_array);
    if fields.contains_key("sequence") && is_list("labels") && is_list("scores") {
        return Some(Source::Huggingface);
    }
    if fields.get("SentimentScore").is_some_and(Value::is_object)
        || lists("Classes", ["Name", "Score"])
        || lists("Labels", ["Name", "Score"])
    {
        return Some(Source::Comprehend);
    }
    if lists("Labels", ["Name", "Confidence"]) {
        return Some(Source::Rekognition);
    }
    let results = fields.get("results").and_then(Value::as_object);
    let document = results.and_then(|results| first_of(results, "documents"));
    if document.or_else(|| first_of(fields, "documents")).is_some_and(|document| {
        document.contains_key("confidenceScores") || document.get("class").is_some_and(Value::is_array)
    }) {
        return Some(Source::Azure);
    }
    if lists("categories", ["name", "confidence"]) || lists("moderationCategories", ["name", "confidence"]) {
        return Some(Source::GoogleNl);
    }
    let image = first_of(fields, "responses").is_some_and(|image| image.contains_key("labelAnnotations"));
    if image || lists("labelAnnotations", ["description", "score"]) {
        return Some(Source::Vision);
    }
    if first_of(fields, "outputs").and_then(|output| output.get("data")?.get("concepts")).is_some() {
        return Some(Source::Clarifai);
    }
    let labels = first_of(fields, "classifications").and_then(|text| text.get("labels"));
    labels.is_some_and(Value::is_object).then_some(Source::Cohere)
}

/// The first element of a list, if it is an object.
fn first_of<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v Map<String, Value>> {
    fields.get(name)?.as_array()?.first()?.as_object()
}

/// Whether it is a list of labels and scores only, or a list of such lists.
fn list_of_scores(list: &[Value]) -> bool {
    let is_score = |value: &Value| {
        value.as_object().is_some_and(|fields| {
            fields.len() == 2
                && fields.get("label").is_some_and(Value::is_string)
                && fields.contains_key("score")
        })
    };
    let is_list =
        |value: &Value| value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_score));
    !list.is_empty() && (list.iter().all(is_score) || list.iter().all(is_list))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(json: &str) -> Option<Source> {
        recognise(json.as_bytes()).map(|found| found.source)
    }

    #[test]
    fn replies_are_recognised() {
        for (json, expected) in [
            (r#"{"choices": [{"message": {"content": "a"}}]}"#, Source::Openai),
            (r#"{"object": "response", "output": [{"type": "message"}]}"#, Source::Openai),
            (r#"{"custom_id": "1", "response": {"status_code": 200, "body": {}}}"#, Source::Openai),
            (r#"{"choices": [{"text": "a", "finish_reason": "stop"}]}"#, Source::Completions),
            (r#"{"data": [{"index": 0, "probs": [0.5, 0.5]}]}"#, Source::Vllm),
            (r#"{"candidates": [{"content": {}}]}"#, Source::Gemini),
            (r#"{"model": "m", "created_at": "…", "response": "a", "done": true}"#, Source::Ollama),
            (r#"{"content": "a", "completion_probabilities": [{"token": "a"}]}"#, Source::LlamaCpp),
            (r#"[{"label": "a", "score": 0.5}]"#, Source::Huggingface),
            (r#"[[{"label": "a", "score": 0.5}]]"#, Source::Huggingface),
            (r#"{"sequence": "t", "labels": ["a"], "scores": [1]}"#, Source::Huggingface),
            (r#"{"Labels": [{"Name": "a", "Score": 0.5}]}"#, Source::Comprehend),
            (r#"{"Labels": [{"Name": "a", "Confidence": 50}]}"#, Source::Rekognition),
            (r#"{"results": {"documents": [{"id": "1", "confidenceScores": {}}]}}"#, Source::Azure),
            (r#"{"moderationCategories": [{"name": "a", "confidence": 0.5}]}"#, Source::GoogleNl),
            (r#"{"responses": [{"labelAnnotations": []}]}"#, Source::Vision),
            (r#"{"outputs": [{"data": {"concepts": []}}]}"#, Source::Clarifai),
            (r#"{"classifications": [{"labels": {"a": {"confidence": 1}}}]}"#, Source::Cohere),
        ] {
            assert_eq!(source(json), Some(expected), "{json}");
            let wrapped = recognise(format!(r#"{{"id": 1, "r": {json}}}"#).as_bytes()).unwrap();
            assert_eq!((wrapped.source, wrapped.reply_at.as_deref()), (expected, Some("r")));
        }
    }

    #[test]
    fn rows_of_tables_are_not() {
        for json in [
            r#"{"label": "a", "p_a": 0.5}"#,
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
            assert_eq!(source(json), None, "{json}");
        }
    }
}
