//! Matrices in single or double precision.

use super::Numbers;

/// Row-major values in the precision of the input: `f32` halves memory and read time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    F32(Numbers<f32>),
    F64(Numbers<f64>),
}

impl Values {
    fn is_empty(&self) -> bool {
        match self {
            Self::F32(values) => values.is_empty(),
            Self::F64(values) => values.is_empty(),
        }
    }

    /// Appends `more`; the result is `f64` if either is.
    pub(crate) fn append(&mut self, more: Self) {
        match (&mut *self, more) {
            (ours, more) if ours.is_empty() => *ours = more,
            (Self::F32(values), Self::F32(more)) => values.to_mut().extend_from_slice(&more),
            (Self::F64(values), Self::F64(more)) => values.to_mut().extend_from_slice(&more),
            (Self::F64(values), Self::F32(more)) => {
                values.to_mut().extend(more.iter().copied().map(f64::from));
            }
            (Self::F32(values), Self::F64(more)) => {
                let ours = values.iter().copied().map(f64::from);
                let both: Vec<f64> = ours.chain(more.iter().copied()).collect();
                *self = Self::F64(both.into());
            }
        }
    }

    /// These rows of a matrix with `columns` columns.
    pub(crate) fn select(&self, columns: usize, rows: &[usize]) -> Self {
        fn rows_of<T: Copy>(values: &[T], columns: usize, rows: &[usize]) -> Vec<T> {
            rows.iter().flat_map(|row| &values[row * columns..(row + 1) * columns]).copied().collect()
        }
        match self {
            Self::F32(values) => Self::F32(rows_of(values, columns, rows).into()),
            Self::F64(values) => Self::F64(rows_of(values, columns, rows).into()),
        }
    }
}

/// A value of the matrix; computation is in `f64`.
pub(crate) trait Real: Copy + Send + Sync + Into<f64> {
    /// The nearest `f32`.
    fn single(self) -> f32;

    /// These values, if they are single.
    fn singles(_values: &[Self]) -> Option<&[f32]> {
        None
    }
}

impl Real for f32 {
    #[inline(always)]
    fn single(self) -> f32 {
        self
    }

    #[inline(always)]
    fn singles(values: &[Self]) -> Option<&[f32]> {
        Some(values)
    }
}

impl Real for f64 {
    #[inline(always)]
    fn single(self) -> f32 {
        self as f32
    }
}

/// Evaluates an expression on the values of a matrix in either precision.
macro_rules! with_values {
    ($probabilities:expr, $values:ident => $run:expr) => {
        match $probabilities.values() {
            $crate::data::probabilities::Values::F32($values) => {
                let $values: &[f32] = $values; // dereferenced once, not per value
                $run
            }
            $crate::data::probabilities::Values::F64($values) => {
                let $values: &[f64] = $values;
                $run
            }
        }
    };
}
pub(crate) use with_values;
