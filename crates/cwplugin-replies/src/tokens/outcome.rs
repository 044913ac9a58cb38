//! What a text is to the classes.

use crate::spelling::{Longer, Match, Table, clean, unquoted};

/// What the text of the tokens so far is to the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// White space only.
    Blank,
    /// The class, whatever follows.
    Class(usize),
    /// The class, unless a longer spelling of another class follows.
    ClassSoFar(usize),
    /// The start of spellings of several classes.
    Start,
    /// No class.
    Other,
}

impl Outcome {
    /// The outcome of a text; its last character may be incomplete.
    pub(crate) fn of(bytes: &[u8], table: &Table) -> Self {
        // Most alternatives are words that start like no class.
        let word = bytes.strip_prefix(b" ").unwrap_or(bytes);
        if word.first().is_some_and(|first| first.is_ascii_alphanumeric() && table.excludes(*first)) {
            return Self::Other;
        }
        let (text, tail) = split(bytes);
        let text = clean(text);
        let text = text.trim_start();
        if text.is_empty() && tail.is_empty() {
            return Self::Blank;
        }
        let found = table.look_up(text, tail);
        if !found.is_none() || !tail.is_empty() {
            return Self::of_match(found);
        }
        let bare = unquoted(text);
        if bare.is_empty() || bare.len() == text.trim_end().len() {
            return Self::Other;
        }
        let found = table.look_up(bare, b"");
        if text.trim_end().ends_with(bare) {
            return Self::of_match(found);
        }
        // After punctuation no spelling continues.
        found.equal.map_or(Self::Other, Self::Class)
    }

    fn of_match(found: Match) -> Self {
        match (found.equal, found.longer) {
            (Some(class), Longer::None) | (None, Longer::One(class)) => Self::Class(class),
            (Some(class), Longer::One(other)) if other == class => Self::Class(class),
            (Some(class), _) => Self::ClassSoFar(class),
            (None, Longer::Many) => Self::Start,
            (None, Longer::None) => Self::Other,
        }
    }
}

/// The complete characters, and the bytes after them.
fn split(bytes: &[u8]) -> (&str, &[u8]) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text, b""),
        Err(error) => {
            let (text, tail) = bytes.split_at(error.valid_up_to());
            (std::str::from_utf8(text).unwrap_or_default(), tail)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Classes;

    fn of(text: &str) -> Outcome {
        let classes = Classes::new(["no", "none", "very good", "very bad"]).unwrap();
        Outcome::of(text.as_bytes(), classes.table())
    }

    #[test]
    fn each_case_of_equal_and_longer_spellings() {
        assert_eq!(of("ĠĊ "), Outcome::Blank);
        assert_eq!(of("▁NO"), Outcome::ClassSoFar(0));
        assert_eq!(of("none"), Outcome::Class(1));
        assert_eq!(of("non"), Outcome::Class(1));
        assert_eq!(of(" very "), Outcome::Start);
        assert_eq!(of("very b"), Outcome::Class(3));
        assert_eq!(of("maybe"), Outcome::Other);
    }

    #[test]
    fn quotes_and_punctuation_are_ignored_if_nothing_else_matches() {
        assert_eq!(of("no."), Outcome::Class(0));
        assert_eq!(of("\"no"), Outcome::ClassSoFar(0));
        assert_eq!(of("**Very"), Outcome::Start);
        assert_eq!(of("none\"}\n"), Outcome::Class(1));
        assert_eq!(of("\""), Outcome::Other);
        assert_eq!((of("no.ne"), of("non."), of("very,")), (Outcome::Other, Outcome::Other, Outcome::Other));
    }
}
