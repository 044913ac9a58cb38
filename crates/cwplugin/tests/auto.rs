//! What `expected` and `auto` promise: gains where there are any, no harm where there are none, and the same bits again.

use cwplugin::metric::{Accuracy, BalancedAccuracy, MacroF1, Mcc};
use cwplugin::{
    Auto, Calibration, Confusion, Error, Expected, Fitted, Metric, Probabilities, Reason, Sample, Weights,
};

use crate::support::metrics::erased;

/// Numbers in 0..1 that look random and are not.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Rows whose truth follows `power` and `shares` of what the black box says; the first so many have labels.
fn rows(n: usize, labelled: usize, shares: &[f64], power: f64, seed: u64) -> Sample {
    let m = shares.len();
    let mut chance = Chance(seed);
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for row in 0..n {
        let mut b: Vec<f64> = (0..m).map(|_| (3.0 * chance.next()).exp()).collect();
        let sum: f64 = b.iter().sum();
        for b in &mut b {
            *b /= sum;
        }
        let q: Vec<f64> = b.iter().zip(shares).map(|(b, share)| b.powf(power) * share).collect();
        let mut left = chance.next() * q.iter().sum::<f64>();
        let truth = q.iter().position(|q| {
            left -= q;
            left <= 0.0
        });
        values.extend(b);
        labels.push(truth.filter(|_| row < labelled));
    }
    Sample::new(Probabilities::new(values, m).unwrap(), labels).unwrap()
}

/// What the fit is above the black box on new rows of the same kind.
fn gain(fitted: &Fitted, metric: &dyn Metric, shares: &[f64], power: f64) -> f64 {
    let test = rows(20_000, 20_000, shares, power, 999);
    let clean = test.confusion(&Weights::uniform(shares.len()).unwrap()).unwrap();
    metric.score(&fitted.rule().confusion(&test).unwrap()) - metric.score(&clean)
}

const SHIFTED: [f64; 3] = [0.1, 0.2, 1.0];
const RIGHT: [f64; 3] = [1.0; 3];

#[test]
fn a_shift_is_mended_and_the_forecast_is_near_what_comes() {
    for seed in 1..4 {
        let sample = rows(600, 100, &SHIFTED, 1.0, seed);
        let expected = Expected::new(erased(&Accuracy)).fit(&sample).unwrap();
        let auto = Auto::new(erased(&Accuracy)).fit(&sample).unwrap();
        for fitted in [&expected, &auto] {
            let outlook = fitted.report().outlook().unwrap();
            let came = gain(fitted, &Accuracy, &SHIFTED, 1.0);
            assert!(came > 0.05, "{came}");
            assert!((came - outlook.gain.mean).abs() < 4.0 * outlook.gain.sd, "{came} {outlook:?}");
        }
        assert_eq!(auto.report().auto().unwrap().reason, Reason::Gain);
    }
}

#[test]
fn a_black_box_that_is_right_is_left_alone_or_hardly_touched() {
    for seed in 1..6 {
        let sample = rows(600, 100, &RIGHT, 1.0, seed);
        let came = gain(&Auto::new(erased(&Accuracy)).fit(&sample).unwrap(), &Accuracy, &RIGHT, 1.0);
        assert!(came > -0.01, "{came}");
    }
}

#[test]
fn unlabelled_rows_and_any_metric_are_taken() {
    let sample = rows(400, 60, &SHIFTED, 0.5, 7);
    for metric in [&MacroF1 as &dyn Metric, &Mcc, &BalancedAccuracy] {
        let fitted = Expected::new(metric).fit(&sample).unwrap();
        let came = gain(&fitted, &metric, &SHIFTED, 0.5);
        assert!(came > -0.03, "{} {came}", metric.name());
    }
    assert_ne!(
        Expected::new(MacroF1).fit(&sample).unwrap().rule(),
        Expected::new(MacroF1).fit(&rows(60, 60, &SHIFTED, 0.5, 7)).unwrap().rule(),
    );
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let sample = rows(300, 80, &SHIFTED, 0.7, 3);
    let fit = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Auto::new(MacroF1).seed(5).fit(&sample).unwrap())
    };
    let one = fit(1);
    assert_eq!(one, fit(1));
    assert_eq!(one, fit(3));
}

