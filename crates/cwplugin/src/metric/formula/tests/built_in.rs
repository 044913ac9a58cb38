use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::metric::{CATALOGUE, Cost, LinearFractional, by_name};
use matrices::matrix;

/// Every metric of the catalogue, with parameters for three classes; the second class is `b`.
const NAMES: &[&str] = &[
    "accuracy",
    "balanced-accuracy",
    "macro-f1",
    "weighted-f1",
    "macro-f-beta:2",
    "macro-precision",
    "macro-recall",
    "macro-g-mean",
    "g-mean",
    "mcc",
    "cohen-kappa",
    "macro-jaccard",
    "macro-fowlkes-mallows",
    "pair-fowlkes-mallows",
    "min-recall",
    "f1:b",
    "precision:b",
    "recall:b",
    "f-beta:2:b",
    "linear-diagonal:1,1,2",
    "cost:FILE.csv",
];

/// Whether the formula adds terms in the same order as the metric; otherwise fractional weights round differently.
fn is_exact_on_fractions(name: &str) -> bool {
    !["mcc", "pair-fowlkes-mallows", "cost:FILE.csv"].contains(&name)
}

fn odd_classes() -> Vec<String> {
    ["<a \"quoted\\\">", "b", "c,]"].map(String::from).to_vec()
}

fn built_in(name: &str) -> Box<dyn Metric> {
    let costs = vec![0.0, 1.0, 2.0, 5.0, 0.0, 1.0, 8.0, 3.0, -1.0];
    match name.strip_prefix("cost:") {
        Some(_) => Box::new(Cost::new(name, costs, 3).unwrap()),
        None => by_name(name, &odd_classes()).unwrap(),
    }
}

#[test]
fn every_named_metric_is_tested() {
    let heads = |name: &str| name.split(':').next().unwrap().to_string();
    // The others are defined by a file, a program or the user.
    let has_formula =
        |name: &str| !["expr", "command", "command-once", "linear-fractional"].contains(&&*heads(name));
    for entry in CATALOGUE.iter().filter(|entry| has_formula(entry.name)) {
        assert!(NAMES.iter().any(|name| heads(name) == heads(entry.name)), "{}", entry.name);
    }
}

#[test]
fn a_formula_of_many_cells_is_compiled_up_to_the_limit_of_steps() {
    let named = |m: usize| (0..m).map(|class| format!("class {class}")).collect::<Vec<_>>();
    let pairs = by_name("pair-fowlkes-mallows", &[]).unwrap();
    assert!(Formula::of_metric(&pairs, &named(50)).is_some());
    assert!(Formula::of_metric(&pairs, &named(60)).is_none());
}

proptest! {
    #[test]
    fn formulas_give_the_bits_of_the_named_metrics(seed in any::<u64>(), whole_counts in any::<bool>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let c = matrix(&mut rng, 3, whole_counts);
        for name in NAMES.iter().filter(|name| whole_counts || is_exact_on_fractions(name)) {
            let metric = built_in(name);
            let formula = Formula::of_metric(&metric, &odd_classes()).unwrap();
            let (expected, found) = (metric.score(&c), formula.score(&c));
            prop_assert_eq!(found.to_bits(), expected.to_bits(), "{} {} {} on {:?}", formula.name(), found, expected, &c);
        }
    }

    #[test]
    fn ratios_give_the_number_of_their_formula(seed in any::<u64>()) {
        let c = matrix(&mut ChaCha8Rng::seed_from_u64(seed), 3, true);
        let ratio = LinearFractional::new("r", vec![1.0, -2.0, 1e-7], 0.25, vec![0.5, -1.0, 3.0], 2.5).unwrap();
        let formula = Formula::of_metric(&ratio, &odd_classes()).unwrap();
        prop_assert!((ratio.score(&c) - formula.score(&c)).abs() < 1e-12);
    }
}
