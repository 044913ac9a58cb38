//! What a program answered, as a number.

use super::fault::Fault;

/// The one finite number in these bytes.
pub(super) fn number(said: &[u8]) -> Result<f64, Fault> {
    match words(said)?[..] {
        [word] => finite(word, said),
        _ => Err(refused(said, "which is more than one number")),
    }
}

/// A finite number, and its standard error if there is a second one.
pub(super) fn measurement(said: &[u8]) -> Result<(f64, Option<f64>), Fault> {
    match words(said)?[..] {
        [value] => Ok((finite(value, said)?, None)),
        [value, se] => match (finite(value, said)?, finite(se, said)?) {
            (value, se) if se >= 0.0 => Ok((value, Some(se))),
            _ => Err(refused(said, "whose second number, the standard error, is below 0")),
        },
        _ => Err(refused(said, "which is more than a number and its standard error")),
    }
}

/// The words in these bytes, at least one.
fn words(said: &[u8]) -> Result<Vec<&str>, Fault> {
    let text = std::str::from_utf8(said).map_err(|_| refused(said, "which is not UTF-8 text"))?;
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() { Err(Fault::Blank) } else { Ok(words) }
}

fn finite(word: &str, said: &[u8]) -> Result<f64, Fault> {
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(refused(said, "which is not a finite number")),
        Err(_) => Err(refused(said, "which is not a number")),
    }
}

fn refused(said: &[u8], why: &'static str) -> Fault {
    Fault::BadAnswer { said: said.to_vec(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_finite_number() {
        for (said, value) in [("0.5", 0.5), (" -1e-3\r", -0.001), ("1\n\n", 1.0), ("+.25", 0.25)] {
            assert!(number(said.as_bytes()).is_ok_and(|found| (found - value).abs() < 1e-18), "{said}");
        }
        for (said, why) in [
            (&b"nan"[..], "not a finite"),
            (b"-inf", "not a finite"),
            (b"1e999", "not a finite"),
            (b"0.5 0.6", "more than one"),
            (b"0,5", "not a number"),
            (b"True", "not a number"),
            (b"\xff", "not UTF-8"),
        ] {
            let Err(Fault::BadAnswer { why: found, .. }) = number(said) else { panic!("{said:?}") };
            assert!(found.contains(why), "{said:?}: {found}");
        }
        assert!(matches!(number(b" \t"), Err(Fault::Blank)));
    }

    #[test]
    fn a_measurement_may_have_a_standard_error() {
        assert!(matches!(measurement(b"0.5\n"), Ok((_, None))));
        assert!(matches!(measurement(b"0.5 0.01"), Ok((_, Some(se))) if se > 0.0));
        for said in [&b"0.5 -0.01"[..], b"0.5 0.1 3", b"0.5 nan", b"", b"a b"] {
            assert!(measurement(said).is_err(), "{said:?}");
        }
    }
}
