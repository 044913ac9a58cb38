//! `Comparison`: unlabelled rows are for the methods that use them, and change nothing for the others; methods outside the
//! library get the same draws.

use std::collections::BTreeMap;

use cwplugin::compare::{Draw, External, ExternalProblem, Noise, NoiseIn};
use cwplugin::metric::{Accuracy, MacroF1, Mcc};
use cwplugin::{Cell, Comparison, Error, Features, METHODS, Method, Metric, Probabilities, Rule, Sample};
use proptest::prelude::*;

/// Methods that refit often.
const SLOW: [&str; 2] = ["ascent", "bagged"];

/// Rows of three classes with a feature; a label is missing where `is_bare` says so.
fn rows(seeds: &[u64], is_bare: impl Fn(usize) -> bool) -> Sample {
    let (mut p, mut labels, mut features) = (Vec::new(), Vec::new(), Vec::new());
    for (row, &seed) in seeds.iter().enumerate() {
        let scores = [seed % 7 + 1, seed / 7 % 5 + 1, seed / 35 % 9 + 1].map(|score| score as f64);
        let sum: f64 = scores.iter().sum();
        p.extend(scores.map(|score| score / sum));
        labels.push(Some((seed / 315 % 3) as usize).filter(|_| !is_bare(row)));
        features.push((seed / 945 % 100) as f64 + scores[0]);
    }
    let sample = Sample::new(Probabilities::new(p, 3).unwrap(), labels).unwrap();
    sample.with_features(Features::new(features, 1).unwrap()).unwrap()
}

fn run(comparison: &Comparison, pool: &Sample, test: &Sample) -> Result<Vec<Cell>, Error> {
    let metrics: [Box<dyn Metric>; 2] = [Box::new(MacroF1), Box::new(Mcc)];
    comparison.run(pool, test, &metrics, |_| {})
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn rows_without_labels_change_nothing_for_methods_that_do_not_use_them(
        seeds in prop::collection::vec(0u64..100_000, 60..120),
        bare in 2usize..5,
        unlabelled in 1usize..200,
    ) {
        let (test, pool) = seeds.split_at(20);
        let (test, with) = (rows(test, |_| false), rows(pool, |row| row % bare == 0));
        let labelled: Vec<usize> = (0..with.n_rows()).filter(|&row| with.label(row).is_some()).collect();
        let without = with.select(&labelled);
        let comparison = || {
            let methods = METHODS.iter().filter(|method| !method.uses_unlabelled && !SLOW.contains(&method.name));
            let comparison = Comparison::new(methods.collect(), vec![5, 20]).repeats(2);
            comparison.noise(vec![Noise::new(1, 0.3).unwrap()])
        };
        let expected = run(&comparison(), &without, &test).unwrap();
        for pool in [&with, &without] {
            let found = run(&comparison().unlabelled(unlabelled), pool, &test).unwrap();
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert_eq!(&found.scores, &expected.scores, "{} {}", found.method, found.size);
                prop_assert_eq!(&found.failures, &expected.failures);
            }
        }
    }
}

/// Fits of one sample share what does not depend on the metric; this changes no score.
#[test]
fn methods_and_metrics_score_the_same_together_and_alone() {
    let (pool, test) = (rows(&many(150), |_| false), rows(&many(40), |_| false));
    let metrics: [&dyn Metric; 3] = [&MacroF1, &Mcc, &Accuracy];
    let methods = ["auto", "expected", "bagged"].map(|name| Method::by_name(name).unwrap());
    let comparison = |methods: &[&'static Method]| {
        Comparison::new(methods.to_vec(), vec![30, 60]).repeats(2).option("mixing", 0.2)
    };
    let together = comparison(&methods).run(&pool, &test, &metrics, |_| {}).unwrap();
    for method in methods {
        for metric in metrics {
            let alone = comparison(&[method]).run(&pool, &test, &[metric], |_| {}).unwrap();
            let same =
                together.iter().filter(|cell| cell.method == method.name && cell.metric == metric.name());
            assert!(same.eq(&alone), "{} {}", method.name, metric.name());
        }
    }
}

fn many(n: u64) -> Vec<u64> {
    (0..n).map(|i| i * 7919 + i * i * 31).collect()
}

