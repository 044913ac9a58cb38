//! Numbers and labels of a column of any type.

use std::borrow::Cow;

use anyhow::Context as _;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Float64Type;
use arrow_array::{Array as _, ArrayRef, RecordBatch, StringArray, downcast_integer_array};
use arrow_schema::DataType;

use super::decimal;
use super::errors::Origin;
use super::labels::Names;
use crate::output::shown;
use crate::table;
use crate::user_error::UserError;

/// Rows that are filled column by column before the next ones, so that they stay in the cache.
const TILE: usize = 256;

/// Labels from 0 to here are class numbers, mostly.
const SMALL: usize = 1024;

/// The class columns of a batch as one matrix, row by row.
pub(super) fn matrix(batch: &RecordBatch, origin: &Origin) -> anyhow::Result<Vec<f64>> {
    let m = origin.layout.columns.len();
    let columns = origin.layout.columns.iter().map(|&column| numbers(batch, column, origin));
    let columns = columns.collect::<anyhow::Result<Vec<_>>>()?;
    let mut matrix = vec![0.0; batch.num_rows() * m];
    for (i, tile) in matrix.chunks_mut(TILE * m).enumerate() {
        for (k, column) in columns.iter().enumerate() {
            for (cell, &value) in tile[k..].iter_mut().step_by(m).zip(&column[i * TILE..]) {
                *cell = value;
            }
        }
    }
    Ok(matrix)
}

/// A column as numbers; text is parsed, and a missing value is an error.
pub(super) fn numbers<'a>(
    batch: &'a RecordBatch,
    column: usize,
    origin: &Origin,
) -> anyhow::Result<Cow<'a, [f64]>> {
    let array = batch.column(column);
    if let (Some(floats), 0) = (array.as_primitive_opt::<Float64Type>(), array.null_count()) {
        return Ok(Cow::Borrowed(floats.values()));
    }
    let is_json = table::is_json(batch.schema_ref().field(column));
    let array = if is_json { &table::decode_json(array)? } else { array };
    if is_text(array.data_type()) {
        return parsed(&as_text(array)?, column, origin).map(Cow::Owned);
    }
    if !is_number(array.data_type()) {
        let what = format!(
            "{}: column {} holds {}, not numbers",
            origin.file,
            origin.name(column),
            array.data_type()
        );
        return Err(UserError::new(what)
            .hint(if is_feature(column, origin) {
                FEATURES
            } else {
                "choose the class columns with --classes A,B,C or --prefix TEXT"
            })
            .into());
    }
    let floats = table::doubles(array)?;
    match (0..floats.len()).find(|&row| floats.is_null(row)) {
        Some(_) if may_be_missing(column, origin) => {
            Ok(Cow::Owned(floats.iter().map(|value| value.unwrap_or(f64::NAN)).collect()))
        }
        Some(row) => Err(missing(row, "", column, origin).into()),
        None => Ok(Cow::Owned(floats.values().to_vec())),
    }
}

const PERCENT_SIGNS: &str = "remove the percent signs; --scores percentages reads the numbers";

const FEATURES: &str = "features must be numbers with a decimal point: choose columns with --features NAME,NAME, or a file of numbers";

/// Whether a column is a feature, of the table or of a file without classes.
fn is_feature(column: usize, origin: &Origin) -> bool {
    origin.layout.features.contains(&column) || origin.layout.classes.is_empty()
}

/// A column of text as numbers.
fn parsed(text: &StringArray, column: usize, origin: &Origin) -> anyhow::Result<Vec<f64>> {
    let parse = |(row, value): (usize, Option<&str>)| {
        if let Some(number) = value.and_then(|value| decimal::exact(value.as_bytes())) {
            return anyhow::Ok(number);
        }
        let value = value.map(str::trim).unwrap_or_default();
        if is_missing(value) {
            return if may_be_missing(column, origin) {
                Ok(f64::NAN)
            } else {
                Err(missing(row, value, column, origin).into())
            };
        }
        let number = match with_point(value).filter(|_| origin.has_comma) {
            Some(value) => value.parse::<f64>().ok(),
            None => value.parse::<f64>().ok(),
        };
        number.ok_or_else(|| {
            let hint = if origin.layout.weight == Some(column) {
                "row weights must be numbers with a decimal point: choose the column with --weight NAME"
            } else if is_feature(column, origin) {
                FEATURES
            } else if value.ends_with('%') {
                PERCENT_SIGNS
            } else if with_point(value).is_some() && !origin.has_comma {
                "--decimal , reads numbers with a decimal comma"
            } else {
                "class columns must hold numbers with a decimal point; exclude a column that is not a class with \
                 --id NAME, or choose the classes with --classes A,B,C"
            };
            origin.at(row, column, &format!("\"{}\" is not a number", shown(value))).hint(hint).into()
        })
    };
    let mut numbers = Vec::with_capacity(text.len()); // `collect` would not know how many
    for value in text.iter().enumerate() {
        numbers.push(parse(value)?);
    }
    Ok(numbers)
}

