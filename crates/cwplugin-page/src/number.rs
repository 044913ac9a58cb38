//! Numbers and words as people read them.

use serde_json::{Value, json};

/// A metric: four digits behind the point, or as many as a large number leaves room for.
pub(crate) fn score(value: f64) -> String {
    match value.abs() {
        size if size < 1e3 => sign(&format!("{value:.4}")),
        size if size < 1e9 => sign(&format!("{value:.1}")),
        _ => sign(&format!("{value:.3e}")),
    }
}

/// A difference of metrics, with its sign.
pub(crate) fn gain(value: f64) -> String {
    if value > 0.0 { format!("+{}", score(value)) } else { score(value) }
}

/// A number of rows; of weighted rows with as many digits as help.
pub(crate) fn count(rows: f64) -> String {
    let text = if (rows - rows.round()).abs() < 1e-9 { format!("{rows:.0}") } else { format!("{rows:.3}") };
    sign(&grouped(&text))
}

/// A difference of numbers of rows.
pub(crate) fn count_change(rows: f64) -> String {
    match count(rows) {
        text if rows > 0.0 && text != "0" => format!("+{text}"),
        text => text,
    }
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 0.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

/// `1 row`, `2 rows`.
pub(crate) fn rows(n: u64) -> String {
    format!("{} row{}", grouped(&n.to_string()), if n == 1 { "" } else { "s" })
}

/// The text as the beginning of a sentence.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + letters.as_str()
}

/// What is shown, and what it is to the last digit.
pub(crate) fn shown(text: &str, value: f64) -> Value {
    json!({"text": text, "value": value})
}

/// A factor on a weight: three digits count.
pub(crate) fn factor(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        value if (0.01..1000.0).contains(&value) => {
            let digits = (2.0 - value.log10().floor()).clamp(0.0, 4.0) as usize;
            format!("{value:.digits$}")
        }
        value => format!("{value:.1e}"),
    }
}

/// A minus as wide as the digits; never `-0`.
fn sign(text: &str) -> String {
    let is_zero = !text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    match text.strip_prefix('-') {
        Some(rest) if is_zero => rest.to_string(),
        Some(rest) => format!("−{rest}"),
        None => text.to_string(),
    }
}

/// Commas between thousands.
fn grouped(text: &str) -> String {
    let (minus, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, rest) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let mut out = minus.to_string();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(
            [0.5, -0.25, -0.00001, -12_345.67].map(score),
            ["0.5000", "−0.2500", "0.0000", "−12345.7"]
        );
        assert_eq!([0.1, -0.1, 0.0].map(gain), ["+0.1000", "−0.1000", "0.0000"]);
        assert_eq!(
            [0.0, 1234.0, 1_234_567.0, 0.5, -3.0].map(count),
            ["0", "1,234", "1,234,567", "0.500", "−3"]
        );
        assert_eq!([2.0, 0.0, -2.0].map(count_change), ["+2", "0", "−2"]);
        assert_eq!([0.0, 0.004, 0.5, 1.0].map(percent), ["0 %", "0.4 %", "50 %", "100 %"]);
        assert_eq!(["", "état"].map(capitalised), ["", "État"]);
        assert_eq!([1, 2000].map(rows), ["1 row", "2,000 rows"]);
        assert_eq!(
            [0.0, 1.0, 12.34, 0.0123, 1e-5, 1e4].map(factor),
            ["0", "1.00", "12.3", "0.0123", "1.0e-5", "1.0e4"]
        );
    }
}
