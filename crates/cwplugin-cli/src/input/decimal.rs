//! Fast parsing of short decimals.

/// The longest text: longer ones usually have more digits than a double.
const LONGEST: usize = "0.".len() + 15;

/// Powers of ten that are exact doubles.
const POWERS: [f64; LONGEST] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16];

/// Whole numbers up to this are exact doubles.
const WHOLE: u64 = 1 << 53;

/// The double nearest to a short decimal such as `0.25`; `None` for everything else.
///
/// Digits and power of ten are exact doubles, so the division rounds correctly.
pub(super) fn exact(text: &[u8]) -> Option<f64> {
    if text.len() > LONGEST {
        return None;
    }
    if let Some((&first, rest)) = text.split_first_chunk()
        && first[1] == b'.'
    {
        let digits = rest.iter().try_fold(seven_digits(first)?, |digits, byte| {
            let digit = byte.wrapping_sub(b'0');
            (digit < 10).then(|| 10 * digits + u64::from(digit))
        })?;
        return (digits <= WHOLE).then(|| digits as f64 / POWERS[6 + rest.len()]);
    }
    let (mut digits, mut point) = (0_u64, None);
    for (place, &byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            digits = 10 * digits + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(place);
        } else {
            return None;
        }
    }
    let count = text.len() - usize::from(point.is_some());
    if count == 0 || digits > WHOLE {
        return None;
    }
    let decimals = point.map_or(0, |place| text.len() - 1 - place);
    Some(digits as f64 / POWERS[decimals])
}

/// The digits of a text such as `0.123456`, all at once: most probabilities begin like that.
fn seven_digits(text: [u8; 8]) -> Option<u64> {
    const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);
    let word = u64::from_le_bytes(text);
    // The digit before the point takes its place, and a zero comes before it.
    let digits = (word & !0xffff | (word & 0xff) << 8 | u64::from(b'0')) ^ ZEROS;
    // A byte of 10 or more gets its highest bit, or has it.
    if (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    // Neighbours become numbers of two digits, then of four, then of eight.
    let pairs = 10 * digits + (digits >> 8);
    let [even, odd] = [pairs, pairs >> 16].map(|pairs| pairs & 0x0000_00ff_0000_00ff);
    Some(even.wrapping_mul(100 + (1_000_000 << 32)).wrapping_add(odd.wrapping_mul(1 + (10_000 << 32))) >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_decimal_equals_that_of_the_standard_library() {
        for text in
            ["0", "1", "0.5", ".5", "5.", "0.1", "0.148235", "007.250", "1234567890.123456", "0.000000"]
        {
            assert_eq!(
                exact(text.as_bytes()).map(f64::to_bits),
                text.parse().ok().map(f64::to_bits),
                "{text}"
            );
        }
        let mut seed = 1_u64;
        let mut exacts = 0;
        for _ in 0..100_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (digits, decimals) = (seed >> (8 + seed % 50), (seed >> 32) % 16);
            let digits = format!("{digits:017}");
            let (whole, part) = digits.split_at(17 - usize::try_from(decimals).unwrap());
            let text = format!("{}.{part}", whole.trim_start_matches('0'));
            if let Some(value) = exact(text.as_bytes()) {
                exacts += 1;
                assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
            }
        }
        assert!(exacts > 10_000, "{exacts}");
    }

    #[test]
    fn every_text_of_a_probability_equals_that_of_the_standard_library() {
        for number in (0..2_000_000_u64).step_by(7) {
            for rest in ["", "9", "0123", "123456789"] {
                let text = format!("{}.{:06}{rest}", number / 1_000_000, number % 1_000_000);
                let found = exact(text.as_bytes());
                assert!(found.is_none() || found == text.parse().ok(), "{text}");
                assert!(found.is_some() || text.len() > 16, "{text}");
            }
        }
        for place in 0..12 {
            for byte in (0..=255).filter(|byte: &u8| !byte.is_ascii_digit()) {
                let mut text = *b"0.1234567890";
                text[place] = byte;
                assert!(exact(&text).is_none() || (place, byte) == (1, b'.'), "{text:?}");
            }
        }
    }

    #[test]
    fn everything_else_is_none() {
        for text in [
            "",
            ".",
            "-1",
            "+1",
            "1e3",
            "1.2.3",
            "0,5",
            " 1",
            "nan",
            "12345678901234567890",
            "0.99999999999999999",
        ] {
            assert_eq!(exact(text.as_bytes()), None, "{text}");
        }
    }
}
