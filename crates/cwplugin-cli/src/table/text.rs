//! Single values as text: numbers, dates, times, decimals.

use std::fmt::Write as _;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DurationMicrosecondType,
    DurationMillisecondType, DurationNanosecondType, DurationSecondType, Float16Type, Float32Type,
    Float64Type, IntervalDayTimeType, IntervalMonthDayNanoType, IntervalYearMonthType,
};
use arrow_array::{Array, ArrayAccessor, downcast_integer_array, downcast_temporal_array};
use arrow_schema::{ArrowError, DataType, IntervalUnit, TimeUnit};

/// Appends the text of the value in a row that is not null.
pub(super) type Show<'a> = Box<dyn Fn(usize, &mut String) -> Result<(), ArrowError> + 'a>;

/// How to write the values of a column of numbers, truth values, dates, times, intervals or bytes.
///
/// Instants with a time zone are written in UTC, durations and intervals as in ISO 8601,
/// bytes in hexadecimal.
///
/// # Errors
///
/// If values of this type have no text.
pub(super) fn show(column: &dyn Array) -> Result<Show<'_>, ArrowError> {
    let kind = column.data_type();
    Ok(downcast_integer_array!(
        column => Box::new(move |row, out| push(out, format_args!("{}", column.value(row)))),
        DataType::Null => Box::new(|_, _| Ok(())),
        DataType::Boolean => {
            let column = column.as_boolean();
            Box::new(move |row, out| push(out, format_args!("{}", column.value(row))))
        }
        kind if kind.is_floating() => float(column),
        kind if kind.is_decimal() => decimal(column),
        DataType::Duration(unit) => duration(column, *unit),
        DataType::Interval(unit) => interval(column, *unit),
        kind if kind.is_temporal() => temporal(column),
        DataType::Binary => bytes(column.as_binary::<i32>()),
        DataType::LargeBinary => bytes(column.as_binary::<i64>()),
        DataType::BinaryView => bytes(column.as_binary_view()),
        DataType::FixedSizeBinary(_) => bytes(column.as_fixed_size_binary()),
        _ => return Err(ArrowError::CastError(format!("{kind} has no text"))),
    ))
}

fn float(column: &dyn Array) -> Show<'_> {
    macro_rules! shortest {
        ($type:ty, $number:ty) => {{
            let column = column.as_primitive::<$type>();
            Box::new(move |row, out| {
                out.push_str(zmij::Buffer::new().format(<$number>::from(column.value(row))));
                Ok(())
            })
        }};
    }
    match column.data_type() {
        DataType::Float16 => shortest!(Float16Type, f32),
        DataType::Float32 => shortest!(Float32Type, f32),
        _ => shortest!(Float64Type, f64),
    }
}

fn decimal(column: &dyn Array) -> Show<'_> {
    macro_rules! exact {
        ($type:ty) => {{
            let column = column.as_primitive::<$type>();
            Box::new(move |row, out| {
                out.push_str(&column.value_as_string(row));
                Ok(())
            })
        }};
    }
    match column.data_type() {
        DataType::Decimal32(..) => exact!(Decimal32Type),
        DataType::Decimal64(..) => exact!(Decimal64Type),
        DataType::Decimal128(..) => exact!(Decimal128Type),
        _ => exact!(Decimal256Type),
    }
}

fn temporal(column: &dyn Array) -> Show<'_> {
    downcast_temporal_array!(
        column => Box::new(move |row, out| {
            let date_and_time = column.value_as_datetime(row).ok_or_else(|| out_of_range(column));
            match column.data_type() {
                DataType::Date32 => push(out, format_args!("{}", date_and_time?.date())),
                DataType::Time32(_) | DataType::Time64(_) => {
                    let time = column.value_as_time(row).ok_or_else(|| out_of_range(column))?;
                    push(out, format_args!("{time}"))
                }
                DataType::Timestamp(_, Some(_)) => push(out, format_args!("{:?}Z", date_and_time?)),
                _ => push(out, format_args!("{:?}", date_and_time?)),
            }
        }),
        kind => Box::new(move |_, _| Err(ArrowError::CastError(format!("{kind} has no text")))),
    )
}

