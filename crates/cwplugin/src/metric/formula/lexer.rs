//! Text into words: numbers, names, classes in brackets, signs.

use winnow::ascii::{digit0, digit1, multispace0};
use winnow::combinator::{alt, eof, opt};
use winnow::error::EmptyError;
use winnow::stream::{LocatingSlice, Location};
use winnow::token::{any, one_of, take_till, take_while};
use winnow::{Parser, Result};

use super::problem::{FormulaProblem, Refused};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Number(f64),
    /// A name outside brackets.
    Name,
    /// A class inside them, without its quotes.
    Class(String),
    /// A sign of the language, or any other character: the parser says what should stand there instead.
    Sign,
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    /// Byte of the formula at which it begins.
    pub(super) at: usize,
    pub(super) text: &'t str,
}

type Text<'t> = LocatingSlice<&'t str>;
type Found<T> = Result<T, EmptyError>;

/// All words of a formula; the last is [`Kind::End`], behind the last that is written.
pub(super) fn words(formula: &str) -> Result<Vec<Token<'_>>, Refused> {
    let mut text = LocatingSlice::new(formula);
    let mut words: Vec<Token> = Vec::new();
    let mut in_brackets = false;
    loop {
        let _ = blank(&mut text);
        let at = text.current_token_start();
        if eof::<_, EmptyError>.parse_next(&mut text).is_ok() {
            let end = words.last().map_or(0, |last| last.at + last.text.len());
            words.push(Token { kind: Kind::End, at: end, text: "" });
            return Ok(words);
        }
        let kind = if in_brackets { class(&mut text, formula, at)? } else { outside(&mut text, at)? };
        let text = &formula[at..text.current_token_start()];
        in_brackets = (in_brackets || text == "[") && text != "]";
        words.push(Token { kind, at, text });
    }
}

fn blank<'t>(text: &mut Text<'t>) -> Found<&'t str> {
    multispace0.parse_next(text)
}

fn outside(text: &mut Text<'_>, at: usize) -> Result<Kind, Refused> {
    if let Ok(digits) = number(text) {
        let value = digits.parse().ok().filter(|value: &f64| value.is_finite());
        let too_large = || Refused::at(at, FormulaProblem::NumberTooLarge { text: digits.into() });
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

/// A sign of two characters, or any one character.
fn sign<'t>(text: &mut Text<'t>) -> Found<&'t str> {
    alt(("<=", ">=", "==", "!=", any.take())).parse_next(text)
}

fn class(text: &mut Text<'_>, formula: &str, at: usize) -> Result<Kind, Refused> {
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

/// A class between double quotes; a backslash stands in front of a quote or another backslash.
fn quoted(text: &mut Text<'_>, at: usize) -> Result<String, Refused> {
    let mut class = String::new();
    let _ = character(text); // the quote that opens
    loop {
        class.push_str(plain(text).unwrap_or_default());
        let here = text.current_token_start();
        match character(text) {
            Ok('"') => return Ok(class),
            Ok(_) => match character(text) {
                Ok(escaped @ ('"' | '\\')) => class.push(escaped),
                Ok(_) => return Err(Refused::at(here, FormulaProblem::UnknownEscape)),
                Err(_) => return Err(Refused::at(at, FormulaProblem::OpenQuote)),
            },
            Err(_) => return Err(Refused::at(at, FormulaProblem::OpenQuote)),
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
        words(formula).unwrap().iter().map(|word| word.text).collect()
    }

    #[test]
    fn a_minus_belongs_to_a_class_inside_brackets_and_parts_names_outside() {
        assert_eq!(
            texts("tp[a-b]-fp [ 1.x , a ]"),
            ["tp", "[", "a-b", "]", "-", "fp", "[", "1.x", ",", "a", "]", ""]
        );
        assert_eq!(texts("a<=b==2.5e-3*x_1>.5"), ["a", "<=", "b", "==", "2.5e-3", "*", "x_1", ">", ".5", ""]);
        assert_eq!(texts("2e+1e 5.tp"), ["2e+1", "e", "5.", "tp", ""]);
    }

    #[test]
    fn a_quoted_class_may_hold_anything() {
        let words = words(r#"tp["a]\"\\ é,"]"#).unwrap();
        assert_eq!(words[2].kind, Kind::Class(r#"a]"\ é,"#.into()));
        assert_eq!(words[3].text, "]");
    }
}
