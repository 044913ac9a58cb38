//! Numbers as base64, which the script of the page decodes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The smallest probability above 0 in 16 bits; smaller ones are rounded up to it.
const FLOOR: f64 = 1e-12;

/// The precision of encoded probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Exact.
    Double,
    /// About seven digits.
    Single,
    /// Logarithms in 65,535 even steps.
    Log16,
}

impl Precision {
    /// The highest precision at which `numbers` fit into `letters` characters; the lowest if none fits.
    pub(crate) fn for_numbers(numbers: usize, letters: usize) -> Self {
        let fits = |precision: &Self| numbers <= precision.room(letters);
        [Self::Double, Self::Single].into_iter().find(fits).unwrap_or(Self::Log16)
    }

    /// How many numbers fit into `letters` characters: base64 writes three bytes as four.
    pub(crate) fn room(self, letters: usize) -> usize {
        letters / 4 * 3 / self.bytes()
    }

    fn bytes(self) -> usize {
        match self {
            Self::Double => 8,
            Self::Single => 4,
            Self::Log16 => 2,
        }
    }

    /// Probabilities, row by row.
    pub(crate) fn probabilities(self, values: impl Iterator<Item = f64>) -> Value {
        let (name, bytes): (_, Vec<u8>) = match self {
            Self::Double => ("f64", values.flat_map(f64::to_le_bytes).collect()),
            Self::Single => ("f32", values.flat_map(|value| (value as f32).to_le_bytes()).collect()),
            Self::Log16 => ("log16", values.flat_map(|value| log16(value).to_le_bytes()).collect()),
        };
        json!({"type": name, "low": FLOOR.ln(), "data": STANDARD.encode(bytes)})
    }
}

/// 0 is 0, and k from 1 on is `exp(low · (1 − (k − 1) / 65534))`.
fn log16(value: f64) -> u16 {
    if value <= 0.0 {
        return 0;
    }
    let place = 1.0 - value.clamp(FLOOR, 1.0).ln() / FLOOR.ln();
    1 + (place * 65_534.0).round() as u16
}

/// Class indices.
pub(crate) fn classes(classes: impl Iterator<Item = u16>) -> String {
    STANDARD.encode(classes.flat_map(u16::to_le_bytes).collect::<Vec<u8>>())
}

/// Row weights, exact.
pub(crate) fn weights(weights: impl Iterator<Item = f64>) -> String {
    STANDARD.encode(weights.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn back(code: u16) -> f64 {
        if code == 0 { 0.0 } else { (FLOOR.ln() * (1.0 - f64::from(code - 1) / 65_534.0)).exp() }
    }

    #[test]
    fn the_precision_is_the_highest_that_fits() {
        let letters = 1_400_000;
        assert_eq!(Precision::for_numbers(10_000 * 10, letters), Precision::Double);
        assert_eq!(Precision::for_numbers(10_000 * 20, letters), Precision::Single);
        assert_eq!(Precision::for_numbers(10_000 * 50, letters), Precision::Log16);
        assert!(10_000 * 50 <= Precision::Log16.room(letters));
        let letters =
            |precision: Precision| precision.probabilities([0.5; 300].into_iter())["data"].to_string().len();
        assert!(letters(Precision::Double) <= 3_202 && Precision::Double.room(3_200) == 300);
    }

    #[test]
    fn zero_and_one_are_exact() {
        assert_eq!([0.0, 1.0].map(|value| back(log16(value))), [0.0, 1.0]);
        assert_eq!(log16(1e-300), 1, "never 0: that would change predictions");
    }

    proptest! {
        #[test]
        fn the_relative_error_is_below_one_in_four_thousand(value in 1e-12..1.0f64) {
            prop_assert!((back(log16(value)) / value - 1.0).abs() < 1.0 / 4000.0);
        }
    }
}
