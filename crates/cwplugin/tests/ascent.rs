//! Laws of coordinate ascent: never below a start, no better weight of a single class, and deterministic.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // random labels

use cwplugin::methods::AscentReport;
use cwplugin::metric::{MacroF1, PairFowlkesMallows};
use cwplugin::plugin::Settings;
use cwplugin::{Confusion, Error, Fit, Metric, Model, Probabilities, Reference, Sample, Weights};
use proptest::prelude::*;

use crate::support::fits::{self, details, on_threads, plugin, plugin_with, warnings};
use crate::support::naive::by_weight;
use crate::support::strategies::{any_choice, any_table, cases, metric, shuffled, tables_of};
use crate::support::tables::{Kind, Table};
use crate::support::{close, naive};

fn ascent<'a>(metric: impl Metric + 'a) -> Fit<'a> {
    Fit::new(metric).method("ascent")
}

fn score(sample: &Sample, weights: &[f64], metric: &dyn Metric) -> f64 {
    metric.score(&sample.confusion(&Weights::new(weights.to_vec()).unwrap()).unwrap())
}

/// The best score of another weight of one class, found by predicting all rows for each.
fn best_of_line(sample: &Sample, table: &Table, weights: &[f64], class: usize, metric: &dyn Metric) -> f64 {
    let mut cuts: Vec<f64> = table
        .counted()
        .map(|(row, ..)| {
            let products = row.iter().zip(weights).map(|(b, w)| b * w);
            let others = products.enumerate().filter(|&(k, _)| k != class).map(|(_, product)| product);
            others.fold(0.0, f64::max) / row[class]
        })
        .filter(|cut| *cut > 0.0 && cut.is_finite())
        .collect();
    cuts.sort_by(f64::total_cmp);
    let between = cuts.windows(2).filter(|pair| pair[1] > pair[0] * (1.0 + 1e-11));
    let mut tries: Vec<f64> = between.map(|pair| pair[0].sqrt() * pair[1].sqrt()).collect();
    tries.extend(cuts.first().map(|cut| cut / 2.0));
    tries.extend(cuts.last().map(|cut| cut * 2.0));
    let at = |weight: f64| {
        let mut weights = weights.to_vec();
        weights[class] = weight;
        score(sample, &weights, metric)
    };
    tries.into_iter().filter(|weight| weight.is_normal()).map(at).fold(f64::NEG_INFINITY, f64::max)
}

/// For each class its share of the labels by its mean probability.
fn label_shift(table: &Table) -> Option<Vec<f64>> {
    let ratio = |k: usize| {
        let truth: f64 = table.counted().filter(|row| row.1 == k).map(|row| row.2).sum();
        let predicted: f64 = table.counted().map(|row| row.0[k] * row.2).sum();
        truth / predicted
    };
    let ratios: Vec<f64> = (0..table.m).map(ratio).collect();
    ratios.iter().all(|ratio| ratio.is_normal()).then_some(ratios)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn it_never_ends_below_a_start(table in any_table(), choice in any_choice()) {
        let (sample, metric) = (table.sample(), metric(&table, choice));
        let reached = fits::score(&ascent(&metric).fit(&sample).unwrap());
        let is_below = |start: f64| reached.fitted < start - 3e-12 * start.abs().max(1.0);
        prop_assert!(!is_below(reached.clean), "{} {reached:?}", metric.name());
        for reference in by_weight(&table).into_iter().take(2) {
            let settings = Settings { reference: Reference::Class(reference), ..Settings::EXACT };
            let start = fits::score(&plugin_with(&metric, settings).fit(&sample).unwrap()).fitted;
            prop_assert!(!is_below(start), "{} against {reference}: {start}, {reached:?}", metric.name());
        }
        if let Some(ratios) = label_shift(&table) {
            let start = score(&sample, &ratios, &metric);
            prop_assert!(close(start, reached.fitted) || !is_below(start), "{}: {start}, {reached:?}", metric.name());
        }
    }

    #[test]
    fn no_other_weight_of_one_class_is_better(table in any_table(), choice in any_choice()) {
        let (sample, metric) = (table.sample(), metric(&table, choice));
        let model = ascent(&metric).fit(&sample).unwrap();
        prop_assert!(details::<AscentReport>(&model).converged);
        let reached = fits::score(&model).fitted;
        for class in (0..table.m).filter(|&class| sample.n_rows_of(class) > 0) {
            let best = best_of_line(&sample, &table, model.weights().as_slice(), class, &metric);
            prop_assert!(best <= reached + 1e-11 * reached.abs().max(1.0), "{} {class}: {best} {reached}", metric.name());
        }
    }

    #[test]
    fn the_order_of_rows_changes_no_bit(table in any_table(), choice in any_choice(), seed in any::<u64>()) {
        let permuted = table.with_rows(&shuffled(table.rows.len(), seed));
        let fit = ascent(metric(&table, choice));
        prop_assert_eq!(fit.fit(&table.sample()).unwrap(), fit.fit(&permuted.sample()).unwrap());
    }

    #[test]
    fn unlabelled_rows_are_ignored(table in any_table(), choice in any_choice()) {
        let fit = ascent(metric(&table, choice));
        let [all, some] = [&table, &table.labelled()].map(|table| fit.fit(&table.sample()).unwrap());
        prop_assert_eq!(all.weights(), some.weights());
    }

    #[test]
    fn the_order_of_classes_does_not_matter_without_ties(
        table in tables_of(Kind::Continuous, 4),
        seed in any::<u64>(),
    ) {
        prop_assume!(naive::has_distinct_sizes(&table));
        let order = shuffled(4, seed);
        let [plain, other] =
            [&table, &table.with_classes(&order)].map(|table| ascent(MacroF1).fit(&table.sample()).unwrap());
        let (plain, other) = (plain.weights().as_slice(), other.weights().as_slice());
        for (place, &k) in order.iter().enumerate() {
            prop_assert!((plain[k] - other[place]).abs() < 1e-9, "{plain:?} {other:?} {order:?}");
        }
    }
}

