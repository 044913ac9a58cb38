//! Compares passes with a fit on all rows.

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::steps::unit_of;
use super::*;
use crate::data::{Probabilities, Sample};
use crate::metric::{Cost, MacroF1, Mcc};
use crate::model::Fit;

/// Rows of an informative black box that over-predicts the first classes; some labels are missing.
fn sample(n: usize, m: usize, seed: u64, is_weighted: bool) -> Sample {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let truth = rng.random_range(0..m * m).isqrt(); // later classes are more frequent
        let row: Vec<f64> = (0..m)
            .map(|k| {
                let bias = 2.0 / (1.0 + k as f64);
                (2.5 * rng.random::<f64>() + bias + if k == truth { 1.5 } else { 0.0 }).exp()
            })
            .collect();
        let sum: f64 = row.iter().sum();
        values.extend(row.iter().map(|value| value / sum));
        labels.push(Some(truth).filter(|_| rng.random_range(0..20) > 0));
    }
    let sample = Sample::new(Probabilities::new(values, m).unwrap(), labels).unwrap();
    if !is_weighted {
        return sample;
    }
    sample.with_weights((0..n).map(|_| f64::from(rng.random_range(0..30)) / 10.0).collect()).unwrap()
}

fn names(m: usize) -> Vec<String> {
    (0..m).map(|k| format!("c{k}")).collect()
}

/// Makes all passes over rows partitioned at these indices.
fn run<M: Metric>(mut passes: Passes<M>, sample: &Sample, cuts: &[usize]) -> (Model, usize) {
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (sample.n_rows() + 1)).collect();
    ends.extend([0, sample.n_rows()]);
    ends.sort_unstable();
    while let Some(pass) = passes.pending().cloned() {
        let mut all = PassCounts::new(&pass).unwrap();
        for part in ends.windows(2).rev() {
            let mut counts = PassCounts::new(&Pass::from_json(&pass.to_json()).unwrap()).unwrap();
            let rows: Vec<usize> = (part[0]..part[1]).collect();
            counts.add_rows(&sample.select(&rows)).unwrap();
            let travelled = PassCounts::from_json(&counts.to_json()).unwrap();
            assert_eq!(travelled.points, counts.points);
            all.merge(&travelled).unwrap();
        }
        passes.tell(&all).unwrap();
    }
    (passes.finish().unwrap(), passes.n_passes())
}