/// Whether an empty cell is a class that is not listed.
fn may_be_missing(column: usize, origin: &Origin) -> bool {
    origin.may_be_missing && origin.layout.columns.contains(&column)
}

/// Whether a cell says that it has no value: empty, or what R, Python and SQL write.
fn is_missing(value: &str) -> bool {
    matches!(value, "" | "NA" | "N/A" | "n/a" | "<NA>" | "null" | "NULL" | "None" | "\\N")
}

fn missing(row: usize, value: &str, column: usize, origin: &Origin) -> UserError {
    let written = if value.is_empty() { String::new() } else { format!(": {value}") };
    origin.at(row, column, &format!("the value is missing{written}")).hint(if origin.layout.weight == Some(column) {
        "fill it in; a row of weight 0 is ignored"
    } else if origin.has_counts && origin.layout.columns.contains(&column) {
        "write 0 for a class without votes"
    } else {
        "fill it in, or drop the row; if the table lists only the most probable classes, use --missing spread"
    })
}

/// The label column as class numbers; an empty or missing label is an unlabelled row.
pub(super) fn labels(
    batch: &RecordBatch,
    column: usize,
    names: &Names,
    origin: &Origin,
) -> anyhow::Result<Vec<Option<usize>>> {
    let array = batch.column(column);
    if let Some(labels) = small_integers(array, names) {
        return Ok(labels);
    }
    let is_json = table::is_json(batch.schema_ref().field(column));
    let array = if is_json { &table::decode_json(array)? } else { array };
    let text = as_text(array).map_err(|_| {
        let what = format!("{}: column {} holds {}", origin.file, origin.name(column), array.data_type());
        UserError::new(what)
            .hint("labels must be class names or numbers: choose the column with --label NAME")
    })?;
    let is_float = array.data_type().is_floating();
    let is_bool = *array.data_type() == DataType::Boolean;
    let find = |(row, value): (usize, Option<&str>)| {
        let is_empty = |value: &&str| is_blank(value) || (is_float && *value == "NaN");
        let Some(value) = value.filter(|value| !is_empty(value)) else { return Ok(None) };
        names.class(value, is_bool).map(Some).ok_or_else(|| {
            let fact = format!("unknown class \"{}\"", shown(value));
            origin.at(row, column, &fact).hint(names.cure(value)).into()
        })
    };
    text.iter().enumerate().map(find).collect()
}

/// [`labels`] of a column of integers below [`SMALL`], each looked up once; `None` if it has others or one that is not a label.
fn small_integers(array: &ArrayRef, names: &Names) -> Option<Vec<Option<usize>>> {
    let mut known: [Option<usize>; SMALL] = [None; SMALL];
    let mut class = |value: usize| {
        let place = known.get_mut(value)?;
        *place = place.or_else(|| names.class(&value.to_string(), false));
        *place
    };
    downcast_integer_array!(
        array => {
            let label = |value: Option<_>| match value {
                Some(value) => class(usize::try_from(i128::from(value)).ok()?).map(Some),
                None => Some(None),
            };
            array.iter().map(label).collect()
        }
        _ => None,
    )
}

/// Any column as text, without spaces around it; a missing value is empty.
pub(crate) fn column_texts(batch: &RecordBatch, column: usize) -> anyhow::Result<Vec<String>> {
    let array = batch.column(column);
    let is_json = table::is_json(batch.schema_ref().field(column));
    let array = if is_json { &table::decode_json(array)? } else { array };
    Ok(as_text(array)?.iter().map(|text| text.unwrap_or_default().trim().to_string()).collect())
}

/// Whether a text is blank; usually the first byte decides.
fn is_blank(text: &str) -> bool {
    !text.as_bytes().first().is_some_and(u8::is_ascii_graphic) && text.trim().is_empty()
}

