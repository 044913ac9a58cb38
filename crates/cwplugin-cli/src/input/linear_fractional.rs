//! `linear-fractional:FILE.json`: the coefficients of a ratio.

use std::path::Path;

use cwplugin::Error;
use cwplugin::data::{classes_hint, quoted, refuse_repeated_fields};
use cwplugin::metric::LinearFractional;
use serde_json::{Map, Value};

use crate::output::shown;
use crate::user_error::UserError;
use crate::whole_file::{SMALL, read_text};

const FORM: &str = "write {\"a\": [1, 2], \"b\": 0, \"c\": {\"CLASS\": -0.5}, \"d\": 1}, with a and c as lists in the order of \
                    the classes, or as objects by class name (a missing class is 0)";

/// The library's limit.
const LARGEST: f64 = 1e100;

/// Reads the coefficients: `{"a": …, "b": …, "c": …, "d": …}`.
///
/// b defaults to 0. d has no default: a denominator needs a constant.
pub(super) fn read(name: &str, path: &Path, classes: &[String]) -> Result<LinearFractional, UserError> {
    let file = File { name: path.display().to_string(), classes };
    let hint = "linear-fractional:FILE names a JSON file with the coefficients a, b, c and d";
    let text = read_text(path, "coefficients", SMALL, hint)?;
    let not_coefficients = |error: serde_json::Error| file.error(&error.to_string()).hint(FORM);
    refuse_repeated_fields(&text).map_err(not_coefficients)?;
    let fields: Map<String, Value> = serde_json::from_str(&text).map_err(not_coefficients)?;
    let (mut a, mut b, mut c, mut d) = (None, None, None, None);
    for (field, value) in &fields {
        match field.as_str() {
            "a" => a = Some(file.by_class("a", value)?),
            "b" => b = Some(file.number("field \"b\"", value)?),
            "c" => c = Some(file.by_class("c", value)?),
            "d" => d = Some(file.number("field \"d\"", value)?),
            _ => return Err(file.error(&format!("unknown field \"{}\"", shown(field))).hint(FORM)),
        }
    }
    let missing = |field: &str| file.error(&format!("field \"{field}\" is missing")).hint(FORM);
    let (a, c) = (a.ok_or_else(|| missing("a"))?, c.ok_or_else(|| missing("c"))?);
    let d = d.ok_or_else(|| missing("d").hint("write the constant of the denominator, e.g. \"d\": 1"))?;
    file.check_denominator(&c, d)?;
    LinearFractional::new(name, a, b.unwrap_or(0.0), c, d).map_err(|error| match error {
        Error::MetricParameter { expected, .. } => file.error(expected).hint(FORM),
        error => file.error(&error.to_string()).hint(FORM),
    })
}

/// The file, with the class names.
struct File<'a> {
    name: String,
    classes: &'a [String],
}

