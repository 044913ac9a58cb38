//! The probing classifier against plain NumPy, and its laws.

use cwplugin::methods::{Probing, ProbingReport};
use cwplugin::metric::{self, Accuracy, MacroF1, Mcc};
use cwplugin::{Confusion, Error, Metric, Mixture, Probabilities, Sample, Weights};
use proptest::prelude::*;

use crate::support::fits::on_threads;
use crate::support::fixtures::{self, fixture, labels, list, numbers};
use crate::support::metrics::class_names;
use crate::support::strategies::{any_choice, any_table, cases, metric, shuffled, tables_of};
use crate::support::tables::{Kind, Table};
use crate::support::{self, close};

#[test]
fn mixtures_are_those_of_plain_numpy() {
    let fixture = fixture("probing.json");
    for result in list(&fixture["results"]) {
        let stored = list(&fixture["samples"]).iter().find(|s| s["name"] == result["sample"]).unwrap();
        let m = list(&stored["classes"]).len();
        let sample = fixtures::sample(stored, m);
        let name = result["metric"].as_str().unwrap();
        let probing = Probing::new(metric::by_name(name, &class_names(m)).unwrap());
        let (mixture, report) = probing.learn_from(&sample, numbers(&stored["start"])).unwrap();

        let case = format!("{} {name}: {report:?}", stored["name"]);
        assert_eq!(report.epsilon, result["epsilon"].as_f64(), "{case}");
        assert_eq!(report.iterations as u64, result["rounds"].as_u64().unwrap(), "{case}");
        assert!((report.score - result["score"].as_f64().unwrap()).abs() < 1e-9, "{case}");
        let shares: Vec<f64> = mixture.steps().iter().map(|step| step.share).collect();
        assert!(support::all_close(&shares, &numbers(&result["shares"])), "{case}");
        for (step, expected) in mixture.steps().iter().zip(list(&result["factors"])) {
            let expected = numbers(expected);
            let size = expected.iter().fold(0.0_f64, |size, factor| size.max(factor.abs()));
            for (found, expected) in step.factors.iter().zip(expected) {
                assert!((found - expected).abs() <= 1e-6 * size, "{case} {found} {expected}");
            }
        }
        let predicted = mixture.predict(&fixtures::probabilities(&stored["test"], m)).unwrap();
        let expected: Vec<usize> = labels(&result["predictions"]).into_iter().flatten().collect();
        assert_eq!(predicted, expected, "{case}");
    }
    assert_eq!((list(&fixture["results"]).len(), list(&fixture["dropped"]).len()), (61, 3));
}

fn fit(table: &Table, choice: usize, seed: u64) -> (Mixture, ProbingReport) {
    Probing::new(metric(table, choice)).learn(&table.sample(), seed).unwrap()
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn the_same_seed_gives_the_same_bits_on_any_number_of_threads_and_in_any_order_of_rows(
        table in prop_oneof![any_table(), tables_of(Kind::FractionalWeights, 0)],
        choice in any_choice(),
        seed in any::<u64>(),
    ) {
        let fitted = fit(&table, choice, seed);
        prop_assert_eq!(&fitted, &on_threads(1, || fit(&table, choice, seed)));
        let permuted = table.with_rows(&shuffled(table.rows.len(), seed));
        prop_assert_eq!(&fitted, &fit(&permuted, choice, seed));
    }

    #[test]
    fn a_row_of_whole_weight_is_that_many_rows(
        table in tables_of(Kind::IntegerWeights, 0),
        choice in any_choice(),
        seed in any::<u64>(),
    ) {
        prop_assert_eq!(fit(&table, choice, seed), fit(&table.repeated(), choice, seed));
    }

    #[test]
    fn rows_without_label_or_weight_change_nothing(
        table in any_table(),
        choice in any_choice(),
        seed in any::<u64>(),
    ) {
        let mut longer = table.with_rows(&(0..table.rows.len()).chain([0, 0]).collect::<Vec<_>>());
        let n = table.rows.len();
        (longer.labels[n], longer.labels[n + 1], longer.weights[n + 1]) = (None, Some(0), 0.0);
        prop_assert_eq!(fit(&table, choice, seed), fit(&longer, choice, seed));
    }

    #[test]
    fn the_mixture_is_never_below_its_start_and_its_shares_sum_to_one(
        table in any_table(),
        choice in any_choice(),
        start in prop::collection::vec(0.01..1.0, 20),
    ) {
        let (metric, sample) = (metric(&table, choice), table.sample());
        let start: Vec<f64> = start.into_iter().cycle().take(table.m).collect();
        let (mixture, report) = Probing::new(&metric).learn_from(&sample, start.clone()).unwrap();
        let before = metric.score(&sample.confusion(&Weights::new(start).unwrap()).unwrap());
        prop_assert!(report.score >= before - 1e-12 * before.abs().max(1.0), "{report:?} {before}");
        let shares = mixture.apply(sample.probabilities()).unwrap();
        prop_assert!((0..sample.n_rows()).all(|row| (shares.row(row).sum::<f64>() - 1.0).abs() < 1e-9));
        prop_assert!(close(mixture.steps().iter().map(|step| step.share).sum(), 1.0));
    }
}

