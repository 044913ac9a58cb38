//! A matrix in column-major order.

use crate::data::probabilities::Real;

/// One column of `n` values.
pub(super) fn column_of<T>(columns: &[T], class: usize, n: usize) -> &[T] {
    &columns[class * n..(class + 1) * n]
}

/// Transposes a row-major matrix.
pub(super) fn by_column<T: Real>(values: &[T], m: usize) -> Vec<T> {
    /// Rows that fit the cache while their columns are written.
    const BLOCK: usize = 64;
    let n = values.len() / m;
    let mut columns = values.to_vec();
    for (block, rows) in values.chunks(BLOCK * m).enumerate() {
        for k in 0..m {
            let column = &mut columns[k * n + block * BLOCK..(k + 1) * n];
            for (value, row) in column.iter_mut().zip(rows.chunks_exact(m)) {
                *value = row[k];
            }
        }
    }
    columns
}
