//! Statistics in files: as JSON, or as a table in any format, as saved by a database.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use cwplugin::Statistics;
use cwplugin::plugin::{StatisticsError, StatisticsLine};

use super::plain::for_each_text;
use crate::atomic::AtomicFile;
use crate::output::{Screen, shown};
use crate::table::{DocumentOrTable, Format, Reader, Writer, is_stream};
use crate::user_error::UserError;

/// The columns of the table.
const COLUMNS: [&str; 6] = ["kind", "class", "label", "bin", "rows", "each"];

/// Whole numbers up to 2^53 are exact doubles.
const LARGEST: f64 = 9_007_199_254_740_992.0;

/// Lines of a table, at most: they are in memory together.
const MOST_LINES: usize = 1 << 24;

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
                let writer = Writer::create(Some(path), format, batch(&[])?.schema())?;
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
            screen.print_bytes(statistics.to_json().as_bytes())?;
        }
        Ok(())
    }
}

/// Reads statistics in either form; only the content decides.
///
/// # Errors
///
/// If the file cannot be read, or is not valid statistics.
pub fn read(path: &Path) -> anyhow::Result<Statistics> {
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

fn lines(reader: Reader) -> anyhow::Result<Vec<StatisticsLine>> {
    let schema = reader.schema();
    // Some warehouses write names in capitals.
    let find = |name: &str| schema.fields().iter().position(|field| field.name().eq_ignore_ascii_case(name));
    let (file, mut lines) = (reader.name().to_string(), Vec::<StatisticsLine>::new());
    let missing =
        |name: &str| UserError::new(format!("{file}: not statistics: no column \"{name}\"")).hint(HINT);
    let columns = COLUMNS.iter().map(|name| find(name).ok_or_else(|| missing(name)));
    let columns = columns.collect::<Result<Vec<_>, _>>()?;
    for_each_text(reader, &columns, |row, cells| {
        if row == MOST_LINES || lines.try_reserve(1).is_err() {
            return Err(UserError::new(format!(
                "{file}: the table is too long: {row} lines are not its end"
            ))
            .hint("count the rows with `cwplugin stats DATA -o FILE.json`, which has a line for each class")
            .into());
        }
        let cell = |column: usize| Some(cells[column]).filter(|text| !text.is_empty());
        let number = |column: usize, is_whole: bool| {
            cell(column).map_or(Ok(None), |text| {
                parse(text, is_whole).map_err(|what| {
                    let place = format!("{file}: row {}, column \"{}\"", row + 1, COLUMNS[column]);
                    UserError::new(format!("{place}: \"{}\" is not {what}", shown(text))).hint(HINT)
                })
            })
        };
        #[allow(clippy::cast_possible_truncation)] // checked
        let whole = |column| Ok::<_, UserError>(number(column, true)?.map(|number| number as i64));
        lines.push(StatisticsLine {
            kind: cell(0).unwrap_or_default().into(),
            class: cell(1).map(Into::into),
            label: cell(2).map(Into::into),
            bin: whole(3)?,
            rows: whole(4)?,
            each: number(5, false)?,
        });
        Ok(())
    })?;
    Ok(lines)
}

/// A number, which may have to be whole; pandas writes integers with nulls as floats, and null as NaN.
fn parse(text: &str, is_whole: bool) -> Result<Option<f64>, &'static str> {
    let number: f64 = text.parse().map_err(|_| "a number")?;
    if is_whole && number.is_nan() {
        return Ok(None);
    }
    if is_whole && (number.abs() > LARGEST || number.fract().abs() > 0.0) {
        return Err("a whole number");
    }
    Ok(Some(number))
}

fn batch(lines: &[StatisticsLine]) -> anyhow::Result<RecordBatch> {
    let texts = |of: fn(&StatisticsLine) -> Option<&str>| -> ArrayRef {
        Arc::new(lines.iter().map(of).collect::<StringArray>())
    };
    let whole = |of: fn(&StatisticsLine) -> Option<i64>| -> ArrayRef {
        Arc::new(lines.iter().map(of).collect::<Int64Array>())
    };
    let columns = [
        texts(|line| Some(&line.kind)),
        texts(|line| line.class.as_deref()),
        texts(|line| line.label.as_deref()),
        whole(|line| line.bin),
        whole(|line| line.rows),
        Arc::new(lines.iter().map(|line| line.each).collect::<Float64Array>()),
    ];
    let columns = COLUMNS.into_iter().zip(columns).map(|(name, column)| (name, column, true));
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use cwplugin::{Probabilities, Sample, Step};

    use super::*;
    use crate::args::{ColorChoice, Common};

    /// Damages statistics, as a document and in two tables, in many ways, and reads them.
    fn read_damaged(
        damaged: impl Fn(&str, &[u8]) -> Vec<Vec<u8>>,
        check: impl Fn(anyhow::Result<Statistics>, &str),
    ) {
        let values = [0.7, 0.2, 0.1, 0.5, 0.4, 0.1, 0.2, 0.2, 0.6, 0.5, 0.1, 0.4];
        let labels = vec![Some(0), Some(1), Some(2), Some(2)];
        let sample = Sample::new(Probabilities::new(values.to_vec(), 3).unwrap(), labels).unwrap();
        let classes = ["a", "b", "c"].map(String::from).to_vec();
        let mut statistics = Statistics::new(classes, 2, Step::bins(10).unwrap()).unwrap();
        statistics.add_rows(&sample).unwrap();
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let common = Common { quiet: true, ..Common::plain(ColorChoice::Never) };
        for name in ["s.json", "s.csv", "s.parquet"] {
            let path = folder.path().join(name);
            let file = StatisticsFile::create(Some(&path)).unwrap();
            file.write(&statistics, false, &Screen::new("test", &common)).unwrap();
            assert_eq!(read(&path).unwrap().to_json(), statistics.to_json());
            for bytes in damaged(name, &fs::read(&path).unwrap()) {
                fs::write(&path, &bytes).unwrap();
                check(read(&path), &format!("{name}: {}", String::from_utf8_lossy(&bytes)));
            }
        }
    }

    /// One line that names the file, and a hint.
    fn check_error(error: &anyhow::Error, case: &str) {
        let user = error.downcast_ref::<UserError>().unwrap_or_else(|| panic!("{case}: {error}"));
        let what = user.to_string();
        assert!(what.contains("s.") && !what.contains('\n'), "{case}: {what}");
        assert!(user.cure.is_some() && !user.is_usage, "{case}: {what}");
    }

    #[test]
    fn a_file_cut_anywhere_is_refused() {
        // All but the last line feed. A table of text is the one that could pass for whole: there every byte counts.
        let cut = |name: &str, whole: &[u8]| {
            let step = if name == "s.csv" { 1 } else { 29 };
            (0..whole.len() - 1).step_by(step).map(|end| whole[..end].to_vec()).collect()
        };
        read_damaged(cut, |found, case| check_error(&found.expect_err(case), case));
    }

    #[test]
    fn a_file_with_a_changed_byte_never_panics() {
        let changed = |_: &str, whole: &[u8]| {
            let places = (0..whole.len()).step_by(1 + whole.len() / 50);
            let with = |(place, byte): (usize, u8)| [&whole[..place], &[byte], &whole[place + 1..]].concat();
            places.flat_map(|place| [b'9', b'-', 0xff].map(|byte| with((place, byte)))).collect()
        };
        read_damaged(changed, |found, case| {
            if let Err(error) = found {
                check_error(&error, case);
            }
        });
    }
}
