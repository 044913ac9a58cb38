//! Compares with plain EM; rows that no weight explains.

use proptest::prelude::*;

use super::*;
use crate::data::Probabilities;
use crate::numeric::newton::Problem as _;
use crate::progress::Stage;

fn sample(rows: &[[f64; 3]], labels: &[Option<usize>]) -> Sample {
    let values = rows.iter().flat_map(|row| row.map(|b| b / row.iter().sum::<f64>())).collect();
    Sample::new(Probabilities::new(values, 3).unwrap(), labels.to_vec()).unwrap()
}

#[test]
fn labels_alone_are_counted_against_what_was_expected() {
    let rows = [[0.2, 0.3, 0.5]; 10];
    let labels: Vec<_> = (0..10).map(|row| Some(usize::from(row < 4))).collect();
    let priors = vec![0.25, 0.25, 0.5];
    let (weights, report) =
        LabelShift::default().source_priors(priors).learn(&sample(&rows, &labels)).unwrap();
    let expected = Weights::new(vec![6.5 / 3.0, 4.5 / 3.0, 0.5 / 5.5]).unwrap();
    assert_eq!(weights, expected);
    assert_eq!((report.iterations, report.converged), (0, true));
    assert!((report.target_priors.iter().sum::<f64>() - 1.0).abs() < 1e-15);
}

#[test]
fn a_class_too_rare_to_be_met_keeps_its_weight_and_one_that_should_be_there_loses_it() {
    let labels = [Some(0); 50];
    let priors = vec![0.7, 0.299, 0.001];
    let (weights, _) =
        LabelShift::default().source_priors(priors).learn(&sample(&[[1.0; 3]; 50], &labels)).unwrap();
    let [first, gone, rare] = *weights.as_slice() else { unreachable!() };
    assert!(rare / first > 0.6 && gone / first < 0.03, "{weights:?}");
}

#[test]
fn invalid_priors_are_rejected() {
    let sample = sample(&[[1.0; 3]; 2], &[None, Some(1)]);
    let fit =
        |priors: &[f64]| LabelShift::default().source_priors(priors.to_vec()).learn(&sample).unwrap_err();
    assert_eq!(fit(&[0.5, 0.5]), Error::LengthMismatch { what: "source priors", found: 2, expected: 3 });
    for value in [0.0, -0.1, f64::INFINITY] {
        assert_eq!(fit(&[0.5, value, 0.5]), Error::BadPrior { class: 1, value });
    }
    assert!(matches!(fit(&[0.5, 0.5, f64::NAN]), Error::BadPrior { class: 2, .. }));
    assert_eq!(fit(&[0.5, 0.25, 0.5]), Error::PriorSum { sum: 1.25 });
    let unlabelled = Sample::unlabelled(sample.probabilities().clone());
    assert_eq!(LabelShift::default().learn(&unlabelled).unwrap_err(), Error::NoSourcePriors);
    let shift = LabelShift::default().source_priors(vec![0.5, 0.25, 0.25]);
    let nothing = unlabelled.with_weights(vec![0.0; 2]).unwrap();
    assert_eq!(shift.learn(&nothing).unwrap_err(), Error::NoRows);
}

#[test]
fn rows_that_no_weight_explains_are_ignored() {
    let rows = [[0.6, 0.4, 0.0], [0.5, 0.5, 0.0], [0.3, 0.7, 0.0], [0.5, 0.5, 0.0]];
    let (weights, report) =
        LabelShift::default().learn(&sample(&rows, &[Some(0), Some(1), Some(0), Some(2)])).unwrap();
    let (fewer, _) = LabelShift::default().learn(&sample(&rows[..3], &[Some(0), Some(1), Some(0)])).unwrap();
    assert_eq!((report.ignored_rows, report.converged), (1, true));
    assert_eq!(weights, fewer);
    let w = weights.as_slice();
    assert!((w[2] - (w[0] * w[1]).sqrt()).abs() < 1e-12, "{w:?}");
}

#[test]
fn separable_labels_and_a_single_class_leave_the_weights_as_they_are() {
    let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    for labels in [[Some(0), Some(1), Some(1)], [None, Some(1), Some(1)], [Some(1), None, None]] {
        let (weights, report) = LabelShift::default().learn(&sample(&rows, &labels)).unwrap();
        assert_eq!(weights, Weights::uniform(3).unwrap());
        assert!(report.converged);
    }
}

proptest! {
    #[test]
    fn no_round_of_em_lowers_the_likelihood_and_none_gets_above_the_optimum(
        rows in proptest::collection::vec(([0.0..1.0, 0.01..1.0, 0.0..1.0_f64], 0..6_usize), 1..60),
        priors in [0.02..1.0, 0.02..1.0, 0.02..1.0_f64],
    ) {
        let (b, labels): (Vec<_>, Vec<_>) =
            rows.into_iter().map(|(row, label)| (row, Some(label).filter(|&label| label < 3))).unzip();
        let sample = sample(&b, &labels);
        let source = shares(&priors);
        let likelihood = likelihood_of_rows(&sample, &source).unwrap();
        let optimum = likelihood.maximise(DVector::zeros(3), &Stage::default());
        prop_assert!(optimum.converged);
        let highest = -optimum.value;
        let mut w = vec![1.0; 3];
        let mut before = -likelihood.evaluate(&logarithms(&w)).0;
        for _ in 0..30 {
            let found = likelihood.rows.sums(&w).rows;
            w = (0..3).map(|k| (found[k] + likelihood.counts[k]) / likelihood.expected[k]).collect();
            let after = -likelihood.evaluate(&logarithms(&w)).0;
            prop_assert!(after >= before - 1e-11 && after <= highest + 1e-11, "{} {} {}", before, after, highest);
            before = after;
        }
        // The optimum is a fixed point of EM.
        let w: Vec<f64> = optimum.parameters.iter().map(|theta| theta.exp()).collect();
        let found = likelihood.rows.sums(&w).rows;
        for k in 0..3 {
            let next = (found[k] + likelihood.counts[k]) / likelihood.expected[k];
            prop_assert!((next / w[k] - 1.0).abs() < 1e-7, "{} {}", next, w[k]);
        }
    }

    #[test]
    fn without_priors_every_class_has_as_many_rows_as_its_labels(
        rows in proptest::collection::vec(([0.01..1.0, 0.01..1.0, 0.01..1.0_f64], 0..3_usize), 2..60),
    ) {
        let (b, labels): (Vec<_>, Vec<_>) = rows.into_iter().map(|(row, label)| (row, Some(label))).unzip();
        let sample = sample(&b, &labels);
        let (_, report) = LabelShift::default().learn(&sample).unwrap();
        prop_assert!(report.converged);
        let likelihood = likelihood_of_labels(&sample);
        prop_assume!(likelihood.is_estimated.iter().filter(|&&is_estimated| is_estimated).count() > 1);
        let optimum = likelihood.maximise(DVector::zeros(3), &Stage::default());
        let w: Vec<f64> = optimum
            .parameters
            .iter()
            .zip(&likelihood.is_estimated)
            .map(|(theta, &is_estimated)| if is_estimated { theta.exp() } else { 0.0 })
            .collect();
        for (found, labels) in likelihood.rows.sums(&w).rows.iter().zip(&likelihood.counts) {
            prop_assert!((found - labels).abs() < 1e-6 * likelihood.size, "{} {}", found, labels);
        }
    }
}
