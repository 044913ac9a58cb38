//! Lexer: numbers, names, classes in brackets, signs.

use winnow::ascii::{digit0, digit1, multispace0};
use winnow::combinator::{alt, eof, opt};
use winnow::error::EmptyError;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, one_of, take_till, take_while};
use winnow::{Parser, Result};

use super::problem::{FormulaProblem, ParseError};

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

type Text<'t> = LocatingSlice<&'t str>;
type Found<T> = Result<T, EmptyError>;

/// All tokens of a formula; the last is [`Kind::End`], placed after the last token.
pub(super) fn tokens(formula: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut text = LocatingSlice::new(formula);
    let mut tokens: Vec<Token> = Vec::new();
    let mut in_brackets = false;
    loop {
        let _ = blank(&mut text);
        let at = text.current_token_start();
        if eof::<_, EmptyError>.parse_next(&mut text).is_ok() {
            let end = tokens.last().map_or(0, |last| last.at + last.text.len());
            tokens.push(Token { kind: Kind::End, at: end, text: "" });
            return Ok(tokens);
        }
        let kind = if in_brackets { class(&mut text, formula, at)? } else { outside(&mut text, at)? };
        let text = &formula[at..text.current_token_start()];
        in_brackets = (in_brackets || text == "[") && text != "]";
        tokens.push(Token { kind, at, text });
    }
}

fn blank<'t>(text: &mut Text<'t>) -> Found<&'t str> {
    multispace0.parse_next(text)
}

fn outside(text: &mut Text<'_>, at: usize) -> Result<Kind, ParseError> {
    if let Ok(digits) = number(text) {
        let value = digits.parse().ok().filter(|value: &f64| value.is_finite());
        let too_large = || ParseError::at(at, FormulaProblem::NumberTooLarge { text: digits.into() });
        return value.map(Kind::Number).ok_or_else(too_large);
    }
    if name(text).is_ok() {
        return Ok(Kind::Name);
    }
    let _ = sign(text);
    Ok(Kind::Sign)
}

/// `2`, `0.5`, `.5`, `1e-3`.
fn number<'t>(text: &mut Text<'t>) -> Found<&'t str> {
    let decimals = alt(((digit1, opt(('.', digit0))).void(), ('.', digit1).void()));
    let exponent = (one_of(['e', 'E']), opt(one_of(['+', '-'])), digit1);
    (decimals, opt(exponent)).take().parse_next(text)
}

fn name<'t>(text: &mut Text<'t>) -> Found<&'t str> {
    let begins = |c: char| c.is_alphabetic() || c == '_';
    (one_of(begins), take_while(0.., |c: char| c.is_alphanumeric() || c == '_')).take().parse_next(text)
}

/// A two-character operator, or any single character.
fn sign<'t>(text: &mut Text<'t>) -> Found<&'t str> {
    alt(("<=", ">=", "==", "!=", any.take())).parse_next(text)
}

fn class(text: &mut Text<'_>, formula: &str, at: usize) -> Result<Kind, ParseError> {
    if formula[at..].starts_with('"') {
        return quoted(text, at).map(Kind::Class);
    }
    if let Ok(class) = bare_class(text) {
        return Ok(Kind::Class(class.into()));
    }
    let _ = sign(text);
    Ok(Kind::Sign)
}

fn bare_class<'t>(text: &mut Text<'t>) -> Found<&'t str> {
    take_while(1.., |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')).parse_next(text)
}

/// A class in double quotes; a backslash escapes a quote or a backslash.
fn quoted(text: &mut Text<'_>, at: usize) -> Result<String, ParseError> {
    let mut class = String::new();
    let _ = character(text); // the opening quote
    loop {
        class.push_str(plain(text).unwrap_or_default());
        let here = text.current_token_start();
        match character(text) {
            Ok('"') => return Ok(class),
            Ok(_) => match character(text) {
                Ok(escaped @ ('"' | '\\')) => class.push(escaped),
                Ok(_) => return Err(ParseError::at(here, FormulaProblem::UnknownEscape)),
                Err(_) => return Err(ParseError::at(at, FormulaProblem::OpenQuote)),
            },
            Err(_) => return Err(ParseError::at(at, FormulaProblem::OpenQuote)),
        }
    }
}

fn plain<'t>(text: &mut Text<'t>) -> Found<&'t str> {
    take_till(0.., ['"', '\\']).parse_next(text)
}

fn character(text: &mut Text<'_>) -> Found<char> {
    any.parse_next(text)
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
