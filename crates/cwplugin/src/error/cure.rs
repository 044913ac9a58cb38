//! What a user can do about an error.

use super::Error;

impl Error {
    /// What to do about the error, if that does not depend on how a program names its options. `classes` are the class names.
    pub fn cure(&self, classes: &[String]) -> Option<String> {
        match self {
            Self::NotFinite { .. } => Some("replace it with a number, or drop the row".into()),
            Self::BadRowWeight { .. } => Some("a row of weight 0 is ignored".into()),
            Self::MetricClass { .. } => Some(format!("the classes are {}", quoted(classes))),
            _ => None,
        }
    }
}

/// `"a", "b", "c"`, for a message; long lists are shortened.
pub fn quoted<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<String> = names.into_iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_names_is_shortened() {
        assert_eq!(quoted(["a", "b c"]), r#""a", "b c""#);
        let many: Vec<String> = (0..14).map(|k| k.to_string()).collect();
        assert!(quoted(&many).ends_with(r#", "11" and 2 more"#));
    }
}
