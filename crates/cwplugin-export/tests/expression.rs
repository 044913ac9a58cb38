//! The SQL agrees with the library, in a minimal engine.
//!
//! `make exports` runs real engines; this one runs more random models.

use std::collections::BTreeMap;

use cwplugin_export::{Dialect, SqlOptions, sql};
use proptest::prelude::*;

use crate::support::{all_zero_cases, cases};

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Null,
    Number(f64),
    Text(String),
    Truth(bool),
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Name(String),
    Text(String),
    Number(f64),
}

fn tokens(text: &str) -> Vec<Token> {
    let (mut tokens, mut chars) = (Vec::new(), text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => {}
            '-' if chars.peek() == Some(&'-') => while chars.next().is_some_and(|c| c != '\n') {},
            '"' | '\'' => {
                let mut inner = String::new();
                // A doubled quote stands for one.
                while let Some(next) = chars.next() {
                    if next != c || chars.next_if_eq(&c).is_some() {
                        inner.push(next);
                    } else {
                        break;
                    }
                }
                tokens.push(if c == '"' { Token::Name(inner) } else { Token::Text(inner) });
            }
            c if c.is_ascii_digit() || c == '-' => {
                let mut number = String::from(c);
                let is_part = |last: char, c: &char| c.is_ascii_digit() || ".e".contains(*c) || last == 'e';
                while let Some(c) = chars.next_if(|c| is_part(number.chars().last().unwrap(), c)) {
                    number.push(c);
                }
                tokens.push(Token::Number(number.parse().unwrap()));
            }
            c if c.is_ascii_alphabetic() => {
                let mut word = String::from(c);
                while let Some(c) = chars.next_if(char::is_ascii_alphabetic) {
                    word.push(c);
                }
                tokens.push(Token::Word(word));
            }
            '>' if chars.next_if_eq(&'=').is_some() => tokens.push(Token::Word(">=".into())),
            c => tokens.push(Token::Word(c.into())),
        }
    }
    tokens
}

/// Parses and evaluates at once; without side effects, all branches can be evaluated.
struct Engine<'a> {
    tokens: &'a [Token],
    row: &'a BTreeMap<String, Value>,
}

impl Engine<'_> {
    fn next_is(&mut self, word: &str) -> bool {
        let is_next = matches!(self.tokens.first(), Some(Token::Word(next)) if next == word);
        self.tokens = &self.tokens[usize::from(is_next)..];
        is_next
    }

    fn expect(&mut self, word: &str) {
        assert!(self.next_is(word), "{word}, not {:?}", self.tokens.first());
    }

    fn any(&mut self) -> Value {
        let mut value = self.all();
        while self.next_is("OR") {
            let other = self.all();
            value = Value::Truth(value == Value::Truth(true) || other == Value::Truth(true));
        }
        value
    }

    fn all(&mut self) -> Value {
        let mut value = self.comparison();
        while self.next_is("AND") {
            let other = self.comparison();
            value = Value::Truth(value == Value::Truth(true) && other == Value::Truth(true));
        }
        value
    }

    fn comparison(&mut self) -> Value {
        let left = self.sum();
        if self.next_is("IS") {
            self.expect("NULL");
            return Value::Truth(left == Value::Null);
        }
        let test: fn(f64, f64) -> bool = match () {
            () if self.next_is(">=") => |a, b| a >= b,
            () if self.next_is(">") => |a, b| a > b,
            () => return left,
        };
        numbers(left, self.sum()).map_or(Value::Null, |(a, b)| Value::Truth(test(a, b)))
    }

    fn sum(&mut self) -> Value {
        let mut value = self.product();
        while self.next_is("+") {
            value = numbers(value, self.product()).map_or(Value::Null, |(a, b)| Value::Number(a + b));
        }
        value
    }

    fn product(&mut self) -> Value {
        let mut value = self.item();
        loop {
            let operation: fn(f64, f64) -> f64 = match () {
                () if self.next_is("*") => |a, b| a * b,
                () if self.next_is("/") => |a, b| a / b,
                () => break,
            };
            value = numbers(value, self.item()).map_or(Value::Null, |(a, b)| Value::Number(operation(a, b)));
        }
        value
    }

    fn item(&mut self) -> Value {
        let (first, rest) = self.tokens.split_first().unwrap();
        self.tokens = rest;
        let word = match first {
            Token::Number(number) => return Value::Number(*number),
            Token::Text(text) => return Value::Text(text.clone()),
            Token::Name(name) => return self.row[name].clone(),
            Token::Word(word) => word.as_str(),
        };
        match word {
            "NULL" => Value::Null,
            "CASE" => self.case(),
            "(" => {
                let value = self.any();
                self.expect(")");
                value
            }
            "CAST" => {
                self.expect("(");
                let value = self.any();
                for word in ["AS", "DOUBLE", ")"] {
                    self.expect(word);
                }
                value
            }
            function => {
                self.expect("(");
                let mut values = vec![self.any()];
                while self.next_is(",") {
                    values.push(self.any());
                }
                self.expect(")");
                let numbers = values
                    .iter()
                    .filter_map(|value| if let Value::Number(x) = value { Some(*x) } else { None });
                // NULL is ignored, as in DuckDB, Spark and Postgres.
                let Some(largest) = numbers.reduce(f64::max) else { return Value::Null };
                Value::Number(match function {
                    "GREATEST" => largest,
                    "LN" => largest.ln(),
                    // Postgres refuses more.
                    "EXP" if largest.abs() <= 700.0 => largest.exp(),
                    "FLOOR" => largest.floor(),
                    function => panic!("{function}"),
                })
            }
        }
    }

    fn case(&mut self) -> Value {
        let subject = (self.tokens.first() != Some(&Token::Word("WHEN".into()))).then(|| self.any());
        let mut found = None;
        while self.next_is("WHEN") {
            let when = self.any();
            self.expect("THEN");
            let then = self.any();
            let is_met = subject.as_ref().map_or(when == Value::Truth(true), |subject| *subject == when);
            found = found.or(is_met.then_some(then));
        }
        let otherwise = if self.next_is("ELSE") { self.any() } else { Value::Null };
        self.expect("END");
        found.unwrap_or(otherwise)
    }
}

