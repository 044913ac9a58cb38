//! A matrix in column-major order.

use crate::data::Probabilities;
use crate::data::probabilities::{Real, with_values};
use crate::error::Error;
use crate::numeric::parallel;
use crate::rule::AffineMap;

/// One column of `n` values.
pub(super) fn column_of<T>(columns: &[T], class: usize, n: usize) -> &[T] {
    &columns[class * n..(class + 1) * n]
}

/// Transposes a row-major matrix.
pub(super) fn by_column<T: Real>(values: &[T], m: usize) -> Vec<T> {
    let Some(&any) = values.first() else { return Vec::new() };
    let mut columns = vec![any; values.len()];
    write_rows(values, m, |value| value, 0, &mut columns);
    columns
}

/// The same for calibrated rows, without a matrix of all of them in row-major order: there may be many.
pub(super) fn calibrated_by_column(
    probabilities: &Probabilities,
    map: &AffineMap,
) -> Result<Vec<f64>, Error> {
    /// Numbers per piece.
    const PIECE: usize = 1 << 20;
    let (n, m) = (probabilities.n_rows(), probabilities.n_classes());
    let mut columns = vec![0.0; n * m];
    let piece = (PIECE / m).max(1);
    for first in (0..n).step_by(piece) {
        let rows: Vec<usize> = (first..n.min(first + piece)).collect();
        let calibrated = map.apply(&probabilities.select(&rows))?;
        with_values!(calibrated, values => write_rows(values, m, f64::from, first, &mut columns));
    }
    Ok(columns)
}

/// Writes consecutive rows, beginning with the row `first`.
fn write_rows<T: Real, U: Send>(
    values: &[T],
    m: usize,
    of: impl Fn(T) -> U + Send + Sync,
    first: usize,
    columns: &mut [U],
) {
    /// Rows that fit the cache while their columns are written.
    const BLOCK: usize = 64;
    /// Columns per task.
    const GROUP: usize = 16;
    let n = columns.len() / m;
    let groups = columns.chunks_mut(GROUP * n).enumerate().collect();
    parallel::map(groups, |(group, columns): (usize, &mut [U])| {
        for (block, rows) in values.chunks(BLOCK * m).enumerate() {
            for (k, column) in (group * GROUP..).zip(columns.chunks_mut(n)) {
                for (value, row) in column[first + block * BLOCK..].iter_mut().zip(rows.chunks_exact(m)) {
                    *value = of(row[k]);
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{MapInput, Slope};

    /// More rows than fit into a piece.
    #[test]
    fn calibrated_columns_are_those_of_the_calibrated_matrix() {
        let (m, n) = (3, (1 << 20) / 3 + 70);
        let parts = (0..n * m).map(|i| 1.0 + ((i * 7919) % 101) as f64);
        let parts: Vec<f64> = parts.collect();
        let rows =
            parts.chunks_exact(m).flat_map(|row| row.iter().map(|part| part / row.iter().sum::<f64>()));
        let rows = Probabilities::new(rows.collect(), m).unwrap();
        let slope = Slope::Diagonal(vec![0.7, 1.3, 1.0]);
        let map = AffineMap::new(MapInput::LogProbability, slope, vec![0.2, -0.4, 0.0]).unwrap();
        let whole = map.apply(&rows).unwrap();
        assert_eq!(calibrated_by_column(&rows, &map).unwrap(), by_column(whole.as_f64().unwrap(), m));
        let columns = by_column(whole.as_f64().unwrap(), m);
        assert_eq!(column_of(&columns, 2, n)[n - 1], whole.get(n - 1, 2));
    }
}
