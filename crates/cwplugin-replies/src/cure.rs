//! What to do about an error, in one sentence that names the flag.

use crate::error::{ReplyError, quoted};
use crate::source::{Ask, Source};

pub(crate) fn of(error: &ReplyError) -> Option<String> {
    Some(match error {
        ReplyError::Json { .. } => "give complete JSON documents: one per line, or one JSON array".into(),
        ReplyError::NotUtf8 { .. } => "convert the file to UTF-8".into(),
        ReplyError::TooLong { .. } => "write one reply per line, or all replies as one JSON array".into(),
        ReplyError::BrokenList { .. } => "write the file again: it may be truncated".into(),
        ReplyError::Vendor { .. } => "send the request again, or leave out such replies with --skip-errors".into(),
        ReplyError::Refusal { .. } | ReplyError::EmptyAnswer { .. } => {
            "change the prompt so that the model answers with a class, or leave out such replies with --skip-errors".into()
        }
        ReplyError::NothingListed { .. } => {
            "ask the service for all classes, without a minimum score, or leave out such replies with --skip-errors".into()
        }
        ReplyError::NoLogprobs { ask, .. } => how_to_ask(*ask),
        ReplyError::NoClass { seen, .. } => match seen.iter().find(|name| !name.trim().is_empty()) {
            Some(name) => format!("name the spellings of a class: --class {}", example(name)),
            None => "name the spellings of a class: --class NAME=SPELLING".into(),
        },
        ReplyError::MissingClasses { .. } => {
            "ask for more alternatives, or choose --missing spread or --missing floor:1e-6".into()
        }
        ReplyError::NoField { .. } => "name the field that contains the reply, for example --reply response.body".into(),
        ReplyError::NoAnswerField { .. } => "name a field of the answer's JSON with --answer-at FIELD".into(),
        ReplyError::Shape { .. } => {
            "name the source with --from, and the field of a wrapped reply with --reply FIELD".into()
        }
        ReplyError::RepeatedName { .. } => "give the scores of one text per list".into(),
        ReplyError::WrongCount { .. } | ReplyError::OtherOrder { .. } => {
            "name the classes in the order of the model's outputs: --classes A,B,…".into()
        }
        ReplyError::BadScalar { .. } => "write the label as a text".into(),
        ReplyError::OneLabel { .. } => "write one reply per text, or join the labels by id".into(),
        ReplyError::TwoLabels { .. } => "give one label per id".into(),
        ReplyError::TooFewClasses { .. } => "name the classes: --classes A,B,…".into(),
        ReplyError::RepeatedClass { .. } => "name every class once".into(),
        ReplyError::EmptySpelling { class } => format!("give a spelling: --class {class}=SPELLING"),
        ReplyError::SharedSpelling { .. } => "give every spelling to one class only".into(),
        ReplyError::NoAnswerText { .. } => "leave out --answer-at".into(),
        ReplyError::BadMissing { .. } => "use spread, refuse, or floor:X with X between 0 and 1, for example floor:1e-6".into(),
        ReplyError::UnknownSource { .. } => {
            let names: Vec<String> = Source::ALL.iter().map(|source| source.name().to_owned()).collect();
            format!("use one of {}", names.join(", "))
        }
        ReplyError::BadPath { .. } => "write field names separated by single dots, for example response.body".into(),
        ReplyError::UnknownClass { classes, .. } => format!("name one of {}", quoted(classes)),
        ReplyError::BadNumber { .. } | ReplyError::SumAboveOne { .. } => return None,
    })
}

/// The exact parameters of the request.
fn how_to_ask(ask: Ask) -> String {
    match ask {
        Ask::Chat => "ask for them: logprobs=True, top_logprobs=20",
        Ask::Responses => "ask for them: include=[\"message.output_text.logprobs\"], top_logprobs=20",
        Ask::Completions => "ask for them: logprobs=5",
        Ask::Gemini => "ask for them in GenerateContentConfig: response_logprobs=True, logprobs=19",
        Ask::Ollama => "ask for them: \"logprobs\": true, \"top_logprobs\": 20",
        Ask::LlamaCpp => {
            "ask for them: \"n_probs\": 20 (/completion), or \"logprobs\": true, \"top_logprobs\": 20 (chat)"
        }
    }
    .into()
}

/// `'NAME= spam'` with quotes for a shell.
fn example(spelling: &str) -> String {
    format!("'NAME={}'", spelling.trim().replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_log_probabilities_name_the_parameter() {
        let error = ReplyError::NoLogprobs { field: "choices[0].logprobs".into(), ask: Ask::Chat };
        assert_eq!(error.cure().unwrap(), "ask for them: logprobs=True, top_logprobs=20");
    }

    #[test]
    fn an_unknown_answer_is_named_in_the_cure() {
        let error = ReplyError::NoClass { field: "x".into(), seen: vec![" Spam's".into()] };
        assert_eq!(error.cure().unwrap(), "name the spellings of a class: --class 'NAME=Spam'\\''s'");
    }
}
