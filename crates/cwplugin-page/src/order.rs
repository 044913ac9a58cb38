//! The order of classes on the page.

use cwplugin::Outcomes;
use cwplugin::evaluate::Change;

/// Up to this many classes keep the order of the model.
pub(crate) const SEEN_AT_ONCE: usize = 12;

/// Plots and matrices show at most this many classes: those with the most changed predictions.
pub(crate) const MOST_DRAWN: usize = 100;

/// The order of the model for few classes, else by weight of changed rows, descending.
pub(crate) fn by_change(outcomes: &Outcomes, n_classes: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n_classes).collect();
    if n_classes <= SEEN_AT_ONCE {
        return order;
    }
    let mut changed = vec![0.0; n_classes];
    for Change { clean, fitted, truth, weight, .. } in outcomes.changes() {
        for class in [clean, fitted, truth] {
            changed[class] += weight;
        }
    }
    order.sort_by(|&a, &b| changed[b].total_cmp(&changed[a]).then(a.cmp(&b)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use cwplugin::{Probabilities, Sample, Weights};

    fn order(n_classes: usize) -> Vec<usize> {
        // One row of class 2, predicted as class 0, with the weights as class 3.
        let mut row = vec![0.0; n_classes];
        (row[0], row[3]) = (0.75, 0.25);
        let sample = Sample::new(Probabilities::new(row, n_classes).unwrap(), vec![Some(2)]).unwrap();
        let mut weights = vec![1.0; n_classes];
        weights[3] = 100.0;
        let mut outcomes = Outcomes::new(n_classes);
        outcomes.add_sample(&sample, &Weights::new(weights).unwrap().into()).unwrap();
        by_change(&outcomes, n_classes)
    }

    #[test]
    fn few_classes_keep_their_order_and_many_are_sorted_by_changes() {
        assert_eq!(order(4), [0, 1, 2, 3]);
        assert_eq!(order(20)[..5], [0, 2, 3, 1, 4]);
    }
}
