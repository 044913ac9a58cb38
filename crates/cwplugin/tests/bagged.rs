//! Laws of bagging: the same bits for a seed on any number of threads; a factor from 0 to 1; and out-of-bag rows.

use cwplugin::methods::BaggedReport;
use cwplugin::metric::MacroF1;
use cwplugin::{Confusion, Error, Fit, Metric, Model, Probabilities, Sample};
use proptest::prelude::*;

use crate::support::fits::{details, on_threads, score, warnings};
use crate::support::naive::has_distinct_sizes;
use crate::support::strategies::{any_choice, any_table, cases, metric, shuffled, tables_of};
use crate::support::tables::{Kind, Table};

fn bagged<'a>(metric: impl Metric + 'a) -> Fit<'a> {
    Fit::new(metric).method("bagged")
}

fn report(model: &Model) -> BaggedReport {
    details(model)
}

/// Rows of a black box that over-predicts class 0, `n` times.
fn biased(n: usize) -> Sample {
    let values = [0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8, 0.55, 0.45, 0.95, 0.05];
    let p = Probabilities::new(values.repeat(n), 2).unwrap();
    Sample::new(p, [0, 1, 1, 1, 1, 0].map(Some).repeat(n)).unwrap()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn a_report_keeps_its_promises(table in any_table(), choice in any_choice(), seed in any::<u64>()) {
        let (sample, metric) = (table.sample(), metric(&table, choice));
        let fit = bagged(metric).option("n-bootstrap", 7).seed(seed);
        let model = fit.fit(&sample).unwrap();
        prop_assert_eq!(&model, &fit.fit(&sample).unwrap());
        let report = report(&model);
        prop_assert!((0.0..=1.0).contains(&report.shrinkage), "{}", report.shrinkage);
        prop_assert_eq!((report.n_bootstrap, report.spread.len()), (7, table.m));
        for (class, (spread, weight)) in report.spread.iter().zip(model.weights().as_slice()).enumerate() {
            prop_assert!(spread.low <= spread.median && spread.median <= spread.high, "{spread:?}");
            prop_assert!(*weight > 0.0 && spread.sd >= 0.0);
            if sample.n_rows_of(class) == 0 {
                prop_assert!(spread.sd == 0.0 && spread.low == spread.high, "{spread:?}");
            }
        }
        if let Some(score) = report.out_of_bag {
            prop_assert_eq!(score.rows + score.unscored_rows, sample.n_labelled());
            prop_assert!(score.rows > 0 && score.gain[0] <= score.gain[1]);
        }
    }

    #[test]
    fn row_weights_of_another_scale_mean_the_same(table in any_table(), choice in any_choice(), scale in -20..20_i32) {
        let metric = metric(&table, choice);
        prop_assume!(metric.name() != "pair-fowlkes-mallows"); // counts pairs of rows, so the scale is part of it
        let factor = 2.0_f64.powi(scale);
        let scaled = Table { weights: table.weights.iter().map(|w| w * factor).collect(), ..table.clone() };
        let fit = bagged(&metric).option("n-bootstrap", 5).seed(3);
        let [plain, other] = [&table, &scaled].map(|table| fit.fit(&table.sample()).unwrap());
        prop_assert_eq!(plain.weights(), other.weights(), "{}", metric.name());
    }

    #[test]
    fn rows_without_a_label_or_a_weight_are_ignored(table in any_table(), choice in any_choice()) {
        let fit = bagged(metric(&table, choice)).option("n-bootstrap", 5);
        let [all, some] = [&table, &table.labelled()].map(|table| fit.fit(&table.sample()).unwrap());
        prop_assert_eq!(all.weights(), some.weights());
        prop_assert_eq!(report(&all), report(&some));
    }

    #[test]
    fn the_order_of_classes_does_not_matter_without_ties(table in tables_of(Kind::Continuous, 4), seed in any::<u64>()) {
        prop_assume!(has_distinct_sizes(&table));
        // Weights drawn with the rows could make two classes equally heavy in one bag, and not in another.
        let table = Table { weights: vec![1.0; table.rows.len()], ..table };
        let order = shuffled(4, seed);
        let fit = bagged(MacroF1).option("n-bootstrap", 5);
        let [plain, other] =
            [&table, &table.with_classes(&order)].map(|table| fit.fit(&table.sample()).unwrap());
        let (plain, other) = (plain.weights().as_slice(), other.weights().as_slice());
        for (place, &k) in order.iter().enumerate() {
            prop_assert!((plain[k] - other[place]).abs() < 1e-9, "{plain:?} {other:?} {order:?}");
        }
    }
}

