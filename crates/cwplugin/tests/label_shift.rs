//! Label shift against EM and `SciPy`, and its laws.

use cwplugin::methods::{LabelShift, LabelShiftReport};
use cwplugin::metric::MacroF1;
use cwplugin::{Error, Fit, Model, Probabilities, Sample, Weights};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::support::fits::{details, on_threads};
use crate::support::fixtures::{self, fixture, list, numbers};
use crate::support::strategies::{any_table, cases, shuffled};
use crate::support::tables::Table;

/// Logarithms of weights, with the mean 0.
fn logarithms(weights: &Weights) -> Vec<f64> {
    let logs: Vec<f64> = weights.as_slice().iter().map(|w| w.ln()).collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    logs.iter().map(|log| log - mean).collect()
}

fn assert_close(found: &[f64], expected: &[f64], gap: f64, case: &str) {
    assert_eq!(found.len(), expected.len(), "{case}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= gap, "{case}: {found}, not {expected}");
    }
}

#[test]
fn weights_are_those_of_em_and_of_scipy() {
    for (i, stored) in list(&fixture("label_shift.json")["cases"]).iter().enumerate() {
        let case = format!("case {i}, {}", stored["kind"]);
        let m = usize::try_from(stored["n_classes"].as_u64().unwrap()).unwrap();
        let sample = fixtures::sample(stored, m);
        let shift = match &stored["source"] {
            Value::Null => LabelShift::default(),
            source => LabelShift::default().source_priors(numbers(source)),
        };
        let (weights, report) = shift.learn(&sample).unwrap();
        assert!(report.converged && report.iterations <= 12, "{case}: {report:?}");
        // Without source priors the library has a ridge of 1e-9.
        let gap = if report.source_priors.is_some() { 1e-7 } else { 1e-6 };
        assert_close(&logarithms(&weights), &numbers(&stored["log_weights"]), gap, &case);
        assert_close(&report.target_priors, &numbers(&stored["target"]), 1e-9, &case);
        assert_eq!(Some(report.ignored_rows), stored["left_out"].as_u64(), "{case}");
        // As published there are no half rows. Of 200 times the rows they are a two-hundredth, and the gap vanishes.
        if let Some(published) = stored.get("saerens") {
            let places: Vec<usize> = (0..200 * sample.n_rows()).map(|i| i % sample.n_rows()).collect();
            let (_, report) = shift.learn(&sample.select(&places)).unwrap();
            assert_close(&report.target_priors, &numbers(published), 0.01, &case);
        }
    }
}

/// Rows of two overlapping triangles and a shape between them, with probabilities that are right at the source.
fn shifted(n: usize, source: [f64; 3], target: [f64; 3], seed: u64) -> (Probabilities, Vec<usize>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let density = |x: f64, k: usize| [2.0 * (1.0 - x), 2.0 * x, 6.0 * x * (1.0 - x)][k];
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let at: f64 = rng.random();
        let label = if at < target[0] { 0 } else { 1 + usize::from(at >= target[0] + target[1]) };
        let x = loop {
            let (x, y): (f64, f64) = (rng.random(), rng.random());
            if 2.0 * y < density(x, label) {
                break x;
            }
        };
        let b: Vec<f64> = (0..3).map(|k| source[k] * density(x, k)).collect();
        let sum: f64 = b.iter().sum();
        values.extend(b.iter().map(|b| b / sum));
        labels.push(label);
    }
    (Probabilities::new(values, 3).unwrap(), labels)
}

#[test]
fn a_known_shift_is_found_with_and_without_labels() {
    let (source, target) = ([0.6, 0.2, 0.2], [0.1, 0.3, 0.6]);
    let (p, labels) = shifted(40_000, source, target, 1);
    let shift = LabelShift::default().source_priors(source.to_vec());
    let some = |share: usize| (0..labels.len()).map(|i| (i % share == 0).then_some(labels[i])).collect();
    for (name, sample) in [
        ("none", Sample::unlabelled(p.clone())),
        ("some", Sample::new(p.clone(), some(10)).unwrap()),
        ("all", Sample::new(p.clone(), some(1)).unwrap()),
    ] {
        let (_, report) = shift.learn(&sample).unwrap();
        assert_close(&report.target_priors, &target, 0.02, name);
    }
    // The labels alone, with no word of the source.
    let (weights, _) = LabelShift::default().learn(&Sample::new(p, some(1)).unwrap()).unwrap();
    let ratio = Weights::new((0..3).map(|k| target[k] / source[k]).collect()).unwrap();
    assert_close(&logarithms(&weights), &logarithms(&ratio), 0.05, "labels");
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let (p, labels) = shifted(30_000, [0.6, 0.2, 0.2], [0.1, 0.3, 0.6], 2);
    let sample =
        Sample::new(p, labels.into_iter().map(|label| Some(label).filter(|&k| k > 0)).collect()).unwrap();
    let fit = || {
        let shift = LabelShift::default();
        [shift.learn(&sample), shift.source_priors(vec![0.6, 0.2, 0.2]).learn(&sample)].map(Result::unwrap)
    };
    assert_eq!(on_threads(1, fit), on_threads(3, fit));
}