/// Many rows, drawn by a plain generator.
fn many_rows(n: usize, m: usize) -> Sample {
    let mut state = 12_345_u64;
    let mut draw = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let label = (draw() * draw() * m as f64) as usize;
        let row: Vec<f64> = (0..m)
            .map(|k| draw().powi(3) + if k == label { 0.4 * draw() } else { 0.0 } + 0.02 * k as f64)
            .collect();
        let sum: f64 = row.iter().sum();
        values.extend(row.iter().map(|b| b / sum));
        labels.push(Some(label));
    }
    Sample::new(Probabilities::new(values, m).unwrap(), labels).unwrap()
}

#[test]
fn many_rows_end_where_nothing_is_better_whatever_the_number_of_threads() {
    let sample = many_rows(40_000, 4);
    let fits = [1, 3].map(|threads| on_threads(threads, || ascent(MacroF1).fit(&sample).unwrap()));
    assert_eq!(fits[0], fits[1]);
    assert!(details::<AscentReport>(&fits[0]).converged, "{:?}", fits[0].report());
    let reached = fits::score(&fits[0]).fitted;
    // A coarse check of each line; unit tests have the exact one.
    for class in 0..4 {
        for step in -40..=40 {
            let mut weights = fits[0].weights().as_slice().to_vec();
            weights[class] *= (0.05 * f64::from(step)).exp();
            assert!(score(&sample, &weights, &MacroF1) <= reached + 1e-12, "{class} {step}");
        }
    }
    assert!(reached >= fits::score(&plugin(MacroF1).fit(&sample).unwrap()).fitted);
}

#[test]
fn on_many_rows_the_last_round_ends_before_its_last_class() {
    let model = ascent(PairFowlkesMallows).fit(&many_rows(40_000, 3)).unwrap();
    let AscentReport { cycles, evaluations, converged, .. } = details(&model);
    // A search evaluates this metric after every cut.
    assert!(converged && evaluations < 40_000 * 3 * cycles, "{cycles} rounds, {evaluations} evaluations");
}

#[test]
fn a_metric_that_is_not_finite_and_rows_without_labels_are_errors() {
    struct Odd;
    impl Metric for Odd {
        fn name(&self) -> &'static str {
            "odd"
        }
        fn score(&self, confusion: &Confusion) -> f64 {
            if confusion.get(0, 0) > 0.0 { 1.0 } else { f64::NAN }
        }
    }
    let unlabelled = Sample::from_rows([[0.6, 0.4], [0.3, 0.7]], &["a", "b"]).unwrap();
    assert_eq!(ascent(MacroF1).fit(&unlabelled).unwrap_err(), Error::NoLabelledRows);
    let sample = unlabelled.labels(["a", "b"]).unwrap();
    assert!(matches!(ascent(Odd).fit(&sample), Err(Error::MetricNotFinite { .. })));
}

#[test]
fn a_class_without_rows_gets_the_mean_weight_and_a_warning() {
    let rows = [[0.5, 0.3, 0.2], [0.45, 0.35, 0.2], [0.1, 0.8, 0.1], [0.4, 0.4, 0.2]];
    let sample = Sample::from_rows(rows, &["a", "b", "c"]).unwrap().labels([0, 1, 1, 1]).unwrap();
    let model = ascent(MacroF1).fit(&sample).unwrap();
    assert!(warnings(&model).contains(&("absent-class", Some("c"))));
    let weights = model.weights().as_slice();
    assert!((weights[2] - (weights[0] * weights[1]).sqrt()).abs() < 1e-12, "{weights:?}");
    let read = Model::from_json(&model.to_json()).unwrap();
    assert_eq!(details::<AscentReport>(&read), details::<AscentReport>(&model));
}
