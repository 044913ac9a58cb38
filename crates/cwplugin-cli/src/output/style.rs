//! Colours, and text that cannot control the terminal.

use std::ffi::OsString;

use crate::args::ColorChoice;

/// Whether a stream has colours: the flag decides, then `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR=0` and `TERM=dumb`, then
/// whether the stream is a terminal.
pub(super) fn has_colours(
    choice: ColorChoice,
    is_terminal: bool,
    env: impl Fn(&str) -> Option<OsString>,
) -> bool {
    let is_set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
    let is = |name: &str, text: &str| env(name).is_some_and(|value| value == text);
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if is_set("NO_COLOR") => false,
        ColorChoice::Auto if is_set("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0") => true,
        ColorChoice::Auto => is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb"),
    }
}

/// How a piece of text looks. It must be understandable without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Error,
    Warning,
    Note,
    Hint,
    /// A number that improved.
    Better,
    /// A number that got worse.
    Worse,
    /// The best of several.
    Best,
}

/// The styles, in the order of their marks.
const ALL: [Style; 7] =
    [Style::Error, Style::Warning, Style::Note, Style::Hint, Style::Better, Style::Worse, Style::Best];

/// The mark of the first style: a code point that is no character and never written by anybody.
const FIRST_MARK: u32 = 0xFDD0;

/// The mark after a styled text.
const END: char = '\u{FDEF}';

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Error => "\u{1b}[1;31m",
            Self::Warning => "\u{1b}[1;33m",
            Self::Note => "\u{1b}[1;34m",
            Self::Hint => "\u{1b}[1;36m",
            Self::Better => "\u{1b}[32m",
            Self::Worse => "\u{1b}[31m",
            Self::Best => "\u{1b}[1m",
        }
    }

    /// The text between marks, which [`rendered`] replaces by codes or removes.
    pub(crate) fn paint(self, text: &str) -> String {
        let mark = char::from_u32(FIRST_MARK + self as u32).unwrap_or(END);
        format!("{mark}{text}{END}")
    }
}

/// The code of a mark.
fn code_of(c: char) -> Option<&'static str> {
    if c == END {
        return Some("\u{1b}[0m");
    }
    let style = ALL.get((c as u32).checked_sub(FIRST_MARK)? as usize)?;
    Some(style.code())
}

/// The text as a stream gets it: control characters are escaped, except line feeds, and marks become codes or nothing.
///
/// Names of classes and files come from anywhere: a raw escape sequence could hide text or imitate a message.
pub(crate) fn rendered(text: &str, has_colours: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match code_of(c) {
            Some(code) if has_colours => out.push_str(code),
            Some(_) => {}
            None if moves_text(c) && c != '\n' => out.extend(c.escape_default()),
            None => out.push(c),
        }
    }
    out
}

/// The text on one line, with its marks.
pub(crate) fn one_line(text: &str) -> String {
    let escape = |c: char| if moves_text(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// The text without marks.
pub(super) fn plain(text: &str) -> String {
    text.chars().filter(|&c| code_of(c).is_none()).collect()
}

/// Whether a character is a line feed, a bidi control or another control character.
pub(crate) fn moves_text(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colours(choice: ColorChoice, is_terminal: bool, env: &[(&str, &str)]) -> bool {
        let value = |name: &str| env.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        has_colours(choice, is_terminal, value)
    }

    #[test]
    fn the_flag_decides_then_the_environment_then_the_terminal() {
        use ColorChoice::{Always, Auto, Never};
        assert!(colours(Auto, true, &[]) && !colours(Auto, false, &[]));
        assert!(colours(Always, false, &[("NO_COLOR", "1")]));
        assert!(!colours(Never, true, &[("CLICOLOR_FORCE", "1")]));
        assert!(!colours(Auto, true, &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]));
        assert!(colours(Auto, true, &[("NO_COLOR", "")]), "an empty variable is not set");
        assert!(colours(Auto, false, &[("CLICOLOR_FORCE", "1")]));
        assert!(!colours(Auto, false, &[("CLICOLOR_FORCE", "0")]));
        assert!(!colours(Auto, true, &[("CLICOLOR", "0")]) && !colours(Auto, true, &[("TERM", "dumb")]));
    }

    #[test]
    fn names_cannot_control_the_terminal() {
        let text = format!("a\u{1b}[31mb\n\u{202e}c {} \u{9b}1m", Style::Best.paint("x"));
        assert_eq!(rendered(&text, true), "a\\u{1b}[31mb\n\\u{202e}c \u{1b}[1mx\u{1b}[0m \\u{9b}1m");
        assert_eq!(rendered(&text, false), "a\\u{1b}[31mb\n\\u{202e}c x \\u{9b}1m");
        assert_eq!(one_line("a\nb\t類"), "a\\nb\\t類");
        for style in ALL {
            assert_eq!(plain(&style.paint("-1")), "-1");
            assert_eq!(rendered(&style.paint("-1"), true), format!("{}-1\u{1b}[0m", style.code()));
        }
    }
}
