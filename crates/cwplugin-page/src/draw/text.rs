//! Text: escaped, measured without a font, shortened, wrapped.

/// Escapes text for element contents and quoted attributes.
///
/// Characters that XML 1.0 forbids become U+FFFD.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}'
            // The last two ranges change the direction of the text after the name.
            | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    out
}

/// The approximate width of a text in pixels: between Arial and the wider `DejaVu Sans`.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' => 0.29,
        ' ' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '-' | '/' => 0.37,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' => 0.94,
        'A'..='Z' | '+' | '=' | '<' | '>' | '~' | '−' | '&' => 0.7,
        '\u{300}'..='\u{36f}' => 0.0,
        '\u{1100}'.. if !('\u{1e00}'..='\u{22ff}').contains(&c) => 1.05,
        _ => 0.59,
    }
}

/// The text, shortened with an ellipsis to at most `room` pixels.
pub(crate) fn shorten(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut used = width("…", size);
    let mut short = String::new();
    for c in text.chars() {
        used += em(c) * size;
        if used > room {
            break;
        }
        short.push(c);
    }
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// The text in lines of at most `room` pixels; no lines for no text.
pub(crate) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shorten(word, size, room);
        match lines.last_mut() {
            Some(line) if width(line, size) + width(" ", size) + width(&word, size) <= room => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(
            escape("<script>alert('&')</script>\""),
            "&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;&quot;"
        );
    }

    #[test]
    fn forbidden_characters_are_replaced() {
        assert_eq!(escape("a\0b\u{ffff}c\nd\u{202e}"), "a\u{fffd}b\u{fffd}c d\u{fffd}");
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis() {
        assert_eq!(shorten("macro-F1", 12.0, 100.0), "macro-F1");
        assert!(shorten("a very long name of a method", 12.0, 60.0).ends_with('…'));
    }

    proptest! {
        #[test]
        fn cut_and_wrapped_text_fits(text in ".{0,80}", room in 20.0..300.0f64) {
            prop_assert!(width(&shorten(&text, 12.0, room), 12.0) <= room);
            for line in wrap(&text, 12.0, room) {
                prop_assert!(width(&line, 12.0) <= room + 1e-9);
            }
        }
    }
}
