//! `Auto` on odd samples: whatever comes, it answers or says why not, and its model is JSON.

use cwplugin::metric::MacroF1;
use cwplugin::{
    Auto, Confusion, Error, FitOptions, Fitted, LearningCurve, Method, Metric, Model, Probabilities, Reason,
    Sample,
};

/// Rows of a black box that is too fond of class 0.
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

fn fit(sample: &Sample) -> Fitted {
    let fitted = Auto::new(MacroF1).fit(sample).unwrap();
    let classes = (0..sample.n_classes()).map(|class| format!("c{class}")).collect();
    let model = Model::from_fit(classes, &fitted, "auto", 0).unwrap();
    assert_eq!(Model::from_json(&model.to_json()).unwrap(), model, "no infinity is written");
    assert_eq!(fitted.rule().predict(sample).unwrap().len(), sample.n_rows());
    fitted
}

fn reason(sample: &Sample) -> Reason {
    fit(sample).report().auto().unwrap().reason
}

#[test]
fn few_rows_and_one_class_keep_the_black_box() {
    assert_eq!(reason(&sample(1, 2)), Reason::OneClass);
    assert_eq!(reason(&sample(2, 2)), Reason::TooFewRows);
    assert_eq!(reason(&sample(3, 3)), Reason::TooFewRows);
    fit(&sample(3, 2));
    fit(&sample(4, 2));
    let p = Probabilities::new(values(30, 3), 3).unwrap();
    let one = Sample::new(p.clone(), vec![Some(2); 30]).unwrap();
    assert_eq!(reason(&one), Reason::OneClass);
    assert!(fit(&one).report().outlook().unwrap().fitted.sd.is_infinite());
    assert_eq!(Auto::new(MacroF1).fit(&Sample::unlabelled(p)).unwrap_err(), Error::NoLabelledRows);
}

#[test]
fn absent_classes_weights_and_single_precision_are_fitted() {
    let p = Probabilities::new(values(60, 4), 4).unwrap();
    let labels: Vec<_> = (0..60).map(|row| (row % 4 < 3).then_some(row % 4)).collect();
    let absent = Sample::new(p, labels.clone()).unwrap();
    let kinds: Vec<_> = fit(&absent).report().warnings.iter().map(cwplugin::Warning::kind).collect();
    assert!(kinds.contains(&"unknown-class"), "{kinds:?}");
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
fn a_metric_that_is_no_number_is_an_error_and_no_panic() {
    for (rows, m) in [(1, 2), (2, 2), (40, 2), (40, 3)] {
        let (sample, method) = (sample(rows, m), Method::by_name("auto").unwrap());
        let options = FitOptions::default();
        match method.fit(&sample, &Broken, &options) {
            Err(error) => assert!(matches!(error, Error::MetricNotFinite { .. }), "{error}"),
            // On few rows nothing may be wrong yet.
            Ok(fitted) => {
                let curve = LearningCurve::of(&fitted, method, &sample, &Broken, &options, |_| ()).unwrap();
                assert_eq!(curve.rows_needed, None);
            }
        }
    }
}
