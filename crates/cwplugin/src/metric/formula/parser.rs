//! Parser: precedence climbing; operands and operators go to the compiler in postfix order.
//!
//! Written by hand because every recursion must be counted: a formula of only parentheses or minus signs must not exhaust
//! the stack.

use super::compile::Compiler;
use super::lexer::{Kind, Token};
use super::names::{self, Function, Level, OPERATORS, Operator, Unary};
use super::program::{Program, Step};
use super::{FormulaProblem, MOST_DEEP, ParseError};

/// Parses and compiles a formula: bindings, then the formula itself.
pub(super) fn parse(tokens: &[Token<'_>], classes: &[String]) -> Result<Program, ParseError> {
    let compiler = Compiler::default();
    let mut parser = Parser { tokens, next: 0, classes, bound: Vec::new(), depth: 0, compiler };
    parser.formula()?;
    parser.compiler.finish()
}

struct Parser<'t> {
    tokens: &'t [Token<'t>],
    next: usize,
    classes: &'t [String],
    bound: Vec<&'t str>,
    depth: usize,
    compiler: Compiler,
}

const END: Token<'static> = Token { kind: Kind::End, at: 0, text: "" };

impl<'t> Parser<'t> {
    fn formula(&mut self) -> Result<(), ParseError> {
        while self.token(0).kind == Kind::Name && self.token(1).text == "=" {
            self.binding()?;
        }
        if self.token(0).kind == Kind::End {
            let problem = if self.bound.is_empty() {
                FormulaProblem::Empty
            } else {
                self.unexpected("a formula after the definitions")
            };
            return Err(self.error(problem));
        }
        self.expression(Level::Anything)?;
        match self.token(0).text {
            "" if self.token(0).kind == Kind::End => Ok(()),
            ";" => Err(self.expected("the end; only a definition, NAME = …, ends with \";\"")),
            "=" => Err(self.expected("\"==\" to compare; definitions, NAME = …;, come first")),
            _ => Err(self.expected("an operator or the end")),
        }
    }

    /// `name = expression;`
    fn binding(&mut self) -> Result<(), ParseError> {
        let (name, at) = (self.token(0).text, self.token(0).at);
        if names::all().any(|known| known == name) {
            return Err(ParseError::at(at, FormulaProblem::BindsBuiltIn { name: name.into() }));
        }
        if self.bound.contains(&name) {
            return Err(ParseError::at(at, FormulaProblem::BoundTwice { name: name.into() }));
        }
        self.next += 2;
        self.expression(Level::Anything)?;
        self.take(";", "an operator or \";\" after the definition")?;
        self.bound.push(name);
        self.compiler.bind();
        Ok(())
    }

    /// An operand and all following operators of at least the precedence `least`.
    fn expression(&mut self, least: Level) -> Result<(), ParseError> {
        self.operand()?;
        let mut compared = false;
        while let Some((operator, level)) = self.operator().filter(|&(_, level)| level >= least) {
            let at = self.token(0).at;
            if level == Level::Comparison && compared {
                return Err(ParseError::at(at, FormulaProblem::ChainedComparison));
            }
            compared = level == Level::Comparison;
            self.next += 1;
            match level {
                Level::Anything | Level::Comparison => self.expression(Level::Sum)?,
                Level::Sum => self.expression(Level::Product)?,
                Level::Product => self.expression(Level::Minus)?,
                // Right-associative: a^b^c is a^(b^c).
                Level::Minus | Level::Power => self.deeper(at, |inner| inner.expression(Level::Power))?,
            }
            self.compiler.binary(operator);
        }
        Ok(())
    }

    fn operator(&self) -> Option<(Operator, Level)> {
        let sign = Some(self.token(0)).filter(|token| token.kind == Kind::Sign)?.text;
        OPERATORS.iter().find(|(text, ..)| *text == sign).map(|&(_, operator, level)| (operator, level))
    }

    fn operand(&mut self) -> Result<(), ParseError> {
        let at = self.token(0).at;
        match (&self.token(0).kind, self.token(0).text) {
            (&Kind::Number(value), _) => {
                self.next += 1;
                self.compiler.push(Step::Number(value), None);
                Ok(())
            }
            (Kind::Name, _) => self.named(),
            (Kind::Sign, "-") => {
                self.next += 1;
                self.deeper(at, |inner| inner.expression(Level::Minus))?;
                self.compiler.unary(Unary::Negate);
                Ok(())
            }
            (Kind::Sign, "(") => {
                self.next += 1;
                self.deeper(at, |inner| inner.expression(Level::Anything))?;
                self.take(")", "an operator or \")\"")
            }
            _ => Err(self.expected("a number, a name or \"(\"")),
        }
    }

