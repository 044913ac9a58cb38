//! Statistics in files: as a document (JSON), or as a table in any format, as a database saves it.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array as _, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use cwplugin::{Statistics, StatisticsError, StatisticsLine};

use crate::atomic::AtomicFile;
use crate::output::Screen;
use crate::refusal::Refusal;
use crate::table::{Decoded, Format, ReadOptions, Reader, Writer, decode_json, is_json, is_stream};

/// The columns of the table.
const COLUMNS: [&str; 6] = ["kind", "class", "label", "bin", "rows", "each"];

const HINT: &str =
    "`cwplugin stats DATA -o FILE` writes statistics, and `cwplugin stats --sql` the query that makes them";

/// Where statistics go; made before the work, so that a bad path fails early.
pub(crate) enum StatisticsFile {
    Document(AtomicFile),
    Table(Box<Writer>),
    Screen,
}

impl StatisticsFile {
    /// A document, unless the name says that it is a table.
    pub(crate) fn create(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| !is_stream(path)) else { return Ok(Self::Screen) };
        match Format::of_name(path) {
            Some(format) if !is_document(path) => {
                if matches!(format, Format::Npy | Format::Npz) {
                    let what =
                        format!("{}: statistics hold names, which NumPy files cannot mix", path.display());
                    return Err(Refusal::usage(what).hint("end it in .json, .parquet or .csv").into());
                }
                let writer = Writer::create(Some(path), Some(format), format, Arc::new(schema()))?;
                Ok(Self::Table(Box::new(writer)))
            }
            None if path.extension().is_some() => {
                let what = format!("{}: the name says no known format", path.display());
                Err(Refusal::usage(what).hint("end it in .json, .parquet or .csv").into())
            }
            _ => Ok(Self::Document(AtomicFile::create(path)?)),
        }
    }

    /// Writes the statistics; with `--json` their document goes to standard output too.
    pub(crate) fn write(self, statistics: &Statistics, as_json: bool, screen: &Screen) -> anyhow::Result<()> {
        let is_screen = matches!(self, Self::Screen);
        match self {
            Self::Document(file) => file.write_whole(statistics.to_json().as_bytes())?,
            Self::Table(mut writer) => {
                writer.write(&batch(&statistics.to_lines())?)?;
                writer.finish()?;
            }
            Self::Screen => {}
        }
        if as_json || is_screen {
            screen.print(statistics.to_json())?;
        }
        Ok(())
    }
}

/// Reads statistics, whatever their form.
pub(crate) fn read(path: &Path) -> anyhow::Result<Statistics> {
    let name = if is_stream(path) { "<stdin>".into() } else { path.display().to_string() };
    let refuse = |error: &StatisticsError| -> anyhow::Error {
        let what = match error {
            StatisticsError::UnknownVersion { .. } => format!("{name}: {error}"),
            _ => format!("{name}: no usable statistics: {error}"),
        };
        Refusal::new(what).hint(HINT).into()
    };
    if is_stream(path) || is_document(path) {
        let mut text = String::new();
        let read = if is_stream(path) {
            std::io::stdin().read_to_string(&mut text)
        } else {
            File::open(path).and_then(|mut file| file.read_to_string(&mut text))
        };
        read.map_err(|error| Refusal::new(format!("{name}: cannot be read ({error})")).hint(HINT))?;
        return Statistics::from_json(&text).map_err(|error| refuse(&error));
    }
    Statistics::from_lines(&lines(path)?).map_err(|error| refuse(&error))
}

