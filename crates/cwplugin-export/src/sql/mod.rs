//! One SQL expression for the predicted class.

mod scores; // the scores that are compared

use cwplugin::Model;

use crate::dialect::{Dialect, chain};
use crate::literal::one_line;
use crate::parts::{Map, feature_names, map_of};
use crate::{Error, header};

/// The columns of the table.
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
    /// The column of a class is this prefix and the name of the class; `p_` by default. Features have their own names.
    pub fn prefix(self, prefix: impl Into<String>) -> Self {
        Self { prefix: prefix.into(), ..self }
    }

    /// Names the columns, in the order of the model's classes or features.
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

/// One SQL expression whose value is the name of the predicted class, with a comment on top.
///
/// It is NULL if one of its columns is NULL; NaN depends on the engine. If all products are 0, it is the first class. The scores
/// of a calibration map are compared as logarithms, which do not underflow to 0.
///
/// # Errors
///
/// If there is not one column per class or feature, or if a matrix or mixture is too long for one expression.
pub fn sql(model: &Model, dialect: Dialect, options: &SqlOptions) -> Result<String, Error> {
    let columns = options.names(model)?;
    let writer = Writer { model, dialect, columns: &columns };
    let scores = match map_of(model)? {
        Map::Identity => writer.products(model.weights().as_slice()),
        Map::Affine(map) => writer.log_scores(map)?,
        Map::Mixture(mixture) => writer.shares(mixture)?,
    };
    Ok(format!("{}{}\n", writer.header(), writer.choice(&scores)))
}

/// A class that can be predicted, and its score.
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
            Dialect::Snowflake => "-- Names are quoted; names created without quotes are in upper case.\n",
            _ => "",
        };
        format!(
            "{}-- Expression for {}: SELECT *, (...) AS prediction FROM ... gives the class of every row, or NULL if one of its\n\
             -- columns, such as {first}, is NULL.\n{note}",
            header::comment(self.model, "--"),
            self.dialect.name(),
        )
    }

    /// A column as a double.
    fn column(&self, k: usize) -> String {
        format!("CAST({} AS {})", self.dialect.identifier(&self.columns[k]), self.dialect.double())
    }

    /// A number as a double; with an exponent, as engines round decimals differently.
    fn number(&self, value: f64) -> String {
        self.dialect.number(&format!("{value:e}"))
    }

    /// The first class whose score is the largest.
    fn choice(&self, scores: &[Score]) -> String {
        let name = |score: &Score| self.dialect.text(&self.model.classes()[score.class]);
        let terms: Vec<&str> = scores.iter().map(|score| score.term.as_str()).collect();
        let listed = terms.join(",\n        ");
        // Some engines need two arguments for GREATEST.
        let largest =
            if terms.len() == 1 { listed.clone() } else { format!("GREATEST(\n        {listed}\n    )") };
        let chosen = if self.dialect == Dialect::Duckdb {
            // DuckDB would evaluate GREATEST for every WHEN.
            let names: Vec<String> = scores.iter().map(name).collect();
            format!("[{}][list_position([\n        {listed}\n    ], {largest})]", names.join(", "))
        } else {
            let case = |score: &Score| format!("WHEN {}\n        THEN {}", score.term, name(score));
            let cases: Vec<String> = scores.iter().map(case).collect();
            format!("CASE {largest}\n        {}\n    END", cases.join("\n        "))
        };
        format!("CASE\n    WHEN {} THEN NULL\n    ELSE {chosen}\nEND", self.is_null())
    }

    /// Checked first, as GREATEST ignores NULL in some engines.
    fn is_null(&self) -> String {
        let name = |column: &String| format!("{} IS NULL", self.dialect.identifier(column));
        chain(&self.columns.iter().map(name).collect::<Vec<_>>(), " OR ")
    }

    /// `factor·b_k`, plus 0 to turn -0 into 0, as some engines order -0 before 0.
    fn product(&self, factor: f64, k: usize) -> String {
        let product = format!("{} * {}", self.number(factor), self.column(k));
        if factor < 0.0 || self.dialect == Dialect::Datafusion { format!("({product} + 0)") } else { product }
    }
}
