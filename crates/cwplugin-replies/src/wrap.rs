//! One document: the reply, and the label and id beside it, in one pass.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::path::FieldPath;
use crate::value::{Json, Scalar, Text};
use crate::vendors::Reply;

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
pub(crate) struct Wrapped<'a> {
    pub(crate) reply: Reply<'a>,
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
    pub(crate) error: Option<Json<'a>>,
    pub(crate) status: Option<u64>,
}

impl<'a> Wrapped<'a> {
    pub(crate) fn read(json: &'a str, wrapping: &Wrapping) -> Result<Self, serde_json::Error> {
        let mut document = Self::default();
        let mut deserializer = serde_json::Deserializer::from_str(json);
        Level { document: &mut document, place: Place::Top(wrapping) }.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(document)
    }

    /// Reads a field of the document.
    fn top_field<A: MapAccess<'a>>(
        &mut self,
        Text(key): Text<'a>,
        map: &mut A,
        wrapping: &Wrapping,
    ) -> Result<(), A::Error> {
        let path = wrapping.reply_at.as_ref().map(FieldPath::parts);
        match (path, key.as_ref()) {
            (Some([first, rest @ ..]), key) if key == first => {
                map.next_value_seed(Level { document: self, place: Place::Inside(rest) })
            }
            (_, key) if key == wrapping.label_field() => scalar(&mut self.label, map),
            (_, key) if key == wrapping.id_field() => scalar(&mut self.id, map),
            (_, "custom_id") if wrapping.batch_lines => scalar(&mut self.custom_id, map),
            (None, "response") if wrapping.batch_lines => {
                map.next_value_seed(Level { document: self, place: Place::Batch })
            }
            (None, _) => self.reply_field(Text(key), map),
            (Some(_), "error") => self.error(map),
            (Some(_), _) => map.next_value::<IgnoredAny>().map(drop),
        }
    }

    /// Reads a field of the reply itself.
    fn reply_field<A: MapAccess<'a>>(&mut self, Text(key): Text<'a>, map: &mut A) -> Result<(), A::Error> {
        match key.as_ref() {
            "error" | "Error" => self.error(map),
            "id" => scalar(&mut self.reply_id, map),
            _ => self.reply.field(key, map),
        }
    }

    fn error<A: MapAccess<'a>>(&mut self, map: &mut A) -> Result<(), A::Error> {
        let error: Json<'a> = map.next_value()?;
        self.error = Some(error).filter(|error| !error.is_null()).or(self.error);
        Ok(())
    }
}

fn scalar<'a, A: MapAccess<'a>>(field: &mut Scalar<'a>, map: &mut A) -> Result<(), A::Error> {
    *field = map.next_value::<Json<'a>>()?.scalar();
    Ok(())
}

/// A value of the document.
struct Level<'d, 'a> {
    document: &'d mut Wrapped<'a>,
    place: Place<'d>,
}

enum Place<'d> {
    /// The whole document.
    Top(&'d Wrapping),
    /// A value with the reply at this path; the reply itself if the path is empty.
    Inside(&'d [String]),
    /// The field `response` of a line of a batch output file.
    Batch,
}

impl<'de> DeserializeSeed<'de> for Level<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a reply")
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Err(E::custom("expected a reply, found a text"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Err(E::custom("expected a reply, found true or false"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Err(E::custom("expected a reply, found a number"))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    /// No reply here; an error beside it may say why.
    fn visit_unit<E: Error>(self) -> Result<(), E> {
        match self.place {
            Place::Top(_) => Err(E::custom("expected a reply, found null")),
            _ => Ok(()),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { document, place } = self;
        document.has_reply |= match &place {
            Place::Top(wrapping) => wrapping.reply_at.is_none(),
            Place::Inside(path) => path.is_empty(),
            Place::Batch => false,
        };
        while let Some(Text(key)) = map.next_key()? {
            match &place {
                Place::Top(wrapping) => document.top_field(Text(key), &mut map, wrapping)?,
                Place::Inside([]) => document.reply_field(Text(key), &mut map)?,
                Place::Inside([first, rest @ ..]) if *key == **first => {
                    map.next_value_seed(Level { document: &mut *document, place: Place::Inside(rest) })?;
                }
                Place::Batch if key == "status_code" => document.status = map.next_value()?,
                Place::Batch if key == "body" => {
                    document.is_batch_line = true;
                    map.next_value_seed(Level { document: &mut *document, place: Place::Inside(&[]) })?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let (first, rest) = match self.place {
            Place::Inside([first, rest @ ..]) => (first, rest),
            Place::Inside([]) | Place::Top(Wrapping { reply_at: None, .. }) => {
                self.document.has_reply = true;
                let list = self.document.reply.list.insert(Vec::new());
                while let Some(item) = seq.next_element()? {
                    list.push(item);
                }
                return Ok(());
            }
            _ => return Err(A::Error::custom("expected an object around the reply, found a list")),
        };
        let index: Option<usize> = first.parse().ok();
        let mut at = 0;
        loop {
            let more = if index == Some(at) {
                let place = Place::Inside(rest);
                seq.next_element_seed(Level { document: &mut *self.document, place })?.is_some()
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