/// `.json` is a document; `.jsonl` would be a table.
fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn lines(path: &Path) -> anyhow::Result<Vec<StatisticsLine>> {
    let mut reader = Reader::open(&PathBuf::from(path), &ReadOptions::default())?;
    let schema = reader.schema();
    // Some warehouses write their names in capitals.
    let find = |name: &str| schema.fields().iter().position(|field| field.name().eq_ignore_ascii_case(name));
    let Some(columns) = COLUMNS.iter().map(|name| find(name)).collect::<Option<Vec<_>>>() else {
        let missing = COLUMNS.iter().find(|name| find(name).is_none()).copied().unwrap_or_default();
        let what = format!("{}: no statistics: there is no column \"{missing}\"", reader.name());
        return Err(Refusal::new(what).hint(HINT).into());
    };
    reader.select(&columns)?;
    let mut lines = Vec::new();
    while let Some(part) = reader.next_part()? {
        let Decoded { batch, refusal } = part.decode(lines.len())?;
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let texts: Vec<StringArray> = (0..3).map(|i| text(&batch, i)).collect::<anyhow::Result<_>>()?;
        let value = |i: usize, row: usize| {
            texts[i].is_valid(row).then(|| texts[i].value(row).to_string()).filter(|text| !text.is_empty())
        };
        let (bins, rows) = (
            numbers(&batch, 3, reader.name(), lines.len())?,
            numbers(&batch, 4, reader.name(), lines.len())?,
        );
        let each = numbers(&batch, 5, reader.name(), lines.len())?;
        for row in 0..batch.num_rows() {
            lines.push(StatisticsLine {
                kind: value(0, row).unwrap_or_default(),
                class: value(1, row),
                label: value(2, row),
                bin: bins.0.is_valid(row).then(|| bins.0.value(row)),
                rows: rows.0.is_valid(row).then(|| rows.0.value(row)),
                each: each.1.is_valid(row).then(|| each.1.value(row)),
            });
        }
    }
    Ok(lines)
}

/// A column as text.
fn text(batch: &RecordBatch, column: usize) -> anyhow::Result<StringArray> {
    Ok(arrow_cast::cast(&plain(batch, column)?, &DataType::Utf8)?.as_string::<i32>().clone())
}

/// A column without its JSON quotes.
fn plain(batch: &RecordBatch, column: usize) -> anyhow::Result<ArrayRef> {
    let array = batch.column(column);
    Ok(if is_json(batch.schema().field(column)) { decode_json(array)? } else { array.clone() })
}

/// A column as whole numbers and as numbers; text is read as numbers, an empty one is none.
fn numbers(
    batch: &RecordBatch,
    column: usize,
    file: &str,
    first_row: usize,
) -> anyhow::Result<(Int64Array, Float64Array)> {
    let array = plain(batch, column)?;
    let array = if matches!(array.data_type(), DataType::Utf8) {
        let texts = array.as_string::<i32>();
        let parse = |(row, text): (usize, Option<&str>)| match text.map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => text.parse::<f64>().map(Some).map_err(|_| {
                let what = format!(
                    "{file}: row {}, column \"{}\": \"{}\" is not a number",
                    first_row + row + 1,
                    COLUMNS[column],
                    crate::output::shown(text)
                );
                Refusal::new(what).hint(HINT)
            }),
        };
        let parsed: Result<Float64Array, Refusal> = texts.iter().enumerate().map(parse).collect();
        Arc::new(parsed?) as ArrayRef
    } else {
        array
    };
    let whole = arrow_cast::cast(&array, &DataType::Int64)?.as_primitive::<Int64Type>().clone();
    let number = arrow_cast::cast(&array, &DataType::Float64)?.as_primitive::<Float64Type>().clone();
    Ok((whole, number))
}

fn schema() -> Schema {
    let types =
        [DataType::Utf8, DataType::Utf8, DataType::Utf8, DataType::Int64, DataType::Int64, DataType::Float64];
    Schema::new(
        COLUMNS.iter().zip(types).map(|(name, kind)| Field::new(*name, kind, true)).collect::<Vec<_>>(),
    )
}

fn batch(lines: &[StatisticsLine]) -> anyhow::Result<RecordBatch> {
    let texts = |of: fn(&StatisticsLine) -> Option<&str>| -> ArrayRef {
        Arc::new(lines.iter().map(of).collect::<StringArray>())
    };
    let whole = |of: fn(&StatisticsLine) -> Option<i64>| -> ArrayRef {
        Arc::new(lines.iter().map(of).collect::<Int64Array>())
    };
    let columns = vec![
        texts(|line| Some(&line.kind)),
        texts(|line| line.class.as_deref()),
        texts(|line| line.label.as_deref()),
        whole(|line| line.bin),
        whole(|line| line.rows),
        Arc::new(lines.iter().map(|line| line.each).collect::<Float64Array>()),
    ];
    Ok(RecordBatch::try_new(Arc::new(schema()), columns)?)
}
