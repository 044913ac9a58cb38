//! Fits of formulas: the same as those of the built-in metrics, and errors where a formula is not finite.

use cwplugin::metric::{Formula, by_name};
use cwplugin::{Error, Fit, Metric, Model, Sample};
use proptest::prelude::*;

use crate::support::fits::{plugin, score};
use crate::support::metrics::class_names;
use crate::support::strategies::{any_table, cases};
use crate::support::tables::{Kind, random_table};

/// A metric and its formula, whose bits are the same on any matrix of whole counts.
const PAIRS: [(&str, &str); 9] = [
    ("accuracy", "sum(tp)/n"),
    ("macro-f1", "mean(f1)"),
    ("macro-precision", "mean(precision)"),
    ("weighted-f1", "sum(support*f1)/n"),
    ("g-mean", "gmean(recall)"),
    ("macro-g-mean", "sqrt(mean(recall)*mean(specificity))"),
    ("macro-jaccard", "mean(tp/(support+predicted-tp))"),
    ("min-recall", "min(if(support>0, recall, 1))"),
    ("f1:c1", "2*tp[c1]/(support[c1]+predicted[c1])"),
];

fn both(pair: (&str, &str), m: usize) -> [Box<dyn Metric>; 2] {
    let formula = format!("expr:{}", pair.1);
    [pair.0, &formula].map(|name| by_name(name, &class_names(m)).unwrap())
}

fn bits(model: &Model) -> Vec<u64> {
    let score = score(model);
    let numbers = model.weights().as_slice().iter().chain([&score.clean, &score.fitted]);
    numbers.map(|number| number.to_bits()).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn algorithm_1_and_ascent_find_the_same_for_a_formula(table in any_table(), choice in 0..PAIRS.len()) {
        let (pair, sample) = (PAIRS[choice], table.sample());
        for method in ["cwplugin", "ascent"] {
            let [named, formula] =
                both(pair, table.m).map(|metric| Fit::new(metric).method(method).fit(&sample).unwrap());
            prop_assert_eq!(bits(&named), bits(&formula), "{} {:?}", method, pair);
        }
    }
}

#[test]
fn auto_finds_the_same_for_a_formula() {
    for (kind, seed) in [(Kind::IntegerWeights, 3), (Kind::FractionalWeights, 8)] {
        let sample = random_table(seed, kind, 3).sample();
        for pair in &PAIRS[..2] {
            let [named, formula] = both(*pair, 3).map(|metric| Fit::new(metric).fit(&sample).unwrap());
            assert_eq!(named.rule(), formula.rule(), "{pair:?}");
            assert_eq!(bits(&named), bits(&formula), "{pair:?}");
        }
    }
}

fn sample() -> Sample {
    random_table(1, Kind::IntegerWeights, 3).sample()
}

#[test]
fn a_formula_that_is_not_finite_is_refused_by_the_fits() {
    let formula = Formula::new("exp(1e6*sum(tp))", &class_names(3)).unwrap();
    for method in ["cwplugin", "ascent"] {
        let error = Fit::new(&formula).method(method).fit(&sample()).unwrap_err();
        assert!(matches!(error, Error::MetricNotFinite { metric, .. } if metric == formula.name()));
    }
}

#[test]
fn a_formula_that_names_classes_is_for_that_many() {
    let four = Formula::new("recall[c1]", &class_names(4)).unwrap();
    let error = plugin(four).fit(&sample()).unwrap_err();
    assert_eq!(error.to_string(), "metric expr:recall[c1] is for 4 classes, the sample has 3");
    assert!(plugin(Formula::new("mean(recall)", &class_names(4)).unwrap()).fit(&sample()).is_ok());
}
