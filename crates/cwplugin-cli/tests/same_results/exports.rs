//! Exported models: their numbers and operators. Names, comments and texts may change.

use super::onnx;
use super::record::Group;
use super::run::run;
use super::tables;
use super::values::Parts;

const MODELS: [(&str, &str); 7] = [
    ("weights", "three.csv --method cwplugin"),
    ("dropped", "absent.csv --method cwplugin --absent drop"),
    ("diagonal", "three.csv --method vector"),
    ("probability", "three.csv --method vector:probability"),
    ("matrix", "three.csv --method dirichlet-full"),
    ("votes", "three.csv --method probing"),
    ("features", "three.csv --method logistic --features x,y"),
];
const DIALECTS: [&str; 6] = ["duckdb", "datafusion", "spark", "bigquery", "snowflake", "postgres"];

#[test]
fn exports_are_the_same() {
    let folder = tables::folder();
    let mut group = Group::new("export");
    for (model, flags) in MODELS {
        let fit = format!("fit {flags} -o model.json --quiet");
        run(&folder, &fit);
        let mut add = |target: &str, flags: &str, read: &dyn Fn(&[u8]) -> Parts| {
            let line = format!("export model.json {flags} --quiet");
            let parts = read(&run(&folder, &line));
            group.add(&format!("{model}/{target}"), &format!("cwplugin {fit}\ncwplugin {line}"), parts);
        };
        add("python", "--to python", &|text| tokens(&code_of_python(text)));
        add("rust", "--to rust", &|text| tokens(&without_comments(text, "//")));
        for dialect in DIALECTS {
            let flags = format!("--to sql --dialect {dialect}");
            add(dialect, &flags, &|text| tokens(&without_comments(text, "--")));
        }
        add("onnx", "--to onnx", &onnx::parts);
        add("onnx-float", "--to onnx --input float", &onnx::parts);
        if model != "features" {
            add("onnx-logits", "--to onnx --scores logits", &onnx::parts);
        }
    }
    group.finish();
}

fn without_comments(text: &[u8], mark: &str) -> String {
    let text = String::from_utf8_lossy(text);
    text.lines()
        .filter(|line| !line.trim_start().starts_with(mark))
        .map(|line| line.to_string() + "\n")
        .collect()
}

fn code_of_python(text: &[u8]) -> String {
    let code = without_comments(text, "#");
    code.split("\"\"\"").step_by(2).collect() // what stands between is documentation
}

/// Functions that compute, in upper or lower case.
const FUNCTIONS: [&str; 8] = ["exp", "ln", "log", "max", "greatest", "sum", "fsum", "abs"];

/// Numbers, and operators with the functions that compute; quoted text and other words are passed over.
fn tokens(code: &str) -> Parts {
    let (mut numbers, mut operators) = (Vec::new(), Vec::new());
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' | '`' => rest[1..].find(first).map_or(rest.len(), |end| end + 2),
            '-' | '=' if rest[1..].starts_with('>') => 2, // an arrow
            '0'..='9' => number_length(rest),
            'a'..='z' | 'A'..='Z' | '_' => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        if first.is_ascii_digit() {
            numbers.push(super::values::number(token.parse().unwrap()));
        } else if FUNCTIONS.contains(&token.to_ascii_lowercase().as_str()) || "+-*/<>%".contains(token) {
            operators.push(token);
        }
    }
    vec![("numbers".into(), numbers.join(" ")), ("operators".into(), operators.join(" "))]
}

/// Digits, perhaps a fraction, perhaps an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits(0);
    if bytes.get(length) == Some(&b'.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'-' | b'+')));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    length
}
