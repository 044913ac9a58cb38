//! The width of the output.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Narrower terminals are treated as this wide.
const NARROWEST: usize = 40;

/// The columns of standard output: `COLUMNS`, else the width of the terminal. Files and pipes have no limit, so that they do
/// not depend on the window.
pub(crate) fn width() -> usize {
    let terminal = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let is_terminal = io::stdout().is_terminal();
    width_of(std::env::var_os("COLUMNS"), is_terminal.then(terminal).flatten())
}

fn width_of(columns: Option<OsString>, terminal: Option<usize>) -> usize {
    let columns = columns.and_then(|columns| columns.to_str()?.trim().parse().ok());
    let known = columns.filter(|columns| *columns > 0).or(terminal.filter(|width| *width > 0));
    known.map_or(usize::MAX, |width| width.max(NARROWEST))
}

/// The text, shortened with `…` to at most this many columns.
pub(crate) fn shortened(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_string();
    }
    let mut out = String::new();
    let mut used = 1; // the ellipsis
    for c in text.chars() {
        used += c.width().unwrap_or_default();
        if used > width {
            break;
        }
        out.push(c);
    }
    out + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_before_the_terminal_and_files_have_no_limit() {
        let columns = |text: &str| Some(OsString::from(text));
        assert_eq!(width_of(columns("60"), Some(120)), 60);
        assert_eq!(width_of(columns("x"), Some(120)), 120);
        assert_eq!(width_of(columns("0"), None), usize::MAX);
        assert_eq!(width_of(None, None), usize::MAX);
        assert_eq!(width_of(columns("5"), None), NARROWEST);
    }

    #[test]
    fn text_is_shortened_by_columns_not_characters() {
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdef", 5), "abcd…");
        assert_eq!(shortened("類別名前", 6), "類別…");
        assert_eq!(shortened("類別名前", 5), "類別…");
        assert_eq!(shortened("e\u{301}e\u{301}e\u{301}", 2), "e\u{301}…");
    }
}
