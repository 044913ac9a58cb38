//! What a program answered, as a number.

use super::fault::Fault;

/// The one finite number in these bytes.
pub(super) fn parse(said: &[u8]) -> Result<f64, Fault> {
    let refuse = |why| Err(Fault::BadAnswer { said: said.to_vec(), why });
    let Ok(text) = std::str::from_utf8(said) else {
        return refuse("which is not UTF-8 text");
    };
    let mut words = text.split_whitespace();
    match (words.next(), words.next()) {
        (None, _) => Err(Fault::Blank),
        (Some(_), Some(_)) => refuse("which is more than one number"),
        (Some(word), None) => match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            Ok(_) => refuse("which is not a finite number"),
            Err(_) => refuse("which is not a number"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_finite_number() {
        for (said, number) in [("0.5", 0.5), (" -1e-3\r", -0.001), ("1\n\n", 1.0), ("+.25", 0.25)] {
            assert!(parse(said.as_bytes()).is_ok_and(|found| (found - number).abs() < 1e-18), "{said}");
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
            let Err(Fault::BadAnswer { why: found, .. }) = parse(said) else { panic!("{said:?}") };
            assert!(found.contains(why), "{said:?}: {found}");
        }
        assert!(matches!(parse(b" \t"), Err(Fault::Blank)));
    }
}
