//! Whose replies are read.

use std::fmt;
use std::str::FromStr;

use crate::error::ReplyError;

/// The service or program that replied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// `OpenAI`: chat completions, responses, and lines of a batch output file.
    Openai,
    /// Legacy completions of `OpenAI` and compatible servers.
    Completions,
    /// vLLM: chat as `OpenAI`, and `/classify`.
    Vllm,
    /// Google Gemini.
    Gemini,
    /// Ollama: generate and chat.
    Ollama,
    /// llama.cpp: chat as `OpenAI`, and `/completion` of new and old builds.
    LlamaCpp,
    /// Hugging Face: text classification and zero-shot classification.
    Huggingface,
    /// Amazon Comprehend.
    Comprehend,
    /// Azure AI Language.
    Azure,
    /// Google Natural Language.
    GoogleNl,
    /// Google Vision.
    Vision,
    /// Amazon Rekognition.
    Rekognition,
    /// Clarifai.
    Clarifai,
    /// Cohere classify.
    Cohere,
}

impl Source {
    /// All sources, in the order of the documentation.
    pub const ALL: [Self; 14] = [
        Self::Openai,
        Self::Completions,
        Self::Vllm,
        Self::Gemini,
        Self::Ollama,
        Self::LlamaCpp,
        Self::Huggingface,
        Self::Comprehend,
        Self::Azure,
        Self::GoogleNl,
        Self::Vision,
        Self::Rekognition,
        Self::Clarifai,
        Self::Cohere,
    ];

    /// All sources, in the order of the documentation.
    pub fn all() -> &'static [Self] {
        &Self::ALL
    }

    /// Stable name, e.g. `llama-cpp`.
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// What is read, in one line.
    pub fn description(self) -> &'static str {
        self.facts().1
    }

    /// The source of that name.
    ///
    /// # Errors
    ///
    /// [`ReplyError::UnknownSource`].
    pub fn from_name(name: &str) -> Result<Self, ReplyError> {
        let found = Self::ALL.into_iter().find(|source| source.name() == name);
        found.ok_or_else(|| ReplyError::UnknownSource { name: name.to_owned() })
    }

    /// Whether replies have log-probabilities of tokens; vLLM's `/classify` has scores nevertheless.
    pub fn has_tokens(self) -> bool {
        matches!(
            self,
            Self::Openai | Self::Completions | Self::Vllm | Self::Gemini | Self::Ollama | Self::LlamaCpp
        )
    }

    fn facts(self) -> (&'static str, &'static str) {
        match self {
            Self::Openai => ("openai", "OpenAI chat completions, responses and batch output files"),
            Self::Completions => ("completions", "legacy completions of OpenAI and compatible servers"),
            Self::Vllm => ("vllm", "vLLM chat completions and /classify"),
            Self::Gemini => ("gemini", "Google Gemini generateContent"),
            Self::Ollama => ("ollama", "Ollama generate and chat"),
            Self::LlamaCpp => ("llama-cpp", "llama.cpp server: chat completions and /completion"),
            Self::Huggingface => {
                ("huggingface", "Hugging Face text classification and zero-shot classification")
            }
            Self::Comprehend => ("comprehend", "Amazon Comprehend sentiment, custom classes and labels"),
            Self::Azure => ("azure", "Azure AI Language sentiment and custom text classification"),
            Self::GoogleNl => ("google-nl", "Google Natural Language categories and moderation"),
            Self::Vision => ("vision", "Google Vision labels"),
            Self::Rekognition => ("rekognition", "Amazon Rekognition labels"),
            Self::Clarifai => ("clarifai", "Clarifai concepts"),
            Self::Cohere => ("cohere", "Cohere classify"),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Source {
    type Err = ReplyError;

    fn from_str(name: &str) -> Result<Self, ReplyError> {
        Self::from_name(name)
    }
}

/// What the numbers of a reply are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Log-probabilities of tokens.
    Tokens,
    /// Scores that sum to 1 if all classes are listed.
    Distribution,
    /// Scores that are not related to each other: restricted to the classes and normalised.
    Independent,
}

/// The interface whose log-probabilities are missing; [`ReplyError::cure`] has the parameters of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ask {
    /// Chat completions.
    Chat,
    /// Responses of `OpenAI`.
    Responses,
    /// Legacy completions.
    Completions,
    /// Gemini.
    Gemini,
    /// Ollama.
    Ollama,
    /// llama.cpp.
    LlamaCpp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for &source in Source::all() {
            assert_eq!(source.name().parse(), Ok(source));
            assert!(!source.description().is_empty());
        }
    }

    #[test]
    fn unknown_names_are_refused_with_the_list() {
        let error = Source::from_name("anthropic").unwrap_err();
        assert_eq!(error, ReplyError::UnknownSource { name: "anthropic".into() });
        assert!(error.cure().unwrap().starts_with("use one of openai, completions, vllm"));
    }
}
