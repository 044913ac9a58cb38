//! One expression that gives the class.

use cwplugin::{AffineMap, MapInput, Mixture, Model, Slope};

use crate::dialect::{Dialect, chain};
use crate::literal::one_line;
use crate::parts::{Map, feature_names, map_of};
use crate::{Error, header};

/// Matrices and votes are written out product by product; engines refuse texts that are much longer than this.
const MAX_TERMS: usize = 50_000;

/// Where the numbers of a row stand.
///
/// ```
/// use cwplugin_export::SqlOptions;
///
/// let options = SqlOptions::default().prefix("prob_");
/// ```
#[derive(Debug, Clone)]
pub struct SqlOptions {
    prefix: String,
    columns: Option<Vec<String>>,
}

impl Default for SqlOptions {
    fn default() -> Self {
        Self { prefix: "p_".into(), columns: None }
    }
}

impl SqlOptions {
    /// The columns are called so, followed by the name of their class: `p_` unless told otherwise. Features have names of
    /// their own.
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// The columns have these names, in the order of the model's classes or features.
    pub fn columns(self, columns: Vec<String>) -> Self {
        Self { columns: Some(columns), ..self }
    }

    fn names(&self, model: &Model) -> Result<Vec<String>, Error> {
        let features = model.rule().n_features();
        let expected = features.unwrap_or(model.classes().len());
        let names = match (&self.columns, features, feature_names(model)) {
            (Some(columns), _, _) => columns.clone(),
            (None, Some(_), Some(names)) => names.to_vec(),
            (None, Some(features), None) => return Err(Error::UnnamedFeatures { features }),
            (None, None, _) => {
                model.classes().iter().map(|class| format!("{}{class}", self.prefix)).collect()
            }
        };
        let found = names.len();
        if found == expected { Ok(names) } else { Err(Error::WrongColumns { found, expected }) }
    }
}

/// One SQL expression whose value is the name of the predicted class, below comments that say what it is.
///
/// It is NULL if a column that it looks at is NULL. The columns have to hold probabilities, or features: what becomes of NaN is
/// up to the engine. Of maps only the order of the scores is computed, on logarithms.
///
/// # Errors
///
/// If there is not one column per class or feature, or if a matrix or votes are too long for one expression.
pub fn sql(model: &Model, dialect: Dialect, options: &SqlOptions) -> Result<String, Error> {
    let columns = options.names(model)?;
    let writer = Writer { model, dialect, columns: &columns };
    let scores = match map_of(model)? {
        Map::Plain => writer.products(model.weights().as_slice()),
        Map::Affine(map) => writer.log_scores(map)?,
        Map::Votes(votes) => writer.shares(votes)?,
    };
    Ok(format!("{}{}\n", writer.header(), writer.choice(&scores)))
}

/// A class that may be predicted, and what it is compared by.
struct Score {
    class: usize,
    term: String,
}

struct Writer<'a> {
    model: &'a Model,
    dialect: Dialect,
    columns: &'a [String],
}

