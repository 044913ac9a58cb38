//! A confusion matrix as one line of JSON.

use std::fmt::Write as _;

use cwplugin::Confusion;

/// `{"classes": [...], "confusion": [[...]]}`: rows are truths, columns predictions. Numbers have the fewest digits that
/// give the same double; whole numbers have no decimal point.
pub(super) fn line(confusion: &Confusion, classes: &[String]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_one_line_with_short_numbers() {
        let classes = ["a \"b\"", "ü"].map(String::from);
        let c = Confusion::from_rows(&[[5.0, 0.1], [-0.0, 1e-7]]);
        let text = line(&c, &classes);
        assert_eq!(text, r#"{"classes": ["a \"b\"","ü"], "confusion": [[5, 0.1], [0, 0.0000001]]}"#);
        let third = Confusion::from_rows(&[[1.0 / 3.0, 1e21], [2.5, 4.0]]);
        let back: serde_json::Value = serde_json::from_str(&line(&third, &classes)).unwrap();
        assert_eq!(back["confusion"][0][0].as_f64(), Some(1.0 / 3.0));
        assert_eq!(back["confusion"][0][1].as_f64(), Some(1e21));
        assert_ne!(key(&c), key(&third));
    }
}
