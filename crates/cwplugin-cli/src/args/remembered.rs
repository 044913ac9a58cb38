//! The options that a model was fitted with, beside those of the user.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use cwplugin::Scores;
use cwplugin::model::InputOptions;
use cwplugin_replies::{FieldPath, Missing};

use super::replies::{parse_from, parse_missing, parse_path};
use super::{Data, From};
use crate::user_error::UserError;

/// What the model says about the form of the input, where the user says nothing. A file that is plainly of another form is read
/// as what it is: the form does not matter for the probabilities.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remembered {
    /// The file of the model.
    pub(crate) model: String,
    pub(crate) from: Option<From>,
    pub(crate) reply: Option<FieldPath>,
    pub(crate) answer_at: Option<FieldPath>,
    pub(crate) scores: Option<Scores>,
    pub(crate) positive: Option<String>,
    pub(crate) decimal: Option<char>,
}

type Spellings = BTreeMap<String, Vec<String>>;

impl Data {
    /// These options, and where the user gives none those that the model in `path` was fitted with.
    ///
    /// # Errors
    ///
    /// If the user and the model say different things.
    pub(crate) fn with_input_of(&self, input: &InputOptions, path: &Path) -> anyhow::Result<Self> {
        let model = path.display().to_string();
        let unknown = |field: &str| {
            UserError::new(format!("{model}: {field} of `input` is not supported"))
                .hint("use a newer cwplugin, or fit the model again")
        };
        let place = |text: &Option<String>, field: &str| {
            text.as_deref().map(parse_path).transpose().map_err(|_| unknown(field))
        };
        let from = input.from.as_deref().map(parse_from).transpose().map_err(|_| unknown("from"))?;
        let (reply, answer_at) = (place(&input.reply, "reply")?, place(&input.answer_at, "answer_at")?);
        let missing = input.missing.as_deref().map(parse_missing).transpose();
        let missing = missing.map_err(|_| unknown("missing"))?;
        // Replies have a default; votes need none, and cells of a table may be missing for the first time.
        let by_default = matches!(from, Some(From::Source(_))).then_some(Missing::Spread);
        let is_token = matches!(from, Some(From::Source(source)) if source.has_tokens());

        let given = &self.replies;
        let name = |scores: Scores| scores.name();
        let checked = |flag| Checked { flag, model: &model };
        checked("--from").agree(given.from.map(From::name), from.map(From::name))?;
        checked("--reply").agree(given.reply.as_ref(), reply.as_ref())?;
        match (&given.answer_at, &answer_at) {
            (Some(field), None) if is_token => {
                return Err(checked("--answer-at").error(field, "without --answer-at").into());
            }
            (field, stored) => checked("--answer-at").agree(field.as_ref(), stored.as_ref())?,
        }
        checked("--missing").agree(given.missing, missing.or(by_default))?;
        checked("--scores").agree(self.scores.map(name), input.scores.map(name))?;
        checked("--positive").agree(self.positive.as_ref(), input.positive.as_ref())?;
        checked("--decimal").agree(self.decimal, input.decimal)?;
        let spellings: Spellings = given.all_spellings()?.into_iter().collect();
        if !spellings.is_empty() && from.is_some() {
            agree_on_spellings(&spellings, &input.spellings, &checked("--class"))?;
        }

        let mut merged = self.clone();
        merged.normalize |= input.normalize;
        merged.replies.missing = given.missing.or(missing);
        if spellings.is_empty() {
            merged.replies.spellings = input.spellings.clone().into_iter().collect();
        }
        merged.remembered = Remembered {
            from: from.filter(|_| given.from.is_none()),
            reply: reply.filter(|_| given.reply.is_none()),
            answer_at: answer_at.filter(|_| given.answer_at.is_none()),
            scores: input.scores.filter(|_| self.scores.is_none()),
            positive: input.positive.clone().filter(|_| self.positive.is_none()),
            decimal: input.decimal.filter(|_| self.decimal.is_none()),
            model,
        };
        Ok(merged)
    }
}

/// A flag that the model knows too.
struct Checked<'a> {
    flag: &'static str,
    model: &'a str,
}

impl Checked<'_> {
    /// An error if the user and the model say different things; one of them may say nothing.
    fn agree<T: PartialEq + Display>(&self, given: Option<T>, stored: Option<T>) -> Result<(), UserError> {
        match (given, stored) {
            (Some(given), Some(stored)) if given != stored => {
                Err(self.error(&given, &format!("with {} {stored}", self.flag)))
            }
            _ => Ok(()),
        }
    }

    /// The error that the model was fitted otherwise.
    fn error(&self, given: &dyn Display, stored: &str) -> UserError {
        let Self { flag, model } = self;
        UserError::usage(format!("{flag} {given}, but {model} was fitted {stored}"))
            .hint(format!("omit {flag}, or fit a model with {flag} {given}"))
    }
}

/// An error if the user gives other spellings; their order does not matter.
fn agree_on_spellings(given: &Spellings, stored: &Spellings, checked: &Checked) -> Result<(), UserError> {
    let sorted = |spellings: &Spellings| {
        let mut spellings = spellings.clone();
        for texts in spellings.values_mut() {
            texts.sort_unstable();
        }
        spellings
    };
    if sorted(given) == sorted(stored) {
        return Ok(());
    }
    let class = |(name, texts): (&String, &Vec<String>)| format!("'{name}={}'", texts.join(","));
    let written = |spellings: &Spellings| spellings.iter().map(class).collect::<Vec<_>>().join(" --class ");
    let stored = match written(stored) {
        none if none.is_empty() => "with the names of the classes".to_owned(),
        stored => format!("with --class {stored}"),
    };
    Err(checked.error(&written(given), &stored))
}
