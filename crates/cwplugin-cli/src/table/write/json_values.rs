//! Values of any type as JSON.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray, StringArray};
use arrow_schema::{ArrowError, DataType, Field};
use serde_json::value::RawValue;

use super::super::text::{Show, show};
use super::super::{json, texts};

/// The values of one column, each ready to be written as JSON.
pub(super) struct Values<'a> {
    array: &'a dyn Array,
    kind: Kind<'a>,
}

enum Kind<'a> {
    /// Texts that are JSON already.
    Raw(StringArray),
    Text(StringArray),
    Bool(&'a BooleanArray),
    /// Numbers; null if they are not finite.
    Number(Show<'a>),
    List(Box<Values<'a>>, Vec<(usize, usize)>),
    Struct(Vec<(String, Values<'a>)>),
    Dictionary(Box<Values<'a>>, Vec<usize>),
    /// Dates, times, durations, bytes: their text.
    Shown(Show<'a>),
}

impl<'a> Values<'a> {
    pub(super) fn new(field: &Field, array: &'a dyn Array) -> Result<Self, ArrowError> {
        let kind = match array.data_type() {
            _ if json::is_json(field) => Kind::Raw(texts(array)?),
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Kind::Text(texts(array)?),
            DataType::Boolean => Kind::Bool(array.as_boolean()),
            kind if kind.is_numeric() => Kind::Number(show(array)?),
            DataType::List(item) => {
                let list = array.as_list::<i32>();
                Kind::List(Box::new(Self::new(item, list.values())?), bounds(list.offsets()))
            }
            DataType::LargeList(item) => {
                let list = array.as_list::<i64>();
                Kind::List(Box::new(Self::new(item, list.values())?), bounds(list.offsets()))
            }
            DataType::Map(entry, _) => {
                let map = array.as_map();
                Kind::List(Box::new(Self::new(entry, map.entries())?), bounds(map.offsets()))
            }
            DataType::FixedSizeList(item, size) => {
                let (list, size) = (array.as_fixed_size_list(), offset(*size));
                let bounds = (0..list.len()).map(|row| (row * size, (row + 1) * size));
                Kind::List(Box::new(Self::new(item, list.values())?), bounds.collect())
            }
            DataType::Struct(fields) => {
                let columns = fields.iter().zip(array.as_struct().columns());
                let columns =
                    columns.map(|(field, column)| Ok((quoted(field.name()), Self::new(field, column)?)));
                Kind::Struct(columns.collect::<Result<_, ArrowError>>()?)
            }
            DataType::Dictionary(_, values) => {
                let dictionary = array.as_any_dictionary();
                let item = Field::new("", values.as_ref().clone(), true);
                let values = Self::new(&item, dictionary.values())?;
                // `normalized_keys` would read the undefined keys of nulls.
                let keys = if dictionary.values().is_empty() {
                    vec![0; array.len()]
                } else {
                    dictionary.normalized_keys()
                };
                Kind::Dictionary(Box::new(values), keys)
            }
            _ => Kind::Shown(show(array)?),
        };
        Ok(Self { array, kind })
    }

    pub(super) fn write(&self, row: usize, out: &mut String) -> Result<(), ArrowError> {
        if self.array.is_null(row) {
            out.push_str("null");
            return Ok(());
        }
        match &self.kind {
            Kind::Raw(texts) => raw(texts.value(row), out),
            Kind::Text(texts) => out.push_str(&quoted(texts.value(row))),
            Kind::Bool(values) => out.push_str(if values.value(row) { "true" } else { "false" }),
            Kind::Number(show) => {
                let start = out.len();
                show(row, out)?;
                if out[start..].contains(['n', 'N']) {
                    out.truncate(start);
                    out.push_str("null");
                }
            }
            Kind::List(values, bounds) => {
                let (from, to) = bounds[row];
                out.push('[');
                for item in from..to {
                    if item > from {
                        out.push(',');
                    }
                    values.write(item, out)?;
                }
                out.push(']');
            }
            Kind::Struct(columns) => object(columns, row, out)?,
            Kind::Dictionary(values, keys) => values.write(keys[row], out)?,
            Kind::Shown(show) => {
                let mut text = String::new();
                show(row, &mut text)?;
                out.push_str(&quoted(&text));
            }
        }
        Ok(())
    }
}

pub(super) fn object(
    columns: &[(String, Values<'_>)],
    row: usize,
    out: &mut String,
) -> Result<(), ArrowError> {
    out.push('{');
    for (place, (key, values)) in columns.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        out.push_str(key);
        out.push(':');
        values.write(row, out)?;
    }
    out.push('}');
    Ok(())
}

/// Raw JSON; a file of another program may have it on several lines, or may not hold JSON at all.
fn raw(text: &str, out: &mut String) {
    let whole = !text.contains(['\n', '\r']) && serde_json::from_str::<&RawValue>(text).is_ok();
    if whole {
        out.push_str(text);
    } else if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
        out.push_str(&value.to_string());
    } else {
        out.push_str(&quoted(text));
    }
}

pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The first item of each list, and the one after its last.
fn bounds<T: Copy + TryInto<usize>>(offsets: &[T]) -> Vec<(usize, usize)> {
    offsets.windows(2).map(|pair| (offset(pair[0]), offset(pair[1]))).collect()
}

fn offset(value: impl TryInto<usize>) -> usize {
    // Offsets of a valid array are never negative.
    value.try_into().unwrap_or_default()
}
