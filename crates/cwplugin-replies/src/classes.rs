//! The classes, and how a reply may spell them.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::error::ReplyError;
use crate::spelling::{Table, clean, is_closing, is_opening};

/// Class names and their spellings.
///
/// A class is spelled as its name, in any case; if two names differ only in case, case matters. Spellings that the
/// caller gives replace the name, and their case matters. White space around a spelling and the marks of vocabularies for white
/// space (`Ġ`, `▁`, `Ċ`) never matter.
///
/// Invariants: at least two classes; names are distinct; no spelling is blank or belongs to two classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Classes {
    names: Vec<String>,
    /// Spellings that the caller gave, by class.
    given: Vec<Option<Vec<String>>>,
    table: Table,
}

impl Classes {
    /// Classes that are spelled as their names.
    ///
    /// # Errors
    ///
    /// Fewer than two names, a repeated or blank name.
    ///
    /// ```
    /// use cwplugin_replies::{Classes, ReplyError};
    ///
    /// assert_eq!(Classes::new(["ham", "spam"])?.len(), 2);
    /// let repeated = Classes::new(["spam", "spam"]).unwrap_err();
    /// assert_eq!(repeated, ReplyError::RepeatedClass { class: "spam".into() });
    /// # Ok::<(), ReplyError>(())
    /// ```
    pub fn new<I>(names: I) -> Result<Self, ReplyError>
    where
        I: IntoIterator<Item: Into<String>>,
    {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        if names.len() < 2 {
            return Err(ReplyError::TooFewClasses { found: names.len() });
        }
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(ReplyError::RepeatedClass { class: pair[0].clone() });
        }
        let given = vec![None; names.len()];
        Self::checked(names, given)
    }

    /// Replaces the spellings of some classes; all at once, so that two classes may exchange their spellings.
    ///
    /// # Errors
    ///
    /// An unknown or repeated class, a blank spelling, a spelling of two classes.
    ///
    /// ```
    /// use cwplugin_replies::{Classes, ReplyError};
    ///
    /// let classes = Classes::new(["ham", "spam"])?.spellings([("ham", ["no"]), ("spam", ["yes"])])?;
    /// assert_eq!(classes.names(), ["ham", "spam"]);
    /// # Ok::<(), ReplyError>(())
    /// ```
    pub fn spellings<I, N, L>(self, spellings: I) -> Result<Self, ReplyError>
    where
        I: IntoIterator<Item = (N, L)>,
        N: AsRef<str>,
        L: IntoIterator<Item: Into<String>>,
    {
        let Self { names, mut given, .. } = self;
        let mut changed = vec![false; names.len()];
        for (class, list) in spellings {
            let class = class.as_ref();
            let Some(k) = names.iter().position(|name| name == class) else {
                return Err(ReplyError::UnknownClass { class: class.to_owned(), classes: names });
            };
            if std::mem::replace(&mut changed[k], true) {
                return Err(ReplyError::RepeatedClass { class: class.to_owned() });
            }
            given[k] = Some(list.into_iter().map(Into::into).collect());
        }
        Self::checked(names, given)
    }

    fn checked(names: Vec<String>, given: Vec<Option<Vec<String>>>) -> Result<Self, ReplyError> {
        let any_case = names_differ_in_any_case(&names);
        let mut table = Table::default();
        for (k, (name, given)) in names.iter().zip(&given).enumerate() {
            match given {
                Some(list) if list.is_empty() => {
                    return Err(ReplyError::EmptySpelling { class: name.clone() });
                }
                Some(list) => list.iter().try_for_each(|text| table.add_exact(text, k, &names))?,
                None if any_case => table.add_any_case(name, k, &names)?,
                None => table.add_exact(name, k, &names)?,
            }
        }
        table.finish(&names)?;
        Ok(Self { names, given, table })
    }

    /// The names, in the order of the probabilities.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of classes.
    #[allow(clippy::len_without_is_empty)] // there are at least two
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The names with the spellings that the caller gave, or else with the name.
    pub(crate) fn spelled(&self) -> Vec<(String, Vec<String>)> {
        let spelled = |(name, given): (&String, &Option<Vec<String>>)| {
            (name.clone(), given.clone().unwrap_or_else(|| vec![name.clone()]))
        };
        self.names.iter().zip(&self.given).map(spelled).collect()
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// The class that is spelled so.
    pub(crate) fn named(&self, name: &str) -> Option<usize> {
        self.table.equal(clean(name).trim())
    }

    /// The class of a complete answer: quotes and punctuation around it are ignored if it is no spelling as it is.
    pub(crate) fn of_answer(&self, answer: &str) -> Option<usize> {
        let text = clean(answer);
        let bare = text.trim_start_matches(is_opening);
        let candidates = [text.trim(), bare.trim_end(), bare.trim_end_matches(is_closing)];
        candidates.iter().find_map(|text| self.table.equal(text))
    }
}

