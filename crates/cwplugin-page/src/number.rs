//! Number formatting.

use serde_json::{Value, json};

use crate::draw::number::{grouped, minus};

/// A metric: four decimals, fewer for large numbers.
pub(crate) fn score(value: f64) -> String {
    match value.abs() {
        size if size < 1e3 => minus(&format!("{value:.4}")),
        size if size < 1e9 => minus(&format!("{value:.1}")),
        _ => minus(&format!("{value:.3e}")),
    }
}

/// A difference of metrics, with its sign.
pub(crate) fn gain(value: f64) -> String {
    if value > 0.0 { format!("+{}", score(value)) } else { score(value) }
}

/// A range of metrics: `0.7412–0.9033`, with `to` if a sign makes the dash ambiguous.
pub(crate) fn score_range(low: f64, high: f64) -> String {
    let dash = if low < 0.0 || high < 0.0 { " to " } else { "–" };
    format!("{}{dash}{}", score(low), score(high))
}

/// A range of differences: `−0.0102 to +0.0341`.
pub(crate) fn gain_range(low: f64, high: f64) -> String {
    format!("{} to {}", gain(low), gain(high))
}

/// A number of rows; a sum of row weights with three decimals, unless it is whole.
pub(crate) fn count(rows: f64) -> String {
    let text = if (rows - rows.round()).abs() < 1e-9 { format!("{rows:.0}") } else { format!("{rows:.3}") };
    minus(&grouped(&text))
}

/// A difference of numbers of rows, with its sign.
pub(crate) fn count_change(rows: f64) -> String {
    match count(rows) {
        text if rows > 0.0 && text != "0" => format!("+{text}"),
        text => text,
    }
}

/// A share in percent, with a decimal where a whole number would look like 0% or 100%.
pub(crate) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let is_close = (percent > 0.0 && percent < 0.95) || (percent > 99.05 && percent < 99.95);
    format!("{percent:.digits$}%", digits = usize::from(is_close))
}

/// `1 row`, `2 rows`.
pub(crate) fn rows(n: u64) -> String {
    format!("{} row{}", grouped(&n.to_string()), if n == 1 { "" } else { "s" })
}

/// The text with an upper-case first letter.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + letters.as_str()
}

/// A sentence of the library, with numbers as the page writes them: a real minus, and no line break before `±`.
pub(crate) fn sentence(text: &str) -> String {
    let mut written = String::new();
    for (at, letter) in text.char_indices() {
        let is_sign = letter == '-'
            && !text[..at].ends_with(char::is_alphanumeric)
            && text[at + 1..].starts_with(|next: char| next.is_ascii_digit());
        written.push(if is_sign { '−' } else { letter });
    }
    written.replace(" ± ", "\u{a0}±\u{a0}")
}

/// The text to show, and the exact value.
pub(crate) fn shown(text: &str, value: f64) -> Value {
    json!({"text": text, "value": value})
}

/// A weight relative to the mean weight: three significant digits.
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
            sentence("cross-validation of class-1 shows -0.01 ± 0.02 (-1 to 2)"),
            "cross-validation of class-1 shows −0.01\u{a0}±\u{a0}0.02 (−1 to 2)"
        );
        assert_eq!(score_range(0.74, 0.9), "0.7400–0.9000");
        assert_eq!(score_range(-0.1, 0.9), "−0.1000 to 0.9000");
        assert_eq!(gain_range(-0.01, 0.03), "−0.0100 to +0.0300");
        assert_eq!(
            [0.0, 1234.0, 1_234_567.0, 0.5, -3.0].map(count),
            ["0", "1,234", "1,234,567", "0.500", "−3"]
        );
        assert_eq!([2.0, 0.0, -2.0].map(count_change), ["+2", "0", "−2"]);
        assert_eq!([0.0, 0.004, 0.5, 0.998, 1.0].map(percent), ["0%", "0.4%", "50%", "99.8%", "100%"]);
        assert_eq!(["", "état"].map(capitalised), ["", "État"]);
        assert_eq!([1, 2000].map(rows), ["1 row", "2,000 rows"]);
        assert_eq!(
            [0.0, 1.0, 12.34, 0.0123, 1e-5, 1e4].map(factor),
            ["0", "1.00", "12.3", "0.0123", "1.0e-5", "1.0e4"]
        );
    }
}
