//! Values of a reply as they are found: what is wrong with one is known only where it is used.

mod number; // numbers, or what is written in their place
mod scalar; // labels and ids
mod text; // texts, and whether there is one

pub(crate) use number::Number;
pub(crate) use scalar::Scalar;
pub(crate) use text::{Presence, Text};

/// Longest text of an unexpected value in a message.
const SHOWN: usize = 60;

/// The text in quotes, cut.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", cut(text, SHOWN))
}

/// The first `n` characters, and an ellipsis if there are more.
pub(crate) fn cut(text: &str, n: usize) -> String {
    match text.char_indices().nth(n) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
