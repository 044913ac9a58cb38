//! Lines to a program and from it: a confusion matrix as JSON, and a number.

use std::fmt::Write as _;

use cwplugin::{Answer, Confusion};

use super::failure::Failure;

/// `{"classes": [...], "confusion": [[...]]}`: rows are truths, columns predictions. Numbers have the fewest digits that
/// give the same double; whole numbers have no decimal point.
pub(super) fn matrix(confusion: &Confusion, classes: &[String]) -> String {
    let names: Vec<&str> =
        confusion.classes().iter().filter_map(|&class| classes.get(class)).map(String::as_str).collect();
    let mut text = format!("{{\"classes\": {}, \"confusion\": [", serde_json::json!(names));
    for (truth, row) in confusion.rows().enumerate() {
        text += if truth == 0 { "[" } else { ", [" };
        for (predicted, count) in row.iter().enumerate() {
            let comma = if predicted == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}{}", count + 0.0); // no minus zero
        }
        text += "]";
    }
    text + "]}"
}

/// A key that identifies a matrix.
pub(super) fn key(confusion: &Confusion) -> Vec<u64> {
    let classes = confusion.classes().iter().map(|&class| class as u64);
    classes.chain(confusion.rows().flatten().map(|count| count.to_bits())).collect()
}

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

    #[test]
    fn a_matrix_is_one_line_with_short_numbers() {
        let classes = ["a \"b\"", "ü"].map(String::from);
        let c = Confusion::from_rows(&[[5.0, 0.1], [-0.0, 1e-7]]);
        let text = matrix(&c, &classes);
        assert_eq!(text, r#"{"classes": ["a \"b\"","ü"], "confusion": [[5, 0.1], [0, 0.0000001]]}"#);
        let third = Confusion::from_rows(&[[1.0 / 3.0, 1e21], [2.5, 4.0]]);
        let back: serde_json::Value = serde_json::from_str(&matrix(&third, &classes)).unwrap();
        assert_eq!(back["confusion"][0][0].as_f64(), Some(1.0 / 3.0));
        assert_eq!(back["confusion"][0][1].as_f64(), Some(1e21));
        assert_ne!(key(&c), key(&third));
    }
}