fn numbers(a: Value, b: Value) -> Option<(f64, f64)> {
    if let (Value::Number(a), Value::Number(b)) = (a, b) { Some((a, b)) } else { None }
}

fn evaluate(tokens: &[Token], names: &[String], row: &[Option<f64>]) -> Value {
    let values = row.iter().map(|value| value.map_or(Value::Null, Value::Number));
    let row = names.iter().cloned().zip(values).collect();
    let mut engine = Engine { tokens, row: &row };
    let value = engine.any();
    assert_eq!(engine.tokens, []);
    value
}

#[test]
fn rows_whose_products_are_all_zero_are_of_the_first_class() {
    for case in all_zero_cases() {
        let names = ["x", "y", "z"].map(String::from).to_vec();
        let options = SqlOptions::default().columns(names.clone());
        let text = sql(&case.model, Dialect::Datafusion, &options).unwrap();
        let row: Vec<Option<f64>> = case.rows[0].iter().copied().map(Some).collect();
        assert_eq!(evaluate(&tokens(&text), &names, &row), Value::Text(case.model.classes()[0].clone()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn sql_agrees_with_the_library(case in cases()) {
        let names: Vec<String> = (0..case.rows[0].len()).map(|i| format!("a \"b\" {i}")).collect();
        let text = sql(&case.model, Dialect::Datafusion, &SqlOptions::default().columns(names.clone())).unwrap();
        let tokens = tokens(&text);
        let is_map = matches!(case.model.rule().calibration(), Some(cwplugin::Calibration::Affine { .. }));
        for ((row, &class), products) in case.rows.iter().zip(&case.predicted).zip(&case.products) {
            let mut row: Vec<Option<f64>> = row.iter().copied().map(Some).collect();
            let found = evaluate(&tokens, &names, &row);
            let place = case.model.classes().iter().position(|name| found == Value::Text(name.clone())).unwrap();
            // Maps are compared as logarithms: scores equal to twelve digits may differ there.
            let is_close = is_map && products[place] >= products[class] * (1.0 - 1e-12);
            prop_assert!(place == class || is_close, "{place}, not {class}: {products:?}");
            row[0] = None;
            prop_assert_eq!(evaluate(&tokens, &names, &row), Value::Null);
        }
    }

    #[test]
    fn comments_stay_comments_in_every_dialect(case in cases()) {
        prop_assume!(case.model.rule().n_features().is_none());
        for dialect in Dialect::ALL {
            let text = sql(&case.model, dialect, &SqlOptions::default()).unwrap();
            let code = text.lines().skip_while(|line| line.starts_with("-- ")).collect::<Vec<_>>();
            prop_assert_eq!(code[0], "CASE");
        }
    }
}
