//! Metrics and Algorithm 1 against numbers made outside: scikit-learn, imbalanced-learn, and plain Python loops.
#![allow(clippy::unwrap_used, clippy::float_cmp)]

mod support;

use cwplugin::metric::{self, Cost};
use cwplugin::{Confusion, Fit, Metric, Sample};
use serde_json::Value;
use support::close;
use support::fits::{pairs, score};
use support::fixtures::{fixture, labels, list, numbers};

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
    let (mut results, mut n_pairs) = (0, 0);
    for result in list(&fixture["results"]) {
        let stored = list(&fixture["samples"]).iter().find(|s| s["name"] == result["sample"]).unwrap();
        let classes = names(&stored["classes"]);
        let rows = list(&stored["probabilities"]).iter().map(numbers);
        let sample = Sample::from_rows(rows, &classes).unwrap().labels(labels(&stored["labels"])).unwrap();
        let steps = result["steps"].as_f64().unwrap();
        let name = result["metric"].as_str().unwrap();
        let fit = Fit::new(metric::by_name(name, &classes).unwrap()).method("cwplugin:published");
        let model = fit.option("search", format!("grid:{}", 1.0 / steps)).fit(&sample).unwrap();

        let case = format!("{} {name} {steps}", stored["name"]);
        let found = pairs(&model);
        for ((class, score), alpha) in
            classes.iter().zip(list(&result["scores"])).zip(list(&result["alphas"]))
        {
            let pair = found.iter().find(|pair| pair.class == *class);
            // The reference and a class without rows have no score.
            assert_eq!(pair.is_some(), !score.is_null(), "{case}, class {class}");
            if let Some(pair) = pair {
                let (alpha, score) = (alpha.as_f64().unwrap(), score.as_f64().unwrap());
                assert_eq!(pair.alpha.to_bits(), alpha.to_bits(), "{case}: {pair:?} {alpha}");
                assert!(close(pair.score, score), "{case}: {pair:?} {score}");
                n_pairs += 1;
            }
        }
        let weights = model.weights().as_slice();
        assert!(support::all_close(weights, &numbers(&result["weights"])), "{case}: {weights:?}");
        let found = score(&model);
        assert!(close(found.clean, result["clean"].as_f64().unwrap()), "{case}: {found:?}");
        assert!(close(found.fitted, result["fitted"].as_f64().unwrap()), "{case}: {found:?}");
        results += 1;
    }
    assert_eq!((results, n_pairs), (1120, 3640));
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
