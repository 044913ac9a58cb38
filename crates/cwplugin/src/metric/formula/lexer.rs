//! Lexer: numbers, names, classes in brackets, signs.

use super::{FormulaProblem, ParseError};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Number(f64),
    /// A name outside brackets.
    Name,
    /// A class inside brackets, without quotes.
    Class(String),
    /// An operator, a delimiter or any other character; the parser reports unexpected ones.
    Sign,
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    /// Byte offset in the formula.
    pub(super) at: usize,
    pub(super) text: &'t str,
}

/// All tokens of a formula; the last is [`Kind::End`], placed after the last token.
pub(super) fn tokens(formula: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let (mut end, mut in_brackets) = (0, false);
    loop {
        let rest = formula[end..].trim_start_matches([' ', '\t', '\r', '\n']);
        if rest.is_empty() {
            tokens.push(Token { kind: Kind::End, at: end, text: "" });
            return Ok(tokens);
        }
        let at = formula.len() - rest.len();
        let (kind, length) = if in_brackets { class(rest, at)? } else { outside(rest, at)? };
        let text = &rest[..length];
        in_brackets = (in_brackets || text == "[") && text != "]";
        tokens.push(Token { kind, at, text });
        end = at + length;
    }
}

/// The kind and the length of the next token outside brackets.
fn outside(rest: &str, at: usize) -> Result<(Kind, usize), ParseError> {
    let digits = number_length(rest);
    if digits > 0 {
        let text = &rest[..digits];
        let value = text.parse().ok().filter(|value: &f64| value.is_finite());
        let too_large = || ParseError::at(at, FormulaProblem::NumberTooLarge { text: text.into() });
        return Ok((Kind::Number(value.ok_or_else(too_large)?), digits));
    }
    if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return Ok((Kind::Name, length_of(rest, |c| c.is_alphanumeric() || c == '_')));
    }
    Ok((Kind::Sign, sign_length(rest)))
}

/// The kind and the length of the next token inside brackets.
fn class(rest: &str, at: usize) -> Result<(Kind, usize), ParseError> {
    if rest.starts_with('"') {
        return quoted(rest, at);
    }
    match length_of(rest, |c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')) {
        0 => Ok((Kind::Sign, sign_length(rest))),
        length => Ok((Kind::Class(rest[..length].into()), length)),
    }
}

/// A class in double quotes; a backslash escapes a quote or a backslash.
fn quoted(rest: &str, at: usize) -> Result<(Kind, usize), ParseError> {
    let mut class = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((i, character)) = characters.next() {
        match character {
            '"' => return Ok((Kind::Class(class), i + 1)),
            '\\' => match characters.next() {
                Some((_, escaped @ ('"' | '\\'))) => class.push(escaped),
                Some(_) => return Err(ParseError::at(at + i, FormulaProblem::UnknownEscape)),
                None => break,
            },
            plain => class.push(plain),
        }
    }
    Err(ParseError::at(at, FormulaProblem::OpenQuote))
}

/// The length of `2`, `0.5`, `.5` or `1e-3` at the start of a text; 0 if there is no number.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| length_of(&text[from..], |c| c.is_ascii_digit());
    let whole = digits(0);
    let decimals = if text[whole..].starts_with('.') { 1 + digits(whole + 1) } else { 0 };
    if whole == 0 && decimals < 2 {
        return 0;
    }
    let end = whole + decimals;
    if !text[end..].starts_with(['e', 'E']) {
        return end;
    }
    let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
    match digits(end + 1 + sign) {
        0 => end,
        exponent => end + 1 + sign + exponent,
    }
}

/// The length of a two-character operator, or of any single character.
fn sign_length(text: &str) -> usize {
    let is_double = ["<=", ">=", "==", "!="].iter().any(|sign| text.starts_with(sign));
    if is_double { 2 } else { text.chars().next().map_or(0, char::len_utf8) }
}

/// The length of the longest start of a text that has only these characters.
fn length_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(formula: &str) -> Vec<&str> {
        tokens(formula).unwrap().iter().map(|token| token.text).collect()
    }

    #[test]
    fn a_minus_is_part_of_a_class_inside_brackets_and_an_operator_outside() {
        assert_eq!(
            texts("tp[a-b]-fp [ 1.x , a ]"),
            ["tp", "[", "a-b", "]", "-", "fp", "[", "1.x", ",", "a", "]", ""]
        );
        assert_eq!(texts("a<=b==2.5e-3*x_1>.5"), ["a", "<=", "b", "==", "2.5e-3", "*", "x_1", ">", ".5", ""]);
        assert_eq!(texts("2e+1e 5.tp"), ["2e+1", "e", "5.", "tp", ""]);
    }

    #[test]
    fn a_quoted_class_may_contain_anything() {
        let tokens = tokens(r#"tp["a]\"\\ é,"]"#).unwrap();
        assert_eq!(tokens[2].kind, Kind::Class(r#"a]"\ é,"#.into()));
        assert_eq!(tokens[3].text, "]");
    }
}
