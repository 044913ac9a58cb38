//! Fits of formulas: those of the metrics that they are, and refusals of what is no number.

use cwplugin::metric::{Formula, by_name};
use cwplugin::{Ascent, Auto, Error, Fitted, Metric, Plugin, Reference, Sample};
use proptest::prelude::*;

use crate::support::metrics::{class_names, erased};
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

fn bits(fitted: &Fitted) -> Vec<u64> {
    let score = fitted.report().score.unwrap();
    let numbers = fitted.weights().as_slice().iter().chain([&score.clean, &score.fitted]);
    numbers.map(|number| number.to_bits()).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn algorithm_1_and_ascent_find_the_same_for_a_formula(table in any_table(), choice in 0..PAIRS.len()) {
        let (pair, sample) = (PAIRS[choice], table.sample());
        let plugin = both(pair, table.m).map(|metric| Plugin::new(erased(&metric)).reference(Reference::Largest).fit(&sample));
        if let [Ok(named), Ok(formula)] = &plugin {
            prop_assert_eq!(bits(named), bits(formula), "{:?}", pair);
        } else {
            prop_assert!(plugin.iter().all(Result::is_err));
        }
        let [named, formula] = both(pair, table.m).map(|metric| Ascent::new(erased(&metric)).fit(&sample).unwrap());
        prop_assert_eq!(bits(&named), bits(&formula), "{:?}", pair);
    }
}

#[test]
fn auto_finds_the_same_for_a_formula() {
    for (kind, seed) in [(Kind::IntegerWeights, 3), (Kind::FractionalWeights, 8)] {
        let sample = random_table(seed, kind, 3).sample();
        for pair in &PAIRS[..2] {
            let [named, formula] =
                both(*pair, 3).map(|metric| Auto::new(erased(&metric)).fit(&sample).unwrap());
            assert_eq!(named.rule(), formula.rule(), "{pair:?}");
            assert_eq!(bits(&named), bits(&formula), "{pair:?}");
        }
    }
}

fn sample() -> Sample {
    random_table(1, Kind::IntegerWeights, 3).sample()
}

#[test]
fn a_formula_that_is_no_number_is_refused_by_the_fits() {
    let formula = Formula::new("exp(1e6*sum(tp))", &class_names(3)).unwrap();
    let refused = |error| matches!(error, Error::MetricNotFinite { metric, .. } if metric == formula.name());
    assert!(refused(Ascent::new(erased(&formula)).fit(&sample()).unwrap_err()));
    assert!(refused(Plugin::new(erased(&formula)).fit(&sample()).unwrap_err()));
}

#[test]
fn a_formula_that_names_classes_is_for_that_many() {
    let four = Formula::new("recall[c1]", &class_names(4)).unwrap();
    let error = Plugin::new(four).fit(&sample()).unwrap_err();
    assert_eq!(error.to_string(), "metric expr:recall[c1] is for 4 classes, the sample has 3");
    assert!(Plugin::new(Formula::new("mean(recall)", &class_names(4)).unwrap()).fit(&sample()).is_ok());
}
