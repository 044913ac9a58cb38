//! What the fixtures of `testdata/replies` do not show: other spellings of fields, and the messages.

use crate::{Classes, Reader, ReplyError, Rows, Source};

fn rows(source: Source, json: &str) -> Result<Rows, ReplyError> {
    let mut rows = Rows::new();
    Reader::new(source, Classes::new(["ham", "spam"])?).read(json.as_bytes(), &mut rows)?;
    Ok(rows)
}

#[test]
fn fields_have_several_names() {
    for (source, json) in [
        (Source::Azure, r#"{"id": "1", "confidence_scores": {"ham": 0.25, "spam": 0.75}}"#),
        (
            Source::Azure,
            r#"{"documents": [{"classifications": [{"category": "ham", "confidence_score": 0.25}, {"category": "spam", "confidence_score": 0.75}]}]}"#,
        ),
        (
            Source::Comprehend,
            r#"{"Classes": [], "Labels": [{"Name": "ham", "Score": 0.25}, {"Name": "spam", "Score": 0.75}]}"#,
        ),
        (
            Source::Rekognition,
            r#"{"CustomLabels": [{"Name": "ham", "Confidence": 25}, {"Name": "spam", "Confidence": 75}]}"#,
        ),
        (
            Source::Vision,
            r#"{"label_annotations": [{"description": "ham", "score": 0.25}, {"description": "spam", "score": 0.75}]}"#,
        ),
        (
            Source::LlamaCpp,
            r#"{"content": "a", "completion_probabilities": [{"content": "a", "probs": [{"tok_str": "ham", "prob": 0.25}, {"tok_str": "spam", "prob": 0.75}, {"tok_str": "x", "prob": 0}]}]}"#,
        ),
        (
            Source::Vllm,
            r#"{"data": [{"label": "LABEL_1", "probs": [0.25, 0.75]}, {"label": "Spam", "probs": [0.25, 0.75]}]}"#,
        ),
    ] {
        let rows = rows(source, json).unwrap();
        for row in rows.iter() {
            assert!((row.probabilities[1] - 0.75).abs() < 1e-12, "{json}: {row:?}");
        }
    }
    let absent = r#"{"moderationCategories": [{"name": "Spam", "confidence": 0.5}, {"name": "Ham"}]}"#;
    assert_eq!(rows(Source::GoogleNl, absent).unwrap().probabilities(), [0.0, 1.0]); // Google leaves out 0
}

#[test]
fn messages_name_the_field_and_the_value() {
    let vendor = "the service replied with an error: ";
    for (source, json, message) in [
        (
            Source::Openai,
            r#"{"choices": [{"message": {"content": null}}]}"#,
            "no answer: choices[0].message.content is null",
        ),
        (
            Source::Openai,
            r#"{"output": [{"content": [{"text": "a", "logprobs": [{"token": "a", "logprob": 1}]}]}]}"#,
            "output[0].content[0].logprobs[0].logprob is 1, not a log-probability of at most 0",
        ),
        (
            Source::Openai,
            r#"{"output": [{"content": 7}]}"#,
            "not a reply of openai: invalid type: integer `7`, expected a sequence, at output[0].content",
        ),
        (
            Source::Completions,
            r#"{"choices": [{"logprobs": {"tokens": ["a"], "top_logprobs": [{"a": -1, " ham": 3}]}}]}"#,
            "choices[0].logprobs.top_logprobs[0]. ham is 3, not a log-probability of at most 0",
        ),
        (
            Source::LlamaCpp,
            r#"{"completion_probabilities": [{"content": "a", "probs": [{"tok_str": "ham", "prob": 2}]}]}"#,
            "completion_probabilities[0].probs[0].prob is 2, not a probability",
        ),
        (
            Source::Vllm,
            r#"{"data": [{"label": "Spam", "probs": [0.75, 0.25]}]}"#,
            "data[0].label is \"Spam\", but the largest number belongs to class \"ham\"",
        ),
        (
            Source::Cohere,
            r#"{"classifications": [{"labels": {"ham": {"confidence": null}}}]}"#,
            "classifications[0].labels.ham.confidence is null, not a number from 0 to 1",
        ),
        (
            Source::Comprehend,
            r#"{"SentimentScore": {"Ham": "x"}}"#,
            "SentimentScore.Ham is \"x\", not a number from 0 to 1",
        ),
        (
            Source::Huggingface,
            r#"[[{"label": "ham", "score": null}]]"#,
            "[0][0].score is null, not a number from 0 to 1",
        ),
        (Source::Huggingface, "[[]]", "nothing is listed in [0]"),
        (
            Source::Azure,
            r#"{"tasks": {"items": [{"results": {"documents": [{"id": "1"}]}}]}}"#,
            "not a reply of azure: expected one of the fields tasks, items, results, documents, confidenceScores, \
             confidence_scores, class, classifications, at tasks.items[0].results.documents[0]",
        ),
        (
            Source::Azure,
            r#"{"results": {"documents": [], "errors": [{"id": "2", "error": {"message": "empty text"}}]}}"#,
            &format!("{vendor}empty text"),
        ),
        (
            Source::Comprehend,
            r#"{"ResultList": [], "ErrorList": [{"ErrorMessage": "too long"}]}"#,
            &format!("{vendor}too long"),
        ),
        (Source::Vision, r#"{"responses": [{"error": {"message": "bad"}}]}"#, &format!("{vendor}bad")),
        (Source::Clarifai, r#"{"status": {"description": "bad key"}}"#, &format!("{vendor}bad key")),
        (Source::Cohere, r#"{"message": "bad token"}"#, &format!("{vendor}bad token")),
        (Source::Vllm, r#"{"object": "error", "message": "no model"}"#, &format!("{vendor}no model")),
        (Source::Openai, r#"{"detail": "Not Found"}"#, &format!("{vendor}Not Found")),
        (Source::Comprehend, r#"{"__type": "X", "message": "slow down"}"#, &format!("{vendor}slow down")),
        (Source::Rekognition, r#"{"message": "slow down"}"#, &format!("{vendor}slow down")),
        (Source::Openai, r#""{}""#, "not a reply of openai: expected a reply, found a text"),
        (Source::Openai, "-7", "not a reply of openai: expected a reply, found a number"),
        (
            Source::Openai,
            r#"{"choices": [{"delta": {"content": "ham"}}]}"#,
            "a part of a streamed reply: choices[0].delta",
        ),
        (
            Source::Ollama,
            r#"{"response": "ham", "done": false, "logprobs": [{"token": "ham", "logprob": -1}]}"#,
            "a part of a streamed reply: done is false",
        ),
        (
            Source::LlamaCpp,
            r#"{"content": "ham", "stop": false, "completion_probabilities": []}"#,
            "a part of a streamed reply: stop is false",
        ),
        (
            Source::Ollama,
            r#"{"response": "a", "logprobs": [{"token": "a", "logprob": -1.2, "top_logprobs": [{"token": "ham", "logprob": -0.1}, {"token": "a", "logprob": -0.2}]}]}"#,
            "the probabilities in logprobs[0].top_logprobs sum to 1.7236, more than 1",
        ),
    ] {
        assert_eq!(rows(source, json).unwrap_err().to_string(), message, "{json}");
    }
}

#[test]
fn replies_without_an_answer_say_why() {
    for &source in Source::all() {
        assert_eq!(rows(source, "{}").unwrap_err().kind(), "shape", "{source}");
    }
    for (source, json, kind) in [
        (Source::Openai, r#"{"choices": [{"finish_reason": "content_filter"}]}"#, "refusal"),
        (Source::Openai, r#"{"output": []}"#, "empty"),
        (Source::Openai, "[]", "shape"),
        (Source::LlamaCpp, r#"{"choices": [{"logprobs": null}]}"#, "no-logprobs"),
        (Source::Gemini, r#"{"candidates": []}"#, "shape"),
        (Source::Gemini, r#"{"candidates": [{"content": {"role": "model"}}]}"#, "empty"),
        (Source::Comprehend, r#"{"Error": {"Code": "Throttling", "Message": "slow down"}}"#, "vendor"),
        (Source::Comprehend, r#"{"Classes": []}"#, "empty"),
        (Source::Azure, r#"{"results": {"documents": []}}"#, "empty"),
        (Source::Vllm, r#"{"data": [{"probs": []}]}"#, "empty"),
        (Source::Vllm, r#"{"data": [{"probs": [0.5, null]}]}"#, "number"),
        (Source::Huggingface, "[]", "empty"),
        (Source::Huggingface, "[1]", "shape"),
        (Source::Huggingface, "[{}]", "shape"),
        (Source::Huggingface, "[[[]]]", "shape"),
        (Source::Huggingface, "7", "shape"),
        (Source::Huggingface, r#"{"label": "ham", "score": 0.5}"#, "shape"),
    ] {
        assert_eq!(rows(source, json).unwrap_err().kind(), kind, "{json}");
    }
}
