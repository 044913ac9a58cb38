//! What `expected` and `auto` promise: gains where there are any, no harm where there are none, and the same bits again.

use cwplugin::methods::{AutoReport, Reason};
use cwplugin::metric::{Accuracy, BalancedAccuracy, MacroF1, Mcc};
use cwplugin::{Calibration, Confusion, Error, Fit, Metric, Model, Probabilities, Sample, Weights};

use crate::support::fits::{details, on_threads};

/// Deterministic pseudo-random numbers in 0..1.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Rows whose true classes follow the probabilities, distorted by `power` and `shares`; the first ones have labels.
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

fn expected<'a>(metric: impl Metric + 'a) -> Fit<'a> {
    Fit::new(metric).method("expected")
}

/// The gain over the black box on new rows of the same kind.
fn gain(model: &Model, metric: &dyn Metric, shares: &[f64], power: f64) -> f64 {
    let test = rows(20_000, 20_000, shares, power, 999);
    let clean = test.confusion(&Weights::uniform(shares.len()).unwrap()).unwrap();
    metric.score(&model.rule().confusion(&test).unwrap()) - metric.score(&clean)
}

const SHIFTED: [f64; 3] = [0.1, 0.2, 1.0];
const RIGHT: [f64; 3] = [1.0; 3];

#[test]
fn a_shift_is_corrected_and_the_forecast_is_near_the_gain_on_new_rows() {
    for seed in 1..4 {
        let sample = rows(600, 100, &SHIFTED, 1.0, seed);
        let auto = Fit::new(Accuracy).fit(&sample).unwrap();
        for model in [&expected(Accuracy).fit(&sample).unwrap(), &auto] {
            let forecast = model.report().unwrap().forecast.unwrap();
            let came = gain(model, &Accuracy, &SHIFTED, 1.0);
            assert!(came > 0.05, "{came}");
            assert!((came - forecast.gain).abs() < 4.0 * forecast.gain_sd.unwrap(), "{came} {forecast:?}");
        }
        assert_eq!(details::<AutoReport>(&auto).reason, Reason::Gain);
    }
}

/// 95% intervals from 40 rows contain the score on 20,000 others in about 95% of the fits; with 64 fits, 56 or more.
#[test]
fn the_interval_contains_the_score_on_new_rows() {
    for (metric, shares, power) in
        [(&MacroF1 as &dyn Metric, SHIFTED, 1.0), (&MacroF1, RIGHT, 3.0), (&Accuracy, SHIFTED, 2.0)]
    {
        let test = rows(20_000, 20_000, &shares, power, 999);
        let contains = |seed: &u64| {
            let model = Fit::new(metric).fit(&rows(240, 40, &shares, power, *seed)).unwrap();
            let forecast = model.report().unwrap().forecast.unwrap();
            let score = metric.score(&model.rule().confusion(&test).unwrap());
            (forecast.low.unwrap()..=forecast.high.unwrap()).contains(&score)
        };
        let n = (1..65).filter(contains).count();
        assert!(n >= 56, "{} {shares:?} {power}: {n}", metric.name());
    }
}

#[test]
fn a_sample_without_an_error_does_not_make_the_score_certain() {
    let values: Vec<f64> =
        (0..50).flat_map(|row| if row % 3 == 0 { [0.02, 0.98] } else { [0.97, 0.03] }).collect();
    let labels = (0..50).map(|row| Some(usize::from(row % 3 == 0))).collect();
    let sample = Sample::new(Probabilities::new(values, 2).unwrap(), labels).unwrap();
    let forecast = Fit::new(MacroF1).fit(&sample).unwrap().report().unwrap().forecast.unwrap();
    let (low, high) = (forecast.low.unwrap(), forecast.high.unwrap());
    assert!(low < 0.99 && low > 0.8 && high > 0.98, "{low} {high}");
}

/// One answer for each row, drawn from its probabilities; the other classes have `rest` each.
fn answered(sample: &Sample, rest: f64, seed: u64) -> Sample {
    let (m, mut chance) = (sample.n_classes(), Chance(seed));
    let mut values = Vec::new();
    for row in 0..sample.n_rows() {
        let mut left = chance.next();
        let answer = (0..m - 1).find(|&class| {
            left -= sample.probabilities().get(row, class);
            left <= 0.0
        });
        let answer = answer.unwrap_or(m - 1);
        values.extend((0..m).map(|class| if class == answer { 1.0 - rest * (m - 1) as f64 } else { rest }));
    }
    let labels = (0..sample.n_rows()).map(|row| sample.label(row)).collect();
    Sample::new(Probabilities::new(values, m).unwrap(), labels).unwrap()
}

