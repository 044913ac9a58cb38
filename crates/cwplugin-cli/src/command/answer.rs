//! The answer of a program as a number.

use cwplugin::Answer;

use super::failure::Failure;

/// A single finite number.
pub(super) fn number(answer: &[u8]) -> Result<f64, Failure> {
    match words(answer)?[..] {
        [word] => finite(word, answer),
        _ => Err(bad_answer(answer, "which is more than one number")),
    }
}

/// A finite number, and its standard error if there is a second number.
pub(super) fn measurement(answer: &[u8]) -> Result<Answer, Failure> {
    match words(answer)?[..] {
        [value] => Ok(Answer { value: finite(value, answer)?, se: None }),
        [value, se] => match (finite(value, answer)?, finite(se, answer)?) {
            (value, se) if se >= 0.0 => Ok(Answer { value, se: Some(se) }),
            _ => Err(bad_answer(answer, "whose second number, the standard error, is below 0")),
        },
        _ => Err(bad_answer(answer, "which is more than a number and its standard error")),
    }
}

/// The words of an answer, at least one.
fn words(answer: &[u8]) -> Result<Vec<&str>, Failure> {
    let text = std::str::from_utf8(answer).map_err(|_| bad_answer(answer, "which is not UTF-8 text"))?;
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() { Err(Failure::EmptyLine) } else { Ok(words) }
}

fn finite(word: &str, answer: &[u8]) -> Result<f64, Failure> {
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(bad_answer(answer, "which is not a finite number")),
        Err(_) => Err(bad_answer(answer, "which is not a number")),
    }
}

fn bad_answer(answer: &[u8], why: &'static str) -> Failure {
    Failure::BadAnswer { answer: answer.to_vec(), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_finite_number() {
        for (answer, value) in [("0.5", 0.5), (" -1e-3\r", -0.001), ("1\n\n", 1.0), ("+.25", 0.25)] {
            assert!(number(answer.as_bytes()).is_ok_and(|found| (found - value).abs() < 1e-18), "{answer}");
        }
        for (answer, why) in [
            (&b"nan"[..], "not a finite"),
            (b"-inf", "not a finite"),
            (b"1e999", "not a finite"),
            (b"0.5 0.6", "more than one"),
            (b"0,5", "not a number"),
            (b"True", "not a number"),
            (b"\xff", "not UTF-8"),
        ] {
            let Err(Failure::BadAnswer { why: found, .. }) = number(answer) else { panic!("{answer:?}") };
            assert!(found.contains(why), "{answer:?}: {found}");
        }
        assert!(matches!(number(b" \t"), Err(Failure::EmptyLine)));
    }

    #[test]
    fn a_measurement_may_have_a_standard_error() {
        assert!(matches!(measurement(b"0.5\n"), Ok(Answer { se: None, .. })));
        assert!(matches!(measurement(b"0.5 0.01"), Ok(Answer { se: Some(se), .. }) if se > 0.0));
        for answer in [&b"0.5 -0.01"[..], b"0.5 0.1 3", b"0.5 nan", b"", b"a b"] {
            assert!(measurement(answer).is_err(), "{answer:?}");
        }
    }
}
