//! Texts compared with spellings: equal to one, or the beginning of some.

use std::borrow::Cow;

use crate::error::ReplyError;

/// The text with the marks that vocabularies use for white space replaced by white space.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.contains(['Ġ', '▁', 'Ċ']) {
        return Cow::Borrowed(text);
    }
    let plain = |c| match c {
        'Ġ' | '▁' => ' ',
        'Ċ' => '\n',
        other => other,
    };
    Cow::Owned(text.chars().map(plain).collect())
}

/// White space, quotes and brackets that open.
pub(crate) fn is_opening(c: char) -> bool {
    c.is_whitespace() || "\"'([{*`".contains(c)
}

/// White space, punctuation, quotes and brackets that close.
pub(crate) fn is_closing(c: char) -> bool {
    c.is_whitespace() || ".,;:!?\"')]}*`".contains(c)
}

/// Bytes of a short text.
const SHORT: usize = 32;

/// What a text is to the spellings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Match {
    /// The class that has the text as a spelling.
    pub(crate) equal: Option<usize>,
    /// The classes that have a longer spelling which starts with the text.
    pub(crate) longer: Longer,
}

impl Match {
    pub(crate) const NONE: Self = Self { equal: None, longer: Longer::None };

    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// None, one, or more classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Longer {
    None,
    One(usize),
    Many,
}

impl Longer {
    fn with(self, class: usize) -> Self {
        match self {
            Self::None => Self::One(class),
            Self::One(k) if k == class => self,
            _ => Self::Many,
        }
    }
}

/// All spellings, sorted, each with its class.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Table {
    exact: Vec<(String, usize)>,
    /// In lower case.
    any_case: Vec<(String, usize)>,
    /// Bytes, in either case, with which a spelling starts: most tokens start with another.
    starts: Vec<bool>,
}

impl Table {
    pub(crate) fn add_exact(&mut self, text: &str, class: usize, names: &[String]) -> Result<(), ReplyError> {
        let text = spelling(text, class, names)?;
        self.exact.push((text, class));
        Ok(())
    }

    pub(crate) fn add_any_case(
        &mut self,
        text: &str,
        class: usize,
        names: &[String],
    ) -> Result<(), ReplyError> {
        let text = spelling(text, class, names)?.to_lowercase();
        self.any_case.push((text, class));
        Ok(())
    }

    /// Sorts the spellings; refuses one that two classes have.
    pub(crate) fn finish(&mut self, names: &[String]) -> Result<(), ReplyError> {
        self.exact.sort_unstable();
        self.exact.dedup();
        self.any_case.sort_unstable();
        let shared = |spelling: &str, a: usize, b: usize| ReplyError::SharedSpelling {
            spelling: spelling.to_owned(),
            first: names[a.min(b)].clone(),
            second: names[a.max(b)].clone(),
        };
        for pair in self.exact.windows(2) {
            if pair[0].0 == pair[1].0 {
                return Err(shared(&pair[0].0, pair[0].1, pair[1].1));
            }
        }
        for (text, class) in &self.exact {
            if let Some(other) = found(&self.any_case, &text.to_lowercase()).filter(|other| other != class) {
                return Err(shared(text, *class, other));
            }
        }
        self.starts = vec![false; 256];
        for first in self.exact.iter().chain(&self.any_case).filter_map(|(text, _)| text.bytes().next()) {
            self.starts[usize::from(first)] = true;
            self.starts[usize::from(first.to_ascii_uppercase())] = true;
        }
        // Lower case may change the first byte of other characters, and turn them into ASCII (the Kelvin sign).
        self.starts[128..].fill(true);
        Ok(())
    }

    /// Whether no spelling starts with this byte, in any case.
    #[inline]
    pub(crate) fn excludes(&self, first: u8) -> bool {
        !self.starts[usize::from(first)]
    }

    fn excludes_start(&self, text: &str) -> bool {
        text.bytes().next().is_some_and(|first| self.excludes(first))
    }

