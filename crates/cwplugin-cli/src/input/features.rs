//! What else is known of the rows: columns of the table, or matrices in files beside it.

use std::path::Path;

use arrow_array::RecordBatch;
use cwplugin::{Calibration, Error, Features};

use super::refusals::Origin;
use super::values;
use super::{Layout, Want};
use crate::args::ScoresArg;
use crate::output::count_of;
use crate::refusal::Refusal;
use crate::table::{Format, ReadOptions, Reader};

/// Whether an item of `--features` is a file, not a column.
pub(crate) fn is_file(item: &str) -> bool {
    Format::of_name(Path::new(item)).is_some()
}

/// The features that a command wants: those that the user names, else those that the model names.
pub(super) fn wanted(want: Want) -> Result<Vec<String>, Refusal> {
    let asked = want.features.to_vec();
    super::refuse_listed_twice(&asked, "--features")?;
    let Some((model, path)) = want.model else { return Ok(asked) };
    let (file, rule) = (path.display(), model.rule());
    match (rule.n_features(), rule.calibration()) {
        (None, _) if asked.is_empty() => Ok(asked),
        (None, _) => {
            Err(Refusal::usage(format!("{file}: the model looks at probabilities, not at features"))
                .hint("leave out --features"))
        }
        (Some(_), Some(Calibration::Affine { features: Some(names), .. })) if asked.is_empty() => {
            Ok(names.clone())
        }
        (Some(n), _) if asked.is_empty() => {
            Err(Refusal::usage(format!("{file}: the model looks at {n} features of every row"))
                .hint("give them as at the fit: --features FILE.npy"))
        }
        (Some(_), _) => Ok(asked),
    }
}

const CURE: &str = "replace it with a number, or drop the row";

/// Why a feature is refused.
fn not_usable(value: f64, largest: f64) -> String {
    if value.is_finite() {
        format!("{value:?} is not a number from -{largest:?} to {largest:?}")
    } else {
        format!("{value} is not finite")
    }
}

/// Where the features of a row come from, in their order.
#[derive(Debug)]
pub(super) enum Source {
    Column(usize),
    Matrix(Matrix),
}

/// A file of numbers, one row for each row of the table.
#[derive(Debug)]
pub(super) struct Matrix {
    file: String,
    numbers: Vec<f32>,
    columns: usize,
}

impl Matrix {
    fn n_rows(&self) -> usize {
        self.numbers.len() / self.columns
    }
}

/// Reads all numbers of a file; in single precision, which embeddings are made in.
fn read_matrix(path: &Path) -> anyhow::Result<Matrix> {
    let mut reader = Reader::open(path, &ReadOptions::default())?;
    let (file, schema) = (reader.name().to_string(), reader.schema());
    let columns = schema.fields().len();
    let layout = Layout::of_numbers(columns);
    let (mut numbers, mut rows) = (Vec::new(), 0);
    while let Some(part) = reader.next_part()? {
        let decoded = part.decode(rows)?;
        let origin = Origin {
            file: &file,
            first_row: rows,
            layout: &layout,
            schema: &schema,
            scores: ScoresArg::Probabilities,
        };
        let read = values::matrix(&decoded.batch, &origin)?;
        if let Some(place) = read.iter().position(|&number| !(number as f32).is_finite()) {
            let (row, column, value) = (place / columns, place % columns, read[place]);
            return Err(origin.at(row, column, &not_usable(value, f64::from(f32::MAX))).hint(CURE).into());
        }
        numbers.extend(read.into_iter().map(|number| number as f32));
        rows += decoded.batch.num_rows();
        decoded.refusal.map_or(Ok(()), Err)?;
    }
    if rows == 0 {
        return Err(Refusal::new(format!("{file}: the table has no rows"))
            .hint("--features needs one row for each row of the table")
            .into());
    }
    Ok(Matrix { file, numbers, columns })
}

/// The features of a table.
#[derive(Debug)]
pub(super) struct FeatureColumns {
    sources: Vec<Source>,
    /// Names of the columns, if all features are columns.
    names: Option<Vec<String>>,
}

