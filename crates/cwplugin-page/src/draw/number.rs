//! Numbers of axes and descriptions: `0.55`, `1,600`, `250k`.

/// At most four significant digits after the point; large numbers as `250k` or `1.5M` where that is exact.
pub(crate) fn short(value: f64) -> String {
    short_from(value, 1e5)
}

/// As [`short`], with `k` and `M` from `large` on.
fn short_from(value: f64, large: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "–".to_owned();
    }
    if size > 0.0 && !(1e-4..1e9).contains(&size) {
        return scientific(value);
    }
    for (unit, letter) in [(1e6, "M"), (1e3, "k")] {
        let tenths = value / unit * 10.0;
        if size >= large && size >= unit && is_whole(tenths) {
            return minus(trim(&format!("{:.1}", tenths / 10.0))) + letter;
        }
    }
    if is_whole(value) {
        return fixed(value, 0);
    }
    // Four significant digits: 0.1234, 1.234, 12.34.
    let before = size.log10().floor();
    let decimals = (3.0 - before).clamp(0.0, 7.0) as usize;
    trim(&fixed(value, decimals)).to_owned()
}

/// The labels of evenly spaced ticks, all with the same number of decimals.
pub(crate) fn even(values: &[f64]) -> Vec<String> {
    let largest = largest(values);
    if largest > 0.0 && !(1e-3..1e5).contains(&largest) {
        return own(values);
    }
    let decimals = (0..=8).find(|&d| values.iter().all(|&v| is_whole(v * 10f64.powi(d)))).unwrap_or(9);
    distinct_or_full(values.iter().map(|&v| fixed(v, decimals as usize)).collect(), values)
}

/// The labels of ticks at data values, each as short as possible.
pub(crate) fn own(values: &[f64]) -> Vec<String> {
    // Beside `100k`, write `10k` rather than `10,000`.
    let large = if largest(values) >= 1e5 { 1e3 } else { 1e5 };
    distinct_or_full(values.iter().map(|&v| short_from(v, large)).collect(), values)
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, v| most.max(v.abs()))
}

/// The labels, or all digits if two neighbouring ticks would have the same label.
fn distinct_or_full(labels: Vec<String>, values: &[f64]) -> Vec<String> {
    if labels.windows(2).all(|pair| pair[0] != pair[1]) {
        return labels;
    }
    values.iter().map(|&v| minus(&format!("{v:e}"))).collect()
}

fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() <= 1e-7 * value.abs().max(1.0)
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
    match text.split_once('e') {
        Some((digits, power)) => minus(&format!("{}e{power}", trim(digits))),
        None => text,
    }
}

fn fixed(value: f64, decimals: usize) -> String {
    minus(&grouped(&format!("{value:.decimals$}")))
}

/// Commas between thousands.
pub(crate) fn grouped(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, rest) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let mut out = sign.to_owned();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

/// A leading `-` as a minus sign, as wide as a digit; never `-0`.
pub(crate) fn minus(text: &str) -> String {
    let is_zero = !text.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    match text.strip_prefix('-') {
        Some(rest) if is_zero => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text.to_owned(),
    }
}

fn trim(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (-0.0, "0"),
            (50.0, "50"),
            (1600.0, "1,600"),
            (12345.0, "12,345"),
            (100_000.0, "100k"),
            (2_500_000.0, "2.5M"),
            (123_456.0, "123,456"),
            (0.51, "0.51"),
            (1.0 / 3.0, "0.3333"),
            (-2.5, "−2.5"),
            (1e-7, "1e-7"),
            (-1.5e12, "−1.5e12"),
            (f64::NAN, "–"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn even_ticks_share_their_decimals() {
        assert_eq!(even(&[0.5, 0.55, 0.6]), ["0.50", "0.55", "0.60"]);
        assert_eq!(even(&[-1.0, 0.0, 1.0]), ["−1", "0", "1"]);
        assert_eq!(even(&[0.0, 20_000.0]), ["0", "20,000"]);
        assert_eq!(even(&[0.0, 50_000.0, 100_000.0]), ["0", "50k", "100k"]);
        assert_eq!(own(&[100.0, 1e3, 1e6]), ["100", "1k", "1M"]);
    }

    #[test]
    fn labels_differ_where_ticks_do() {
        let labels = even(&[0.000_100_01, 0.000_100_02]);
        assert_ne!(labels[0], labels[1]);
        let labels = own(&[1_000_000_001.0, 1_000_000_002.0]);
        assert_ne!(labels[0], labels[1]);
    }
}
