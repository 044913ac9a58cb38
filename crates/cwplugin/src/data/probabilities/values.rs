//! Matrices in single or double precision.

use super::Numbers;
use crate::error::Error;

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
    ///
    /// # Errors
    ///
    /// If they do not fit into memory.
    pub(crate) fn append(&mut self, more: Self) -> Result<(), Error> {
        match (&mut *self, more) {
            (ours, more) if ours.is_empty() => *ours = more,
            (Self::F32(values), Self::F32(more)) => with_room(values, more.len())?.extend_from_slice(&more),
            (Self::F64(values), Self::F64(more)) => with_room(values, more.len())?.extend_from_slice(&more),
            (Self::F64(values), Self::F32(more)) => {
                with_room(values, more.len())?.extend(more.iter().copied().map(f64::from));
            }
            (Self::F32(values), Self::F64(more)) => {
                let ours = values.iter().copied().map(f64::from);
                let both: Vec<f64> = ours.chain(more.iter().copied()).collect();
                *self = Self::F64(both.into());
            }
        }
        Ok(())
    }

    /// These rows of a matrix with `columns` columns.
    pub(crate) fn select(&self, columns: usize, rows: &[usize]) -> Self {
        fn rows_of<T: Copy>(values: &[T], columns: usize, rows: &[usize]) -> Vec<T> {
            let mut selected = Vec::with_capacity(rows.len() * columns);
            for row in rows {
                selected.extend_from_slice(&values[row * columns..][..columns]);
            }
            selected
        }
        match self {
            Self::F32(values) => Self::F32(rows_of(values, columns, rows).into()),
            Self::F64(values) => Self::F64(rows_of(values, columns, rows).into()),
        }
    }
}

/// The values, with room for `more`: data from a file may be larger than the memory, which must not end the program.
fn with_room<T: Copy>(values: &mut Numbers<T>, more: usize) -> Result<&mut Vec<T>, Error> {
    let values = values.to_mut();
    let bytes = values.len().saturating_add(more).saturating_mul(size_of::<T>());
    match values.try_reserve(more) {
        Ok(()) => Ok(values),
        Err(_) => Err(Error::OutOfMemory { bytes }),
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
