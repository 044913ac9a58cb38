//! One document: the reply, and the label and id beside it, in one pass.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::ReplyError;
use crate::output::Output;
use crate::path::FieldPath;
use crate::value::{Scalar, Text};

/// A reply of one source.
pub(crate) trait Reply<'de>: Default {
    /// What is expected, for messages.
    const EXPECTED: &'static str;

    /// Reads the value of `key`, if the reply has such a field.
    fn field<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error>;

    /// Reads a reply that is a list.
    fn list<A: SeqAccess<'de>>(&mut self, list: A) -> Result<(), A::Error> {
        drop(list);
        Err(A::Error::custom(format_args!("expected {}, found a list", Self::EXPECTED)))
    }

    /// Adds the rows of the reply.
    fn rows(self, output: &mut Output<'_>) -> Result<(), ReplyError>;
}

/// Whether a reply has a field of that name; if not, its value has not been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Yes,
    No,
}

/// Where the reply, the label and the id are.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Wrapping {
    pub(crate) reply_at: Option<FieldPath>,
    pub(crate) label_field: Option<String>,
    pub(crate) id_field: Option<String>,
    /// Whether lines of an `OpenAI` batch output file are recognised.
    pub(crate) batch_lines: bool,
}

impl Wrapping {
    pub(crate) fn label_field(&self) -> &str {
        self.label_field.as_deref().unwrap_or("label")
    }

    pub(crate) fn id_field(&self) -> &str {
        self.id_field.as_deref().unwrap_or("id")
    }
}

/// A document as it was read.
#[derive(Debug, Default)]
pub(crate) struct Wrapped<'a, R> {
    pub(crate) reply: R,
    /// Whether there is a value where the reply should be.
    pub(crate) has_reply: bool,
    /// Whether it is a line of a batch output file.
    pub(crate) is_batch_line: bool,
    pub(crate) label: Scalar<'a>,
    pub(crate) id: Scalar<'a>,
    pub(crate) custom_id: Scalar<'a>,
    /// The reply's own id.
    pub(crate) reply_id: Scalar<'a>,
    /// An error object instead of a reply, or beside it.
    pub(crate) error: Option<&'a RawValue>,
    pub(crate) status: Option<u64>,
}

impl<'a, R: Reply<'a>> Wrapped<'a, R> {
    pub(crate) fn read(json: &'a str, wrapping: &Wrapping) -> Result<Self, serde_json::Error> {
        let mut document = Self::default();
        let mut deserializer = serde_json::Deserializer::from_str(json);
        Top { document: &mut document, wrapping }.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(document)
    }

    /// Reads a field of the reply itself.
    fn reply_field<A: MapAccess<'a>>(&mut self, key: &str, map: &mut A) -> Result<Known, A::Error> {
        match key {
            "error" | "Error" => self.error = not_null(map.next_value()?).or(self.error),
            "id" => self.reply_id = map.next_value()?,
            _ => return self.reply.field(key, map),
        }
        Ok(Known::Yes)
    }
}

fn not_null(value: &RawValue) -> Option<&RawValue> {
    Some(value).filter(|value| value.get() != "null")
}

/// The whole document.
struct Top<'d, 'a, R> {
    document: &'d mut Wrapped<'a, R>,
    wrapping: &'d Wrapping,
}

impl<'de, R: Reply<'de>> DeserializeSeed<'de> for Top<'_, 'de, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Reply<'de>> Visitor<'de> for Top<'_, 'de, R> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(R::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { document, wrapping } = self;
        let path = wrapping.reply_at.as_ref().map(FieldPath::parts);
        document.has_reply = path.is_none();
        while let Some(Text(key)) = map.next_key()? {
            match (path, key.as_ref()) {
                (Some([first, rest @ ..]), key) if key == first => {
                    map.next_value_seed(Inner { document, path: rest })?;
                }
                (_, key) if key == wrapping.label_field() => document.label = map.next_value()?,
                (_, key) if key == wrapping.id_field() => document.id = map.next_value()?,
                (_, "custom_id") if wrapping.batch_lines => document.custom_id = map.next_value()?,
                (None, "response") if wrapping.batch_lines => {
                    map.next_value_seed(BatchResponse { document })?;
                }
                (None, key) => {
                    if document.reply_field(key, &mut map)? == Known::No {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                (Some(_), "error") => document.error = not_null(map.next_value()?).or(document.error),
                (Some(_), _) => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        if self.wrapping.reply_at.is_some() {
            return Err(A::Error::custom("expected an object around the reply, found a list"));
        }
        self.document.has_reply = true;
        self.document.reply.list(seq)
    }
}

/// A value inside the document, with the reply at `path`.
struct Inner<'d, 'a, R> {
    document: &'d mut Wrapped<'a, R>,
    path: &'d [String],
}

impl<'de, R: Reply<'de>> DeserializeSeed<'de> for Inner<'_, 'de, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Reply<'de>> Visitor<'de> for Inner<'_, 'de, R> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(R::EXPECTED)
    }

    /// No reply here; an error beside it may say why.
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { document, path } = self;
        document.has_reply |= path.is_empty();
        while let Some(Text(key)) = map.next_key()? {
            match path {
                [] => {
                    if document.reply_field(&key, &mut map)? == Known::No {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                [first, rest @ ..] if *key == **first => {
                    map.next_value_seed(Inner { document: &mut *document, path: rest })?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Some((first, rest)) = self.path.split_first() else {
            self.document.has_reply = true;
            return self.document.reply.list(seq);
        };
        let index: Option<usize> = first.parse().ok();
        let mut at = 0;
        loop {
            let more = if index == Some(at) {
                seq.next_element_seed(Inner { document: &mut *self.document, path: rest })?.is_some()
            } else {
                seq.next_element::<IgnoredAny>()?.is_some()
            };
            if !more {
                return Ok(());
            }
            at += 1;
        }
    }
}

/// The field `response` of a line of a batch output file.
struct BatchResponse<'d, 'a, R> {
    document: &'d mut Wrapped<'a, R>,
}

impl<'de, R: Reply<'de>> DeserializeSeed<'de> for BatchResponse<'_, 'de, R> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Reply<'de>> Visitor<'de> for BatchResponse<'_, 'de, R> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the response of a batch line")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let document = self.document;
        while let Some(Text(key)) = map.next_key()? {
            match key.as_ref() {
                "status_code" => document.status = map.next_value()?,
                "body" => {
                    document.is_batch_line = true;
                    map.next_value_seed(Inner { document: &mut *document, path: &[] })?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}
