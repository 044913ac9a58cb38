//! What a user can do about an error.

use super::{Error, classes_hint};

impl Error {
    /// What to do about the error, if that does not depend on how a program names its options. `classes` are the class names.
    pub fn cure(&self, classes: &[String]) -> Option<String> {
        match self {
            Self::NotFinite { .. } => Some("replace it with a number, or drop the row".into()),
            Self::BadRowWeight { .. } => Some("a row of weight 0 is ignored".into()),
            Self::MetricClass { class, .. } => Some(classes_hint(class, classes)),
            _ => None,
        }
    }
}
