//! Numbers in sentences.

use crate::report::Estimate;

/// A number with commas between thousands.
pub(crate) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Rounds up to a number that claims no more precision than an estimate has: tens, or two significant digits.
pub(crate) fn about(n: u64) -> u64 {
    let mut unit: u64 = 10;
    while n / unit >= 100 {
        unit = unit.saturating_mul(10);
    }
    n.div_ceil(unit).saturating_mul(unit)
}

/// An estimate with its standard deviation; what rounds to 0 has no sign.
pub(crate) fn plus_minus(estimate: Estimate) -> String {
    let mean = format!("{:+.4}", estimate.mean);
    let mean = if matches!(&*mean, "+0.0000" | "-0.0000") { "0.0000" } else { &mean };
    format!("{mean} ± {:.4}", estimate.sd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        let shown = [0, 999, 1_000, 12_345_678].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "12,345,678"]);
    }

    #[test]
    fn a_sign_is_shown_unless_the_number_is_zero() {
        let shown = [0.01234, -0.5, -1e-9, 0.0].map(|mean| plus_minus(Estimate { mean, sd: 0.1 }));
        assert_eq!(shown, ["+0.0123 ± 0.1000", "-0.5000 ± 0.1000", "0.0000 ± 0.1000", "0.0000 ± 0.1000"]);
    }

    #[test]
    fn rounded_numbers_are_tens_or_have_two_digits() {
        for (rows, rounded) in [(1, 10), (99, 100), (120, 120), (121, 130), (1_021, 1_100), (1_999, 2_000)] {
            assert_eq!(about(rows), rounded);
        }
        assert_eq!(about(u64::MAX), u64::MAX, "nothing overflows");
    }
}
