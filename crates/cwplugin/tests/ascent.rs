//! Laws of coordinate ascent: never below a start, nothing better on any line, and the same however it is asked.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // random labels

use cwplugin::metric::{MacroF1, Mcc};
use cwplugin::{
    Ascent, AscentReport, Confusion, Details, Error, FitOptions, Fitted, Method, Metric, Model, Plugin,
    Probabilities, Reference, Sample, Warning, Weights,
};
use proptest::prelude::*;

use crate::support::close;
use crate::support::metrics::{class_names, erased};
use crate::support::strategies::{any_choice, any_table, cases, metric, shuffled, tables_of};
use crate::support::tables::{Kind, Table};

fn report(fitted: &Fitted) -> AscentReport {
    let Details::Ascent(report) = fitted.report().details else { unreachable!("not of an ascent") };
    report
}

fn score(sample: &Sample, weights: &[f64], metric: &dyn Metric) -> f64 {
    metric.score(&sample.confusion(&Weights::new(weights.to_vec()).unwrap()).unwrap())
}

/// The best score that another weight of one class gives, found by predicting all rows anew for each.
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
        let fitted = Ascent::new(erased(&metric)).fit(&sample).unwrap();
        let reached = fitted.report().score.unwrap();
        let is_below = |start: f64| reached.fitted < start - 3e-12 * start.abs().max(1.0);
        prop_assert!(!is_below(reached.clean), "{} {reached:?}", metric.name());
        let mut sizes: Vec<usize> = (0..table.m).filter(|&k| sample.n_rows_of(k) > 0).collect();
        let weight = |k: usize| table.counted().filter(|row| row.1 == k).map(|row| row.2).sum::<f64>();
        sizes.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
        for reference in sizes.into_iter().take(2) {
            let plugin = Plugin::new(erased(&metric)).reference(Reference::Class(reference)).fit(&sample).unwrap();
            let start = plugin.report().score.unwrap().fitted;
            prop_assert!(!is_below(start), "{} against {reference}: {start}, {reached:?}", metric.name());
        }
        if let Some(ratios) = label_shift(&table) {
            let start = score(&sample, &ratios, &metric);
            prop_assert!(close(start, reached.fitted) || !is_below(start), "{}: {start}, {reached:?}", metric.name());
        }
        prop_assert!(close(report(&fitted).score, reached.fitted));
    }

    #[test]
    fn no_other_weight_of_one_class_is_better(table in any_table(), choice in any_choice()) {
        let (sample, metric) = (table.sample(), metric(&table, choice));
        let fitted = Ascent::new(erased(&metric)).fit(&sample).unwrap();
        prop_assert!(report(&fitted).converged);
        let reached = fitted.report().score.unwrap().fitted;
        for class in (0..table.m).filter(|&class| sample.n_rows_of(class) > 0) {
            let best = best_of_line(&sample, &table, fitted.weights().as_slice(), class, &metric);
            prop_assert!(best <= reached + 1e-11 * reached.abs().max(1.0), "{} {class}: {best} {reached}", metric.name());
        }
    }

    #[test]
    fn the_order_of_rows_changes_no_bit(table in any_table(), choice in any_choice(), seed in any::<u64>()) {
        let metric = metric(&table, choice);
        let permuted = table.with_rows(&shuffled(table.rows.len(), seed));
        let ascent = Ascent::new(erased(&metric));
        prop_assert_eq!(ascent.fit(&table.sample()).unwrap(), ascent.fit(&permuted.sample()).unwrap());
    }

    #[test]
    fn unlabelled_rows_are_passed_over(table in any_table(), choice in any_choice()) {
        let metric = metric(&table, choice);
        let counts = |&i: &usize| table.labels[i].is_some() && table.weights[i] > 0.0;
        let labelled: Vec<usize> = (0..table.rows.len()).filter(counts).collect();
        let ascent = Ascent::new(erased(&metric));
        let [all, some] = [&table, &table.with_rows(&labelled)].map(|table| ascent.fit(&table.sample()).unwrap());
        prop_assert_eq!(all.weights(), some.weights());
    }

    #[test]
    fn labels_as_targets_reach_no_less_than_their_own_starts(table in any_table(), choice in any_choice()) {
        let metric = metric(&table, choice);
        let targets: Vec<f64> = (0..table.rows.len() * table.m)
            .map(|i| (i / table.m, i % table.m))
            .map(|(row, k)| if table.labels[row] == Some(k) { table.weights[row] } else { 0.0 })
            .collect();
        let (weights, report) = Ascent::new(erased(&metric)).fit_soft(&table.probabilities(), &targets).unwrap();
        let sample = table.sample();
        let reached = score(&sample, weights.as_slice(), &metric);
        prop_assert!((report.score - reached).abs() <= 1e-12 * reached.abs().max(1.0), "{} {}", report.score, reached);
        prop_assert!(reached >= score(&sample, &vec![1.0; table.m], &metric) - 3e-12 * reached.abs().max(1.0));
    }

    #[test]
    fn the_order_of_classes_does_not_matter_without_ties(
        table in tables_of(Kind::Continuous, 4),
        seed in any::<u64>(),
    ) {
        let mut sizes: Vec<usize> = (0..4).map(|k| table.counted().filter(|row| row.1 == k).count()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        prop_assume!(sizes.len() == 4 && sizes[0] > 0);
        let order = shuffled(4, seed);
        let permuted = Table {
            rows: table.rows.iter().map(|row| order.iter().map(|&k| row[k]).collect()).collect(),
            labels: table.labels.iter().map(|label| label.map(|label| order.iter().position(|&k| k == label).unwrap())).collect(),
            ..table.clone()
        };
        let [plain, other] = [&table, &permuted].map(|table| Ascent::new(MacroF1).fit(&table.sample()).unwrap());
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
    let fits: Vec<Fitted> = [1, 3]
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| Ascent::new(MacroF1).fit(&sample).unwrap())
        })
        .into();
    assert_eq!(fits[0], fits[1]);
    assert!(report(&fits[0]).converged, "{:?}", report(&fits[0]));
    let reached = fits[0].report().score.unwrap().fitted;
    // A coarse look at each line: the exact one is a matter of the unit tests.
    for class in 0..4 {
        for step in -40..=40 {
            let mut weights = fits[0].weights().as_slice().to_vec();
            weights[class] *= (0.05 * f64::from(step)).exp();
            assert!(score(&sample, &weights, &MacroF1) <= reached + 1e-12, "{class} {step}");
        }
    }
    let plain = Plugin::new(MacroF1).fit(&sample).unwrap().report().score.unwrap().fitted;
    assert!(reached >= plain);
}

