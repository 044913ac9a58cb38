//! A matrix in column-major order.

use crate::data::probabilities::Real;
use crate::numeric::parallel;

/// One column of `n` values.
pub(super) fn column_of<T>(columns: &[T], class: usize, n: usize) -> &[T] {
    &columns[class * n..(class + 1) * n]
}

/// Transposes a row-major matrix.
pub(super) fn by_column<T: Real>(values: &[T], m: usize) -> Vec<T> {
    /// Rows that fit the cache while their columns are written.
    const BLOCK: usize = 64;
    /// Columns per task.
    const GROUP: usize = 16;
    let Some(&any) = values.first() else { return Vec::new() };
    let (n, mut columns) = (values.len() / m, vec![any; values.len()]);
    let groups = columns.chunks_mut(GROUP * n).enumerate().collect();
    parallel::map(groups, |(group, columns): (usize, &mut [T])| {
        for (block, rows) in values.chunks(BLOCK * m).enumerate() {
            for (k, column) in (group * GROUP..).zip(columns.chunks_mut(n)) {
                for (value, row) in column[block * BLOCK..].iter_mut().zip(rows.chunks_exact(m)) {
                    *value = row[k];
                }
            }
        }
    });
    columns
}
