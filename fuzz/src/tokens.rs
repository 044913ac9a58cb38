//! Generated SQL, Python and Rust in tokens: strings, quoted names, and everything else. Comments and spaces are left out.

use std::iter::Peekable;
use std::str::Chars;

use cwplugin_export::Dialect;

/// What is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Sql(Dialect),
    Python,
    Rust,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// The value of a string.
    Text(String),
    /// A quoted name.
    Name(String),
    Code(char),
}

/// How a quoted text ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    /// A quote is doubled.
    Doubled,
    /// A backslash comes before it.
    Backslash,
}

/// The tokens of a text, by the rules of the language's manual.
///
/// # Errors
///
/// If a string or a name is not closed, or continues on the next line where it must not.
pub(crate) fn tokens(language: Language, text: &str) -> Result<Vec<Token>, String> {
    let comment = match language {
        Language::Sql(_) => "--",
        Language::Python => "#",
        Language::Rust => "//",
    };
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with(comment) {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        let after = &rest[first.len_utf8()..];
        let Some(escape) = escape(language, first) else {
            if !first.is_whitespace() {
                tokens.push(Token::Code(first));
            }
            rest = after;
            continue;
        };
        let (value, left) = quoted(language, first, escape, after)?;
        tokens.push(if is_name(language, first) { Token::Name(value) } else { Token::Text(value) });
        rest = left;
    }
    Ok(tokens)
}

/// How a text in these quotes is escaped; `None` if the character is no quote.
fn escape(language: Language, quote: char) -> Option<Escape> {
    use Dialect::{Bigquery, Datafusion, Duckdb, Postgres, Snowflake, Spark};
    match (language, quote) {
        (Language::Sql(Spark | Bigquery | Snowflake), '\'')
        | (Language::Sql(Spark | Bigquery) | Language::Python | Language::Rust, '"')
        | (Language::Sql(Bigquery), '`') => Some(Escape::Backslash),
        (Language::Sql(Duckdb | Datafusion | Postgres), '\'' | '"')
        | (Language::Sql(Snowflake), '"')
        | (Language::Sql(Spark), '`') => Some(Escape::Doubled),
        _ => None,
    }
}

fn is_name(language: Language, quote: char) -> bool {
    match language {
        Language::Sql(Dialect::Spark | Dialect::Bigquery) => quote == '`',
        Language::Sql(_) => quote == '"',
        _ => false,
    }
}

/// The value of a quoted text, and what follows it.
fn quoted(language: Language, quote: char, escape: Escape, text: &str) -> Result<(String, &str), String> {
    let mut value = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if c == quote && escape == Escape::Doubled && chars.peek() == Some(&quote) => {
                chars.next();
                value.push(quote);
            }
            c if c == quote => {
                let left: usize = chars.map(char::len_utf8).sum();
                return Ok((value, &text[text.len() - left..]));
            }
            '\\' if escape == Escape::Backslash => value.push(escaped(language, &mut chars)?),
            '\n' | '\r' if matches!(language, Language::Python | Language::Sql(Dialect::Bigquery)) => {
                return Err(format!("{quote} is not closed on its line after {value}"));
            }
            c => value.push(c),
        }
    }
    Err(format!("{quote} is not closed after {value}"))
}

/// The character that an escape stands for.
fn escaped(language: Language, chars: &mut Peekable<Chars<'_>>) -> Result<char, String> {
    let code = |digits: String| {
        let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
        code.ok_or_else(|| format!("\\u of {digits}"))
    };
    match (language, chars.next()) {
        (Language::Python, Some('U')) => code(chars.take(8).collect()),
        (Language::Rust, Some('u')) => code(chars.skip(1).take_while(|c| *c != '}').collect()),
        (Language::Sql(_), Some('n')) => Ok('\n'),
        (Language::Sql(_), Some('r')) => Ok('\r'),
        (Language::Sql(_), Some(c @ ('\'' | '`'))) | (_, Some(c @ ('"' | '\\'))) => Ok(c),
        (_, escape) => Err(format!("unknown escape {escape:?}")),
    }
}
