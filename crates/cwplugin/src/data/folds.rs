//! Stratified cross-validation folds.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Maximum number of folds.
const FOLDS: usize = 5;

/// Assigns each row to a fold, with each class spread as evenly as possible; returns the folds and their number.
///
/// There are five folds, or as many as the largest class has rows; `None` if that is fewer than two. A class with at least
/// two rows is present in the training rows of every fold.
pub(crate) fn stratified(labels: &[usize], n_classes: usize, seed: u64) -> Option<(Vec<usize>, usize)> {
    let mut rows_of = vec![vec![]; n_classes];
    for (row, &label) in labels.iter().enumerate() {
        rows_of[label].push(row);
    }
    let count = rows_of.iter().map(Vec::len).max()?.min(FOLDS);
    if count < 2 {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut fold = vec![0; labels.len()];
    let mut turn = 0; // not reset between classes, so that folds have equal size
    for rows in &mut rows_of {
        rows.shuffle(&mut rng);
        for &row in &*rows {
            fold[row] = turn % count;
            turn += 1;
        }
    }
    Some((fold, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_spread_over_the_folds() {
        let labels: Vec<usize> = (0..103).map(|i| [0, 0, 0, 1, 2][i % 5]).collect();
        let (fold, count) = stratified(&labels, 4, 1).unwrap();
        assert_eq!(count, 5);
        for class in 0..3 {
            let sizes: Vec<usize> =
                (0..5).map(|f| (0..103).filter(|&i| fold[i] == f && labels[i] == class).count()).collect();
            assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1, "{sizes:?}");
        }
        assert_eq!(stratified(&labels, 4, 1), stratified(&labels, 4, 1));
        assert_ne!(stratified(&labels, 4, 1), stratified(&labels, 4, 2));
    }

    #[test]
    fn few_rows_give_few_folds() {
        assert_eq!(stratified(&[0, 1, 0, 1, 0], 2, 0).unwrap().1, 3);
        assert_eq!(stratified(&[0, 1, 2], 3, 0), None);
        assert_eq!(stratified(&[], 3, 0), None);
    }
}