/// Half a vote per class makes 0.2 of 0 for three classes; a table of 0 and 1 stays as it is.
#[test]
fn nothing_is_lost_on_one_hot_rows() {
    for (shares, rest) in [(RIGHT, 0.0), (RIGHT, 0.2), (SHIFTED, 0.0), (SHIFTED, 0.2)] {
        let test = answered(&rows(20_000, 20_000, &shares, 1.0, 999), rest, 7);
        let clean = test.confusion(&Weights::uniform(3).unwrap()).unwrap();
        for metric in [&MacroF1 as &dyn Metric, &Accuracy] {
            let gains = (1..9).map(|seed| {
                let model = Fit::new(metric).fit(&answered(&rows(150, 150, &shares, 1.0, seed), rest, seed));
                metric.score(&model.unwrap().rule().confusion(&test).unwrap()) - metric.score(&clean)
            });
            let mean = gains.sum::<f64>() / 8.0;
            assert!(mean > -0.003, "{shares:?} {rest} {}: {mean}", metric.name());
        }
    }
}

#[test]
fn a_black_box_that_is_right_is_left_unchanged_or_nearly_so() {
    for seed in 1..6 {
        let model = Fit::new(Accuracy).fit(&rows(600, 100, &RIGHT, 1.0, seed)).unwrap();
        let came = gain(&model, &Accuracy, &RIGHT, 1.0);
        assert!(came > -0.01, "{came}");
    }
}

#[test]
fn unlabelled_rows_and_any_metric_are_used() {
    let sample = rows(400, 60, &SHIFTED, 0.5, 7);
    for metric in [&MacroF1 as &dyn Metric, &Mcc, &BalancedAccuracy] {
        let came = gain(&expected(metric).fit(&sample).unwrap(), metric, &SHIFTED, 0.5);
        assert!(came > -0.03, "{} {came}", metric.name());
    }
    let [all, labelled] =
        [sample, rows(60, 60, &SHIFTED, 0.5, 7)].map(|sample| expected(MacroF1).fit(&sample).unwrap());
    assert_ne!(all.rule(), labelled.rule());
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let sample = rows(300, 80, &SHIFTED, 0.7, 3);
    let fit = || Fit::new(MacroF1).seed(5).fit(&sample).unwrap();
    let one = on_threads(1, fit);
    assert_eq!(one, on_threads(1, fit));
    assert_eq!(one, on_threads(3, fit));
}

#[test]
fn the_scale_of_the_row_weights_does_not_matter() {
    let sample = rows(200, 80, &SHIFTED, 1.0, 3);
    let weighted = |weight: f64| sample.clone().with_weights(vec![weight; 200]).unwrap();
    let [one, four] = [1.0, 4.0].map(|weight| expected(MacroF1).fit(&weighted(weight)).unwrap());
    for (a, b) in one.weights().as_slice().iter().zip(four.weights().as_slice()) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn zeros_and_absent_classes_are_fitted() {
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
    let [expected, auto] = [expected(MacroF1), Fit::new(MacroF1)].map(|fit| fit.fit(&sample).unwrap());
    for model in [&expected, &auto] {
        assert_eq!(model.predict(&sample).unwrap().len(), 80);
    }
    if let Some(Calibration::Affine { map, .. }) = expected.rule().calibration() {
        assert_eq!(map.floor(), 0.1); // half of a quarter, at most a tenth
    }
}

/// Never a number.
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
fn a_metric_that_is_not_finite_and_a_mixing_that_is_not_a_share_are_errors() {
    let sample = rows(60, 60, &RIGHT, 1.0, 2);
    for fit in [Fit::new(Nothing), expected(Nothing)] {
        assert!(matches!(fit.fit(&sample), Err(Error::MetricNotFinite { .. })));
    }
    let mixing = |share| expected(MacroF1).option("mixing", share).fit(&sample);
    assert_eq!(mixing(1.5).unwrap_err(), Error::BadShare { value: 1.5 });
    assert!(mixing(0.5).is_ok());
}