/// Whether a column can hold probabilities: numbers, or text whose first value is a number, perhaps with a decimal comma.
pub(super) fn is_numeric(batch: &RecordBatch, column: usize) -> bool {
    let array = batch.column(column);
    if !is_text(array.data_type()) {
        return is_number(array.data_type());
    }
    first_value(array).is_some_and(|value| {
        value.parse::<f64>().is_ok() || with_point(&value).is_some_and(|value| value.parse::<f64>().is_ok())
    })
}

/// Whether a column of text has numbers with a decimal comma, and none with a decimal point.
pub(super) fn has_comma(batch: &RecordBatch, column: usize) -> bool {
    let array = batch.column(column);
    if !is_text(array.data_type()) {
        return false;
    }
    let Ok(text) = as_text(array) else { return false };
    let is_comma = |value: &&str| with_point(value).is_some_and(|value| value.parse::<f64>().is_ok());
    let is_whole = |value: &&str| is_missing(value) || value.parse::<i64>().is_ok();
    let values: Vec<&str> = text.iter().flatten().map(str::trim).collect();
    values.iter().any(is_comma) && values.iter().all(|value| is_comma(value) || is_whole(value))
}

/// Whether a column of text has a number with a decimal point; numbers of JSON always have one.
pub(super) fn has_point(batch: &RecordBatch, column: usize) -> bool {
    let array = batch.column(column);
    if !is_text(array.data_type()) || table::is_json(batch.schema_ref().field(column)) {
        return false;
    }
    let is_point = |value: &str| value.contains('.') && value.trim().parse::<f64>().is_ok();
    as_text(array).is_ok_and(|text| text.iter().flatten().any(is_point))
}

/// A number with its decimal comma replaced; `None` if there is not exactly one comma, or also a point.
fn with_point(value: &str) -> Option<String> {
    let (whole, decimals) = value.split_once(',')?;
    let is_one = !whole.contains('.') && !decimals.contains([',', '.']);
    is_one.then(|| format!("{whole}.{decimals}"))
}

/// The numbers of a column, NaN where a value is missing; `None` if a value is not a number.
pub(super) fn plain_numbers(batch: &RecordBatch, column: usize, has_comma: bool) -> Option<Vec<f64>> {
    let array = batch.column(column);
    let is_json = table::is_json(batch.schema_ref().field(column));
    let array = if is_json { &table::decode_json(array).ok()? } else { array };
    if !is_text(array.data_type()) {
        let floats = is_number(array.data_type()).then(|| table::doubles(array).ok()).flatten()?;
        return Some(floats.iter().map(|value| value.unwrap_or(f64::NAN)).collect());
    }
    let number = |value: Option<&str>| match value.map(str::trim).unwrap_or_default() {
        value if is_missing(value) => Some(f64::NAN),
        value if has_comma && value.contains(',') => with_point(value)?.parse().ok(),
        value => value.parse().ok(),
    };
    as_text(array).ok()?.iter().map(number).collect()
}

/// The first value of a column of text that is not missing.
fn first_value(array: &ArrayRef) -> Option<String> {
    let text = as_text(array).ok()?;
    text.iter().flatten().map(str::trim).find(|value| !is_missing(value)).map(str::to_owned)
}

/// Why a column of text cannot hold probabilities, if that is plain: its first value has a percent sign, or is a list or an object.
pub(super) fn why_not_numeric(batch: &RecordBatch, column: usize) -> Option<(String, &'static str)> {
    let array = batch.column(column);
    let value = is_text(array.data_type()).then(|| first_value(array)).flatten()?;
    let number = value.strip_suffix('%').map(str::trim_end);
    let is_percent =
        number.is_some_and(|number| with_point(number).as_deref().unwrap_or(number).parse::<f64>().is_ok());
    let cure = match value.as_bytes() {
        _ if is_percent => PERCENT_SIGNS,
        [b'[' | b'{', ..] => "write one column per class, instead of a list or an object of all",
        _ => return None,
    };
    Some((value, cure))
}

fn is_number(data_type: &DataType) -> bool {
    data_type.is_numeric()
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// A column as text; one of text is not copied.
fn as_text(array: &ArrayRef) -> anyhow::Result<StringArray> {
    table::texts(array).context("a column could not be read as text")
}
