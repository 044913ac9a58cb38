//! Differences between SQL engines: identifiers, strings, types, inline tables.

/// Terms in one chain: engines refuse expressions that are a thousand levels deep.
const CHAIN: usize = 25;

/// A SQL engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// DuckDB.
    Duckdb,
    /// Apache DataFusion.
    Datafusion,
    /// Spark SQL.
    Spark,
    /// BigQuery.
    Bigquery,
    /// Snowflake.
    Snowflake,
    /// PostgreSQL.
    Postgres,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 6] =
        [Self::Duckdb, Self::Datafusion, Self::Spark, Self::Bigquery, Self::Snowflake, Self::Postgres];

    /// The dialect of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }

    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Duckdb => "duckdb",
            Self::Datafusion => "datafusion",
            Self::Spark => "spark",
            Self::Bigquery => "bigquery",
            Self::Snowflake => "snowflake",
            Self::Postgres => "postgres",
        }
    }

    /// A quoted identifier.
    pub fn identifier(self, name: &str) -> String {
        match self {
            Self::Spark => format!("`{}`", name.replace('`', "``")),
            // Escapes identifiers like strings.
            Self::Bigquery => format!("`{}`", backslashed(name, '`')),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    /// A table; `db.scores` and `read_parquet('scores.parquet')` are written as they are.
    pub fn table(self, name: &str) -> String {
        if name.contains(['.', '(']) { name.to_string() } else { self.identifier(name) }
    }

    /// A string literal.
    pub fn text(self, value: &str) -> String {
        match self {
            Self::Spark | Self::Bigquery | Self::Snowflake => format!("'{}'", backslashed(value, '\'')),
            _ => format!("'{}'", value.replace('\'', "''")),
        }
    }

    /// The type of 64-bit floats.
    pub fn double(self) -> &'static str {
        match self {
            Self::Bigquery => "FLOAT64",
            Self::Postgres => "DOUBLE PRECISION",
            _ => "DOUBLE",
        }
    }

    /// The type of 64-bit integers.
    pub fn integer(self) -> &'static str {
        if self == Self::Bigquery { "INT64" } else { "BIGINT" }
    }

    /// The type of strings.
    pub fn string(self) -> &'static str {
        match self {
            Self::Spark | Self::Bigquery => "STRING",
            _ => "VARCHAR",
        }
    }

    /// A number as a double; most engines read `1e-3` as a decimal, which rounds differently.
    pub fn number(self, literal: &str) -> String {
        match self {
            // Decimals do not reach 1e-290; a string does.
            Self::Snowflake => format!("CAST('{literal}' AS DOUBLE)"),
            _ => format!("CAST({literal} AS {})", self.double()),
        }
    }

    /// An inline table of numbered names.
    pub fn numbered(self, names: &[&str]) -> String {
        let lines: Vec<String> =
            names.iter().enumerate().map(|(k, name)| format!("        ({k}, {})", self.text(name))).collect();
        let lines = lines.join(",\n");
        match self {
            Self::Bigquery => format!("UNNEST(ARRAY<STRUCT<k INT64, name STRING>>[\n{lines}\n    ])"),
            _ => format!("(VALUES\n{lines}\n    ) AS listed (k, name)"),
        }
    }
}

/// Terms joined by an associative operator, in groups, so that the expression tree stays shallow.
pub fn chain(terms: &[String], operator: &str) -> String {
    if terms.len() <= CHAIN {
        return terms.join(operator);
    }
    let group = |terms: &[String]| format!("({})", terms.join(operator));
    chain(&terms.chunks(CHAIN).map(group).collect::<Vec<_>>(), operator)
}

/// Escapes the text with backslashes; line breaks too, as such a literal must stay on one line.
fn backslashed(text: &str, quote: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            c if c == quote || c == '\\' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The result of every dialect, in the order of [`Dialect::ALL`].
    fn all(write: impl Fn(Dialect) -> String) -> Vec<String> {
        Dialect::ALL.into_iter().map(write).collect()
    }

    #[test]
    fn every_dialect_has_its_name() {
        assert!(Dialect::ALL.into_iter().all(|dialect| Dialect::by_name(dialect.name()) == Some(dialect)));
        assert_eq!(Dialect::by_name("access"), None);
    }

    #[test]
    fn many_terms_are_joined_in_groups() {
        let terms = |n: usize| (0..n).map(|k| k.to_string()).collect::<Vec<_>>();
        assert_eq!(chain(&terms(3), " + "), "0 + 1 + 2");
        let many = chain(&terms(1000), " + ");
        assert_eq!(many.matches(" + ").count(), 999);
        let depth = many.chars().scan(0, |depth, c| {
            *depth += i32::from(c == '(') - i32::from(c == ')');
            Some(*depth)
        });
        assert_eq!(depth.max(), Some(2));
    }

    #[test]
    fn quotes_in_identifiers_are_escaped() {
        let names = all(|dialect| dialect.identifier("a\"b`c\\d"));
        assert_eq!(
            names,
            [
                "\"a\"\"b`c\\d\"",
                "\"a\"\"b`c\\d\"",
                "`a\"b``c\\d`",
                "`a\"b\\`c\\\\d`",
                "\"a\"\"b`c\\d\"",
                "\"a\"\"b`c\\d\"",
            ]
        );
    }

    #[test]
    fn quotes_and_backslashes_in_strings_are_escaped() {
        let texts = all(|dialect| dialect.text("it's \\ \"ö\""));
        let (doubled, escaped) = (r#"'it''s \ "ö"'"#, r#"'it\'s \\ "ö"'"#);
        assert_eq!(texts, [doubled, doubled, escaped, escaped, escaped, doubled]);
        assert_eq!(Dialect::Bigquery.text("two\nlines\\n"), r"'two\nlines\\n'");
        assert_eq!(Dialect::Duckdb.text("two\nlines"), "'two\nlines'");
    }

    #[test]
    fn a_plain_table_is_quoted_and_a_path_or_a_call_is_not() {
        assert_eq!(Dialect::Duckdb.table("my table"), "\"my table\"");
        assert_eq!(Dialect::Spark.table("order"), "`order`");
        assert_eq!(Dialect::Bigquery.table("my-project.set.scores"), "my-project.set.scores");
        assert_eq!(Dialect::Duckdb.table("read_parquet('*.parquet')"), "read_parquet('*.parquet')");
    }

    #[test]
    fn numbers_are_doubles() {
        assert_eq!(Dialect::Duckdb.number("1e-3"), "CAST(1e-3 AS DOUBLE)");
        assert_eq!(Dialect::Postgres.number("1e-3"), "CAST(1e-3 AS DOUBLE PRECISION)");
        assert_eq!(Dialect::Bigquery.number("1e-3"), "CAST(1e-3 AS FLOAT64)");
        assert_eq!(Dialect::Snowflake.number("1e-290"), "CAST('1e-290' AS DOUBLE)");
    }
}
