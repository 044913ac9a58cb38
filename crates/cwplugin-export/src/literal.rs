//! Numbers and texts that read back to the same.

/// The text without line feeds and other characters that would leave a comment or turn a line around.
pub(crate) fn one_line(text: &str) -> String {
    let escape = |c: char| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() };
    text.chars().map(escape).collect()
}

/// A character that stands for itself wherever a source is read: no control, no line separator, nothing invisible.
fn is_plain(c: char) -> bool {
    let is_invisible = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    !c.is_control() && !is_invisible
}

/// The shortest digits that read back to the same double, in Python and in Rust.
pub(crate) fn number(value: f64) -> String {
    format!("{value:?}")
}

/// Numbers in brackets, broken into lines.
pub(crate) fn list(values: &[f64]) -> String {
    bracketed(values.iter().map(|&value| number(value)))
}

/// Lists in brackets, each in a line of its own.
pub(crate) fn matrix(rows: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = rows.map(|row| format!("    {row},")).collect();
    format!("[\n{}\n]", lines.join("\n"))
}

/// Numbers in brackets, in one line.
pub(crate) fn row(values: &[f64]) -> String {
    let numbers: Vec<String> = values.iter().map(|&value| number(value)).collect();
    format!("[{}]", numbers.join(", "))
}

/// Items in brackets, broken into lines of at most about a hundred characters.
pub(crate) fn bracketed(items: impl Iterator<Item = String>) -> String {
    const WIDTH: usize = 96;
    let (mut lines, mut line) = (Vec::new(), String::new());
    for item in items {
        if !line.is_empty() && line.len() + item.len() > WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&item);
        line.push(',');
    }
    match &lines[..] {
        [] => format!("[{}]", line.trim_end_matches(',')),
        lines => format!("[\n    {}\n    {line}\n]", lines.join("\n    ")),
    }
}

/// A text between double quotes for Python.
pub(crate) fn python_text(text: &str) -> String {
    quoted(text, |c| format!("\\U{:08x}", u32::from(c)))
}

/// A text between double quotes for Rust.
pub(crate) fn rust_text(text: &str) -> String {
    quoted(text, |c| format!("\\u{{{:x}}}", u32::from(c)))
}

fn quoted(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            c if is_plain(c) => literal.push(c),
            c => literal.push_str(&escape(c)),
        }
    }
    literal + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_ends_a_text_or_a_comment() {
        assert_eq!(python_text("a\"\\\n☃\u{202e}"), r#""a\"\\\U0000000a☃\U0000202e""#);
        assert_eq!(rust_text("a\"\\\n☃\u{202e}"), r#""a\"\\\u{a}☃\u{202e}""#);
        assert_eq!(one_line("a\nb\u{2028}"), "a\\nb\\u{2028}");
    }

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        for value in [0.1, 1.0 / 3.0, 5e-324, f64::MAX, -0.0, 1e16, 1e-7] {
            assert_eq!(number(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        assert_eq!(number(1.0), "1.0"); // an integer would be another type
    }

    #[test]
    fn long_lists_are_broken_into_lines() {
        assert_eq!(list(&[1.0, 0.5]), "[1.0, 0.5]");
        assert!(list(&[1.0 / 3.0; 40]).lines().all(|line| line.len() <= 110));
    }
}