    /// A name, with its brackets or parentheses.
    fn named(&mut self) -> Result<(), ParseError> {
        let (name, at) = (self.token(0).text, self.token(0).at);
        self.next += 1;
        if self.token(0).text == "(" || names::function(name).is_some() {
            return self.call(name, at);
        }
        let bound = self.bound.iter().position(|&known| known == name);
        match (name, names::quantity(name), bound) {
            ("C", ..) => return self.cell(),
            (_, Some(quantity), _) if self.token(0).text == "[" => {
                self.next += 1;
                let class = self.class("]", "\"]\": one class")?;
                self.compiler.push(Step::Of(quantity, class), None);
                return Ok(());
            }
            (_, Some(quantity), _) => self.compiler.push(Step::Each(quantity), Some(at)),
            ("n", ..) => self.compiler.push(Step::Total, None),
            ("m", ..) => self.compiler.push(Step::Classes, None),
            (.., Some(binding)) => self.compiler.bound(binding, at),
            _ => return Err(ParseError::at(at, FormulaProblem::UnknownName { name: name.into() })),
        }
        if self.token(0).text == "[" {
            return Err(self.error(FormulaProblem::TakesNoClass { name: name.into() }));
        }
        Ok(())
    }

    /// The rest of `C[truth, predicted]` after the `C`.
    fn cell(&mut self) -> Result<(), ParseError> {
        self.take("[", "C[TRUTH,PREDICTED], one cell")?;
        let truth = self.class(",", "\",\" and the predicted class")?;
        let predicted = self.class("]", "\"]\": two classes")?;
        self.compiler.push(Step::Cell(truth, predicted), None);
        Ok(())
    }

    /// A class and the sign that follows it.
    fn class(&mut self, closing: &str, expected: &'static str) -> Result<usize, ParseError> {
        let Kind::Class(class) = &self.token(0).kind else {
            return Err(self.expected(
                "a class; put a name with characters other than letters, digits, _ - . in double quotes",
            ));
        };
        let Some(position) = self.classes.iter().position(|known| known == class) else {
            return Err(self.error(FormulaProblem::UnknownClass { class: class.clone() }));
        };
        self.next += 1;
        self.take(closing, expected)?;
        Ok(position)
    }

    /// The arguments of a function, after its name.
    fn call(&mut self, name: &str, at: usize) -> Result<(), ParseError> {
        let Some((name, function)) = names::function(name) else {
            return Err(ParseError::at(at, FormulaProblem::UnknownFunction { name: name.into() }));
        };
        self.take("(", "\"(\" after a function")?;
        let mut found = 0;
        if self.token(0).text != ")" {
            loop {
                self.deeper(at, |inner| inner.expression(Level::Anything))?;
                found += 1;
                if let Function::Extreme(_, operator) = function
                    && found > 1
                {
                    self.compiler.binary(operator);
                }
                if self.token(0).text != "," {
                    break;
                }
                self.next += 1;
            }
        }
        self.take(")", "an operator, \",\" or \")\"")?;
        let expected = match function {
            Function::Choice => "3 arguments, if(CONDITION,THEN,ELSE)",
            Function::Extreme(..) => "1 argument or more",
            Function::Each(_) | Function::All(_) => "1 argument",
        };
        match function {
            Function::Choice if found == 3 => self.compiler.choice(),
            Function::Each(unary) if found == 1 => self.compiler.unary(unary),
            Function::All(reduction) | Function::Extreme(reduction, _) if found == 1 => {
                self.compiler.reduce(reduction);
            }
            Function::Extreme(..) if found > 1 => {}
            _ => {
                return Err(ParseError::at(
                    at,
                    FormulaProblem::Arguments { function: name, expected, found },
                ));
            }
        }
        Ok(())
    }

    /// Every recursion goes through here.
    fn deeper(
        &mut self,
        at: usize,
        parse: impl FnOnce(&mut Self) -> Result<(), ParseError>,
    ) -> Result<(), ParseError> {
        if self.depth == MOST_DEEP {
            return Err(ParseError::at(at, FormulaProblem::TooDeep { most: MOST_DEEP }));
        }
        self.depth += 1;
        parse(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn token(&self, ahead: usize) -> &'t Token<'t> {
        self.tokens.get(self.next + ahead).or(self.tokens.last()).unwrap_or(&END)
    }

    fn take(&mut self, sign: &str, expected: &'static str) -> Result<(), ParseError> {
        if self.token(0).kind != Kind::Sign || self.token(0).text != sign {
            return Err(self.expected(expected));
        }
        self.next += 1;
        Ok(())
    }

    fn expected(&self, expected: &'static str) -> ParseError {
        self.error(self.unexpected(expected))
    }

    fn unexpected(&self, expected: &'static str) -> FormulaProblem {
        let found = match &self.token(0).kind {
            Kind::End => "the end".into(),
            Kind::Class(class) => format!("{class:?}"),
            Kind::Number(_) | Kind::Name | Kind::Sign => format!("{:?}", self.token(0).text),
        };
        FormulaProblem::Unexpected { found, expected }
    }

    fn error(&self, problem: FormulaProblem) -> ParseError {
        ParseError::at(self.token(0).at, problem)
    }
}