fn duration(column: &dyn Array, unit: TimeUnit) -> Show<'_> {
    macro_rules! of {
        ($type:ty) => {{
            let column = column.as_primitive::<$type>();
            Box::new(move |row, out| {
                let duration = column.value_as_duration(row).ok_or_else(|| out_of_range(column))?;
                push(out, format_args!("{duration}"))
            })
        }};
    }
    match unit {
        TimeUnit::Second => of!(DurationSecondType),
        TimeUnit::Millisecond => of!(DurationMillisecondType),
        TimeUnit::Microsecond => of!(DurationMicrosecondType),
        TimeUnit::Nanosecond => of!(DurationNanosecondType),
    }
}

fn interval(column: &dyn Array, unit: IntervalUnit) -> Show<'_> {
    match unit {
        IntervalUnit::YearMonth => {
            let column = column.as_primitive::<IntervalYearMonthType>();
            Box::new(move |row, out| push(out, format_args!("P{}M", column.value(row))))
        }
        IntervalUnit::DayTime => {
            let column = column.as_primitive::<IntervalDayTimeType>();
            Box::new(move |row, out| {
                let value = column.value(row);
                push(out, format_args!("P{}DT{}S", value.days, f64::from(value.milliseconds) / 1e3))
            })
        }
        IntervalUnit::MonthDayNano => {
            let column = column.as_primitive::<IntervalMonthDayNanoType>();
            Box::new(move |row, out| {
                let value = column.value(row);
                let seconds = value.nanoseconds as f64 / 1e9;
                push(out, format_args!("P{}M{}DT{seconds}S", value.months, value.days))
            })
        }
    }
}

fn bytes<'a>(column: impl ArrayAccessor<Item = &'a [u8]> + 'a) -> Show<'a> {
    Box::new(move |row, out| {
        column.value(row).iter().try_for_each(|byte| push(out, format_args!("{byte:02x}")))
    })
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) -> Result<(), ArrowError> {
    out.write_fmt(text).map_err(|_| ArrowError::CastError("a value has no text".into()))
}

fn out_of_range(column: &dyn Array) -> ArrowError {
    ArrowError::CastError(format!("a value of type {} is out of range", column.data_type()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::IntervalMonthDayNano;
    use arrow_array::*;

    use super::*;

    #[test]
    fn every_type_has_its_usual_text() {
        let day = 86_400_000;
        let columns: [(ArrayRef, &str); 15] = [
            (Arc::new(Int8Array::from(vec![-3])), "-3"),
            (Arc::new(BooleanArray::from(vec![true])), "true"),
            (Arc::new(Float32Array::from(vec![0.1])), "0.1"),
            (Arc::new(Date32Array::from(vec![1])), "1970-01-02"),
            (Arc::new(Date64Array::from(vec![day])), "1970-01-02T00:00:00"),
            (Arc::new(Time32SecondArray::from(vec![61])), "00:01:01"),
            (Arc::new(Time64MicrosecondArray::from(vec![1_500_000])), "00:00:01.500"),
            (Arc::new(TimestampNanosecondArray::from(vec![1_000])), "1970-01-01T00:00:00.000001"),
            (
                Arc::new(TimestampSecondArray::from(vec![5]).with_timezone("Asia/Tokyo")),
                "1970-01-01T00:00:05Z",
            ),
            (Arc::new(DurationMillisecondArray::from(vec![1_500])), "PT1.5S"),
            (Arc::new(IntervalYearMonthArray::from(vec![14])), "P14M"),
            (
                Arc::new(IntervalMonthDayNanoArray::from(vec![IntervalMonthDayNano::new(1, 2, 3)])),
                "P1M2DT0.000000003S",
            ),
            (Arc::new(BinaryArray::from(vec![[0x0a_u8, 0xff].as_slice()])), "0aff"),
            (Arc::new(Decimal128Array::from(vec![-1234]).with_precision_and_scale(9, 2).unwrap()), "-12.34"),
            (
                Arc::new(
                    Decimal256Array::from_iter_values([5.into()]).with_precision_and_scale(9, 1).unwrap(),
                ),
                "0.5",
            ),
        ];
        for (column, expected) in columns {
            let mut text = String::new();
            show(&column).unwrap()(0, &mut text).unwrap();
            assert_eq!(text, expected, "{}", column.data_type());
        }
    }

    #[test]
    fn values_out_of_range_and_types_without_text_are_errors() {
        let far = Date64Array::from(vec![i64::MAX]);
        assert!(show(&far).unwrap()(0, &mut String::new()).is_err());
        assert!(show(&StructArray::new_empty_fields(1, None)).is_err());
    }
}