/// More rows than one thread counts at a time.
fn many_rows() -> Sample {
    let row = |i: usize| [(i * 7919 % 1013) as f64 + 1.0, (i * 104_729 % 509) as f64 + 1.0, 200.0];
    let values =
        (0..70_000).map(row).flat_map(|row| row.map(|value| value / row.iter().sum::<f64>())).collect();
    let labels = (0..70_000).map(|i| Some(i * 31 % 11 % 3)).collect();
    let weights = (0..70_000).map(|i| 0.1 + f64::from(i % 13) / 7.0).collect();
    Sample::new(Probabilities::new(values, 3).unwrap(), labels).unwrap().with_weights(weights).unwrap()
}

#[test]
fn many_rows_give_the_same_bits_on_any_number_of_threads() {
    let sample = many_rows();
    let answer = || {
        let (mixture, report) = Probing::new(MacroF1).learn(&sample, 3).unwrap();
        (mixture.apply(sample.probabilities()).unwrap(), mixture, report)
    };
    let one = on_threads(1, answer);
    assert_eq!(one, on_threads(2, answer));
    assert_eq!(one, on_threads(5, answer));
    assert!(one.2.iterations > 0);
}

fn sample(values: &[f64], labels: &[usize]) -> Sample {
    let p = Probabilities::new(values.to_vec(), values.len() / labels.len()).unwrap();
    Sample::new(p, labels.iter().copied().map(Some).collect()).unwrap()
}

#[test]
fn a_sample_that_no_start_splits_keeps_the_black_box() {
    for labels in [&[0][..], &[0, 1, 1]] {
        let rows = [0.7, 0.3].repeat(labels.len());
        let (mixture, report) = Probing::new(Accuracy).learn(&sample(&rows, labels), 0).unwrap();
        assert_eq!((report.epsilon, report.iterations), (None, 0));
        assert_eq!((mixture.steps().len(), mixture.steps()[0].share), (1, 1.0));
        assert_eq!(mixture.steps()[0].factors, [1.0, 1.0]);
        assert!(close(report.score, 1.0 / labels.len() as f64));
    }
}

#[test]
fn rows_of_one_class_keep_the_start_if_the_metric_has_no_slope() {
    let (mixture, report) =
        Probing::new(Mcc).learn(&sample(&[0.9, 0.1, 0.5, 0.5, 0.1, 0.9], &[1, 1, 1]), 5).unwrap();
    assert_eq!((report.epsilon, report.iterations, report.score), (Some(0.1), 0, 0.0));
    assert_eq!(mixture.steps().len(), 1);
}

/// Not a number for a mixture or a probe, though finite for whole rows.
struct WholeRowsOnly;

impl Metric for WholeRowsOnly {
    fn name(&self) -> &'static str {
        "whole-rows-only"
    }
    fn score(&self, c: &Confusion) -> f64 {
        if c.rows().flatten().all(|count| count.fract() == 0.0) { 1.0 } else { f64::NAN }
    }
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let rows = sample(&[0.9, 0.1, 0.2, 0.8], &[0, 1]);
    let refused = Probing::new(WholeRowsOnly).learn(&rows, 0).unwrap_err();
    assert!(matches!(refused, Error::MetricNotFinite { .. }), "{refused:?}");
    let unlabelled = Sample::new(rows.probabilities().clone(), vec![None, None]).unwrap();
    assert_eq!(Probing::new(MacroF1).learn(&unlabelled, 0).unwrap_err(), Error::NoLabelledRows);
    let learn_from = |start: &[f64]| Probing::new(MacroF1).learn_from(&rows, start.to_vec()).unwrap_err();
    assert_eq!(learn_from(&[1.0]), Error::LengthMismatch { what: "factors", found: 1, expected: 2 });
    assert!(matches!(learn_from(&[1.0, f64::NAN]), Error::BadFactor { step: 0, class: 1, .. }));
}
