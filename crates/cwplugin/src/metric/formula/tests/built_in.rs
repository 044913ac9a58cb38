use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::metric::{CATALOGUE, Cost, by_name};
use matrices::matrix;

/// Every metric of the catalogue, filled in for the classes a, b and c, and the formula that is the same to the bit.
const PAIRS: [(&str, &str); 22] = [
    ("accuracy", "sum(tp)/n"),
    ("balanced-accuracy", "sum(recall)/sum(support>0)"),
    ("macro-f1", "mean(f1)"),
    ("macro-f1", "mean(2*tp/(support+predicted))"),
    ("weighted-f1", "sum(support*f1)/n"),
    ("macro-f-beta:2", "mean(5*tp/(4*support+predicted))"),
    ("macro-precision", "mean(precision)"),
    ("macro-recall", "mean(recall)"),
    ("macro-g-mean", "sqrt(mean(recall)*mean(specificity))"),
    ("g-mean", "gmean(recall)"),
    (
        "mcc",
        "t = n^2-sum(support^2); p = n^2-sum(predicted^2); (n*sum(tp)-sum(support*predicted))/(sqrt(t)*sqrt(p))",
    ),
    ("cohen-kappa", "pe = sum(support*predicted)/(n*n); (sum(tp)/n-pe)/(1-pe)"),
    ("macro-jaccard", "mean(tp/(support+predicted-tp))"),
    ("macro-fowlkes-mallows", "mean(sqrt(precision*recall))"),
    (
        "pair-fowlkes-mallows",
        "t = C[a,a]^2+C[a,b]^2+C[a,c]^2+C[b,a]^2+C[b,b]^2+C[b,c]^2+C[c,a]^2+C[c,b]^2+C[c,c]^2-n;
         p = sum(predicted^2)-n; q = sum(support^2)-n; if(min(t,p,q)>0, sqrt(t/p)*sqrt(t/q), 0)",
    ),
    ("min-recall", "min(if(support>0, recall, 1))"),
    ("f1:b", "f1[b]"),
    ("precision:b", "precision[b]"),
    ("recall:b", "tp[b]/support[b]"),
    ("f-beta:2:b", "5*tp[b]/(4*support[b]+predicted[b])"),
    ("linear-diagonal:1,1,2", "(0.25*tp[a]+0.25*tp[b]+0.5*tp[c])/n"),
    ("cost:FILE.csv", "-(C[a,b]+2*C[a,c]+5*C[b,a]+C[b,c]+8*C[c,a]+3*C[c,b])/n"),
];

/// Squares that are added in another order, or to something else, round differently.
fn is_exact_on_fractions(name: &str) -> bool {
    !["mcc", "pair-fowlkes-mallows"].contains(&name)
}

fn built_in(name: &str) -> Box<dyn Metric> {
    let costs = vec![0.0, 1.0, 2.0, 5.0, 0.0, 1.0, 8.0, 3.0, 0.0];
    match name.strip_prefix("cost:") {
        Some(_) => Box::new(Cost::new(name, costs, 3).unwrap()),
        None => by_name(name, &classes()).unwrap(),
    }
}

#[test]
fn every_metric_with_a_name_has_its_formula_here() {
    let heads = |name: &str| name.split(':').next().unwrap().to_string();
    // A program's and a ratio's own numbers stand in a file.
    let has_formula =
        |name: &str| !["expr", "command", "command-once", "linear-fractional"].contains(&&*heads(name));
    for entry in CATALOGUE.iter().filter(|entry| has_formula(entry.name)) {
        assert!(PAIRS.iter().any(|(name, _)| heads(name) == heads(entry.name)), "{}", entry.name);
    }
}

proptest! {
    #[test]
    fn formulas_give_the_bits_of_the_metrics_with_names(seed in any::<u64>(), whole_counts in any::<bool>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let c = matrix(&mut rng, 3, whole_counts);
        for (name, text) in PAIRS.iter().filter(|(name, _)| whole_counts || is_exact_on_fractions(name)) {
            let (expected, found) = (built_in(name).score(&c), formula(text).score(&c));
            prop_assert_eq!(found.to_bits(), expected.to_bits(), "{} {} {} on {:?}", text, found, expected, &c);
        }
    }
}
