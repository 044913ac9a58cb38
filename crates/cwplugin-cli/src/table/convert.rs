//! Columns of any type as text or as numbers.
//!
//! The crate `arrow-cast` would do the same for every pair of types, and add megabytes and a minute to the build.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float16Type, Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, Float64Array, StringArray, downcast_integer_array};
use arrow_schema::{ArrowError, DataType};
use arrow_select::take::take;

use super::text::show;

/// A column as text; a column of `Utf8` is not copied.
///
/// # Errors
///
/// If its values have no text: lists, structs, maps, unions, bytes of fixed length or not in UTF-8, and dates out of range.
pub(crate) fn texts(column: &dyn Array) -> Result<StringArray, ArrowError> {
    let of_bytes = |bytes: Option<&[u8]>| {
        let text = bytes.map(|bytes| str::from_utf8(bytes).map(str::to_owned)).transpose();
        text.map_err(|error| ArrowError::CastError(error.to_string()))
    };
    Ok(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().clone(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().collect(),
        DataType::Utf8View => column.as_string_view().iter().collect(),
        DataType::Binary => column.as_binary::<i32>().iter().map(of_bytes).collect::<Result<_, _>>()?,
        DataType::LargeBinary => column.as_binary::<i64>().iter().map(of_bytes).collect::<Result<_, _>>()?,
        DataType::BinaryView => column.as_binary_view().iter().map(of_bytes).collect::<Result<_, _>>()?,
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            texts(&take(dictionary.values(), dictionary.keys(), None)?)?
        }
        _ => {
            let show = show(column)?;
            let text = |row: usize| {
                let mut text = String::new();
                let is_present = !column.is_null(row);
                is_present.then(|| show(row, &mut text).map(|()| text)).transpose()
            };
            (0..column.len()).map(text).collect::<Result<_, _>>()?
        }
    })
}

/// A column of numbers as doubles; a decimal becomes the nearest double, as its text would.
///
/// # Errors
///
/// If it is not a column of numbers.
pub(crate) fn doubles(column: &dyn Array) -> Result<Float64Array, ArrowError> {
    let parse = |text: &str| {
        text.parse::<f64>().map_err(|_| ArrowError::CastError(format!("\"{text}\" is not a number")))
    };
    #[expect(clippy::cast_lossless, reason = "one expression for every type of integer")]
    let doubles = downcast_integer_array!(
        column => column.unary::<_, Float64Type>(|value| value as f64),
        DataType::Float16 => column.as_primitive::<Float16Type>().unary(f64::from),
        DataType::Float32 => column.as_primitive::<Float32Type>().unary(f64::from),
        DataType::Float64 => column.as_primitive::<Float64Type>().clone(),
        _ => texts(column)?.iter().map(|text| text.map(parse).transpose()).collect::<Result<_, _>>()?,
    );
    Ok(doubles)
}

/// The values of a dictionary, one for each row; other columns as they are.
pub(super) fn without_dictionary(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.as_any_dictionary_opt() {
        Some(dictionary) => take(dictionary.values(), dictionary.keys(), None),
        None => Ok(Arc::clone(column)),
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::types::Int8Type;
    use arrow_array::{
        BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Int64Array, UInt8Array,
    };

    use super::*;

    fn all(column: &dyn Array) -> Vec<Option<String>> {
        texts(column).unwrap().iter().map(|text| text.map(str::to_owned)).collect()
    }

    #[test]
    fn every_type_has_its_usual_text() {
        assert_eq!(all(&Int64Array::from(vec![Some(-3), None])), [Some("-3".into()), None]);
        assert_eq!(all(&BooleanArray::from(vec![true])), [Some("true".into())]);
        assert_eq!(all(&Date32Array::from(vec![1])), [Some("1970-01-02".into())]);
        let bytes = BinaryArray::from(vec![Some("é".as_bytes()), None]);
        assert_eq!(all(&bytes), [Some("é".into()), None]);
        assert!(texts(&BinaryArray::from(vec![[0xff_u8].as_slice()])).is_err(), "not UTF-8");
        let dictionary: DictionaryArray<Int8Type> = vec![Some("b"), None, Some("b")].into_iter().collect();
        assert_eq!(all(&dictionary), [Some("b".into()), None, Some("b".into())]);
    }

    #[test]
    fn every_number_is_the_nearest_double() {
        let integers = doubles(&Int64Array::from(vec![i64::MAX, -1])).unwrap();
        assert_eq!(integers.values(), &[9_223_372_036_854_775_807.0, -1.0]);
        let decimals = Decimal128Array::from(vec![Some(3), None]).with_precision_and_scale(9, 1).unwrap();
        assert_eq!(doubles(&decimals).unwrap().iter().collect::<Vec<_>>(), [Some(0.3), None]);
        assert_eq!(doubles(&UInt8Array::from(vec![255])).unwrap().values(), &[255.0]);
    }
}