#[test]
fn without_labels_there_is_no_score_and_the_model_says_what_was_found() {
    let p = shifted(500, [0.6, 0.2, 0.2], [0.1, 0.3, 0.6], 3).0;
    let sample = Sample::unlabelled(p);
    let fit = || Fit::new(MacroF1).method("label-shift");
    let model = fit().option("source-priors", "0.6, 0.2, 0.2").fit(&sample).unwrap();
    let report = model.report().unwrap();
    assert_eq!((report.rows, report.unlabelled, report.score), (Some(0), Some(500), None));
    assert_eq!((&report.metric, &report.warnings), (&None, &vec![]));
    let LabelShiftReport { target_priors, source_priors, .. } = details(&model);
    let (weights, learned) = LabelShift::default().source_priors(vec![0.6, 0.2, 0.2]).learn(&sample).unwrap();
    assert_eq!((model.weights(), target_priors), (&weights, learned.target_priors));
    assert_eq!(source_priors, Some(vec![0.6, 0.2, 0.2]));
    assert_eq!(Model::from_json(&model.to_json()).unwrap(), model);
    assert_eq!(fit().fit(&sample).unwrap_err(), Error::NoSourcePriors);
    let other = Fit::new(MacroF1).method("bcts").fit(&sample);
    assert_eq!(other.unwrap_err(), Error::NoLabelledRows);
}

fn fit(table: &Table, priors: Option<&[f64]>) -> (Weights, LabelShiftReport) {
    let shift = LabelShift::default();
    let shift = priors.map_or(shift.clone(), |priors| shift.source_priors(priors.to_vec()));
    shift.learn(&table.sample()).unwrap()
}

fn some_priors(table: &Table, seed: u64) -> Option<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let parts: Vec<f64> = (0..table.m).map(|_| 0.05 + rng.random::<f64>()).collect();
    let sum: f64 = parts.iter().sum();
    seed.is_multiple_of(2).then(|| parts.iter().map(|part| part / sum).collect())
}

fn near(a: &Weights, b: &Weights, gap: f64) -> bool {
    logarithms(a).iter().zip(logarithms(b)).all(|(a, b)| (a - b).abs() <= gap)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn every_table_has_an_optimum_with_weights_above_zero(table in any_table(), seed in any::<u64>()) {
        let (weights, report) = fit(&table, some_priors(&table, seed).as_deref());
        prop_assert!(report.converged, "{:?}", report);
        prop_assert!(weights.as_slice().iter().all(|&w| w > 0.0), "{:?}", weights);
        prop_assert!((report.target_priors.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn priors_that_sum_to_nearly_one_mean_their_shares(table in any_table(), seed in any::<u64>(), factor in 0.9992..1.0008) {
        if let Some(priors) = some_priors(&table, seed) {
            let scaled: Vec<f64> = priors.iter().map(|prior| prior * factor).collect();
            prop_assert!(near(&fit(&table, Some(&priors)).0, &fit(&table, Some(&scaled)).0, 1e-9));
        }
    }

    #[test]
    fn neither_the_order_of_the_rows_nor_the_scale_of_their_weights_matters(
        table in any_table(),
        seed in any::<u64>(),
    ) {
        let priors = some_priors(&table, seed);
        let mut other = table.with_rows(&shuffled(table.rows.len(), seed));
        other.weights.iter_mut().for_each(|weight| *weight *= 8.0);
        let (a, b) = (fit(&table, priors.as_deref()).0, fit(&other, priors.as_deref()).0);
        // A black box that is sure and wrong has weights from 1 to 1e-13, of which the likelihood knows few digits.
        prop_assert!(near(&a, &b, 1e-3), "{:?} {:?}", a, b);
    }
}
