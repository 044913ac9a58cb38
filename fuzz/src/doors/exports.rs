//! Exports with names of strangers: every class, column, table and method stays inside its string, quoted name or comment. The
//! text is the same as with plain names, except for their values, and parsers of SQL and Rust accept it.

use std::collections::HashMap;

use cwplugin::Model;
use cwplugin_export::{Dialect, SqlOptions, StatisticsQuery, python, rust, sql};
use serde_json::json;
use sqlparser::dialect::{self, Dialect as Parser};

use crate::Door;
use crate::bytes::Bytes;
use crate::tokens::{Language, Token, tokens};

pub(super) const DOOR: Door =
    Door { name: "exports", title: "names in exported SQL, Python and Rust", longest: 512, check, seeds };

/// Names that are never in generated text otherwise.
const PLAIN: [&str; 12] =
    ["xq0", "xq1", "xq2", "xq3", "xq4", "xq5", "xq6", "xq7", "xq8", "xq9", "xqa", "xqb"];

/// The names of an export: 3 classes, 3 columns, prefix, table, label, weight, method, metric.
type Names = [String; PLAIN.len()];

/// Input: the kind of export, then names, with NUL between them.
fn check(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (kind, dialect) = (bytes.byte() % 5, bytes.pick(&Dialect::ALL));
    let Some(text) = bytes.text() else { return };
    let mut given = text.split('\0').map(String::from);
    let mut names = PLAIN.map(|_| given.next().unwrap_or_default());
    // A table with a dot or a parenthesis is written as it is.
    names[7].retain(|c| !matches!(c, '.' | '('));
    let mut plain = PLAIN.map(String::from);
    if names[9].is_empty() {
        plain[9].clear(); // no weights
    }
    let (language, plain) = (language(kind, dialect), write(kind, dialect, &plain));
    let (Some(written), Some(plain)) = (write(kind, dialect, &names), plain) else { return };
    let found = tokens(language, &written).unwrap_or_else(|what| panic!("{what}\n{written}"));
    let expected = tokens(language, &plain).unwrap_or_else(|what| panic!("{what}\n{plain}"));
    compare(&found, &expected, &names, &written);
    check_syntax(language, kind, &written);
}

fn language(kind: u8, dialect: Dialect) -> Language {
    match kind {
        0 => Language::Python,
        1 => Language::Rust,
        _ => Language::Sql(dialect),
    }
}

/// An export of this kind; `None` if the names are refused.
fn write(kind: u8, dialect: Dialect, names: &Names) -> Option<String> {
    let [a, b, c, x, y, z, prefix, table, label, weight, method, metric] = names.clone();
    if kind == 4 {
        let classes = vec![(a, x), (b, y), (c, z)];
        let weight = (!weight.is_empty()).then_some(weight);
        return Some(
            StatisticsQuery { dialect, table, label, classes, weight, reference: 1, bins: 10 }.text(),
        );
    }
    let document = json!({
        "format": "cwplugin-model", "version": 1, "cwplugin": "0", "classes": [a, b, c], "weights": [0.25, 0.5, 0.25],
        "calibration": null, "fit": {"method": method, "metric": metric, "rows": 5},
    });
    let model = Model::from_json(&document.to_string()).ok()?;
    let options = SqlOptions::default();
    Some(match kind {
        0 => python(&model).unwrap(),
        1 => rust(&model).unwrap(),
        2 => sql(&model, dialect, &options.prefix(prefix)).unwrap(),
        _ => sql(&model, dialect, &options.columns(vec![x, y, z])).unwrap(),
    })
}

/// The tokens are the same, with the names in place of the plain ones.
fn compare(found: &[Token], expected: &[Token], names: &Names, written: &str) {
    let values: HashMap<&str, &str> = PLAIN.into_iter().zip(names.iter().map(String::as_str)).collect();
    // The prefix and the class are one name.
    let value = |plain: &str| match (values.get(plain), plain.split_at_checked(3)) {
        (Some(value), _) => (*value).to_owned(),
        (None, Some((prefix, class))) if values.contains_key(class) => {
            format!("{}{}", values.get(prefix).unwrap_or(&prefix), values[class])
        }
        _ => plain.to_owned(),
    };
    let with_names = expected.iter().map(|token| match token {
        Token::Text(plain) => Token::Text(value(plain)),
        Token::Name(plain) => Token::Name(value(plain)),
        Token::Code(c) => Token::Code(*c),
    });
    for (place, (found, expected)) in found.iter().zip(with_names).enumerate() {
        assert_eq!(*found, expected, "token {place} with {names:?} in\n{written}");
    }
    assert_eq!(found.len(), expected.len(), "tokens with {names:?} in\n{written}");
}

/// Parsers that others wrote accept the text; for Spark there is none, and that of BigQuery knows no escaped names.
fn check_syntax(language: Language, kind: u8, written: &str) {
    let parser: &dyn Parser = match language {
        Language::Rust => {
            drop(syn::parse_file(written).unwrap_or_else(|error| panic!("{error}\n{written}")));
            return;
        }
        Language::Sql(Dialect::Duckdb) => &dialect::DuckDbDialect {},
        Language::Sql(Dialect::Datafusion) => &dialect::GenericDialect {},
        Language::Sql(Dialect::Postgres) => &dialect::PostgreSqlDialect {},
        Language::Sql(Dialect::Snowflake) => &dialect::SnowflakeDialect {},
        Language::Python | Language::Sql(_) => return,
    };
    let query =
        if kind == 4 { written.to_owned() } else { format!("SELECT\n{written}\nAS prediction FROM t") };
    let parsed = sqlparser::parser::Parser::parse_sql(parser, &query);
    assert!(parsed.as_ref().is_ok_and(|statements| statements.len() == 1), "{parsed:?}\n{query}");
}

fn seeds() -> Vec<Vec<u8>> {
    let odd = "it's\0say \"hi\"\0back\\slash\0two\nlines */ --\0`tick`\0\\'; DROP TABLE x; --\0p_\0my table\0naïve ☃\u{202e}\0\u{2028}\0a\nimport os\0{}\r\n";
    let plain = "ham\0spam\0eggs\0p_ham\0p_spam\0p_eggs\0p_\0scores\0label\0w\0auto\0macro-f1";
    let mut seeds = Vec::new();
    for (kind, dialect) in (0..5_u8).flat_map(|kind| (0..6_u8).map(move |dialect| (kind, dialect))) {
        for names in [odd, plain] {
            seeds.push([&[kind, dialect], names.as_bytes()].concat());
        }
    }
    seeds
}
