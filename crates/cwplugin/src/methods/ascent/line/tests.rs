//! Compares a line with predicting all rows again between every two cuts.

use proptest::prelude::*;

use super::super::columns::{by_column, column_of};
use super::super::targets::{RowWeights, Unit, UnitWeights};
use super::*;
use crate::data::{Probabilities, Sample};
use crate::metric::{Accuracy, GMean, MacroF1, MacroPrecision, Mcc, PairFowlkesMallows};
use crate::rule::Weights;

/// Probabilities in twelfths, which give many ties, zeros and equal rows.
fn rows(m: usize) -> impl Strategy<Value = (Vec<f64>, Vec<u32>)> {
    let row = (proptest::collection::vec(0..5_u32, m), 0..m, 0..m as u32);
    proptest::collection::vec(row, 1..60).prop_map(move |rows| {
        let (mut values, mut labels) = (Vec::new(), Vec::new());
        for (mut row, k, label) in rows {
            row[k] += 1;
            let sum: u32 = row.iter().sum();
            values.extend(row.iter().map(|&part| f64::from(part) / f64::from(sum)));
            labels.push(label);
        }
        (values, labels)
    })
}

/// The best score of a line, by predicting all rows again between every two cuts.
fn brute_force(sample: &Sample, weights: &[f64], class: usize, metric: &dyn Metric) -> f64 {
    let cut = |row: usize| {
        let products: Vec<f64> = sample.probabilities().row(row).zip(weights).map(|(b, w)| b * w).collect();
        let others = products.iter().enumerate().filter(|&(k, _)| k != class);
        others.map(|(_, &product)| product).fold(0.0, f64::max) / products[class]
    };
    let mut cuts: Vec<f64> = (0..sample.n_rows()).map(cut).collect();
    cuts.retain(|cut| *cut > 0.0 && cut.is_finite());
    cuts.sort_by(f64::total_cmp);
    let mut factors = vec![cuts.first().map_or(1.0, |cut| cut / 2.0)];
    factors.extend(
        cuts.windows(2)
            .filter(|pair| pair[1] > pair[0] * (1.0 + 1e-12))
            .map(|pair| (pair[0] * pair[1]).sqrt()),
    );
    factors.extend(cuts.last().map(|cut| cut * 2.0));
    let score = |factor: f64| {
        let mut weights = weights.to_vec();
        weights[class] *= factor;
        let mut confusion = crate::metric::Confusion::zeros(weights.len());
        for row in 0..sample.n_rows() {
            let b: Vec<f64> = sample.probabilities().row(row).collect();
            let truth = sample.label_indices()[row] as usize;
            confusion.add(truth, crate::rule::argmax_weighted(&b, &weights), sample.weight(row));
        }
        metric.score(&confusion)
    };
    factors.into_iter().map(score).fold(f64::NEG_INFINITY, f64::max)
}

/// Equal up to rounding, also of the number below a square root: near 0 the root magnifies it.
fn is_equal(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12 || (a * a - b * b).abs() < 1e-15
}

proptest! {
    #[test]
    fn a_line_equals_predicting_again_between_every_two_cuts(
        (values, labels) in rows(3),
        exponents in proptest::array::uniform3(-2..3_i32),
        class in 0..3_usize,
        row_weight in proptest::option::of(1..4_u32),
    ) {
        let weights = exponents.map(|exponent| 2.0_f64.powi(exponent));
        let row_weights: Vec<f64> =
            (0..labels.len()).map(|i| row_weight.map_or(1.0, |w| 0.1 * f64::from(1 + (i as u32 * w) % 3))).collect();
        let sample = Sample::from_codes(Probabilities::new(values.clone(), 3).unwrap(), labels.clone()).unwrap();
        let sample = if row_weight.is_some() { sample.with_weights(row_weights.clone()).unwrap() } else { sample };
        let metrics: [&dyn Metric; 6] = [&MacroF1, &Accuracy, &GMean, &MacroPrecision, &Mcc, &PairFowlkesMallows];
        for metric in metrics {
            let expected = brute_force(&sample, &weights, class, metric);
            let weighed = RowWeights { labels: &labels, weights: &row_weights, unit: Unit::of(&row_weights) };
            let mut places = best_of(&values, &weighed, metric, &weights, class);
            if row_weight.is_none() {
                places.extend(best_of(&values, &UnitWeights(&labels), metric, &weights, class));
            }
            for place in places {
                // If scores differ only by rounding, either may be found.
                prop_assert!(is_equal(place.score, expected), "{}: {} for {expected}", metric.name(), place.score);
                let mut moved = weights;
                moved[class] *= place.factor;
                let there = metric.score(&sample.confusion(&Weights::new(moved.to_vec()).unwrap()).unwrap());
                // Normalising may change the prediction of a row with a tie of two other classes.
                let tips = (0..sample.n_rows()).any(|row| {
                    let b: Vec<f64> = sample.probabilities().row(row).collect();
                    let normal = Weights::new(moved.to_vec()).unwrap();
                    crate::rule::argmax_weighted(&b, &moved) != normal.predict_row(&b)
                });
                prop_assert!(tips || is_equal(there, place.score), "{}: {there}", metric.name());
            }
        }
    }
}

/// Below and above the only cut two of three rows are correct; on it three or one, depending on ties. The search must not
/// report a score that exists only on the cut, nor stay on the cut.
#[test]
fn a_place_is_never_on_a_cut() {
    let values = [0.8, 0.2, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0 / 3.0, 1.0 / 3.0];
    for labels in [[0, 0, 1], [1, 0, 2]] {
        for place in best_of(&values, &UnitWeights(&labels), &Accuracy, &[0.25, 1.0, 2.0], 1) {
            assert!(place.is_flat && (place.factor - 1.0).abs() > 0.1, "{place:?}");
            assert_eq!(place.score, 2.0 / 3.0);
        }
    }
}

/// Repeats the search with every number of buckets.
fn best_of<Y: Truth>(
    values: &[f64],
    truth: &Y,
    metric: &dyn Metric,
    weights: &[f64],
    class: usize,
) -> Vec<Place> {
    let columns = by_column(values, weights.len());
    let top_twos = TopTwos::of(&columns, weights);
    let mut confusion = IncrementalConfusion::of_rows(truth, metric, top_twos.len(), weights.len());
    confusion.recount(top_twos.first.iter().map(|&first| first as usize)).unwrap();
    let line = Line {
        column: column_of(&columns, class, top_twos.len()),
        truth,
        top_twos: &top_twos,
        class,
        weight: weights[class],
        n_classes: weights.len(),
    };
    let can_skip = metric.is_monotone_by_class() && confusion.are_all_present();
    let mut places = Vec::new();
    for digits in [None, Some(0), Some(1), Some(3)].into_iter().filter(|digits| digits.is_none() || can_skip)
    {
        let buckets = digits.map_or(LogBuckets::HALVES, buckets_with);
        let mut counted = Counted::default();
        let place = line.best_with(buckets, &mut confusion, &mut counted, -1.0).unwrap().unwrap();
        // Now with the cuts that are collected while the rows are counted.
        assert_eq!(line.best_with(buckets, &mut confusion, &mut counted, -1.0).unwrap().unwrap(), place);
        let before = confusion.score();
        let again = confusion.recount(top_twos.first.iter().map(|&first| first as usize)).unwrap();
        assert_eq!(before, again);
        assert!(places.first().is_none_or(|first| *first == place), "{places:?} {place:?}");
        places.push(place);
    }
    places
}