    /// The class with this spelling; the text is clean and trimmed.
    pub(crate) fn equal(&self, text: &str) -> Option<usize> {
        if text.is_empty() || self.excludes_start(text) {
            return None;
        }
        let any_case = || in_lower_case(text, |text| found(&self.any_case, text));
        found(&self.exact, text).or_else(|| if self.any_case.is_empty() { None } else { any_case() })
    }

    /// Compares a clean text without white space at its start; `tail` are bytes of an incomplete character after it.
    pub(crate) fn look_up(&self, text: &str, tail: &[u8]) -> Match {
        if (text.is_empty() && tail.is_empty()) || self.excludes_start(text) {
            return Match::NONE;
        }
        let mut found = Match::NONE;
        if !self.exact.is_empty() {
            found = look_up(&self.exact, text, tail, found);
        }
        if !self.any_case.is_empty() {
            found = in_lower_case(text, |text| look_up(&self.any_case, text, tail, found));
        }
        found
    }
}

/// A clean spelling, or an error if it is blank.
fn spelling(text: &str, class: usize, names: &[String]) -> Result<String, ReplyError> {
    let text = clean(text);
    match text.trim() {
        "" => Err(ReplyError::EmptySpelling { class: names[class].clone() }),
        text => Ok(text.to_owned()),
    }
}

/// Passes the text in lower case to `f`; most texts are short and ASCII, and need no allocation.
fn in_lower_case<T>(text: &str, f: impl FnOnce(&str) -> T) -> T {
    let mut short = [0; SHORT];
    match short.get_mut(..text.len()) {
        Some(copy) if text.is_ascii() => {
            copy.copy_from_slice(text.as_bytes());
            copy.make_ascii_lowercase();
            f(std::str::from_utf8(copy).unwrap_or_default())
        }
        _ => f(&text.to_lowercase()),
    }
}

fn found(sorted: &[(String, usize)], text: &str) -> Option<usize> {
    let at = sorted.binary_search_by(|(spelling, _)| spelling.as_str().cmp(text)).ok()?;
    Some(sorted[at].1)
}

/// Whether the rest of a spelling starts with white space `end`, and bytes of a character after it.
fn continues(rest: &[u8], end: &[u8], tail: &[u8]) -> bool {
    (end.is_empty() && tail.is_empty()) || rest.strip_prefix(end).is_some_and(|rest| rest.starts_with(tail))
}

/// Adds the class with the spelling `text` without white space at its end, and those of the spellings that start with `text` and
/// `tail` and are longer.
fn look_up(sorted: &[(String, usize)], text: &str, tail: &[u8], mut found: Match) -> Match {
    let trimmed = text.trim_end();
    // Sorted by bytes: what starts with the text stands together, from the text itself on.
    let from = sorted.partition_point(|(spelling, _)| spelling.as_str() < trimmed);
    for (spelling, class) in &sorted[from..] {
        let Some(rest) = spelling.as_bytes().strip_prefix(trimmed.as_bytes()) else { break };
        if rest.is_empty() && tail.is_empty() {
            found.equal = Some(*class);
        }
        if found.longer == Longer::Many {
            break;
        }
        let end = &text.as_bytes()[trimmed.len()..];
        if rest.len() > end.len() + tail.len() && continues(rest, end, tail) {
            found.longer = found.longer.with(*class);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::Classes;

    fn classes() -> Classes {
        let classes = Classes::new(["no", "none", "正面", "very good"]).unwrap();
        classes.spellings([("no", ["no", "nay"])]).unwrap()
    }

    #[test]
    fn the_first_bytes_of_a_character_are_a_start() {
        let classes = classes();
        let bytes = "正".as_bytes();
        let start = classes.table().look_up("", &bytes[..2]);
        assert_eq!(start, Match { equal: None, longer: Longer::One(2) });
        assert!(classes.table().look_up("no", &bytes[..1]).is_none());
        assert!(classes.table().look_up("", &[0xff]).is_none());
    }

    #[test]
    fn case_is_ignored_for_characters_that_become_ascii() {
        let classes = Classes::new(["kelvin", "celsius"]).unwrap();
        assert_eq!(classes.named("\u{212A}elvin"), Some(0)); // the Kelvin sign
    }
}
