//! Ratios of two weighted diagonals: the binary search finds what the exact one finds.

use cwplugin::metric::LinearFractional;
use cwplugin::plugin::Settings;
use cwplugin::{Metric, Reference, Search, Step};

use crate::support::fits::{pairs, plugin_with};
use crate::support::tables::Table;

/// Rows of a black box that is right about itself: of those with probability p a share p is of the first class. Between any two of
/// their cuts there is one α of the grid.
fn calibrated(n: u32) -> Table {
    let p = |i: u32| (f64::from(i) + 0.5) / f64::from(n);
    let rows = (0..n).flat_map(|i| [i, i]);
    Table {
        m: 2,
        rows: rows.map(|i| vec![p(i), 1.0 - p(i)]).collect(),
        labels: (0..n).flat_map(|_| [Some(0), Some(1)]).collect(),
        weights: (0..n).flat_map(|i| [f64::from(2 * i + 1), f64::from(2 * (n - i) - 1)]).collect(),
    }
}

#[test]
fn binary_search_finds_the_score_of_the_exact_one_on_good_probabilities() {
    let n = 500;
    let sample = calibrated(n).sample();
    for (a, b, c, d) in [
        ([1.0, 1.0], 0.0, [-1.0, -1.0], 2.0),
        ([1.0, 3.0], 0.5, [0.0, -0.5], 1.0),
        ([4.0, 1.0], 0.0, [1.0, -0.25], 1.5),
        ([0.2, 0.8], 0.0, [0.0, 0.0], 1.0),
        ([1.0, 0.0], 0.0, [0.25, -0.75], 1.0),
    ] {
        let metric = LinearFractional::new("linear-fractional:x.json", a.to_vec(), b, c.to_vec(), d).unwrap();
        assert!(metric.is_quasi_concave(), "{metric:?}");
        let fit = |search| {
            let settings = Settings { reference: Reference::Last, search, ..Settings::EXACT };
            pairs(&plugin_with(&metric, settings).fit(&sample).unwrap()).remove(0)
        };
        let epsilon = 1.0 / f64::from(n);
        let (binary, exact) = (fit(Search::Binary(Step::try_from(epsilon).unwrap())), fit(Search::Exact));
        assert!(
            binary.score <= exact.score + 1e-12 && binary.score >= exact.score - 1e-9,
            "{binary:?} {exact:?}"
        );
        assert!((binary.alpha - exact.alpha).abs() <= epsilon, "{binary:?} {exact:?}");
        assert!(binary.evaluations <= 25, "{binary:?}");
    }
}
