//! Statistics in files: as JSON, or as a table in any format, as saved by a database.

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Float64Type;
use arrow_array::{Array as _, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use cwplugin::{Statistics, StatisticsError, StatisticsLine};

use crate::atomic::AtomicFile;
use crate::output::{Screen, shown};
use crate::table::{Decoded, DocumentOrTable, Format, Reader, Writer, decode_json, is_json, is_stream};
use crate::user_error::UserError;

/// The columns of the table.
const COLUMNS: [&str; 6] = ["kind", "class", "label", "bin", "rows", "each"];

/// Whole numbers up to 2^53 are exact doubles.
const LARGEST: f64 = 9_007_199_254_740_992.0;

const HINT: &str =
    "write statistics with `cwplugin stats DATA -o FILE`, or with the query of `cwplugin stats --sql`";

/// The output of statistics; created before the work, so that a bad path fails early.
pub(crate) enum StatisticsFile {
    Document(AtomicFile),
    Table(Box<Writer>),
    Screen,
}

impl StatisticsFile {
    /// JSON or a table, by the extension.
    pub(crate) fn create(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| !is_stream(path)) else { return Ok(Self::Screen) };
        if !is_document(path) && path.file_stem().is_some_and(|stem| is_document(Path::new(stem))) {
            let what = format!("{}: JSON statistics cannot be compressed", path.display());
            return Err(UserError::usage(what).hint("name it .json, or .jsonl.gz for a table").into());
        }
        match Format::of_name(path) {
            Some(format) if !is_document(path) => {
                let writer = Writer::create(Some(path), Some(format), format, Arc::new(schema()))?;
                Ok(Self::Table(Box::new(writer)))
            }
            None if path.extension().is_some() => {
                let what = format!("{}: unknown extension", path.display());
                Err(UserError::usage(what).hint("use .json, .parquet or .csv").into())
            }
            _ => Ok(Self::Document(AtomicFile::create(path)?)),
        }
    }

    /// Writes the statistics; with `--json` also to standard output.
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

/// Reads statistics in either form; only the content decides.
pub(crate) fn read(path: &Path) -> anyhow::Result<Statistics> {
    let (name, statistics) = match DocumentOrTable::open(path)? {
        DocumentOrTable::Document(name, text) => (name, Statistics::from_json(&text)),
        DocumentOrTable::Table(reader) => {
            (reader.name().to_string(), Statistics::from_lines(&lines(*reader)?))
        }
    };
    statistics.map_err(|error| {
        match error {
            StatisticsError::UnknownVersion { .. } => UserError::new(format!("{name}: {error}"))
                .hint("use a newer cwplugin, or count the rows again with this one"),
            _ => UserError::new(format!("{name}: not valid statistics: {error}")).hint(HINT),
        }
        .into()
    })
}

/// `.json` is a document, `.jsonl` a table.
fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn lines(mut reader: Reader) -> anyhow::Result<Vec<StatisticsLine>> {
    let schema = reader.schema();
    // Some warehouses write names in capitals.
    let find = |name: &str| schema.fields().iter().position(|field| field.name().eq_ignore_ascii_case(name));
    let Some(columns) = COLUMNS.iter().map(|name| find(name)).collect::<Option<Vec<_>>>() else {
        let missing = COLUMNS.iter().find(|name| find(name).is_none()).copied().unwrap_or_default();
        let what = format!("{}: not statistics: no column \"{missing}\"", reader.name());
        return Err(UserError::new(what).hint(HINT).into());
    };
    reader.select(&columns)?;
    let mut lines = Vec::new();
    while let Some(part) = reader.next_part()? {
        let Decoded { batch, error } = part.decode(lines.len())?;
        if let Some(error) = error {
            return Err(error);
        }
        let part = LinesPart { file: reader.name(), first_row: lines.len(), batch: &batch };
        let [kinds, classes, labels] = [part.texts(0)?, part.texts(1)?, part.texts(2)?];
        let (bins, rows, each) = (part.whole(3)?, part.whole(4)?, part.numbers(5)?);
        let text = |texts: &StringArray, row| {
            texts.is_valid(row).then(|| texts.value(row).to_string()).filter(|text| !text.is_empty())
        };
        lines.extend((0..batch.num_rows()).map(|row| StatisticsLine {
            kind: text(&kinds, row).unwrap_or_default(),
            class: text(&classes, row),
            label: text(&labels, row),
            bin: bins[row],
            rows: rows[row],
            each: each.is_valid(row).then(|| each.value(row)),
        }));
    }
    Ok(lines)
}

/// Some rows of the table, and their place.
struct LinesPart<'a> {
    file: &'a str,
    first_row: usize,
    batch: &'a RecordBatch,
}

impl LinesPart<'_> {
    /// A column as another type, without JSON quotes.
    fn cast(&self, column: usize, to: &DataType) -> anyhow::Result<ArrayRef> {
        let (array, schema) = (self.batch.column(column), self.batch.schema());
        let plain = if is_json(schema.field(column)) { decode_json(array)? } else { array.clone() };
        arrow_cast::cast(&plain, to).map_err(|_| {
            let what = format!("{}: column \"{}\" holds {}", self.file, COLUMNS[column], plain.data_type());
            UserError::new(what).hint(HINT).into()
        })
    }

    fn texts(&self, column: usize) -> anyhow::Result<StringArray> {
        Ok(self.cast(column, &DataType::Utf8)?.as_string::<i32>().clone())
    }

    /// A column as numbers; text is parsed, and empty text is null.
    fn numbers(&self, column: usize) -> anyhow::Result<Float64Array> {
        if self.batch.column(column).data_type().is_numeric() {
            return Ok(self.cast(column, &DataType::Float64)?.as_primitive::<Float64Type>().clone());
        }
        let texts = self.texts(column)?;
        let parse = |(row, text): (usize, Option<&str>)| match text.map(str::trim) {
            None | Some("") => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| self.error(row, column, text, "a number")),
        };
        Ok(texts.iter().enumerate().map(parse).collect::<Result<_, _>>()?)
    }

    /// A column as whole numbers, which may be floats: pandas writes integers with nulls as floats.
    fn whole(&self, column: usize) -> anyhow::Result<Vec<Option<i64>>> {
        let numbers = self.numbers(column)?;
        let whole = |(row, number): (usize, Option<f64>)| match number {
            Some(number) if number.is_nan() => Ok(None),
            #[allow(clippy::cast_possible_truncation)] // checked
            Some(number) if number.abs() <= LARGEST && number.fract().abs() <= 0.0 => Ok(Some(number as i64)),
            Some(number) => Err(self.error(row, column, &number.to_string(), "a whole number").into()),
            None => Ok(None),
        };
        numbers.iter().enumerate().map(whole).collect()
    }

    fn error(&self, row: usize, column: usize, value: &str, what: &str) -> UserError {
        let (row, column, value) = (self.first_row + row + 1, COLUMNS[column], shown(value));
        UserError::new(format!("{}: row {row}, column \"{column}\": \"{value}\" is not {what}", self.file))
            .hint(HINT)
    }
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