#[test]
fn a_metric_that_is_no_number_is_an_error() {
    struct Odd;
    impl Metric for Odd {
        fn name(&self) -> &'static str {
            "odd"
        }
        fn score(&self, confusion: &Confusion) -> f64 {
            if confusion.get(0, 0) > 0.0 { 1.0 } else { f64::NAN }
        }
    }
    let p = Probabilities::new(vec![0.6, 0.4, 0.3, 0.7], 2).unwrap();
    let sample = Sample::new(p.clone(), vec![Some(0), Some(1)]).unwrap();
    assert!(matches!(Ascent::new(erased(&Odd)).fit(&sample), Err(Error::MetricNotFinite { .. })));
    assert!(matches!(
        Ascent::new(erased(&Odd)).fit_soft(&p, &[1.0, 0.0, 0.0, 1.0]),
        Err(Error::MetricNotFinite { .. })
    ));
}

#[test]
fn wrong_targets_are_refused() {
    let p = Probabilities::new(vec![0.6, 0.4, 0.3, 0.7], 2).unwrap();
    let fit = |targets: &[f64]| Ascent::new(erased(&Mcc)).fit_soft(&p, targets).unwrap_err();
    assert_eq!(fit(&[1.0]), Error::LengthMismatch { what: "targets", found: 1, expected: 4 });
    assert_eq!(fit(&[1.0, 0.0, -1.0, 0.0]), Error::BadRowWeight { row: 1, value: -1.0 });
    assert_eq!(fit(&[0.0; 4]), Error::NoLabelledRows);
    let unlabelled = Sample::unlabelled(p);
    assert_eq!(Ascent::new(erased(&Mcc)).fit(&unlabelled).unwrap_err(), Error::NoLabelledRows);
}

#[test]
fn a_class_without_rows_is_kept_and_said_so() {
    let values = [0.5, 0.3, 0.2, 0.45, 0.35, 0.2, 0.1, 0.8, 0.1, 0.4, 0.4, 0.2];
    let p = Probabilities::new(values.to_vec(), 3).unwrap();
    let sample = Sample::new(p, vec![Some(0), Some(1), Some(1), Some(1)]).unwrap();
    let method = Method::by_name("ascent").unwrap();
    let fitted = method.fit(&sample, &MacroF1, &FitOptions::default()).unwrap();
    assert!(fitted.report().warnings.contains(&Warning::AveragedClass { class: 2 }));
    let weights = fitted.weights().as_slice();
    assert!((weights[2] - (weights[0] * weights[1]).sqrt()).abs() < 1e-12, "{weights:?}");
    let model = Model::from_fit(class_names(3), &fitted, "ascent", 0).unwrap();
    let record = model.fit().unwrap();
    assert_eq!(record.cycles, Some(report(&fitted).cycles));
    assert_eq!(record.start, Some(report(&fitted).start.describe(&class_names(3))));
}