impl File<'_> {
    fn error(&self, what: &str) -> UserError {
        UserError::new(format!("{}: {what}", self.name))
    }

    /// One number per class, from a list or an object.
    fn by_class(&self, field: &str, value: &Value) -> Result<Vec<f64>, UserError> {
        let m = self.classes.len();
        let place = |class: &str| format!("field \"{field}\", class \"{class}\"");
        match value {
            Value::Array(list) if list.len() == m => {
                let values = self.classes.iter().zip(list);
                values.map(|(class, value)| self.number(&place(class), value)).collect()
            }
            Value::Array(list) => {
                let what = format!("field \"{field}\" has {} numbers, but there are {m} classes", list.len());
                let names = quoted(self.classes);
                Err(self.error(&what).hint(format!("write one number for each of {names}")))
            }
            Value::Object(given) => {
                if let Some(class) = given.keys().find(|class| !self.classes.contains(class)) {
                    let what = format!("field \"{field}\": unknown class \"{}\"", shown(class));
                    return Err(self.error(&what).hint(classes_hint(class, self.classes)));
                }
                let number = |class: &String| {
                    given.get(class).map_or(Ok(0.0), |value| self.number(&place(class), value))
                };
                self.classes.iter().map(number).collect()
            }
            other => {
                let what = format!(
                    "field \"{field}\": {} is neither a list nor an object",
                    shown(&other.to_string())
                );
                Err(self.error(&what).hint(FORM))
            }
        }
    }

    fn number(&self, place: &str, value: &Value) -> Result<f64, UserError> {
        value.as_f64().filter(|number| number.abs() <= LARGEST).ok_or_else(|| {
            let what = format!("{place}: {} is not a number from -1e100 to 1e100", shown(&value.to_string()));
            self.error(&what).hint("write a plain number, e.g. 0.25, without quotation marks")
        })
    }

    /// Refuses a denominator that is not positive for every matrix.
    fn check_denominator(&self, c: &[f64], d: f64) -> Result<(), UserError> {
        let least = c.iter().zip(self.classes).min_by(|(c, _), (other, _)| c.total_cmp(other));
        let (c, where_least) = match least {
            Some((&c, class)) if c < 0.0 => (c, format!("every row is of class \"{class}\" and right")),
            _ => (0.0, "no row is right".to_string()),
        };
        if d + c > 0.0 {
            return Ok(()); // the library checks the rounding
        }
        let what = format!("the denominator is {} where {where_least}", d + c);
        Err(self.error(&what).hint(format!(
            "d plus the smallest c, or d alone if no c is negative, must be above 0: choose d above {}",
            0.0 - c // no minus zero
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.json");
        std::fs::write(&path, text).unwrap();
        let classes = ["a", "b"].map(String::from);
        match read("linear-fractional:f.json", &path, &classes) {
            Ok(metric) => format!("{metric:?}"),
            Err(error) => {
                assert!(error.cure.is_some());
                error.to_string().split_once("f.json: ").unwrap().1.to_string()
            }
        }
    }

    #[test]
    fn coefficients_are_read_in_order_and_by_name() {
        let in_order = message(r#"{"a": [1, 2.5], "b": 0, "c": [0, -1e-1], "d": 1}"#);
        assert!(in_order.contains("a: [1.0, 2.5], b: 0.0, c: [0.0, -0.1], d: 1.0"), "{in_order}");
        assert_eq!(
            message("\u{feff}{\"d\": 1, \"c\": {\"b\": -0.1}, \"a\": {\"b\": 2.5, \"a\": 1}}"),
            in_order
        );
    }

    #[test]
    fn errors_name_field_class_and_value() {
        for (text, expected) in [
            (r#"{"a": [1], "c": [0, 0], "d": 1}"#, "field \"a\" has 1 numbers, but there are 2 classes"),
            (r#"{"a": {"x": 1}, "c": [0, 0], "d": 1}"#, "field \"a\": unknown class \"x\""),
            (r#"{"a": 1, "c": [0, 0], "d": 1}"#, "field \"a\": 1 is neither a list nor an object"),
            (r#"{"a": [1, 1], "c": [0, 0], "d": 1, "e": 0}"#, "unknown field \"e\""),
            (r#"{"c": [0, 0], "d": 1}"#, "field \"a\" is missing"),
            (r#"{"a": [0, 0], "d": 1}"#, "field \"c\" is missing"),
            (r#"{"a": [0, 0], "c": {}}"#, "field \"d\" is missing"),
            (
                r#"{"a": [0, 1e200], "c": {}, "d": 1}"#,
                "field \"a\", class \"b\": 1e+200 is not a number from -1e100 to 1e100",
            ),
            (
                r#"{"a": [0, 1], "b": "2", "c": {}, "d": 1}"#,
                "field \"b\": \"2\" is not a number from -1e100 to 1e100",
            ),
            (r#"{"a": [0, 1], "c": {}, "d": 0}"#, "the denominator is 0 where no row is right"),
            (
                r#"{"a": [0, 1], "c": {"b": -2}, "d": 1.5}"#,
                "the denominator is -0.5 where every row is of class \"b\" and right",
            ),
            ("[1, 2]", "invalid type: sequence, expected a map at line 1 column 0"),
            ("{\"a\": NaN}", "expected value at line 1 column 7"),
            ("", "is empty, not coefficients"),
        ] {
            assert_eq!(message(text), expected, "{text}");
        }
        let rounding = message(r#"{"a": [0, 1], "c": {"b": -1}, "d": 1.0000000000001}"#);
        assert!(rounding.contains("must be above 0"), "{rounding}");
    }
}
