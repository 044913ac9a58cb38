//! `auto` on unusual samples returns a model or an error, and the model is valid JSON.

use cwplugin::methods::{AutoReport, Reason};
use cwplugin::metric::MacroF1;
use cwplugin::{Confusion, Error, Fit, Metric, Model, Probabilities, Sample};

use crate::support::fits::{details, warnings};

/// Rows of a black box that over-predicts class 0.
fn values(rows: usize, m: usize) -> Vec<f64> {
    let value = |row: usize, k: usize| {
        let hit = if k == row % m { 0.4 } else { 0.0 };
        hit + if k == 0 { 0.4 } else { 0.0 } + 0.2 / m as f64
    };
    (0..rows).flat_map(|row| (0..m).map(move |k| value(row, k))).collect()
}

fn sample(rows: usize, m: usize) -> Sample {
    let labels = (0..rows).map(|row| Some(row % m)).collect();
    Sample::new(Probabilities::new(values(rows, m), m).unwrap(), labels).unwrap()
}

fn fit(sample: &Sample) -> Model {
    let model = Fit::new(MacroF1).fit(sample).unwrap();
    assert_eq!(Model::from_json(&model.to_json()).unwrap(), model, "no infinity is written");
    assert_eq!(model.predict(sample).unwrap().len(), sample.n_rows());
    model
}

/// Reasons to leave the predictions unchanged.
fn reason(sample: &Sample) -> Reason {
    let model = fit(sample);
    let m = sample.n_classes();
    assert_eq!(model.weights().as_slice(), vec![1.0 / m as f64; m]);
    details::<AutoReport>(&model).reason
}

#[test]
fn too_few_rows_leave_predictions_unchanged_and_one_class_is_forecast() {
    assert_eq!(reason(&sample(1, 2)), Reason::TooFewRows);
    assert_eq!(reason(&sample(2, 2)), Reason::TooFewRows);
    assert_eq!(reason(&sample(3, 3)), Reason::TooFewRows);
    fit(&sample(3, 2));
    fit(&sample(4, 2));
    let p = Probabilities::new(values(30, 3), 3).unwrap();
    let one = Sample::new(p.clone(), vec![Some(2); 30]).unwrap();
    let forecast = fit(&one).report().unwrap().forecast.unwrap();
    assert!(forecast.low.unwrap() < forecast.fitted && forecast.fitted < forecast.high.unwrap());
    let forecast = fit(&sample(2, 2)).report().unwrap().forecast.unwrap();
    assert_eq!((forecast.low, forecast.high), (None, None), "nothing is known about new rows");
    let none = Sample::unlabelled(p);
    for method in ["auto", "expected"] {
        assert_eq!(Fit::new(MacroF1).method(method).fit(&none).unwrap_err(), Error::NoLabelledRows);
    }
}

#[test]
fn absent_classes_weights_and_single_precision_are_fitted() {
    let p = Probabilities::new(values(60, 4), 4).unwrap();
    let labels: Vec<_> = (0..60).map(|row| (row % 4 < 3).then_some(row % 4)).collect();
    let absent = Sample::new(p, labels.clone()).unwrap();
    assert!(warnings(&fit(&absent)).contains(&("unknown-class", Some("3"))));
    fit(&absent.clone().with_weights((0..60).map(|row| f64::from(row % 3)).collect()).unwrap());
    let single = values(60, 4).into_iter().map(|value| value as f32).collect();
    fit(&Sample::new(Probabilities::from_f32(single, 4).unwrap(), labels).unwrap());
}

#[test]
fn two_and_fifty_classes_are_fitted() {
    fit(&sample(40, 2));
    fit(&sample(100, 50));
}

/// Not a number as soon as anything is wrong.
struct Broken;

impl Metric for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }
    fn score(&self, confusion: &Confusion) -> f64 {
        if confusion.correct() < confusion.total() { f64::NAN } else { 1.0 }
    }
}

#[test]
fn a_metric_that_is_not_finite_is_an_error_and_no_panic() {
    for (rows, m) in [(1, 2), (2, 2), (40, 2), (40, 3)] {
        let (sample, fit) = (sample(rows, m), Fit::new(Broken));
        match fit.fit(&sample) {
            Err(error) => assert!(matches!(error, Error::MetricNotFinite { .. }), "{error}"),
            // On few rows nothing may be wrong yet.
            Ok(model) => {
                let curve = fit.learning_curve(&model, &sample, |_| ()).unwrap();
                assert_eq!(curve.rows_needed, None);
            }
        }
    }
}
