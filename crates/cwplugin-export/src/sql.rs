//! One expression that gives the class.

mod scores; // what the classes are compared by

use cwplugin::Model;

use crate::dialect::{Dialect, chain};
use crate::literal::one_line;
use crate::parts::{Map, feature_names, map_of};
use crate::{Error, header};

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
        let name = |score: &Score| self.dialect.text(&self.model.classes()[score.class]);
        let terms: Vec<&str> = scores.iter().map(|score| score.term.as_str()).collect();
        let listed = terms.join(",\n        ");
        // Some engines want at least two for GREATEST.
        let largest =
            if terms.len() == 1 { listed.clone() } else { format!("GREATEST(\n        {listed}\n    )") };
        let chosen = if self.dialect == Dialect::Duckdb {
            // It would compute the largest anew for every WHEN.
            let names: Vec<String> = scores.iter().map(name).collect();
            format!("[{}][list_position([\n        {listed}\n    ], {largest})]", names.join(", "))
        } else {
            let case = |score: &Score| format!("WHEN {}\n        THEN {}", score.term, name(score));
            let cases: Vec<String> = scores.iter().map(case).collect();
            format!("CASE {largest}\n        {}\n    END", cases.join("\n        "))
        };
        format!("CASE\n    WHEN {} THEN NULL\n    ELSE {chosen}\nEND", self.is_null())
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
}
