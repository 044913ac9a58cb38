//! Features of the rows: columns of the table, or files with numbers.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use cwplugin::{Calibration, Error, Features, Scores};

use super::errors::Origin;
use super::values;
use super::{Layout, Needs};
use crate::output::{count_of, shown};
use crate::table::{Format, ReadOptions, Reader};
use crate::user_error::UserError;

/// Whether an item of `--features` is a file, not a column.
pub(crate) fn is_file(item: &str) -> bool {
    Format::of_name(Path::new(item)).is_some()
}

/// A feature of a command.
#[derive(Debug, Clone)]
pub(super) enum Wanted {
    /// A column of the table.
    Column(String),
    /// A file with numbers, which the user names.
    File(PathBuf),
}

impl Wanted {
    fn of_user(item: &String) -> Self {
        if is_file(item) { Self::File(item.into()) } else { Self::Column(item.clone()) }
    }

    /// Its name, if it is a column.
    pub(super) fn column(&self) -> Option<&String> {
        if let Self::Column(name) = self { Some(name) } else { None }
    }
}

/// The features of a command: those that the user names, else those that the model names. The names of a model are always
/// columns: a model may come from anybody, so no file that it names is opened.
pub(super) fn wanted(needs: Needs) -> Result<Vec<Wanted>, UserError> {
    super::refuse_listed_twice(needs.features, "--features")?;
    let given: Vec<Wanted> = needs.features.iter().map(Wanted::of_user).collect();
    let Some((model, path)) = needs.model else { return Ok(given) };
    let (file, rule) = (path.display(), model.rule());
    match (rule.n_features(), rule.calibration()) {
        (None, _) if given.is_empty() => Ok(given),
        (None, _) => {
            Err(UserError::usage(format!("{file}: the model does not use features")).hint("omit --features"))
        }
        (Some(_), Some(Calibration::Affine { features: Some(names), .. })) if given.is_empty() => {
            let mut seen = HashSet::new();
            if let Some(name) = names.iter().find(|name| !seen.insert(*name)) {
                let what = format!("{file}: the model names feature \"{}\" twice", shown(name));
                return Err(UserError::new(what).hint("fit the model again"));
            }
            Ok(names.iter().cloned().map(Wanted::Column).collect())
        }
        (Some(n), _) if given.is_empty() => {
            Err(UserError::usage(format!("{file}: the model needs {n} features for every row"))
                .hint("give them as in the fit: --features FILE.npy"))
        }
        (Some(_), _) => Ok(given),
    }
}

const CURE: &str = "replace it with a number, or drop the row";

/// Why a feature is invalid.
fn not_usable(value: f64, largest: f64) -> String {
    if value.is_finite() {
        format!("{value:?} is not a number from -{largest:?} to {largest:?}")
    } else {
        format!("{value} is not finite")
    }
}

/// The source of some features.
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

/// Reads all numbers of a file, in single precision, as embeddings are.
fn read_matrix(path: &Path) -> anyhow::Result<Matrix> {
    let mut reader = Reader::open(path, &ReadOptions::default())?;
    let (file, schema) = (reader.name().to_string(), reader.schema());
    let columns = schema.fields().len();
    let layout = Layout::of_numbers(columns);
    let (mut numbers, mut rows) = (Vec::<f32>::new(), 0);
    while let Some(part) = reader.next_part()? {
        let decoded = part.decode(rows)?;
        let origin = Origin {
            model: None,
            noun: "column",
            file: &file,
            first_row: rows,
            layout: &layout,
            schema: &schema,
            scores: Scores::Probabilities,
            has_comma: false,
            may_be_missing: false,
            has_counts: false,
        };
        let read = values::matrix(&decoded.batch, &origin)?;
        if let Some(place) = read.iter().position(|&number| !(number as f32).is_finite()) {
            let (row, column, value) = (place / columns, place % columns, read[place]);
            return Err(origin.at(row, column, &not_usable(value, f64::from(f32::MAX))).hint(CURE).into());
        }
        if numbers.try_reserve(read.len()).is_err() {
            return Err(UserError::new(format!("{file}: the features do not fit into memory"))
                .hint("use fewer rows, or fewer columns")
                .into());
        }
        numbers.extend(read.into_iter().map(|number| number as f32));
        rows += decoded.batch.num_rows();
        decoded.error.map_or(Ok(()), Err)?;
    }
    if rows == 0 {
        return Err(UserError::new(format!("{file}: the table has no rows"))
            .hint("--features needs one row for each row of the table")
            .into());
    }
    Ok(Matrix { file, numbers, columns })
}

