//! Metrics and Algorithm 1 against numbers made outside: scikit-learn, imbalanced-learn, and plain Python loops.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

mod support;

use std::fs;
use std::path::Path;

use cwplugin::metric::{self, Cost};
use cwplugin::{Absent, Confusion, Metric, Plugin, Probabilities, Reference, Sample, Search, Step, Ties};
use serde_json::Value;
use support::close;

fn fixture(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(|number| number.as_f64().unwrap()).collect()
}

fn names(value: &Value) -> Vec<String> {
    list(value).iter().map(|name| name.as_str().unwrap().to_string()).collect()
}

#[test]
fn every_metric_agrees_with_scikit_learn_and_imbalanced_learn() {
    let (mut compared, mut undefined) = (0, 0);
    for case in list(&fixture("metrics.json")["cases"]) {
        let classes = names(&case["classes"]);
        let m = classes.len();
        let mut confusion = Confusion::zeros(m);
        for (truth, row) in list(&case["counts"]).iter().enumerate() {
            for (predicted, count) in numbers(row).into_iter().enumerate() {
                confusion.add(truth, predicted, count);
            }
        }
        for (name, expected) in case["expected"].as_object().unwrap() {
            let metric: Box<dyn Metric> = if name == "cost" {
                let costs = list(&case["cost"]).iter().flat_map(numbers).collect();
                Box::new(Cost::new(name, costs, m).unwrap())
            } else {
                metric::by_name(name, &classes).unwrap()
            };
            let found = metric.score(&confusion);
            // Cohen's kappa is 0/0 if all rows are in one cell of the diagonal; ours is 0 there.
            undefined += usize::from(expected.is_null());
            let expected = expected.as_f64().unwrap_or(0.0);
            assert!(close(found, expected), "{} {name}: {found}, not {expected}", case["name"]);
            compared += 1;
        }
    }
    assert_eq!((compared, undefined), (3312, 7));
}

#[test]
fn the_published_setting_gives_what_plain_loops_over_scikit_learn_give() {
    let fixture = fixture("algorithm1.json");
    let (mut results, mut pairs) = (0, 0);
    for result in list(&fixture["results"]) {
        let stored = list(&fixture["samples"]).iter().find(|s| s["name"] == result["sample"]).unwrap();
        let classes = names(&stored["classes"]);
        let values = list(&stored["probabilities"]).iter().flat_map(numbers).collect();
        let labels = list(&stored["labels"])
            .iter()
            .map(|label| Some(usize::try_from(label.as_u64().unwrap()).unwrap()))
            .collect();
        let sample = Sample::new(Probabilities::new(values, classes.len()).unwrap(), labels).unwrap();
        let steps = result["steps"].as_f64().unwrap();
        let name = result["metric"].as_str().unwrap();
        let fitted = Plugin::new(metric::by_name(name, &classes).unwrap())
            .reference(Reference::Last)
            .search(Search::Grid(Step::try_from(1.0 / steps).unwrap()))
            .ties(Ties::First)
            .absent(Absent::Drop)
            .fit(&sample)
            .unwrap();

        let case = format!("{} {name} {steps}", stored["name"]);
        let report = fitted.report();
        for (class, score) in list(&result["scores"]).iter().enumerate() {
            let peak = report.pairs().iter().find(|pair| pair.class == class).map(|pair| pair.peak);
            // The reference and a class without rows have no score.
            assert_eq!(peak.is_some(), !score.is_null(), "{case}, class {class}");
            if let Some(peak) = peak {
                let alpha = result["alphas"][class].as_f64().unwrap();
                assert_eq!(peak.alpha.to_bits(), alpha.to_bits(), "{case}, class {class}: {peak:?} {alpha}");
                assert!(
                    close(peak.score, score.as_f64().unwrap()),
                    "{case}, class {class}: {peak:?} {score}"
                );
                pairs += 1;
            }
        }
        let weights = fitted.weights().as_slice();
        assert!(support::all_close(weights, &numbers(&result["weights"])), "{case}: {weights:?}");
        assert!(
            close(report.score.unwrap().clean, result["clean"].as_f64().unwrap()),
            "{case}: {}",
            report.score.unwrap().clean
        );
        assert!(
            close(report.score.unwrap().fitted, result["fitted"].as_f64().unwrap()),
            "{case}: {}",
            report.score.unwrap().fitted
        );
        results += 1;
    }
    assert_eq!((results, pairs), (1120, 3640));
}

/// Why a cut is not simply the quotient: `docs/decisions/0001` and `testdata/README.md` name this number.
#[test]
fn on_two_decimals_the_quotient_and_the_printed_inequality_disagree() {
    let fixture = fixture("algorithm1.json");
    let (mut rounded, mut others) = (0, 0);
    for stored in list(&fixture["samples"]) {
        let reference = list(&stored["classes"]).len() - 1;
        for (b, label) in list(&stored["probabilities"]).iter().map(numbers).zip(list(&stored["labels"])) {
            for k in 0..reference {
                let is_of_pair = [k, reference].iter().any(|&class| label.as_u64() == Some(class as u64));
                for i in (0..100_u32).filter(|_| is_of_pair) {
                    let alpha = f64::from(i) / 100.0;
                    let printed = alpha * b[k] > (1.0 - alpha) * b[reference];
                    let solved = alpha > b[reference] / (b[k] + b[reference]);
                    *(if stored["kind"] == "rounded" { &mut rounded } else { &mut others }) +=
                        usize::from(printed != solved);
                }
            }
        }
    }
    assert_eq!((rounded, others), (73, 0));
}
