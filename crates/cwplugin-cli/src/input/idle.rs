//! Flags that have no effect on the input are refused: the user expects one.

use cwplugin::Scores;

use crate::args::{Data, From};
use crate::table::Format;
use crate::user_error::UserError;

/// What the input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A table of probabilities or scores.
    Table,
    /// A table of votes for each class.
    Counts,
    /// Votes, one answer per document.
    Answers,
    /// Replies of this source.
    Replies(From),
}

/// Refuses flags of the user that the input has no use for.
pub(super) fn refuse(given: &Data, form: Form) -> Result<(), UserError> {
    let replies = &given.replies;
    let is_text = given.format.is_some_and(|format| format != Format::Jsonl);
    let of_tables = [
        ("--format", is_text),
        ("--delimiter", given.delimiter.is_some()),
        ("--decimal", given.decimal.is_some()),
        ("--prefix", given.prefix.is_some()),
    ];
    let of_numbers = [
        ("--scores", given.scores.is_some()),
        ("--normalize", given.normalize),
        ("--positive", given.positive.is_some()),
    ];
    let of_texts = [("--class", !replies.spellings.is_empty()), ("--class-map", replies.class_map.is_some())];
    let of_replies = [("--reply", replies.reply.is_some())];
    let of_answers = [("--answer-at", replies.answer_at.is_some()), ("--skip-errors", replies.skip_errors)];
    let missing = [("--missing", replies.missing.is_some())];
    let first = |groups: &[&[(&'static str, bool)]]| {
        groups.iter().copied().flatten().find(|(_, is_given)| *is_given).map(|(flag, _)| *flag)
    };
    let error = |flag: &str, with: &str, cure: &str| {
        Err(UserError::usage(format!("{flag} is not supported {with}")).hint(cure))
    };
    let omit = |flag: &str, why: &str| format!("omit {flag}: {why}");
    match form {
        Form::Table => match first(&[&of_texts, &of_replies, &of_answers]) {
            Some(flag) => {
                let cure = format!("name the source of the replies with --from NAME, or omit {flag}");
                error(flag, "without --from", &cure)
            }
            None => match given.scores.filter(|scores| matches!(scores, Scores::Logits | Scores::Logprobs)) {
                Some(scores) if replies.missing.is_some() => {
                    let cure = "convert the scores to probabilities, or fill in the empty cells";
                    error("--missing", &format!("with --scores {}", scores.name()), cure)
                }
                _ => Ok(()),
            },
        },
        Form::Counts | Form::Answers => {
            if first(&[&missing]).is_some() {
                let cure = "omit it: a class without votes gets half a vote; write 0 for an empty cell";
                return error("--missing", "with --from votes", cure);
            }
            if let Some(flag) = first(&[&of_numbers, &of_replies]) {
                return error(flag, "with --from votes", &omit(flag, "votes are counts or answers"));
            }
            match (form, first(&[&of_texts, &of_answers]), first(&[&of_tables])) {
                (Form::Counts, Some(flag), _) => {
                    error(flag, "for a table of counts", &omit(flag, "it is about answers in JSON lines"))
                }
                (Form::Answers, _, Some(flag)) => {
                    error(flag, "for answers in JSON lines", &omit(flag, "it is about tables"))
                }
                _ => Ok(()),
            }
        }
        Form::Replies(from) => match first(&[&of_numbers, &of_tables]) {
            Some(flag) => error(
                flag,
                &format!("with --from {}", from.name()),
                &omit(flag, "replies are JSON and give probabilities"),
            ),
            None => Ok(()),
        },
    }
}
