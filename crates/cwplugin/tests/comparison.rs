//! `Comparison`: unlabelled rows are for the methods that use them, and change nothing for the others.

use cwplugin::compare::Noise;
use cwplugin::metric::{MacroF1, Mcc};
use cwplugin::{Cell, Comparison, Error, Features, METHODS, Metric, Probabilities, Sample};
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