#[test]
fn the_seed_decides_and_the_threads_do_not() {
    // Rows that overlap, so that samples of them differ.
    let p = |i: u32| f64::from(i * 37 % 101) / 101.0;
    let values = (0..120).flat_map(|i| [p(i), 1.0 - p(i)]).collect();
    let labels = (0..120).map(|i| Some(usize::from(p(i) < f64::from(i * 53 % 89) / 89.0))).collect();
    let sample = Sample::new(Probabilities::new(values, 2).unwrap(), labels).unwrap();
    let fit = |threads, seed| {
        on_threads(threads, || bagged(MacroF1).option("n-bootstrap", 20).seed(seed).fit(&sample).unwrap())
    };
    assert_eq!(fit(1, 5), fit(3, 5));
    assert_ne!(report(&fit(1, 5)).spread, report(&fit(1, 6)).spread);
}

#[test]
fn what_all_rows_say_is_believed_and_judged_out_of_bag() {
    let model = bagged(MacroF1).fit(&biased(20)).unwrap();
    let report = report(&model);
    assert_eq!(report.n_bootstrap, 50);
    assert!(report.shrinkage > 0.9, "{}", report.shrinkage);
    let out_of_bag = report.out_of_bag.unwrap();
    assert_eq!((out_of_bag.rows, out_of_bag.unscored_rows), (120, 0));
    assert!(out_of_bag.fitted > out_of_bag.clean && out_of_bag.gain[0] > 0.0, "{out_of_bag:?}");
    // Two of a kind in the sample and two in the bag: unseen rows are as good as seen ones here.
    assert_eq!(out_of_bag.fitted, score(&model).fitted);
}

#[test]
fn labels_that_have_nothing_to_do_with_the_probabilities_move_little() {
    let p = |i: i32| f64::from(i * 37 % 101) / 100.0;
    let values = (0..300).flat_map(|i| [p(i), 1.0 - p(i)]).collect();
    let labels = (0..300).map(|i| Some(usize::from((i * i + i / 7) % 5 < 2))).collect();
    let sample = Sample::new(Probabilities::new(values, 2).unwrap(), labels).unwrap();
    let report = report(&bagged(MacroF1).fit(&sample).unwrap());
    assert!(report.shrinkage < 0.8, "{report:?}");
}

#[test]
fn one_row_or_one_class_says_nothing_about_the_others() {
    let rows = Sample::from_rows([[0.5, 0.3, 0.2], [0.3, 0.4, 0.3]], &["a", "b", "c"]).unwrap();
    for labels in [[Some("b"), None], [Some("b"), Some("b")]] {
        let model = bagged(MacroF1).fit(&rows.clone().labels(labels).unwrap()).unwrap();
        assert_eq!(model.weights().as_slice(), [1.0 / 3.0; 3]);
        let warnings = warnings(&model);
        assert!(
            ["a", "c"].iter().all(|class| warnings.contains(&("absent-class", Some(class)))),
            "{warnings:?}"
        );
    }
    let one = rows.clone().labels([Some("b"), None]).unwrap();
    assert_eq!(report(&bagged(MacroF1).fit(&one).unwrap()).out_of_bag, None);
    assert_eq!(bagged(MacroF1).fit(&rows).unwrap_err(), Error::NoLabelledRows);
}

#[test]
fn one_refit_and_a_metric_that_is_not_finite_are_errors() {
    struct Odd;
    impl Metric for Odd {
        fn name(&self) -> &'static str {
            "odd"
        }
        fn score(&self, confusion: &Confusion) -> f64 {
            if confusion.get(0, 0) > 0.0 { 1.0 } else { f64::NAN }
        }
    }
    for found in [0, 1] {
        let refused = bagged(MacroF1).option("n-bootstrap", found).fit(&biased(2)).unwrap_err();
        assert_eq!(refused, Error::TooFewBags { found });
    }
    assert!(matches!(bagged(Odd).fit(&biased(2)), Err(Error::MetricNotFinite { .. })));
}

#[test]
fn the_model_file_keeps_what_was_found() {
    let model = bagged(MacroF1).option("n-bootstrap", 12).seed(4).fit(&biased(10)).unwrap();
    let read = Model::from_json(&model.to_json()).unwrap();
    assert_eq!((report(&read), report(&read).n_bootstrap), (report(&model), 12));
}
