//! The replies of each source: which fields they have, and what the numbers in them are.

mod openai; // chat completions, responses
mod completions; // legacy completions
mod vllm; // chat, /classify
mod gemini;
mod ollama;
mod llama_cpp; // chat, /completion
mod huggingface;
mod comprehend;
mod azure;
mod google; // Natural Language, Vision
mod rekognition;
mod clarifai;
mod cohere;

use crate::error::ReplyError;
use crate::output::Output;
use crate::reader::read_as;
use crate::source::Source;
use crate::wrap::Wrapping;

/// Reads one document of the output's source.
pub(crate) fn read(json: &str, wrapping: &Wrapping, output: Output<'_>) -> Result<(), ReplyError> {
    match output.source {
        Source::Openai => read_as::<openai::Openai<'_>>(json, wrapping, output),
        Source::Completions => read_as::<completions::Completions<'_>>(json, wrapping, output),
        Source::Vllm => read_as::<vllm::Vllm<'_>>(json, wrapping, output),
        Source::Gemini => read_as::<gemini::Gemini<'_>>(json, wrapping, output),
        Source::Ollama => read_as::<ollama::Ollama<'_>>(json, wrapping, output),
        Source::LlamaCpp => read_as::<llama_cpp::LlamaCpp<'_>>(json, wrapping, output),
        Source::Huggingface => read_as::<huggingface::Huggingface<'_>>(json, wrapping, output),
        Source::Comprehend => read_as::<comprehend::Comprehend<'_>>(json, wrapping, output),
        Source::Azure => read_as::<azure::Azure<'_>>(json, wrapping, output),
        Source::GoogleNl => read_as::<google::NaturalLanguage<'_>>(json, wrapping, output),
        Source::Vision => read_as::<google::Vision<'_>>(json, wrapping, output),
        Source::Rekognition => read_as::<rekognition::Rekognition<'_>>(json, wrapping, output),
        Source::Clarifai => read_as::<clarifai::Clarifai<'_>>(json, wrapping, output),
        Source::Cohere => read_as::<cohere::Cohere<'_>>(json, wrapping, output),
    }
}

/// What a reply without an answer says about it.
fn refusal(field: &str, value: impl Into<String>) -> ReplyError {
    ReplyError::Refusal { field: field.into(), value: value.into() }
}

#[cfg(test)]
mod testing {
    use crate::{Classes, Reader, ReplyError, Rows, Source};

    /// Id and probabilities.
    type IdAndRow = (Option<String>, Vec<f64>);

    /// The rows of one document.
    pub(super) fn rows(source: Source, classes: &[&str], json: &str) -> Result<Vec<IdAndRow>, ReplyError> {
        let reader = Reader::new(source, Classes::new(classes.iter().copied()).unwrap());
        let mut rows = Rows::new();
        reader.read(json.as_bytes(), &mut rows)?;
        Ok(rows.iter().map(|row| (row.id.map(str::to_owned), row.probabilities.to_vec())).collect())
    }

    /// The only row.
    pub(super) fn row(source: Source, classes: &[&str], json: &str) -> Vec<f64> {
        let mut rows = rows(source, classes, json).unwrap();
        assert_eq!(rows.len(), 1);
        rows.remove(0).1
    }

    pub(super) fn error(source: Source, json: &str) -> ReplyError {
        rows(source, &["ham", "spam"], json).unwrap_err()
    }

    pub(super) fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    }
}
