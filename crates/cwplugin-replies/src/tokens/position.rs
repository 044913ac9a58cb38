//! One position of an answer: the token that was chosen, and its alternatives.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::output::Output;
use crate::spelling::clean;
use crate::tokens::json::Entry;
use crate::tokens::list;
use crate::value::{Number, Object};

/// An alternative at a position.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(from = "Entry<'a>", bound = "'de: 'a")]
pub(crate) struct Alternative<'a> {
    /// Not always UTF-8: a token may end inside a character.
    pub(crate) text: Cow<'a, [u8]>,
    pub(crate) value: Number,
    /// Whether the value is a probability and not its logarithm.
    pub(crate) linear: bool,
}

/// The alternatives, read when they are needed: only one position of a long answer matters.
#[derive(Debug, Clone, Default)]
pub(crate) enum Top<'a> {
    #[default]
    Absent,
    /// A list of objects.
    List(&'a RawValue),
    /// An object from token to log-probability.
    Map(&'a RawValue),
}

impl<'a> Top<'a> {
    /// The list of objects as it is written.
    pub(crate) fn raw(&self) -> Option<&'a RawValue> {
        match self {
            Self::List(raw) => Some(raw),
            Self::Absent | Self::Map(_) => None,
        }
    }

    /// Reads the alternatives.
    pub(crate) fn read(&self) -> Result<Vec<Alternative<'a>>, serde_json::Error> {
        match self {
            Self::Absent => Ok(Vec::new()),
            Self::List(raw) => match list::read(raw.get()) {
                Some(list) => Ok(list),
                None => Ok(serde_json::from_str::<Option<Vec<_>>>(raw.get())?.unwrap_or_default()),
            },
            Self::Map(raw) => {
                let Object(fields) = serde_json::from_str::<Option<_>>(raw.get())?.unwrap_or_default();
                let alternative = |(token, value): (_, crate::value::Json<'_>)| Alternative {
                    text: bytes_of(token, None),
                    value: value.number(),
                    linear: false,
                };
                Ok(fields.into_iter().map(alternative).collect())
            }
        }
    }
}

/// A position.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Entry<'a>", bound = "'de: 'a")]
pub(crate) struct Position<'a> {
    /// The token that was chosen.
    pub(crate) chosen: Alternative<'a>,
    /// Its bytes as a list of numbers, if they are given.
    pub(crate) bytes: Option<&'a RawValue>,
    pub(crate) top: Top<'a>,
}

impl Position<'_> {
    /// The text that the token adds to the answer.
    pub(crate) fn answer(&self) -> Cow<'_, [u8]> {
        match self.bytes.map(RawValue::get).and_then(numbers_to_bytes) {
            Some(bytes) => Cow::Owned(bytes),
            None => cleaned(&self.chosen.text),
        }
    }
}

/// All positions of an answer.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "Option<Vec<Position<'a>>>", bound = "'de: 'a")]
pub(crate) struct Positions<'a>(pub(crate) Vec<Position<'a>>);

/// Where numbers are found, for messages: `#` is the number of the position, then that of the alternative.
#[derive(Debug, Clone)]
pub(crate) struct Fields {
    /// Name of the source.
    pub(crate) origin: &'static str,
    /// The path in front of both.
    pub(crate) path: Cow<'static, str>,
    pub(crate) alternative: &'static str,
    pub(crate) chosen: &'static str,
}

impl Fields {
    pub(crate) fn new(
        output: &Output<'_>,
        path: impl Into<Cow<'static, str>>,
        alternative: &'static str,
        chosen: &'static str,
    ) -> Self {
        Self { origin: output.source.name(), path: path.into(), alternative, chosen }
    }

    /// Positions as in chat completions, in the list at `path`.
    pub(crate) fn in_list(output: &Output<'_>, path: impl Into<Cow<'static, str>>) -> Self {
        Self::new(output, path, "[#].top_logprobs[#].logprob", "[#].logprob")
    }

    pub(crate) fn alternative(&self, position: usize, alternative: &str) -> String {
        self.at(self.alternative, position).replacen('#', alternative, 1)
    }

    pub(crate) fn chosen(&self, position: usize) -> String {
        self.at(self.chosen, position)
    }

    fn at(&self, field: &str, position: usize) -> String {
        format!("{}{field}", self.path).replacen('#', &position.to_string(), 1)
    }

    /// The list of alternatives at a position.
    pub(crate) fn list(&self, position: usize) -> String {
        let path = self.at(self.alternative, position);
        let end = path.find('#').unwrap_or(path.len());
        path[..end].trim_end_matches(['[', '.']).to_owned()
    }
}

/// The bytes without the marks of vocabularies.
pub(crate) fn cleaned(bytes: &[u8]) -> Cow<'_, [u8]> {
    // The marks are not ASCII.
    if bytes.iter().all(u8::is_ascii) {
        return Cow::Borrowed(bytes);
    }
    match std::str::from_utf8(bytes).map(clean) {
        Ok(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
        _ => Cow::Borrowed(bytes),
    }
}

/// The bytes of a token. They are given as numbers too, which only matter for a part of a character: its text is then an
/// escape (`\xe6`) or a replacement character.
pub(crate) fn bytes_of<'a>(token: Cow<'a, str>, numbers: Option<&str>) -> Cow<'a, [u8]> {
    if let Some(numbers) = numbers
        && is_odd(&token)
        && let Some(bytes) = numbers_to_bytes(numbers)
    {
        return Cow::Owned(bytes);
    }
    match token {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Whether the text of a token may differ from its bytes.
pub(crate) fn is_odd(token: &str) -> bool {
    token.bytes().any(|byte| byte == b'\\' || !byte.is_ascii())
        && (token.contains("\\x") || token.contains('\u{fffd}'))
}

pub(crate) fn numbers_to_bytes(numbers: &str) -> Option<Vec<u8>> {
    serde_json::from_str::<Option<Vec<u8>>>(numbers).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_name_position_and_alternative() {
        let of = |alternative, chosen| Fields { origin: "x", path: "a".into(), alternative, chosen };
        let fields = of("[#].top[#].logprob", "[#].logprob");
        assert_eq!(fields.alternative(3, "5"), "a[3].top[5].logprob");
        assert_eq!((fields.chosen(2), fields.list(1)), ("a[2].logprob".into(), "a[1].top".into()));
        let fields = of(".top[#].#", "");
        assert_eq!((fields.alternative(0, " a"), fields.list(0)), ("a.top[0]. a".into(), "a.top[0]".into()));
    }
}
