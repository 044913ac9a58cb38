//! The metrics that say that no right prediction lowers them on a pair, on every small pair.

use cwplugin::{Confusion, Metric};

use crate::support::metrics::every_metric;

/// A pair of classes with these rows, of which so many are predicted right.
fn pair(totals: [u32; 2], right: [u32; 2]) -> Confusion {
    let [(t, r), (u, s)] =
        [(totals[0], right[0]), (totals[1], right[1])].map(|(t, r)| (f64::from(t), f64::from(r)));
    Confusion::from_rows(&[[r, t - r], [u - s, s]])
}

fn falls(metric: &dyn Metric, totals: [u32; 2]) -> bool {
    let score = |a, b| metric.score(&pair(totals, [a, b]));
    let [t, u] = totals;
    let falls_with_class = |a, b| a < t && score(a + 1, b) < score(a, b) - 1e-14;
    let falls_with_reference = |a, b| b < u && score(a, b + 1) < score(a, b) - 1e-14;
    (0..=t).any(|a| (0..=u).any(|b| falls_with_class(a, b) || falls_with_reference(a, b)))
}

#[test]
fn no_right_prediction_lowers_a_metric_that_says_so() {
    let mut monotone = 0;
    for metric in every_metric(2) {
        let totals = (1..=12).flat_map(|t| (1..=12).map(move |u| [t, u])).chain([[1, 40], [40, 2], [30, 31]]);
        let falls = totals.into_iter().any(|totals| falls(&metric, totals));
        assert!(!(metric.is_monotone() && falls), "{}", metric.name());
        assert!(metric.is_monotone() || !metric.is_quasi_concave(), "{}", metric.name());
        monotone += usize::from(metric.is_monotone());
    }
    assert_eq!(monotone, 21, "of 23 metrics all but pair-fowlkes-mallows and formulas");
}
