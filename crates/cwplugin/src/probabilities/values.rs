//! Numbers of either precision, row by row.

/// The numbers row by row, as they came: single precision takes half the memory and half the time to read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl Values {
    fn is_empty(&self) -> bool {
        match self {
            Self::F32(values) => values.is_empty(),
            Self::F64(values) => values.is_empty(),
        }
    }

    /// Puts `more` behind these; both in double precision if one is.
    pub(crate) fn append(&mut self, more: Self) {
        match (&mut *self, more) {
            (ours, more) if ours.is_empty() => *ours = more,
            (Self::F32(values), Self::F32(more)) => values.extend(more),
            (Self::F64(values), Self::F64(more)) => values.extend(more),
            (Self::F64(values), Self::F32(more)) => values.extend(more.into_iter().map(f64::from)),
            (Self::F32(values), Self::F64(more)) => {
                *self = Self::F64(values.iter().copied().map(f64::from).chain(more).collect());
            }
        }
    }

    /// These rows of a matrix of so many columns.
    pub(crate) fn select(&self, columns: usize, rows: &[usize]) -> Self {
        fn rows_of<T: Copy>(values: &[T], columns: usize, rows: &[usize]) -> Vec<T> {
            rows.iter().flat_map(|row| &values[row * columns..(row + 1) * columns]).copied().collect()
        }
        match self {
            Self::F32(values) => Self::F32(rows_of(values, columns, rows)),
            Self::F64(values) => Self::F64(rows_of(values, columns, rows)),
        }
    }
}

/// A number of the matrix; what counts is computed in double precision.
pub(crate) trait Real: Copy + Send + Sync + Into<f64> {
    /// The nearest number in single precision.
    fn single(self) -> f32;
}

impl Real for f32 {
    #[inline(always)]
    fn single(self) -> f32 {
        self
    }
}

impl Real for f64 {
    #[inline(always)]
    fn single(self) -> f32 {
        self as f32
    }
}

/// Runs an expression on the numbers of a matrix, whatever their precision.
macro_rules! with_values {
    ($probabilities:expr, $values:ident => $run:expr) => {
        match $probabilities.values() {
            $crate::probabilities::Values::F32($values) => $run,
            $crate::probabilities::Values::F64($values) => $run,
        }
    };
}
pub(crate) use with_values;
