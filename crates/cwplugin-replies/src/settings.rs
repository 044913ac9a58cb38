//! How replies are read, as it is stored beside a model.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::classes::Classes;
use crate::error::ReplyError;
use crate::missing::Missing;
use crate::path::FieldPath;
use crate::reader::Reader;
use crate::source::Source;

/// All that turns replies into probabilities, besides the class names.
///
/// Fields with their default value are left out of the JSON.
///
/// ```
/// use cwplugin_replies::{Settings, Source};
///
/// let settings: Settings = serde_json::from_str(r#"{"from": "openai", "spellings": {"spam": ["yes"]}}"#).unwrap();
/// let reader = settings.reader(["ham", "spam"])?;
/// assert_eq!(Settings::of(&reader), settings);
/// # Ok::<(), cwplugin_replies::ReplyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The source.
    pub from: Source,
    /// Spellings that were given, by class.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub spellings: BTreeMap<String, Vec<String>>,
    /// What a class gets that a reply does not list.
    #[serde(default, skip_serializing_if = "is_default")]
    pub missing: Missing,
    /// The field that contains the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<FieldPath>,
    /// The field of a JSON answer whose value is the class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_at: Option<FieldPath>,
}

fn is_default(missing: &Missing) -> bool {
    *missing == Missing::default()
}

impl Settings {
    /// The settings of a reader.
    pub fn of(reader: &Reader) -> Self {
        let spellings = reader.classes().given_spellings();
        Self {
            from: reader.source(),
            spellings: spellings.map(|(class, list)| (class.to_owned(), list.to_vec())).collect(),
            missing: reader.missing_classes(),
            reply: reader.reply_path().cloned(),
            answer_at: reader.answer_path().cloned(),
        }
    }

    /// The reader with these settings.
    ///
    /// # Errors
    ///
    /// Any configuration error: [`ReplyError::kind`] is `configuration`.
    pub fn reader<I>(&self, classes: I) -> Result<Reader, ReplyError>
    where
        I: IntoIterator<Item: Into<String>>,
    {
        let classes = Classes::new(classes)?.spellings(&self.spellings)?;
        let mut reader = Reader::new(self.from, classes).missing(self.missing);
        if let Some(path) = &self.reply {
            reader = reader.reply_at(path.clone());
        }
        match &self.answer_at {
            Some(path) => reader.answer_at(path.clone()),
            None => Ok(reader),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_left_out() {
        let plain = r#"{"from":"google-nl"}"#;
        let settings: Settings = serde_json::from_str(plain).unwrap();
        assert_eq!(serde_json::to_string(&settings).unwrap(), plain);
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for bad in [
            r#"{"from": "x"}"#,
            r#"{"from": "openai", "missing": "floor:2"}"#,
            r#"{"from": "openai", "reply": "a..b"}"#,
            r#"{"from": "openai", "other": 1}"#,
        ] {
            assert!(serde_json::from_str::<Settings>(bad).is_err(), "{bad}");
        }
        let settings: Settings = serde_json::from_str(r#"{"from": "azure", "answer_at": "x"}"#).unwrap();
        assert_eq!(settings.reader(["a", "b"]).unwrap_err().kind(), "configuration");
        let settings: Settings =
            serde_json::from_str(r#"{"from": "azure", "spellings": {"c": ["x"]}}"#).unwrap();
        assert_eq!(settings.reader(["a", "b"]).unwrap_err().kind(), "configuration");
    }
}