fn score(metric: &dyn Metric, sample: &Sample, model: &Model) -> f64 {
    metric.score(&model.rule().confusion(sample).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn how_the_rows_are_divided_does_not_matter(
        m in 2..6_usize,
        n in 1..300_usize,
        seed in any::<u64>(),
        cuts in proptest::collection::vec(any::<usize>(), 0..6),
        is_weighted in any::<bool>(),
    ) {
        let sample = sample(n, m, seed, is_weighted);
        prop_assume!(sample.n_labelled() > 0);
        let whole = run(Passes::new(MacroF1, names(m)), &sample, &[]);
        let parts = run(Passes::new(MacroF1, names(m)), &sample, &cuts);
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn a_place_has_its_predicted_score(
        m in 2..6_usize,
        seed in any::<u64>(),
        zoom in 0..4_u32,
        is_weighted in any::<bool>(),
        is_by_class in any::<bool>(),
    ) {
        let sample = sample(200, m, seed, is_weighted);
        let metric: Box<dyn Metric> = if is_by_class {
            Box::new(Mcc)
        } else {
            let costs = (0..m * m).map(|cell| if cell / m == cell % m { 0.0 } else { 1.0 + cell as f64 });
            Box::new(Cost::new("cost", costs.collect(), m).unwrap())
        };
        let resolution = Resolution::new(vec![true; m], is_by_class, unit_of(sample.class_totals())).unwrap();
        let resolution = Resolution { zoom, ..resolution };
        let weights = Weights::new((0..m).map(|k| 1.0 + k as f64).collect()).unwrap();
        let mut point = PointCounts::empty(&resolution);
        point.add(&sample, sample.probabilities(), weights.as_slice(), &resolution);
        let now = metric.score(&sample.confusion(&weights).unwrap());
        prop_assert!((metric.score(&line::confusion(&point, &resolution)) - now).abs() < 1e-12);
        for place in line::best_places(&point, &resolution, &*metric).0 {
            let mut moved = weights.as_slice().to_vec();
            moved[place.class] *= place.log_factor.exp();
            let found = metric.score(&sample.confusion(&Weights::new(moved).unwrap()).unwrap());
            prop_assert!((place.score - found).abs() < 1e-12, "{} {}", place.score, found);
            prop_assert!(place.score >= now - 1e-12);
        }
    }
}

#[test]
fn passes_score_as_well_as_a_fit_on_all_rows() {
    for (m, n, is_weighted) in [(2, 2_000, false), (3, 4_000, false), (5, 6_000, true), (10, 20_000, false)] {
        let rows = sample(n, m, m as u64, is_weighted);
        let at_once = Fit::new(MacroF1).method("ascent").fit(&rows).unwrap();
        let (fitted, passes) = run(Passes::new(MacroF1, names(m)), &rows, &[n / 3, n / 2]);
        let [best, found] = [&at_once, &fitted].map(|fitted| score(&MacroF1, &rows, fitted));
        let clean = MacroF1.score(&Rule::clean(m).unwrap().confusion(&rows).unwrap());
        assert!(found > clean + 0.9 * (best - clean), "{m}: {clean} {found} {best} in {passes} passes");
        assert!(best - found < 0.003, "{m}: {clean} {found} {best} in {passes} passes");
        assert!(passes <= 20, "{m}: {passes} passes");
    }
}

#[test]
fn the_score_is_never_below_a_start() {
    for seed in 0..20 {
        let rows = sample(150, 4, seed, seed % 2 == 1);
        let (fitted, _) = run(Passes::new(Mcc, names(4)), &rows, &[40]);
        let found = score(&Mcc, &rows, &fitted);
        let clean = Mcc.score(&rows.confusion(&Weights::uniform(4).unwrap()).unwrap());
        assert!(found >= clean - 1e-12, "{seed}: {found} {clean}");
    }
}

#[test]
fn a_class_without_rows_gets_the_mean_of_the_others_and_a_warning() {
    let rows = sample(500, 3, 1, false);
    let codes = rows.codes().map(|label| if label == 1 { Sample::UNLABELLED } else { label }).collect();
    let rows = rows.relabelled(codes).unwrap();
    let (fitted, _) = run(Passes::new(MacroF1, names(3)), &rows, &[]);
    let weights = fitted.weights().as_slice();
    assert!(weights[1] > 0.0);
    let warnings = &fitted.report().unwrap().warnings;
    let is_absent =
        |warning: &Warning| (warning.kind.as_str(), warning.class.as_deref()) == ("absent-class", Some("c1"));
    assert!(warnings.iter().any(is_absent), "{warnings:?}");
}

#[test]
fn weights_after_a_calibration_begin_with_those_of_the_model() {
    let rows = sample(3_000, 3, 5, false);
    let few: Vec<usize> = (0..300).collect();
    let learned = Fit::new(MacroF1).method("expected").fit(&rows.select(&few)).unwrap();
    let (fitted, _) = run(Passes::after_calibration(MacroF1, learned.clone()), &rows, &[1_000]);
    assert_eq!(fitted.rule().calibration(), learned.rule().calibration());
    assert!(score(&MacroF1, &rows, &fitted) >= score(&MacroF1, &rows, &learned) - 1e-12);
}

#[test]
fn counts_of_another_pass_are_rejected() {
    let rows = sample(50, 2, 0, false);
    let mut passes = Passes::new(MacroF1, names(2));
    let mut first = PassCounts::new(passes.pending().unwrap()).unwrap();
    first.add_rows(&rows).unwrap();
    assert_eq!(passes.finish(), Err(PassError::Unfinished));
    passes.tell(&first).unwrap();
    assert_eq!(passes.tell(&first), Err(PassError::OtherPass));
    let mut next = PassCounts::new(passes.pending().unwrap()).unwrap();
    assert_eq!(next.merge(&first), Err(PassError::OtherPass));
    for text in ["", "{}", "[1, 2]", &first.to_json().replace("\"predicted\":[", "\"predicted\":[[],")] {
        assert!(matches!(PassCounts::from_json(text), Err(PassError::Unreadable { .. })), "{text}");
    }
}

#[test]
fn rows_without_a_label_are_not_enough() {
    let rows = Sample::unlabelled(Probabilities::new(vec![0.5, 0.5], 2).unwrap());
    let mut passes = Passes::new(MacroF1, names(2));
    let mut counts = PassCounts::new(passes.pending().unwrap()).unwrap();
    counts.add_rows(&rows).unwrap();
    assert_eq!(passes.tell(&counts), Err(PassError::Invalid(Error::NoLabelledRows)));
}

#[test]
fn more_classes_than_counters_are_rejected() {
    let many = Resolution::new(vec![true; 1_000], true, 1.0);
    assert!(matches!(many, Err(Error::TooManyCounters { classes: 1_000, .. })));
    assert_eq!(Resolution::new(vec![true; 100], true, 1.0).unwrap().buckets, 256);
    assert_eq!(
        Resolution::new(vec![true; 100], false, 1.0),
        Err(Error::TooManyCounters { classes: 100, bins: 32, most: 1 << 23 })
    );
}
