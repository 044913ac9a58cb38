//! Label positions without overlap, as close to the wanted ones as possible.

/// New positions, in the order of `wanted`, at least `gap` apart and between `low` and `high`.
///
/// Minimises the sum of squared shifts; keeps the order. `None` if there is not enough space.
pub(crate) fn apart(wanted: &[f64], gap: f64, low: f64, high: f64) -> Option<Vec<f64>> {
    if wanted.is_empty() {
        return Some(Vec::new());
    }
    let slack = (high - low) - gap * (wanted.len() - 1) as f64;
    if slack.is_nan() || slack < 0.0 {
        return None;
    }
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    // After subtracting `rank · gap`, this is isotonic regression: pool adjacent violators.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (rank, &i) in order.iter().enumerate() {
        let mut pool = (wanted[i] - gap * rank as f64, 1);
        while let Some(&(mean, size)) = pools.last()
            && mean > pool.0
        {
            let total = size + pool.1;
            pool = ((mean * size as f64 + pool.0 * pool.1 as f64) / total as f64, total);
            pools.pop();
        }
        pools.push(pool);
    }
    let mut placed = vec![0.0; wanted.len()];
    let means = pools.iter().flat_map(|&(mean, size)| std::iter::repeat_n(mean, size));
    for ((rank, &i), mean) in order.iter().enumerate().zip(means) {
        placed[i] = mean.clamp(low, low + slack) + gap * rank as f64;
    }
    Some(placed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn labels_without_overlap_stay() {
        assert_eq!(apart(&[30.0, 10.0, 50.0], 15.0, 0.0, 100.0), Some(vec![30.0, 10.0, 50.0]));
    }

    #[test]
    fn two_at_one_place_move_by_half_a_gap_each() {
        assert_eq!(apart(&[50.0, 50.0], 14.0, 0.0, 100.0), Some(vec![43.0, 57.0]));
    }

    #[test]
    fn too_many_labels_do_not_fit() {
        assert_eq!(apart(&[1.0; 9], 14.0, 0.0, 100.0), None);
        assert_eq!(apart(&[], 14.0, 0.0, -1.0), Some(vec![]));
    }

    proptest! {
        #[test]
        fn labels_never_overlap(wanted in prop::collection::vec(-50.0..400.0f64, 1..20), gap in 5.0..30.0f64) {
            let (low, high) = (0.0, 300.0);
            let Some(placed) = apart(&wanted, gap, low, high) else {
                prop_assert!(gap * (wanted.len() - 1) as f64 > high - low);
                return Ok(());
            };
            for (i, a) in placed.iter().enumerate() {
                prop_assert!(*a >= low - 1e-9 && *a <= high + 1e-9);
                for (j, b) in placed.iter().enumerate().skip(i + 1) {
                    prop_assert!((a - b).abs() >= gap - 1e-9);
                    // The order of the lines is the order of their labels.
                    prop_assert_eq!(wanted[i] <= wanted[j], a < b);
                }
            }
        }
    }
}
