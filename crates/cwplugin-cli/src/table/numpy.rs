//! The header and the items of a NumPy array.
//!
//! The header is a Python dictionary with three keys that is always written in the same way, so it is read by searching for
//! the keys: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::{ArrowPrimitiveType, Float16Type};
use arrow_array::{ArrayRef, BooleanArray, Float32Array, Float64Array, Int64Array, StringArray};

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// No supported dtype needs more; the limit of NumPy is 10,000 bytes.
const MAX_HEADER: usize = 64 << 10;

type F16 = <Float16Type as ArrowPrimitiveType>::Native;

/// The header of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) dtype: Dtype,
    pub(super) fortran: bool,
    pub(super) shape: Vec<usize>,
}

/// The type of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dtype {
    pub(super) kind: Kind,
    /// Bytes of one item.
    pub(super) size: usize,
    big_endian: bool,
    /// Its NumPy name, such as `<f8`.
    pub(super) name: String,
}

/// Kinds of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Float,
    Int,
    Uint,
    Bool,
    /// `U`: four bytes per character, padded with zeros.
    Text,
    /// `S`: bytes, padded with zeros.
    Bytes,
    /// Pickled Python objects.
    Object,
    /// Complex numbers, dates, structures.
    Other,
}

impl Header {
    /// Reads up to the first item.
    pub(super) fn read(stream: &mut impl Read) -> io::Result<Self> {
        let mut start = [0; 8];
        stream.read_exact(&mut start)?;
        if start[..6] != *MAGIC {
            return Err(invalid("the magic number is missing"));
        }
        // Version 1 has two bytes for the length, later ones four.
        let mut length = [0; 4];
        stream.read_exact(&mut length[..if start[6] == 1 { 2 } else { 4 }])?;
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        if length > MAX_HEADER {
            return Err(invalid("the header is too long"));
        }
        let mut text = vec![0; length];
        stream.read_exact(&mut text)?;
        Self::parse(&String::from_utf8_lossy(&text)).ok_or_else(|| invalid("the header is invalid"))
    }

    fn parse(text: &str) -> Option<Self> {
        let dtype = Dtype::parse(value(text, "descr")?)?;
        let fortran = value(text, "fortran_order")?.starts_with("True");
        let shape = value(text, "shape")?.strip_prefix('(')?.split(')').next()?;
        let lengths = shape.split(',').map(str::trim).filter(|length| !length.is_empty());
        // Python 2 wrote long integers with an L.
        let shape = lengths.map(|length| length.trim_end_matches('L').parse().ok()).collect::<Option<_>>()?;
        Some(Self { dtype, fortran, shape })
    }

    /// Bytes of all items; `None` if that overflows.
    pub(super) fn bytes(&self) -> Option<usize> {
        self.shape.iter().try_fold(self.dtype.size, |bytes, &length| bytes.checked_mul(length))
    }

    /// Bytes in memory of all items as columns, at most: a number has eight, a text four for its end.
    pub(super) fn held(&self) -> u64 {
        let size = self.dtype.size as u64;
        let is_text = matches!(self.dtype.kind, Kind::Text | Kind::Bytes);
        let item = if is_text { size.saturating_add(4) } else { size.max(8) };
        self.shape.iter().fold(item, |bytes, &length| bytes.saturating_mul(length as u64))
    }

    /// Shape and dtype, for messages.
    pub(super) fn describe(&self) -> String {
        let shape: Vec<_> = self.shape.iter().map(usize::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        format!("shape ({}{comma}) and dtype {}", shape.join(", "), self.dtype.name)
    }
}

/// The text after a key of the dictionary.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) =
        text.split_once(&format!("'{key}'")).or_else(|| text.split_once(&format!("\"{key}\"")))?;
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

impl Dtype {
    fn parse(descr: &str) -> Option<Self> {
        let quote = descr.chars().next()?;
        if quote == '[' {
            let name = "[…], a structure".to_owned();
            return Some(Self { kind: Kind::Other, size: 0, big_endian: false, name });
        }
        let name = descr.strip_prefix(['\'', '"'])?.split(quote).next()?;
        let mut letters = name.chars();
        let (order, letter, digits) = (letters.next()?, letters.next()?, letters.as_str());
        let size: usize = digits.parse().unwrap_or(0);
        let kind = match (letter, size) {
            ('f', 2 | 4 | 8) => Kind::Float,
            ('i', 1 | 2 | 4 | 8) => Kind::Int,
            ('u', 1 | 2 | 4 | 8) => Kind::Uint,
            ('b', 1) => Kind::Bool,
            ('U', _) => Kind::Text,
            ('S' | 'a', _) => Kind::Bytes,
            ('O', _) => Kind::Object,
            _ => Kind::Other,
        };
        let size = if kind == Kind::Text { size.checked_mul(4)? } else { size };
        Some(Self { kind, size, big_endian: order == '>', name: name.to_owned() })
    }