impl FeatureColumns {
    /// Reads the files among the items; `columns` has the columns of the table for the other items, in their order.
    pub(super) fn open(items: &[String], columns: &[usize]) -> anyhow::Result<Self> {
        let mut columns = columns.iter();
        let mut sources = Vec::new();
        for item in items {
            let column = if is_file(item) { None } else { columns.next() };
            sources.push(match column {
                Some(&column) => Source::Column(column),
                None => Source::Matrix(read_matrix(Path::new(item))?),
            });
        }
        let names = items.iter().all(|item| !is_file(item)).then(|| items.to_vec());
        Ok(Self { sources, names })
    }

    /// Whether it must be known how many rows of the table come before some rows.
    pub(super) fn has_files(&self) -> bool {
        self.sources.iter().any(|source| matches!(source, Source::Matrix(_)))
    }

    fn width(&self) -> usize {
        let width = |source: &Source| if let Source::Matrix(matrix) = source { matrix.columns } else { 1 };
        self.sources.iter().map(width).sum()
    }

    /// The features of some rows.
    pub(super) fn of_batch(&self, batch: &RecordBatch, origin: &Origin) -> anyhow::Result<Features> {
        let (n, width) = (batch.num_rows(), self.width());
        let mut all = vec![0.0; n * width];
        let mut first = 0;
        for source in &self.sources {
            match source {
                Source::Column(column) => {
                    let numbers = values::numbers(batch, *column, origin)?;
                    for (row, &number) in all.chunks_exact_mut(width).zip(&*numbers) {
                        row[first] = number;
                    }
                    first += 1;
                }
                Source::Matrix(matrix) => {
                    let rows = origin.first_row..origin.first_row + n;
                    if matrix.n_rows() < rows.end {
                        return Err(too_few(matrix, origin.file, rows.end).into());
                    }
                    let numbers = matrix.numbers[rows.start * matrix.columns..].chunks_exact(matrix.columns);
                    for (row, numbers) in all.chunks_exact_mut(width).zip(numbers) {
                        let places = row[first..first + matrix.columns].iter_mut();
                        places.zip(numbers).for_each(|(place, &number)| *place = f64::from(number));
                    }
                    first += matrix.columns;
                }
            }
        }
        let features = Features::new(all, width).map_err(|error| self.refuse(&error, origin))?;
        Ok(match &self.names {
            Some(names) => features.with_names(names.clone())?,
            None => features,
        })
    }

    /// Files have been checked when they were read, so that only a column of the table can be at fault.
    fn refuse(&self, error: &Error, origin: &Origin) -> Refusal {
        if let &Error::BadFeature { row, column, value } = error {
            let mut first = 0;
            for source in &self.sources {
                match source {
                    Source::Column(of_table) if first == column => {
                        return origin.at(row, *of_table, &not_usable(value, 1e100)).hint(CURE);
                    }
                    Source::Column(_) => first += 1,
                    Source::Matrix(matrix) => first += matrix.columns,
                }
            }
        }
        Refusal::new(format!("{}: --features: {error}", origin.file)).hint("every feature is a finite number")
    }

    /// Refuses features that are more or fewer than the model looks at.
    pub(super) fn check_width(&self, want: Want) -> Result<(), Refusal> {
        let Some((model, path)) = want.model else { return Ok(()) };
        let found = count_of(self.width() as u64, "number");
        match model.rule().n_features().filter(|n| *n != self.width()) {
            None => Ok(()),
            Some(n) => Err(Refusal::new(format!(
                "--features {}: {found} in every row, but the model {} looks at {n}",
                want.features.join(","),
                path.display()
            ))
            .hint("give the features that the model was fitted with, in the same order")),
        }
    }

    /// Refuses a file that has more rows than the table.
    pub(super) fn check_rows(&self, table: &str, rows: usize) -> Result<(), Refusal> {
        let is_longer = |source: &&Source| matches!(source, Source::Matrix(matrix) if matrix.n_rows() > rows);
        match self.sources.iter().find(is_longer) {
            Some(Source::Matrix(matrix)) => Err(too_few(matrix, table, rows)),
            _ => Ok(()),
        }
    }
}

fn too_few(matrix: &Matrix, table: &str, rows: usize) -> Refusal {
    let found = count_of(matrix.n_rows() as u64, "row");
    let table_has = if matrix.n_rows() < rows { "has more" } else { "has fewer" };
    Refusal::new(format!("{}: {found}, but {table} {table_has}", matrix.file))
        .hint("--features FILE has one row for each row of the table, in the same order")
}
