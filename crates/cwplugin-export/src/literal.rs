//! Exact literals of numbers and strings.

/// The text on one line: escapes control characters, line separators and invisible characters.
pub(crate) fn one_line(text: &str) -> String {
    let escape = |c: char| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() };
    text.chars().map(escape).collect()
}

/// Whether a character is safe in source code: no control, line separator or invisible character.
fn is_plain(c: char) -> bool {
    let is_invisible = matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    !c.is_control() && !is_invisible
}

/// The shortest literal of a double that is exact, in Python and in Rust.
pub(crate) fn number(value: f64) -> String {
    format!("{value:?}")
}

/// Numbers in brackets, wrapped.
pub(crate) fn list(values: &[f64]) -> String {
    bracketed(values.iter().map(|&value| number(value)))
}

/// Lists in brackets, one per line.
pub(crate) fn matrix(rows: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = rows.map(|row| format!("    {row},")).collect();
    format!("[\n{}\n]", lines.join("\n"))
}

/// Numbers in brackets, on one line.
pub(crate) fn row(values: &[f64]) -> String {
    let numbers: Vec<String> = values.iter().map(|&value| number(value)).collect();
    format!("[{}]", numbers.join(", "))
}

/// Items in brackets, wrapped to about a hundred characters.
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

/// A Python string literal.
pub(crate) fn python_text(text: &str) -> String {
    quoted(text, |c| format!("\\U{:08x}", u32::from(c)))
}

/// A Rust string literal.
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
    fn no_character_ends_a_string_or_a_comment() {
        assert_eq!(python_text("a\"\\\n☃\u{202e}"), r#""a\"\\\U0000000a☃\U0000202e""#);
        assert_eq!(rust_text("a\"\\\n☃\u{202e}"), r#""a\"\\\u{a}☃\u{202e}""#);
        assert_eq!(one_line("a\nb\u{2028}"), "a\\nb\\u{2028}");
    }

    #[test]
    fn numbers_are_exact() {
        for value in [0.1, 1.0 / 3.0, 5e-324, f64::MAX, -0.0, 1e16, 1e-7] {
            assert_eq!(number(value).parse::<f64>().unwrap().to_bits(), value.to_bits());
        }
        assert_eq!(number(1.0), "1.0"); // an integer would be another type
    }

    #[test]
    fn long_lists_are_wrapped() {
        assert_eq!(list(&[1.0, 0.5]), "[1.0, 0.5]");
        assert!(list(&[1.0 / 3.0; 40]).lines().all(|line| line.len() <= 110));
    }
}
