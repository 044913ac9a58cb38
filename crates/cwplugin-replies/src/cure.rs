//! What to do about an error, in one sentence that names the flag.

use crate::error::{ReplyError, quoted};
use crate::source::{Ask, Source};

pub(crate) fn of(error: &ReplyError) -> String {
    match error {
        ReplyError::Json { .. } => "write complete JSON documents: one per line, or one JSON array; the file may be cut off".into(),
        ReplyError::NotUtf8 { .. } => "convert the file to UTF-8".into(),
        ReplyError::TooLong { .. } => "write one reply per line, or all replies as one JSON array".into(),
        ReplyError::BrokenList { .. } => "write the file again: it may be truncated".into(),
        ReplyError::Vendor { .. } => "send the request again, or leave out such replies with --skip-errors".into(),
        ReplyError::Refusal { .. } => {
            "change the prompt so that the model answers with a class, or leave out such replies with --skip-errors".into()
        }
        ReplyError::EmptyAnswer { .. } => {
            "allow more tokens, or change the prompt so that the model answers with a class, or leave out such replies with \
             --skip-errors"
                .into()
        }
        ReplyError::Streamed { .. } => "ask for whole replies: stream=False".into(),
        ReplyError::NothingListed { .. } => {
            "ask the service for all classes, without a minimum score, or leave out such replies with --skip-errors".into()
        }
        ReplyError::NoLogprobs { ask, .. } => how_to_ask(*ask),
        ReplyError::NoClass { seen, classes, .. } => {
            let flag = assignment(seen, classes).map_or_else(
                || "--class NAME=TEXT".to_owned(),
                |(class, texts)| format!("e.g. --class {}", in_quotes(&format!("{class}={}", texts.join(",")))),
            );
            let names: Vec<String> = classes.iter().map(|(name, _)| name.clone()).collect();
            format!("say which class a text means, {flag}; the classes are {}", quoted(&names))
        }
        ReplyError::ZeroClasses { .. } => "leave out such replies with --skip-errors".into(),
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
        ReplyError::BadScalar { field, .. } => format!("write {field} as a text"),
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
        ReplyError::UnknownClass { class, classes } => {
            format!("name one of {}, or add {class:?} to the classes", quoted(classes))
        }
        ReplyError::BadNumber { expected, .. } if expected.ends_with("from 0 to 1") => {
            "ask for probabilities instead of raw scores, or leave out such replies with --skip-errors".into()
        }
        ReplyError::BadNumber { .. } | ReplyError::SumAboveOne { .. } => {
            "send the request again, or leave out such replies with --skip-errors".into()
        }
    }
}

/// The class whose name shares most with an answer, and its spellings with that answer; the first class and the most probable
/// answer if no name shares anything. `None` if there is no answer.
pub(crate) fn assignment(
    seen: &[String],
    classes: &[(String, Vec<String>)],
) -> Option<(String, Vec<String>)> {
    // A comma would begin another text.
    let mut texts =
        seen.iter().map(|text| text.trim()).filter(|text| !text.is_empty() && !text.contains(','));
    let alike = |(text, class): (&str, &str)| {
        let (text, class) = (text.to_lowercase(), class.to_lowercase());
        if text.contains(&class) || class.contains(&text) && text.chars().count() > 1 {
            text.len().min(class.len())
        } else {
            0
        }
    };
    let pairs = texts.clone().flat_map(|text| classes.iter().map(move |class| (text, class)));
    let scored =
        pairs.map(|(text, class)| (alike((text, &class.0)), text, class)).filter(|(score, ..)| *score > 0);
    // The first of equals: answers are in the order of their probabilities.
    let best = scored.reduce(|best, other| if other.0 > best.0 { other } else { best });
    let (text, (class, spellings)) = match best {
        Some((_, text, class)) => (text, class),
        None => (texts.next()?, classes.first()?),
    };
    let texts = spellings.iter().map(String::as_str).chain([text]);
    Some((class.clone(), texts.map(str::to_owned).collect()))
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

/// With quotes for a shell.
fn in_quotes(argument: &str) -> String {
    format!("'{}'", argument.replace('\'', "'\\''"))
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
        let cure = |seen: &[&str]| {
            let classes = [("bad", vec!["bad"]), ("good", vec!["fine", "ok"])];
            let owned = |(name, texts): (&str, Vec<&str>)| {
                (name.into(), texts.into_iter().map(String::from).collect())
            };
            let seen = seen.iter().map(|text| (*text).into()).collect();
            ReplyError::NoClass { field: "x".into(), seen, classes: classes.map(owned).to_vec() }
                .cure()
                .unwrap()
        };
        let with =
            |flag: &str| format!("say which class a text means, {flag}; the classes are \"bad\", \"good\"");
        assert_eq!(cure(&[" Spam's"]), with("e.g. --class 'bad=bad,Spam'\\''s'"));
        assert_eq!(
            cure(&["a", "Very good"]),
            with("e.g. --class 'good=fine,ok,Very good'"),
            "alike, with its spellings"
        );
        assert_eq!(cure(&[" ", "a, b"]), with("--class NAME=TEXT"));
    }
}