/// Two names of which one is probably a typing error of the other: they differ only in case.
///
/// ```
/// use cwplugin_replies::equal_in_any_case;
///
/// assert_eq!(equal_in_any_case(["Ham", "eggs", "ham"]), Some(("Ham", "ham")));
/// assert_eq!(equal_in_any_case(["ham", "hams"]), None);
/// ```
pub fn equal_in_any_case<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<(&'n str, &'n str)> {
    let mut folded = HashMap::new();
    names.into_iter().find_map(|name| Some((folded.insert(name.trim().to_lowercase(), name)?, name)))
}

/// Whether the names stay distinct without regard to case.
fn names_differ_in_any_case(names: &[String]) -> bool {
    let mut folded: Vec<String> =
        names.iter().map(|name| Cow::into_owned(clean(name)).trim().to_lowercase()).collect();
    folded.sort_unstable();
    folded.windows(2).all(|pair| pair[0] != pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_in_any_case_and_with_marks_of_vocabularies() {
        let classes = Classes::new(["Positive", "negative"]).unwrap();
        for text in ["positive", " POSITIVE", "Ġpositive", "▁Positive ", "positiveĊ"] {
            assert_eq!(classes.named(text), Some(0), "{text:?}");
        }
        assert_eq!(classes.named("pos"), None);
        let turkish = Classes::new(["Über", "ÄRGER"]).unwrap();
        assert_eq!((turkish.named("über"), turkish.named("ärger")), (Some(0), Some(1)));
    }

    #[test]
    fn two_classes_with_one_spelling_are_refused() {
        let classes = || Classes::new(["Pos", "neg"]).unwrap();
        let shared = |spelling: &str| ReplyError::SharedSpelling {
            spelling: spelling.into(),
            first: "Pos".into(),
            second: "neg".into(),
        };
        assert_eq!(classes().spellings([("neg", ["ĠPOS"])]).unwrap_err(), shared("POS"));
        assert_eq!(classes().spellings([("Pos", ["x"]), ("neg", ["x "])]).unwrap_err(), shared("x"));
        assert_eq!(
            classes().spellings([("neg", ["▁"])]).unwrap_err(),
            ReplyError::EmptySpelling { class: "neg".into() }
        );
        assert_eq!(
            classes().spellings([("neg", Vec::<String>::new())]).unwrap_err(),
            ReplyError::EmptySpelling { class: "neg".into() }
        );
        assert!(classes().spellings([("Pos", ["neg"]), ("neg", ["Pos"])]).is_ok());
    }

    #[test]
    fn answers_match_without_quotes_and_punctuation() {
        let classes = Classes::new(["yes!", "no"]).unwrap();
        assert_eq!(classes.of_answer("\"No\".\n"), Some(1));
        assert_eq!(classes.of_answer("yes!"), Some(0));
        assert_eq!(classes.of_answer("yes"), None);
        assert_eq!(classes.of_answer("**"), None);
    }
}
