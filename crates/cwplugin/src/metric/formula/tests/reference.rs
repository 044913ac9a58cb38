//! A reference evaluator: a tree with one vector per node, written independently of the compiled program.

use rand::{Rng, RngExt};

use crate::metric::Confusion;

pub(super) const CLASSES: [&str; 5] = ["a", "b-1", "1", "so \"so\" \\", "größe"];

#[derive(Debug, Clone)]
pub(super) enum Tree {
    Number(f64),
    /// `n` or `m`.
    Scalar(&'static str),
    Vector(&'static str),
    Of(&'static str, usize),
    Cell(usize, usize),
    Bound(usize),
    Negative(Box<Tree>),
    Infix(&'static str, Box<[Tree; 2]>),
    Call(&'static str, Vec<Tree>),
}

/// Bindings followed by the formula.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub(super) bindings: Vec<Tree>,
    pub(super) last: Tree,
}

/// A scalar, or one value per position of the matrix.
#[derive(Debug, Clone)]
enum Value {
    One(f64),
    Each(Vec<f64>),
}

const VECTORS: [&str; 10] =
    ["tp", "fp", "fn", "tn", "support", "predicted", "precision", "recall", "f1", "specificity"];
const INFIX: [&str; 11] = ["+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!="];
const CALLS: [(&str, usize); 12] = [
    ("sqrt", 1),
    ("log", 1),
    ("exp", 1),
    ("abs", 1),
    ("if", 3),
    ("mean", 1),
    ("sum", 1),
    ("gmean", 1),
    ("min", 1),
    ("max", 1),
    ("min", 3),
    ("max", 2),
];

fn pick<T: Copy>(rng: &mut impl Rng, of: &[T]) -> T {
    of[rng.random_range(0..of.len())]
}

impl Tree {
    pub(super) fn random(rng: &mut impl Rng, depth: usize, m: usize, bound: usize) -> Self {
        let below = |rng: &mut _| Self::random(rng, depth - 1, m, bound);
        match rng.random_range(if depth == 0 { 0..8 } else { 0..20 }) {
            0 => Self::Number(pick(rng, &[0.0, 1.0, 2.0, 0.5, 3.0, 1e-3, 100.0])),
            1 => Self::Scalar(pick(rng, &["n", "m"])),
            2 => Self::Of(pick(rng, &VECTORS), rng.random_range(0..m)),
            3 => Self::Cell(rng.random_range(0..m), rng.random_range(0..m)),
            4 if bound > 0 => Self::Bound(rng.random_range(0..bound)),
            4..8 => Self::Vector(pick(rng, &VECTORS)),
            8 => Self::Negative(Box::new(below(rng))),
            9..14 => Self::Infix(pick(rng, &INFIX), Box::new([below(rng), below(rng)])),
            _ => {
                let (name, arguments) = pick(rng, &CALLS);
                Self::Call(name, (0..arguments).map(|_| below(rng)).collect())
            }
        }
    }

    /// The tree as text with minimal parentheses; `least` is the required precedence.
    fn write(&self, rng: &mut impl Rng, least: u8) -> String {
        let class = |rng: &mut _, k: usize| {
            let name = CLASSES[k];
            let bare = name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
            if bare && pick(rng, &[true, false]) {
                name.to_string()
            } else {
                format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
            }
        };
        let space = pick(rng, &["", "", " ", "\n"]);
        let (text, holds) = match self {
            Self::Number(value) => (format!("{value}"), 6),
            Self::Scalar(name) | Self::Vector(name) => ((*name).to_string(), 6),
            Self::Of(name, k) => (format!("{name}[{}]", class(rng, *k)), 6),
            Self::Cell(i, j) => (format!("C[{},{space}{}]", class(rng, *i), class(rng, *j)), 6),
            Self::Bound(number) => (format!("x{number}"), 6),
            Self::Negative(inner) => (format!("-{space}{}", inner.write(rng, 4)), 4),
            Self::Infix(sign, sides) => {
                let (left, right, own) = match *sign {
                    "^" => (6, 4, 5),
                    "*" | "/" => (3, 4, 3),
                    "+" | "-" => (2, 3, 2),
                    _ => (2, 2, 1),
                };
                (
                    format!(
                        "{}{space}{sign}{space}{}",
                        sides[0].write(rng, left),
                        sides[1].write(rng, right)
                    ),
                    own,
                )
            }
            Self::Call(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|tree| tree.write(rng, 0)).collect();
                (format!("{name}{space}({})", arguments.join(",")), 6)
            }
        };
        if holds < least { format!("({text})") } else { text }
    }

    fn value(&self, c: &Confusion, bound: &[Value]) -> Value {
        let each = |name| (0..c.n_classes()).map(|k| quantity(name, c, k)).collect();
        match self {
            Self::Number(value) => Value::One(*value),
            Self::Scalar("n") => Value::One(c.total()),
            Self::Scalar(_) => Value::One(c.classes().len() as f64),
            Self::Vector(name) => Value::Each(each(*name)),
            Self::Of(name, class) => {
                let position = c.classes().iter().position(|found| found == class);
                Value::One(position.map_or(0.0, |k| quantity(name, c, k)))
            }
            Self::Cell(i, j) => {
                let [i, j] = [i, j].map(|class| c.classes().iter().position(|found| found == class));
                Value::One(i.and_then(|i| Some(c.get(i, j?))).unwrap_or(0.0))
            }
            Self::Bound(number) => bound[*number].clone(),
            Self::Negative(inner) => elementwise(&[inner.value(c, bound)], |x| -x[0]),
            // A square is computed as a product.
            Self::Infix("^", sides) if matches!(sides[1], Self::Number(2.0)) => {
                elementwise(&[sides[0].value(c, bound)], |x| x[0] * x[0])
            }
            Self::Infix(sign, sides) => {
                let sides = [sides[0].value(c, bound), sides[1].value(c, bound)];
                elementwise(&sides, |x| infix(sign, x[0], x[1]))
            }
            Self::Call(name, arguments) => {
                let values: Vec<Value> = arguments.iter().map(|tree| tree.value(c, bound)).collect();
                match (values.as_slice(), *name) {
                    ([Value::Each(x)], "mean" | "sum" | "gmean" | "min" | "max") => {
                        let present = c
                            .per_class()
                            .zip(x)
                            .filter(|(class, _)| class.truth > 0.0 || class.predicted > 0.0);
                        Value::One(reduction(name, &present.map(|(_, x)| *x).collect::<Vec<_>>()))
                    }
                    (values, name) => elementwise(values, |x| call(name, x)),
                }
            }
        }
    }
}

impl Written {
    /// A formula that gives one number.
    pub(super) fn random(rng: &mut impl Rng, m: usize) -> Self {
        let n = rng.random_range(0..4);
        let bindings: Vec<Tree> = (0..n).map(|bound| Tree::random(rng, 3, m, bound)).collect();
        let mut written = Self { bindings, last: Tree::random(rng, 5, m, n) };
        if matches!(written.value(&Confusion::zeros(m)), Value::Each(_)) {
            written.last = Tree::Call(pick(rng, &["mean", "sum", "gmean", "min", "max"]), vec![written.last]);
        }
        written
    }

    pub(super) fn text(&self, rng: &mut impl Rng) -> String {
        let bindings = self.bindings.iter().enumerate();
        let bindings: Vec<String> =
            bindings.map(|(k, tree)| format!("x{k} = {};", tree.write(rng, 0))).collect();
        format!("{}{}", bindings.concat(), self.last.write(rng, 0))
    }

    fn value(&self, c: &Confusion) -> Value {
        let mut bound = Vec::new();
        for tree in &self.bindings {
            bound.push(tree.value(c, &bound));
        }
        self.last.value(c, &bound)
    }

    pub(super) fn score(&self, c: &Confusion) -> f64 {
        match self.value(c) {
            Value::One(_) if c.total() <= 0.0 => 0.0,
            Value::One(score) => score,
            Value::Each(_) => unreachable!("random formulas give one number"),
        }
    }
}

fn quantity(name: &str, c: &Confusion, k: usize) -> f64 {
    let class = c.class(k);
    let ratio = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let (fp, negatives) = (class.predicted - class.correct, c.total() - class.truth);
    match name {
        "tp" => class.correct,
        "fp" => fp,
        "fn" => class.truth - class.correct,
        "tn" => negatives - fp,
        "support" => class.truth,
        "predicted" => class.predicted,
        "precision" => ratio(class.correct, class.predicted),
        "recall" => ratio(class.correct, class.truth),
        "f1" => ratio(2.0 * class.correct, class.truth + class.predicted),
        _ => ratio(negatives - fp, negatives),
    }
}

/// Applies a function elementwise; results that are not finite become NaN.
fn elementwise(values: &[Value], f: impl Fn(&[f64]) -> f64) -> Value {
    let length = values.iter().find_map(|value| match value {
        Value::Each(x) => Some(x.len()),
        Value::One(_) => None,
    });
    let at = |k: usize| {
        let number = |value: &Value| match value {
            Value::Each(x) => x[k],
            Value::One(x) => *x,
        };
        let x: Vec<f64> = values.iter().map(number).collect();
        let y = f(&x);
        if y.is_finite() { y } else { f64::NAN }
    };
    match length {
        None => Value::One(at(0)),
        Some(length) => Value::Each((0..length).map(at).collect()),
    }
}

fn infix(sign: &str, x: f64, y: f64) -> f64 {
    let truth = |holds: bool| f64::from(u8::from(holds));
    match sign {
        _ if x.is_nan() || y.is_nan() => f64::NAN,
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" if y == 0.0 => 0.0,
        "/" => x / y,
        "^" => x.powf(y),
        "<" => truth(x < y),
        "<=" => truth(x <= y),
        ">" => truth(x > y),
        ">=" => truth(x >= y),
        "==" => truth(x == y),
        _ => truth(x != y),
    }
}

fn call(name: &str, x: &[f64]) -> f64 {
    match name {
        "if" if x[0].is_nan() => f64::NAN,
        "if" if x[0] == 0.0 => x[2],
        "if" => x[1],
        _ if x.iter().any(|x| x.is_nan()) => f64::NAN,
        "sqrt" => {
            if x[0] < 0.0 {
                0.0
            } else {
                x[0].sqrt()
            }
        }
        "log" => x[0].max(f64::MIN_POSITIVE).ln(),
        "exp" => x[0].exp(),
        "abs" => x[0].abs(),
        "gmean" => x[0].max(0.0),
        "min" => x.iter().copied().fold(f64::INFINITY, f64::min),
        "max" => x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        _ => x[0],
    }
}

fn reduction(name: &str, x: &[f64]) -> f64 {
    let (sum, count) = (x.iter().fold(0.0, |sum, x| sum + x), x.len() as f64);
    let y = match name {
        _ if x.iter().any(|x| x.is_nan()) => f64::NAN,
        _ if x.is_empty() => 0.0,
        "sum" => sum,
        "mean" => sum / count,
        "gmean" if x.iter().any(|x| *x <= 0.0) => 0.0,
        "gmean" => (x.iter().fold(0.0, |sum, x| sum + x.ln()) / count).exp(),
        _ => call(name, x),
    };
    if y.is_finite() { y } else { f64::NAN }
}
