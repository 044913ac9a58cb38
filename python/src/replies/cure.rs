//! What to do about an error, with the parameters of the package instead of flags.

use cwplugin_replies::{ReplyError, Source};

use super::request::VOTES;

pub(super) fn of(error: &ReplyError, is_votes: bool) -> Option<String> {
    Some(match error {
        ReplyError::BadNumber { expected, .. } if expected.ends_with("from 0 to 1") => {
            "ask for probabilities instead of raw scores, or leave out such replies with errors=\"skip\"".into()
        }
        ReplyError::Vendor { .. } | ReplyError::BadNumber { .. } | ReplyError::SumAboveOne { .. } => {
            "send the request again, or leave out such replies with errors=\"skip\"".into()
        }
        ReplyError::Refusal { .. } => {
            "change the prompt so that the model answers with a class, or leave out such replies with errors=\"skip\"".into()
        }
        ReplyError::EmptyAnswer { .. } => {
            "allow more tokens, or change the prompt so that the model answers with a class, or leave out such replies with \
             errors=\"skip\""
                .into()
        }
        ReplyError::NothingListed { .. } => {
            "ask the service for all classes, without a minimum score, or leave out such replies with errors=\"skip\"".into()
        }
        ReplyError::NoClass { classes, .. } => {
            let example = error.assignment().map_or_else(
                || "spellings={\"NAME\": [\"TEXT\"]}".to_owned(),
                |(class, texts)| format!("e.g. spellings={{{class:?}: {texts:?}}}"),
            );
            let classes: Vec<String> = classes.iter().map(|(class, _)| format!("{class:?}")).collect();
            format!("say which class a text means, {example}; the classes are {}", classes.join(", "))
        }
        ReplyError::ZeroClasses { .. } => "leave out such replies with errors=\"skip\"".into(),
        ReplyError::MissingClasses { .. } => {
            "ask for more alternatives, or choose missing=\"spread\" or missing=\"floor:1e-6\"".into()
        }
        ReplyError::NoField { .. } if is_votes => {
            "name the fields of a line: id=\"…\" and answer_at=\"…\"; the default is \"id\" and \"answer\"".into()
        }
        ReplyError::NoField { .. } => {
            "name the field that contains the reply, for example reply=\"response.body\"".into()
        }
        ReplyError::NoAnswerField { .. } => "name a field of the answer's JSON with answer_at=".into(),
        ReplyError::Shape { .. } if is_votes => {
            "pass one object for each answer, such as {\"id\": \"r1\", \"answer\": \"spam\"}".into()
        }
        ReplyError::Shape { .. } => "name the source with source=, and the field of a wrapped reply with reply=".into(),
        ReplyError::WrongCount { .. } | ReplyError::OtherOrder { .. } => {
            "name the classes in the order of the model's outputs: classes=[…]".into()
        }
        ReplyError::TooFewClasses { .. } => "name the classes: classes=[\"…\", \"…\"]".into(),
        ReplyError::EmptySpelling { class } => format!("give a spelling: spellings={{{class:?}: [\"…\"]}}"),
        ReplyError::NoAnswerText { .. } => "leave out answer_at".into(),
        ReplyError::BadMissing { .. } => {
            "use missing=\"spread\", \"refuse\", or \"floor:X\" with X between 0 and 1, for example \"floor:1e-6\"".into()
        }
        ReplyError::UnknownSource { .. } => {
            let names: Vec<&str> = Source::ALL.iter().map(|source| source.name()).chain([VOTES]).collect();
            format!("use one of {}", names.join(", "))
        }
        _ => return error.cure(),
    })
}
