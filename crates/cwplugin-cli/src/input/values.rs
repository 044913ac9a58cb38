//! Numbers and labels out of a column, whatever its type.

use std::collections::HashMap;

use anyhow::Context as _;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Float64Type;
use arrow_array::{Array as _, ArrayRef, RecordBatch, StringArray};
use arrow_schema::DataType;

use super::columns::quoted;
use super::refusals::Origin;
use crate::output::shown;
use crate::refusal::Refusal;
use crate::table;

/// The class columns of a batch as one matrix, row by row.
pub(super) fn matrix(batch: &RecordBatch, origin: &Origin) -> anyhow::Result<Vec<f64>> {
    let m = origin.layout.columns.len();
    let mut matrix = vec![0.0; batch.num_rows() * m];
    for (k, &column) in origin.layout.columns.iter().enumerate() {
        for (row, value) in numbers(batch, column, origin)?.into_iter().enumerate() {
            matrix[row * m + k] = value;
        }
    }
    Ok(matrix)
}

/// A column as numbers; text is read as numbers, a missing value is refused.
pub(super) fn numbers(batch: &RecordBatch, column: usize, origin: &Origin) -> anyhow::Result<Vec<f64>> {
    let array = batch.column(column);
    let is_json = table::is_json(batch.schema().field(column));
    let array = if is_json { &table::decode_json(array)? } else { array };
    let wrong = |row: usize, fact: &str| origin.at(row, column, fact);
    let missing = |row: usize| {
        let hint = if origin.layout.weight == Some(column) {
            "fill it in; a row of weight 0 takes no part"
        } else {
            "fill it in, or drop the row"
        };
        wrong(row, "the value is missing").hint(hint).into()
    };
    if is_text(array.data_type()) {
        let text = as_text(array)?;
        let parse = |(row, value): (usize, Option<&str>)| {
            match value.map(str::trim) {
            None | Some("") => Err(missing(row)),
            Some(value) => value.parse::<f64>().map_err(|_| {
                let hint = if origin.layout.weight == Some(column) {
                    "row weights are numbers with a decimal point: choose the column with --weight NAME"
                } else {
                    "class columns hold numbers with a decimal point; a column that is no class is left out with \
                     --id NAME, or choose the classes with --classes A,B,C"
                };
                wrong(row, &format!("\"{}\" is not a number", shown(value))).hint(hint).into()
            }),
        }
        };
        return text.iter().enumerate().map(parse).collect();
    }
    if !is_number(array.data_type()) {
        let what = format!(
            "{}: column {} holds {}, not numbers",
            origin.file,
            origin.name(column),
            array.data_type()
        );
        return Err(Refusal::new(what)
            .hint("choose the class columns with --classes A,B,C or --prefix TEXT")
            .into());
    }
    let floats =
        arrow_cast::cast(array, &DataType::Float64).context("a column of numbers could not be converted")?;
    let floats = floats.as_primitive::<Float64Type>();
    match (0..floats.len()).find(|&row| floats.is_null(row)) {
        Some(row) => Err(missing(row)),
        None => Ok(floats.values().to_vec()),
    }
}

/// The label column as class numbers; an empty or missing label is an unlabelled row.
pub(super) fn labels(
    batch: &RecordBatch,
    column: usize,
    origin: &Origin,
) -> anyhow::Result<Vec<Option<usize>>> {
    let array = batch.column(column);
    let is_json = table::is_json(batch.schema().field(column));
    let array = if is_json { &table::decode_json(array)? } else { array };
    let text = as_text(array).map_err(|_| {
        let what = format!("{}: column {} holds {}", origin.file, origin.name(column), array.data_type());
        Refusal::new(what).hint("labels are class names or numbers: choose the column with --label NAME")
    })?;
    let is_float = array.data_type().is_floating();
    let is_bool = *array.data_type() == DataType::Boolean;
    let known = &origin.layout.classes;
    let by_name: HashMap<&str, usize> =
        known.iter().enumerate().map(|(k, name)| (name.as_str(), k)).collect();
    let find = |(row, value): (usize, Option<&str>)| {
        let Some(value) = value else { return Ok(None) };
        if value.trim().is_empty() || (is_float && value == "NaN") {
            return Ok(None);
        }
        let truth = || if is_bool { truth_of_text(value, &by_name) } else { None };
        let position = || position_of_text(value).filter(|&k| origin.layout.unnamed && k < known.len());
        label_of_text(value, &by_name).or_else(truth).or_else(position).map(Some).ok_or_else(|| {
            let fact = format!("label \"{}\" is no class", shown(value));
            let names = quoted(known.iter().map(String::as_str));
            origin.at(row, column, &fact).hint(format!("the classes are {names}")).into()
        })
    };
    text.iter().enumerate().map(find).collect()
}

/// The class that a label means: by name, by name without spaces around it, or as a number that pandas wrote as 1.0.
fn label_of_text(label: &str, by_name: &HashMap<&str, usize>) -> Option<usize> {
    let found = by_name.get(label).or_else(|| by_name.get(label.trim()));
    found.or_else(|| by_name.get(whole_number(label)?)).copied()
}

/// The column that an integer label means where columns have no names of their own.
fn position_of_text(label: &str) -> Option<usize> {
    whole_number(label)?.parse().ok()
}

/// The class that a true or false means: Python writes True, others TRUE or 1.
fn truth_of_text(label: &str, by_name: &HashMap<&str, usize>) -> Option<usize> {
    let spellings = if label == "true" { ["True", "TRUE", "1"] } else { ["False", "FALSE", "0"] };
    spellings.iter().find_map(|spelling| by_name.get(spelling)).copied()
}

/// `7` of `7`, `7.0` or ` 7.` and nothing of `v1.0`.
fn whole_number(text: &str) -> Option<&str> {
    let text = text.trim();
    let (whole, zeros) = text.split_once('.').unwrap_or((text, ""));
    (whole.parse::<i64>().is_ok() && zeros.bytes().all(|b| b == b'0')).then_some(whole)
}

/// Whether a column can hold probabilities: numbers, or text whose first value is a number.
pub(super) fn is_numeric(batch: &RecordBatch, column: usize) -> bool {
    let array = batch.column(column);
    if !is_text(array.data_type()) {
        return is_number(array.data_type());
    }
    as_text(array).is_ok_and(|text| {
        text.iter().flatten().map(str::trim).find(|v| !v.is_empty()).is_some_and(|v| v.parse::<f64>().is_ok())
    })
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

fn as_text(array: &ArrayRef) -> anyhow::Result<StringArray> {
    let text = arrow_cast::cast(array, &DataType::Utf8).context("a column could not be read as text")?;
    Ok(text.as_string::<i32>().clone())
}
