//! Errors with the file, the number of the reply, and the flags to use.

use cwplugin_replies::{Recognised, ReplyError, Source, recognise};

use super::{ReplyOptions, ReplyReader};
use crate::user_error::UserError;

/// Characters of a document that is not JSON.
const SHOWN: usize = 40;

/// An error about a reply, with the flags that would read it if it is one of another source, or inside of a field. The `model`
/// says how replies are read if the user does not.
pub(super) fn in_reply(
    (name, number): (&str, usize),
    error: &ReplyError,
    document: &[u8],
    source: Source,
    model: Option<&str>,
) -> UserError {
    let error_in_file = in_file(name, Some(number), error);
    match error {
        ReplyError::Json { .. } if !matches!(document.first(), Some(b'{' | b'[')) => {
            let hint = match model {
                Some(model) => format!("{model} was fitted on replies of {source}, which are JSON"),
                None => "replies are JSON; for a table, omit --from".to_owned(),
            };
            return not_json(name, number, document).hint(hint);
        }
        ReplyError::Shape { .. } | ReplyError::NoField { .. } => {}
        _ => return error_in_file,
    }
    let recognised = recognise(document);
    if let Some(model) = model {
        return error_in_file.hint(match recognised {
            Some(found) if found.source != source => {
                let other = found.source;
                format!("{model} was fitted on replies of {source}; fit a model on those of {other}")
            }
            _ => match error {
                ReplyError::NoField { field } => format!(
                    "{model} was fitted with --reply {field}: write every reply there; another place is found in a file, not in \
                     a stream"
                ),
                _ => format!("{model} was fitted on replies of {source}; write all of them as those of the fit"),
            },
        });
    }
    let Some(Recognised { source: found, reply_at }) = recognised else {
        return error_in_file
            .hint(format!("check --from {source}; name the field of a wrapped reply with --reply FIELD"));
    };
    let at = reply_at.as_ref().map_or_else(String::new, |field| format!(" --reply {field}"));
    match reply_at {
        _ if found != source => {
            error_in_file.hint(format!("it looks like a reply of {found}: use --from {found}{at}"))
        }
        Some(field) => error_in_file.hint(format!("the reply is in field \"{field}\": use{at}")),
        None if matches!(error, ReplyError::NoField { .. }) => {
            error_in_file.hint("the line is the reply itself: omit --reply")
        }
        None => error_in_file,
    }
}

/// The error of a document that cannot be a reply of `source`, or a vote.
pub(crate) fn broken_document(
    place: (&str, usize),
    error: &ReplyError,
    document: &[u8],
    source: Option<Source>,
) -> UserError {
    let is_json = matches!(document.first(), Some(b'{' | b'['));
    match source {
        Some(source) => in_reply(place, error, document, source, None),
        None if matches!(error, ReplyError::Json { .. }) && !is_json => not_json(place.0, place.1, document)
            .hint("answers are JSON, such as {\"id\": \"r1\", \"answer\": \"spam\"}"),
        None => in_file(place.0, Some(place.1), error),
    }
}

/// An error about a vote.
pub(super) fn in_vote(
    name: &str,
    number: usize,
    error: &ReplyError,
    document: &[u8],
    options: &ReplyOptions,
) -> UserError {
    let user_error = in_file(name, Some(number), error);
    let ReplyReader::Answers { field: answer, .. } = &options.reader else { return user_error };
    match error {
        ReplyError::NoField { field } if *field == options.id => {
            user_error.hint("the answers of a row have one id; name its field with --id FIELD")
        }
        ReplyError::NoField { field } if field == answer => {
            user_error.hint("name the field with the answer: --answer-at FIELD")
        }
        ReplyError::BadScalar { field, .. } if field == answer => user_error.hint("write one answer per line"),
        ReplyError::Json { .. } if !matches!(document.first(), Some(b'{' | b'[')) => not_json(name, number, document)
            .hint("answers are JSON, such as {\"id\": \"r1\", \"answer\": \"spam\"}; a table of counts is read from a file"),
        ReplyError::Shape { .. } => {
            user_error.hint("write one object for each answer, such as {\"id\": \"r1\", \"answer\": \"spam\"}")
        }
        _ => user_error,
    }
}

/// The error of a document that does not even begin like JSON.
fn not_json(name: &str, number: usize, document: &[u8]) -> UserError {
    let text = String::from_utf8_lossy(&document[..document.len().min(4 * SHOWN)]);
    let line = text.lines().next().unwrap_or_default();
    let shown: String = line.chars().take(SHOWN).collect();
    let more = if line.chars().count() > SHOWN { "…" } else { "" };
    UserError::new(format!("{name}: row {number}: not JSON: \"{shown}{more}\""))
}

/// An error with the file and the number of the reply.
pub(super) fn in_file(name: &str, number: Option<usize>, error: &ReplyError) -> UserError {
    let row = number.map_or_else(String::new, |number| format!(" row {number}:"));
    let user_error = UserError::new(format!("{name}:{row} {error}"));
    match error.cure() {
        Some(cure) => user_error.hint(cure),
        None => user_error.hint("check the reply, or leave it out"),
    }
}
