//! Products of a matrix with a vector.

/// Rows of the matrix that are multiplied together: each sum is added up in order, so one alone would wait for every addition.
const TOGETHER: usize = 4;

/// Adds the product of every row of a matrix with `x` to its sum.
pub(super) fn add_products(rows: &[f64], x: &[f64], sums: &mut [f64]) {
    for (sums, rows) in sums.chunks_mut(TOGETHER).zip(rows.chunks(x.len() * TOGETHER)) {
        match sums.len() {
            4 => add_together::<4>(rows, x, sums),
            3 => add_together::<3>(rows, x, sums),
            2 => add_together::<2>(rows, x, sums),
            _ => add_together::<1>(rows, x, sums),
        }
    }
}

fn add_together<const N: usize>(rows: &[f64], x: &[f64], sums: &mut [f64]) {
    let rows: [&[f64]; N] = std::array::from_fn(|row| &rows[row * x.len()..][..x.len()]);
    let mut found = [-0.0; N]; // as sums of iterators begin
    for (i, x) in x.iter().enumerate() {
        found.iter_mut().zip(rows).for_each(|(sum, row)| *sum += row[i] * x);
    }
    sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_together_have_the_bits_of_one_row_after_the_other() {
        for (n, d) in [(1, 5), (2, 3), (3, 40), (4, 7), (5, 1), (10, 33)] {
            let number = |i: usize| ((i * 7919 % 101) as f64 - 50.0) / 7.0;
            let rows: Vec<f64> = (0..n * d).map(number).collect();
            let x: Vec<f64> = (0..d).map(|i| number(i + 3)).collect();
            let mut sums: Vec<f64> = (0..n).map(|i| number(i + 11)).collect();
            let one = |(sum, row): (&f64, &[f64])| sum + row.iter().zip(&x).map(|(a, b)| a * b).sum::<f64>();
            let expected: Vec<f64> = sums.iter().zip(rows.chunks_exact(d)).map(one).collect();
            add_products(&rows, &x, &mut sums);
            assert_eq!(sums, expected, "{n} x {d}");
        }
    }
}
