//! What a text is to the classes.

use crate::spelling::{Longer, Match, Table, clean, is_closing, is_opening};

/// What the text of the tokens so far is to the classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// White space and opening marks only.
    Blank,
    /// The class, whatever follows.
    Class(usize),
    /// The class, unless a longer spelling of another class follows.
    ClassSoFar(usize),
    /// The start of spellings of one class; `short` if it is a single ASCII character.
    Prefix { class: usize, short: bool },
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
        let bare = text.trim_start_matches(is_opening);
        let found = table.look_up(text, tail);
        if bare.is_empty() && tail.is_empty() && found.equal.is_none() {
            return Self::Blank;
        }
        if !found.is_none() {
            return Self::of_match(found, text, tail);
        }
        let found = if bare.len() < text.len() { table.look_up(bare, tail) } else { Match::NONE };
        if !found.is_none() {
            return Self::of_match(found, bare, tail);
        }
        // After punctuation no spelling continues.
        let equal = if tail.is_empty() { table.equal(bare.trim_end_matches(is_closing)) } else { None };
        equal.map_or(Self::Other, Self::Class)
    }

    fn of_match(found: Match, text: &str, tail: &[u8]) -> Self {
        match (found.equal, found.longer) {
            (Some(class), Longer::None) => Self::Class(class),
            (Some(class), Longer::One(other)) if other == class => Self::Class(class),
            (Some(class), _) => Self::ClassSoFar(class),
            (None, Longer::One(class)) => Self::Prefix { class, short: tail.is_empty() && text.len() == 1 },
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

    #[test]
    fn each_case_of_equal_and_longer_spellings() {
        let classes = Classes::new(["no", "none", "very good", "very bad", "正面"]).unwrap();
        let prefix = |class| Outcome::Prefix { class, short: false };
        for (text, expected) in [
            ("ĠĊ ", Outcome::Blank),
            (" **`(", Outcome::Blank),
            ("▁NO", Outcome::ClassSoFar(0)),
            ("\"no", Outcome::ClassSoFar(0)),
            ("no.", Outcome::Class(0)),
            ("none\"}\n", Outcome::Class(1)),
            ("non", prefix(1)),
            ("\"non", prefix(1)),
            ("正", prefix(4)),
            (" very ", Outcome::Start),
            ("**Very", Outcome::Start),
            ("very b", prefix(3)),
            ("maybe", Outcome::Other),
            ("no.ne", Outcome::Other),
            ("non.", Outcome::Other),
            ("non\n", Outcome::Other),
            ("very,", Outcome::Other),
        ] {
            assert_eq!(Outcome::of(text.as_bytes(), classes.table()), expected, "{text}");
        }
        let partial = Outcome::of(&"\"正".as_bytes()[..3], classes.table());
        assert_eq!(partial, prefix(4));
        let short = Outcome::Prefix { class: 1, short: true };
        let classes = Classes::new(["no", "ironic"]).unwrap();
        assert_eq!(Outcome::of(b" I", classes.table()), short);
    }
}
