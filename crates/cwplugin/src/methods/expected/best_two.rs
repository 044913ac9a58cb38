//! The two best classes of every row: sufficient to predict without any one class.

/// The largest and second largest sum of logit and log-weight of every row; of equal sums the first class.
pub(super) struct BestTwo<'a> {
    logits: &'a [f64],
    n_classes: usize,
    /// The classes with the two largest sums, with these sums.
    rows: Vec<[(usize, f64); 2]>,
}

impl<'a> BestTwo<'a> {
    pub(super) fn new(logits: &'a [f64], log_weights: &[f64]) -> Self {
        let n_classes = log_weights.len();
        let rows = logits.chunks_exact(n_classes).map(|logits| scan(logits, log_weights)).collect();
        Self { logits, n_classes, rows }
    }

    /// The class of each row.
    pub(super) fn predictions(&self) -> impl ExactSizeIterator<Item = usize> {
        self.rows.iter().map(|[best, _]| best.0)
    }

    /// The best class of each row other than this one, and the log-weight from which the row is predicted as this one.
    pub(super) fn without(&self, class: usize) -> impl ExactSizeIterator<Item = (usize, f64)> {
        let logits = self.logits.iter().skip(class).step_by(self.n_classes);
        self.rows.iter().zip(logits).map(move |([best, second], logit)| {
            let (other, sum) = if best.0 == class { second } else { best };
            (*other, sum - logit)
        })
    }

    /// Updates all rows after the log-weight of one class changed.
    pub(super) fn update(&mut self, class: usize, log_weights: &[f64]) {
        let logits = self.logits.chunks_exact(self.n_classes);
        for (row, logits) in self.rows.iter_mut().zip(logits) {
            let [best, second] = *row;
            let changed = (class, logits[class] + log_weights[class]);
            if best.0 == class || second.0 == class {
                *row = scan(logits, log_weights);
            } else if is_before(changed, best) {
                *row = [changed, best];
            } else if is_before(changed, second) {
                row[1] = changed;
            }
        }
    }
}

/// Whether a class is predicted rather than another.
fn is_before(class: (usize, f64), other: (usize, f64)) -> bool {
    class.1 > other.1 || (class.1 >= other.1 && class.0 < other.0)
}

fn scan(logits: &[f64], log_weights: &[f64]) -> [(usize, f64); 2] {
    let mut found = [(0, f64::NEG_INFINITY); 2];
    for (class, (logit, log_weight)) in logits.iter().zip(log_weights).enumerate() {
        let sum = logit + log_weight;
        if sum > found[0].1 {
            found = [(class, sum), found[0]];
        } else if sum > found[1].1 {
            found[1] = (class, sum);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::maximise::predict;
    use super::*;

    proptest! {
        #[test]
        fn updates_equal_predicting_again(
            logits in proptest::collection::vec(-3..3_i32, 40),
            steps in proptest::collection::vec((0..4_usize, -4..4_i32), 1..9),
        ) {
            let logits: Vec<f64> = logits.into_iter().map(f64::from).collect();
            let mut log_weights = vec![0.0; 4];
            let mut rows = BestTwo::new(&logits, &log_weights);
            for (class, log_weight) in steps {
                log_weights[class] = f64::from(log_weight);
                rows.update(class, &log_weights);
                prop_assert_eq!(rows.predictions().collect::<Vec<_>>(), predict(&logits, &log_weights));
                for class in 0..4 {
                    let mut without = log_weights.clone();
                    without[class] = f64::NEG_INFINITY;
                    let others: Vec<usize> = rows.without(class).map(|(other, _)| other).collect();
                    prop_assert_eq!(others, predict(&logits, &without));
                }
            }
        }
    }
}
