//! Constants that Python writes into JSON although JSON has none: `NaN`, `Infinity` and `-Infinity`.

/// The document with texts in the place of `NaN` and `Infinity`, so that the reader can name the field, and the smallest
/// number in the place of `-Infinity`: the logarithm of a probability that is not known. None if there are no constants.
pub(crate) fn without_constants(json: &str) -> Option<String> {
    let bytes = json.as_bytes();
    let mut changed = String::new();
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (constant, instead) = match rest[0] {
            b'"' => {
                at += string_length(rest);
                continue;
            }
            b'N' if rest.starts_with(b"NaN") => ("NaN", "\"NaN\""),
            b'I' if rest.starts_with(b"Infinity") => ("Infinity", "\"Infinity\""),
            b'-' if rest.starts_with(b"-Infinity") => ("-Infinity", "-1e308"),
            _ => {
                at += 1;
                continue;
            }
        };
        changed.push_str(json.get(copied..at)?);
        changed.push_str(instead);
        at += constant.len();
        copied = at;
    }
    if copied == 0 {
        return None;
    }
    changed.push_str(json.get(copied..)?);
    Some(changed)
}

/// Length of the string at the start, with its quotes.
fn string_length(bytes: &[u8]) -> usize {
    let mut end = 1;
    while end < bytes.len() && bytes[end] != b'"' {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    end + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_outside_of_texts_are_replaced() {
        let json = r#"{"NaN": [NaN, -Infinity, Infinity], "b": "\"NaN"}"#;
        let changed = r#"{"NaN": ["NaN", -1e308, "Infinity"], "b": "\"NaN"}"#;
        assert_eq!(without_constants(json).unwrap(), changed);
        assert_eq!(without_constants(r#"{"a": "NaN", "b": -1}"#), None);
        assert_eq!(without_constants("\"NaN\\"), None);
    }
}