#[test]
fn draws_are_nested_and_have_the_rows_of_the_samples() {
    let pool = rows(&many(100), |row| row % 4 == 0);
    let comparison = Comparison::new(vec![Method::by_name("clean").unwrap()], vec![10, 30])
        .repeats(3)
        .seed(5)
        .unlabelled(40)
        .noise(vec![Noise::new(1, 0.5).unwrap()]);
    let draws = comparison.draws(&pool).unwrap();
    let keys: Vec<_> = draws.iter().map(|draw| (draw.size, draw.repeat)).collect();
    assert_eq!(keys, [(10, 0), (10, 1), (10, 2), (30, 0), (30, 1), (30, 2)]);
    for (small, large) in draws[..3].iter().zip(&draws[3..]) {
        assert_eq!(small.labelled, large.labelled[..10]);
        // 25 rows have no label; the others are labelled rows that are not in the sample.
        assert_eq!((small.unlabelled.len(), &small.unlabelled), (40, &large.unlabelled));
        assert!(small.unlabelled[..25].iter().all(|&row| pool.label(row).is_none()));
        assert!(small.unlabelled[25..].iter().all(|row| !large.labelled.contains(row)));
        for (&row, &label) in large.labelled.iter().zip(&large.labels) {
            assert!(pool.label(row) == Some(label) || pool.label(row) == Some(1));
        }
    }
    let too_large = Comparison::new(Vec::new(), vec![76]).draws(&pool);
    assert_eq!(too_large.unwrap_err(), Error::SampleSize { size: 76, rows: 75 });
}

fn noisy(noise_in: NoiseIn) -> Comparison {
    let methods = ["clean", "vector"].map(|name| Method::by_name(name).unwrap());
    let noise = [(0, 0.6), (2, 0.3)].map(|(class, share)| Noise::new(class, share).unwrap());
    Comparison::new(methods.to_vec(), vec![10, 30, 60])
        .repeats(3)
        .seed(7)
        .noise(noise.to_vec())
        .noise_in(noise_in)
}

/// The drawn label of every row, which must be the same wherever the row occurs.
fn labels_of<'a>(draws: impl Iterator<Item = &'a Draw>) -> BTreeMap<usize, usize> {
    let mut labels = BTreeMap::new();
    for draw in draws {
        for (&row, &label) in draw.labelled.iter().zip(&draw.labels) {
            assert_eq!(*labels.entry(row).or_insert(label), label);
        }
    }
    labels
}

#[test]
fn a_row_has_one_label_in_all_samples_of_a_repeat_and_with_noise_everywhere_in_all_samples() {
    let pool = rows(&many(120), |row| row % 10 == 0);
    let draws = noisy(NoiseIn::Sample).draws(&pool).unwrap();
    for repeat in 0..3 {
        labels_of(draws.iter().filter(|draw| draw.repeat == repeat));
    }
    let draws = noisy(NoiseIn::Everywhere).draws(&pool).unwrap();
    let labels = labels_of(draws.iter());
    assert!(labels.iter().any(|(&row, &label)| pool.label(row) != Some(label)));
    // Other sizes and repeats have the same flips.
    let more = noisy(NoiseIn::Everywhere).repeats(5).draws(&pool).unwrap();
    assert!(labels_of(more.iter().chain(&draws)).len() >= labels.len());
}

#[test]
fn noise_everywhere_is_a_comparison_on_noisy_rows_and_noise_in_samples_leaves_the_test_rows() {
    let (pool, test) = (rows(&many(120), |_| false), rows(&many(90), |_| false));
    let sample = noisy(NoiseIn::Sample);
    assert_eq!(sample.test_rows(&test).unwrap(), test);
    let plain = sample.clone().noise(Vec::new());
    let clean = |cells: Vec<Cell>| -> Vec<Vec<f64>> {
        cells.into_iter().filter(|cell| cell.method == "clean").map(|cell| cell.scores).collect()
    };
    let (of_sample, of_none) = (run(&sample, &pool, &test).unwrap(), run(&plain, &pool, &test).unwrap());
    assert_ne!(of_sample, of_none);
    assert_eq!(clean(of_sample), clean(of_none));
    // A comparison without noise on rows that are relabelled from outside.
    let everywhere = noisy(NoiseIn::Everywhere);
    let noisy_test = everywhere.test_rows(&test).unwrap();
    let wrong = (0..90).filter(|&row| test.label(row) != noisy_test.label(row)).count();
    let of = |class, share: f64| (test.n_rows_of(class) as f64 * share).round();
    assert!((wrong as f64 - of(0, 0.6) - of(2, 0.3)).abs() < 1e-9);
    let all = Comparison::new(Vec::new(), vec![120]).repeats(1).seed(7);
    let noise = [(0, 0.6), (2, 0.3)].map(|(class, share)| Noise::new(class, share).unwrap());
    let labels =
        labels_of(all.noise(noise.to_vec()).noise_in(NoiseIn::Everywhere).draws(&pool).unwrap().iter());
    let noisy_pool = Sample::new(pool.probabilities().clone(), labels.into_values().map(Some).collect());
    let noisy_pool = noisy_pool.unwrap().with_features(pool.features().unwrap().clone()).unwrap();
    let found = run(&everywhere, &pool, &test).unwrap();
    assert_eq!(found, run(&plain, &noisy_pool, &noisy_test).unwrap());
    assert_eq!(run(&everywhere.noise(Vec::new()), &pool, &test).unwrap(), run(&plain, &pool, &test).unwrap());
}