impl Writer<'_> {
    fn header(&self) -> String {
        let first = one_line(&self.columns[0]);
        let note = match self.dialect {
            Dialect::Snowflake => {
                "-- Names are quoted; one that was created without quotes is in capitals.\n"
            }
            _ => "",
        };
        format!(
            "{}-- An expression of {}: SELECT *, (...) AS prediction FROM ... gives the class of every row, and NULL where one\n\
             -- of its columns, such as {first}, is NULL.\n{note}",
            header::comment(self.model, "--"),
            self.dialect.name(),
        )
    }

    /// A column as a double.
    fn column(&self, k: usize) -> String {
        format!("CAST({} AS {})", self.dialect.identifier(&self.columns[k]), self.dialect.double())
    }

    /// A number as a double. An exponent keeps engines from reading a decimal, which they round otherwise.
    fn number(&self, value: f64) -> String {
        self.dialect.number(&format!("{value:e}"))
    }

    /// The first class whose score is the largest.
    fn choice(&self, scores: &[Score]) -> String {
        let terms: Vec<&str> = scores.iter().map(|score| score.term.as_str()).collect();
        let case = |Score { class, term }: &Score| {
            let name = self.dialect.text(&self.model.classes()[*class]);
            format!(
                "
        WHEN {term}
        THEN {name}"
            )
        };
        let cases: String = scores.iter().map(case).collect();
        let (is_null, largest) = (self.is_null(), self.largest(&terms));
        format!(
            "CASE
    WHEN {is_null} THEN NULL
    ELSE {largest}{cases}
    END
END"
        )
    }

    /// The beginning of a CASE that compares with the largest; some engines want two for GREATEST.
    fn largest(&self, terms: &[&str]) -> String {
        match terms {
            [term] => format!("CASE {term}"),
            terms => format!("CASE GREATEST(\n        {}\n    )", terms.join(",\n        ")),
        }
    }

    /// GREATEST passes over NULL in some engines, so it is asked for first.
    fn is_null(&self) -> String {
        let name = |column: &String| format!("{} IS NULL", self.dialect.identifier(column));
        chain(&self.columns.iter().map(name).collect::<Vec<_>>(), " OR ")
    }

    /// `factor·b_k`; -0 is less than 0 to some engines, and adding 0 makes it 0.
    fn product(&self, factor: f64, k: usize) -> String {
        let product = format!("{} * {}", self.number(factor), self.column(k));
        if factor < 0.0 || self.dialect == Dialect::Datafusion { format!("({product} + 0)") } else { product }
    }

    /// Plain weights. Without weight a class never has the largest product, unless all are 0: then the first wins.
    fn products(&self, weights: &[f64]) -> Vec<Score> {
        let score = |(class, &weight): (usize, &f64)| match weight {
            weight if weight > 0.0 => Some(Score { class, term: self.product(weight, class) }),
            _ if class == 0 => Some(Score { class, term: self.number(0.0) }),
            _ => None,
        };
        weights.iter().enumerate().filter_map(score).collect()
    }

    /// `ln(w_k) + c_k + A_k·x`: the softmax and the exponential change no order.
    fn log_scores(&self, map: &AffineMap) -> Result<Vec<Score>, Error> {
        let d = map.n_inputs();
        if matches!(map.slope(), Slope::Matrix(_)) {
            refuse_long(map.n_classes() * d)?;
        }
        let inputs: Vec<String> = (0..d).map(|i| self.input(map, i)).collect();
        let part = |slope: f64, i: usize| format!("{} * {}", self.number(slope), inputs[i]);
        let weights = self.model.weights().as_slice().iter().enumerate();
        let score = |(class, weight): (usize, &f64)| {
            let mut terms = vec![self.number(map.bias()[class] + weight.ln() + 0.0)];
            match map.slope() {
                Slope::Diagonal(slopes) => terms.push(part(slopes[class], class)),
                Slope::Matrix(slopes) => {
                    let slopes = slopes[class * d..(class + 1) * d].iter().enumerate();
                    terms.extend(slopes.map(|(i, &slope)| part(slope, i)));
                }
            }
            Score { class, term: chain(&terms, " + ") }
        };
        Ok(weights.filter(|(_, weight)| **weight > 0.0).map(score).collect())
    }

    fn input(&self, map: &AffineMap, i: usize) -> String {
        match map.input() {
            MapInput::LogProbability => {
                format!("LN(GREATEST({}, {}))", self.column(i), self.number(map.floor()))
            }
            MapInput::Probability | MapInput::Features => self.column(i),
        }
    }

    /// The shares of the votes, in grains of 2^-36 as in the library.
    fn shares(&self, votes: &Mixture) -> Result<Vec<Score>, Error> {
        let steps = merged(votes);
        let m = votes.n_classes();
        refuse_long(steps.len() * m * m)?;
        let weights = self.model.weights().as_slice();
        // Equal weights change no order of whole numbers below 2^37.
        let are_equal = weights.iter().all(|weight| weight.to_bits() == weights[0].to_bits());
        let score = |class: usize| {
            let parts: Vec<String> =
                steps.iter().map(|(share, factors)| self.vote(*share, factors, class)).collect();
            if weights[class] <= 0.0 {
                return (class == 0).then(|| Score { class, term: self.number(0.0) });
            }
            let grains = format!(
                "FLOOR(({}) * {} + {})",
                chain(&parts, " + "),
                self.number((1_u64 << 36) as f64),
                self.number(0.5)
            );
            let term = if are_equal { grains } else { format!("{} * {grains}", self.number(weights[class])) };
            Some(Score { class, term })
        };
        Ok((0..m).filter_map(score).collect())
    }

    /// What one step gives to one class: its share if the class has the largest product, the first of equals.
    fn vote(&self, share: f64, factors: &[f64], class: usize) -> String {
        let own = self.product(factors[class], class);
        let beats = |other: usize| {
            let sign = if other < class { ">" } else { ">=" };
            format!("{own} {sign} {}", self.product(factors[other], other))
        };
        let others: Vec<String> = (0..factors.len()).filter(|&other| other != class).map(beats).collect();
        let none = self.number(0.0);
        format!("CASE WHEN {} THEN {} ELSE {none} END", chain(&others, " AND "), self.number(share))
    }
}

fn refuse_long(terms: usize) -> Result<(), Error> {
    if terms > MAX_TERMS { Err(Error::TooLong { terms }) } else { Ok(()) }
}

/// The steps of a vote; those with the same factors are one.
fn merged(votes: &Mixture) -> Vec<(f64, &[f64])> {
    let mut steps: Vec<(f64, &[f64])> = Vec::new();
    for step in votes.steps() {
        match steps.iter_mut().find(|(_, factors)| *factors == step.factors) {
            Some((share, _)) => *share += step.share,
            None => steps.push((step.share, &step.factors)),
        }
    }
    steps
}
