//! Which classes come first, where there are too many to see at once.

use cwplugin::{Change, Outcomes};

/// So many classes are seen at once, and keep their order.
pub(crate) const SEEN_AT_ONCE: usize = 12;

/// Pictures and matrices of more classes are of those that change most.
pub(crate) const MOST_DRAWN: usize = 100;

/// The classes in the order in which they are shown: their own if they are few, else those that change most first.
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
        // One row of class 2, taken for class 0 until class 3 is given all the weight.
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
    fn few_classes_keep_their_order_and_many_are_sorted_by_change() {
        assert_eq!(order(4), [0, 1, 2, 3]);
        assert_eq!(order(20)[..5], [0, 2, 3, 1, 4]);
    }
}