    /// Decodes items. `Float` gives `Float32` or `Float64`; half precision becomes `Float32`.
    ///
    /// # Errors
    ///
    /// If an item is not supported; the message has no file name.
    pub(super) fn decode(&self, bytes: &[u8], count: usize) -> Result<ArrayRef, String> {
        macro_rules! items_of {
            ($number:ty) => {
                items(bytes, self.big_endian, <$number>::from_le_bytes, <$number>::from_be_bytes)
            };
        }
        Ok(match (self.kind, self.size) {
            (Kind::Float, 2) => Arc::new(Float32Array::from_iter_values(items_of!(F16).map(F16::to_f32))),
            (Kind::Float, 4) => Arc::new(Float32Array::from_iter_values(items_of!(f32))),
            (Kind::Float, _) => Arc::new(Float64Array::from_iter_values(items_of!(f64))),
            (Kind::Int, 1) => ints(items_of!(i8)),
            (Kind::Int, 2) => ints(items_of!(i16)),
            (Kind::Int, 4) => ints(items_of!(i32)),
            (Kind::Int, _) => ints(items_of!(i64)),
            (Kind::Uint, 1) => ints(items_of!(u8)),
            (Kind::Uint, 2) => ints(items_of!(u16)),
            (Kind::Uint, 4) => ints(items_of!(u32)),
            (Kind::Uint, _) => {
                let values = items_of!(u64).map(i64::try_from).collect::<Result<Vec<_>, _>>();
                Arc::new(Int64Array::from(values.map_err(|_| "an integer is larger than 2^63 - 1")?))
            }
            (Kind::Bool, _) => Arc::new(bytes.iter().map(|&byte| Some(byte != 0)).collect::<BooleanArray>()),
            (Kind::Text | Kind::Bytes, _) => Arc::new(self.texts(bytes, count)?),
            (Kind::Object | Kind::Other, _) => return Err(format!("dtype {} is not supported", self.name)),
        })
    }

    /// Items of the kind `Float` as doubles.
    pub(super) fn doubles(&self, bytes: &[u8]) -> Vec<f64> {
        match self.size {
            2 => {
                items(bytes, self.big_endian, F16::from_le_bytes, F16::from_be_bytes).map(f64::from).collect()
            }
            4 => {
                items(bytes, self.big_endian, f32::from_le_bytes, f32::from_be_bytes).map(f64::from).collect()
            }
            _ => items(bytes, self.big_endian, f64::from_le_bytes, f64::from_be_bytes).collect(),
        }
    }

    fn texts(&self, bytes: &[u8], count: usize) -> Result<StringArray, String> {
        // In NumPy, an array of empty strings has width 0.
        if self.size == 0 {
            return Ok(StringArray::from_iter_values(std::iter::repeat_n("", count)));
        }
        let mut texts = StringBuilder::with_capacity(bytes.len() / self.size, 0);
        let mut text = String::new();
        for item in bytes.chunks_exact(self.size) {
            text.clear();
            if self.kind == Kind::Bytes {
                text.push_str(std::str::from_utf8(item).map_err(|_| "bytes are not UTF-8")?);
            } else {
                for code in items(item, self.big_endian, u32::from_le_bytes, u32::from_be_bytes) {
                    text.push(char::from_u32(code).ok_or("characters are not Unicode")?);
                }
            }
            let text = text.trim_end_matches('\0');
            if texts.values_slice().len() + text.len() > i32::MAX as usize {
                return Err("the texts are larger than 2 GiB".to_owned());
            }
            texts.append_value(text);
        }
        Ok(texts.finish())
    }
}

/// Both functions are types of their own, so that they are inlined.
fn items<const N: usize, T>(
    bytes: &[u8],
    big_endian: bool,
    little: impl Fn([u8; N]) -> T,
    big: impl Fn([u8; N]) -> T,
) -> impl Iterator<Item = T> {
    let item = move |bytes: &[u8; N]| if big_endian { big(*bytes) } else { little(*bytes) };
    bytes.as_chunks::<N>().0.iter().map(item)
}

fn ints(values: impl Iterator<Item: Into<i64>>) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(values.map(Into::into)))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;

    fn parse(text: &str) -> Header {
        Header::parse(text).unwrap()
    }

    #[test]
    fn headers_of_other_writers_are_understood() {
        let header = parse("{'shape': (10L, 2L), 'fortran_order': True, 'descr': '>f4'}");
        assert_eq!((header.shape, header.fortran, header.dtype.big_endian), (vec![10, 2], true, true));
        assert_eq!(
            parse("{\"descr\": \"|O\", \"fortran_order\": False, \"shape\": (1,)}").dtype.kind,
            Kind::Object
        );
        let record = parse("{'descr': [('a', '<f4'), ('b', '<i8')], 'fortran_order': False, 'shape': (2,)}");
        assert_eq!(record.dtype.kind, Kind::Other);
        assert_eq!(
            parse("{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2,)}").dtype.kind,
            Kind::Other
        );
        assert_eq!(Header::parse("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}"), None);
    }

    #[test]
    fn items_of_every_kind_are_decoded() {
        let dtype = |name: &str| Dtype::parse(&format!("'{name}'")).unwrap();
        let ints = dtype(">i2").decode(&[0xff, 0xfe, 0, 3], 2).unwrap();
        assert_eq!(ints.as_primitive::<Int64Type>().values(), &[-2, 3]);
        assert!(dtype("<u8").decode(&[0xff; 8], 1).unwrap_err().contains("larger"));
        let texts =
            dtype(">U2").decode(&[0, 0, 0, b'a', 0, 0, 0, 0, 0, 1, 0xf6, 0, 0, 0, 0, b'b'], 2).unwrap();
        assert_eq!(texts.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("a"), Some("😀b")]);
        let bytes = dtype("|S3").decode(b"ab\0\0\0\0", 2).unwrap();
        assert_eq!(bytes.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("ab"), Some("")]);
        assert_eq!(dtype("<U0").decode(&[], 3).unwrap().len(), 3);
        assert!(dtype("|S1").decode(b"\xff", 1).is_err());
    }
}