#[test]
fn the_scale_of_the_row_weights_does_not_matter() {
    let sample = rows(200, 80, &SHIFTED, 1.0, 3);
    let weighted = |weight: f64| sample.clone().with_weights(vec![weight; 200]).unwrap();
    let [one, four] = [1.0, 4.0].map(|weight| Expected::new(MacroF1).fit(&weighted(weight)).unwrap());
    for (a, b) in one.rule().weights().as_slice().iter().zip(four.rule().weights().as_slice()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn zeros_and_absent_classes_are_borne() {
    let mut chance = Chance(1);
    let vote = |chance: &mut Chance| (chance.next() * 4.0).floor() / 4.0;
    let mut values = Vec::new();
    for _ in 0..80 {
        let first = vote(&mut chance);
        let second = (vote(&mut chance)).min(1.0 - first);
        values.extend([first, second, 0.0, 1.0 - first - second]);
    }
    let labels = (0..80).map(|row| Some([0, 1, 3, 0][row % 4])).collect(); // class 2: no probability, no rows
    let sample = Sample::new(Probabilities::new(values, 4).unwrap(), labels).unwrap();
    for fitted in [Expected::new(MacroF1).fit(&sample).unwrap(), Auto::new(MacroF1).fit(&sample).unwrap()] {
        assert_eq!(fitted.rule().predict(&sample).unwrap().len(), 80);
    }
    let expected = Expected::new(MacroF1).fit(&sample).unwrap();
    if let Some(Calibration::Affine { map, .. }) = expected.rule().calibration() {
        assert_eq!(map.floor(), 0.1); // half of a quarter, at most a tenth
    }
}

#[test]
fn too_little_to_judge_by_leaves_the_black_box_alone() {
    let p = Probabilities::new([0.6, 0.4].repeat(6), 2).unwrap();
    let one_class = Sample::new(p.clone(), vec![Some(1); 6]).unwrap();
    let two_rows = Sample::new(p.clone(), [vec![Some(0), Some(1)], vec![None; 4]].concat()).unwrap();
    for (sample, reason) in [(one_class, Reason::OneClass), (two_rows, Reason::TooFewRows)] {
        let fitted = Auto::new(MacroF1).fit(&sample).unwrap();
        assert_eq!(fitted.report().auto().unwrap().reason, reason);
        assert_eq!(fitted.rule().weights().as_slice(), [0.5, 0.5]);
    }
    let none = Sample::unlabelled(p);
    assert_eq!(Auto::new(MacroF1).fit(&none).unwrap_err(), Error::NoLabelledRows);
    assert_eq!(Expected::new(MacroF1).fit(&none).unwrap_err(), Error::NoLabelledRows);
}

/// No number at all.
struct Nothing;

impl Metric for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }
    fn score(&self, _: &Confusion) -> f64 {
        f64::NAN
    }
}

#[test]
fn a_metric_that_is_no_number_and_a_mixing_that_is_no_share_are_refused() {
    let sample = rows(60, 60, &RIGHT, 1.0, 2);
    for error in [Auto::new(erased(&Nothing)).fit(&sample), Expected::new(erased(&Nothing)).fit(&sample)] {
        assert!(matches!(error, Err(Error::MetricNotFinite { .. })));
    }
    assert_eq!(Expected::new(MacroF1).mixing(1.5).fit(&sample).unwrap_err(), Error::BadShare { value: 1.5 });
    assert!(Expected::new(MacroF1).mixing(0.5).fit(&sample).is_ok());
}