/// The predictions of the black box, given from outside, have the cells of `clean`, to the last bit.
#[test]
fn outside_predictions_are_scored_like_those_of_a_rule() {
    let test = rows(&many(60), |row| row % 7 == 0);
    let weights = (0..60).map(|row| f64::from(row % 5) + 0.1).collect();
    let test = test.with_weights(weights).unwrap();
    let pool = rows(&many(90), |_| false);
    let predictions = Rule::clean(3).unwrap().predict(&test).unwrap();
    let comparison = Comparison::new(vec![Method::by_name("clean").unwrap()], vec![5, 20]).repeats(2);
    let mut outside = External::new("outside");
    for draw in comparison.draws(&pool).unwrap() {
        outside = outside.predictions(draw.size, draw.repeat, None, vec![0; 60]);
        for metric in ["macro-f1", "mcc"] {
            outside = outside.predictions(draw.size, draw.repeat, Some(metric), predictions.clone());
        }
    }
    let cells = run(&comparison.external(outside), &pool, &test).unwrap();
    for pair in cells.chunks_exact(2) {
        assert_eq!((pair[0].method.as_str(), pair[1].method.as_str()), ("clean", "outside"));
        assert_eq!((&pair[0].scores, pair[0].test_error()), (&pair[1].scores, pair[1].test_error()));
    }
}

#[test]
fn outside_predictions_that_do_not_fit_are_refused() {
    let pool = rows(&many(40), |_| false);
    let refused = |externals: Vec<External>| {
        let comparison = Comparison::new(vec![Method::by_name("clean").unwrap()], vec![10]).repeats(1);
        let comparison = externals.into_iter().fold(comparison, Comparison::external);
        match comparison.run(&pool, &pool, &[Accuracy], |_| {}).unwrap_err() {
            Error::External { name, problem } => (name, problem),
            error => panic!("{error}"),
        }
    };
    let fits = |name: &str| External::new(name).predictions(10, 0, None, vec![2; 40]);
    let (size, repeat) = (10, 0);
    assert_eq!(refused(vec![fits("expected")]), ("expected".into(), ExternalProblem::NameInUse));
    assert_eq!(refused(vec![fits("unadjusted")]), ("unadjusted".into(), ExternalProblem::NameInUse));
    assert_eq!(refused(vec![fits("a"), fits("a")]), ("a".into(), ExternalProblem::NameInUse));
    let missing = ExternalProblem::Missing { size, repeat, metric: "accuracy".into() };
    assert_eq!(refused(vec![External::new("a")]), ("a".into(), missing.clone()));
    let other = External::new("a").predictions(10, 0, Some("mcc"), vec![2; 40]);
    assert_eq!(refused(vec![other]), ("a".into(), missing));
    let short = External::new("a").predictions(10, 0, None, vec![2; 39]);
    let problem = ExternalProblem::WrongLength { size, repeat, found: 39, expected: 40 };
    assert_eq!(refused(vec![short]), ("a".into(), problem));
    let wrong = External::new("a").predictions(10, 0, None, [vec![2; 39], vec![3]].concat());
    let problem = ExternalProblem::NoSuchClass { size, repeat, row: 39, class: 3 };
    assert_eq!(refused(vec![wrong]), ("a".into(), problem));
}