/// The features of a table.
#[derive(Debug)]
pub(super) struct FeatureColumns {
    sources: Vec<Source>,
    /// Their names, if all features are columns.
    names: Option<Vec<String>>,
}

impl FeatureColumns {
    /// Reads the files among the items; `columns` are the columns of the other items, in order.
    pub(super) fn open(items: &[Wanted], columns: &[usize]) -> anyhow::Result<Self> {
        let mut columns = columns.iter();
        let mut sources = Vec::new();
        for item in items {
            match item {
                Wanted::Column(_) => sources.extend(columns.next().map(|&column| Source::Column(column))),
                Wanted::File(path) => sources.push(Source::Matrix(read_matrix(path)?)),
            }
        }
        let names = items.iter().map(|item| item.column().cloned()).collect();
        Ok(Self { sources, names })
    }

    /// Whether any features come from files.
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
                        return Err(other_length(matrix, origin.file, rows.end).into());
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
        let features = Features::new(all, width).map_err(|error| self.user_error(&error, origin))?;
        Ok(match &self.names {
            Some(names) => features.with_names(names.clone())?,
            None => features,
        })
    }

    /// Files were checked when they were read, so only a column of the table can be wrong.
    fn user_error(&self, error: &Error, origin: &Origin) -> UserError {
        let mut columns = self.sources.iter().flat_map(|source| match source {
            Source::Column(column) => vec![Some(*column)],
            Source::Matrix(matrix) => vec![None; matrix.columns],
        });
        if let &Error::BadFeature { row, column, value } = error
            && let Some(Some(column)) = columns.nth(column)
        {
            return origin.at(row, column, &not_usable(value, 1e100)).hint(CURE);
        }
        UserError::new(format!("{}: --features: {error}", origin.file))
            .hint("every feature must be a finite number")
    }

    /// Refuses more or fewer features than the model needs.
    pub(super) fn check_width(&self, needs: Needs) -> Result<(), UserError> {
        let Some((model, path)) = needs.model else { return Ok(()) };
        let Some(n) = model.rule().n_features().filter(|n| *n != self.width()) else { return Ok(()) };
        let (given, found) = (needs.features.join(","), count_of(self.width(), "number"));
        let model = path.display();
        Err(UserError::new(format!(
            "--features {given}: {found} in every row, but the model {model} needs {n}"
        ))
        .hint("give the features of the fit, in the same order"))
    }

    /// Refuses a file with more rows than the table.
    pub(super) fn check_rows(&self, table: &str, rows: usize) -> Result<(), UserError> {
        let is_longer = |source: &&Source| matches!(source, Source::Matrix(matrix) if matrix.n_rows() > rows);
        match self.sources.iter().find(is_longer) {
            Some(Source::Matrix(matrix)) => Err(other_length(matrix, table, rows)),
            _ => Ok(()),
        }
    }
}

fn other_length(matrix: &Matrix, table: &str, rows: usize) -> UserError {
    let found = count_of(matrix.n_rows() as u64, "row");
    let table_has = if matrix.n_rows() < rows { "has more" } else { "has fewer" };
    UserError::new(format!("{}: {found}, but {table} {table_has}", matrix.file))
        .hint("--features FILE must have one row for each row of the table, in the same order")
}
