//! Structured scaling against probmetrics, and against its formula minimised by `SciPy` (see testdata/README.md).

use cwplugin::methods::{Calibrated, Structured};
use cwplugin::{Error, Probabilities, Sample, Slope};
use serde::Deserialize;

use crate::support::fits::on_threads;

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    probabilities: Vec<Vec<f64>>,
    labels: Vec<usize>,
    rows: Vec<Vec<f64>>,
    fits: Vec<Fit>,
}

#[derive(Deserialize)]
struct Fit {
    method: String,
    slope: f64,
    log_loss: f64,
    formula: Vec<Vec<f64>>,
    probmetrics: Vec<Vec<f64>>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../testdata/structured.json");
    serde_json::from_str::<Fixture>(text).unwrap().cases
}

fn structured(method: &str) -> Structured {
    match method {
        "svs" => Structured::Vector,
        "sms" => Structured::Matrix,
        _ => panic!("{method}"),
    }
}

fn rows(rows: &[Vec<f64>]) -> Probabilities {
    Probabilities::new(rows.concat(), rows[0].len()).unwrap()
}

fn sample(case: &Case) -> Sample {
    Sample::new(rows(&case.probabilities), case.labels.iter().copied().map(Some).collect()).unwrap()
}

fn largest_difference(ours: &Probabilities, theirs: &[Vec<f64>]) -> f64 {
    let row = |(row, theirs): (usize, &Vec<f64>)| {
        ours.row(row).zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    theirs.iter().enumerate().map(row).fold(0.0, f64::max)
}

#[test]
fn structured_scaling_is_that_of_probmetrics() {
    for case in cases() {
        let (sample, new) = (sample(&case), rows(&case.rows));
        for fit in &case.fits {
            let what = format!("{} {}", case.name, fit.method);
            let ours = structured(&fit.method).learn(&sample).unwrap();
            assert!(ours.converged && ours.penalty.is_none(), "{what}");
            let slope = ours.map.tempering().unwrap().slope();
            assert!((slope / fit.slope - 1.0).abs() < 1e-9, "{what}: {slope} instead of {}", fit.slope);
            assert!((ours.log_loss.after - fit.log_loss).abs() < 1e-7, "{what}: {:?}", ours.log_loss);
            let mapped = ours.map.apply(&new).unwrap();
            let off = largest_difference(&mapped, &fit.formula);
            assert!(off < 1e-6, "{what}: {off} from the formula");
            // As far as its optimiser, in single precision, is from the optimum: see the script.
            let limit = if fit.method == "svs" { 5e-4 } else { 5e-3 };
            let off = largest_difference(&mapped, &fit.probmetrics);
            assert!(off < limit, "{what}: {off} from probmetrics");
        }
    }
}

/// Rows without a pattern, but the same ones every time.
fn noisy(n: usize, m: usize) -> Sample {
    let noise = |i: usize| ((i * 7919 + i * i * 31) % 1009) as f64 / 1009.0 + 0.01;
    let row = |i: usize| {
        let row: Vec<f64> = (0..m).map(|k| noise(i * m + k).powi(4)).collect();
        let sum: f64 = row.iter().sum();
        row.into_iter().map(|value| value / sum).collect::<Vec<f64>>()
    };
    let p: Vec<Vec<f64>> = (0..n).map(row).collect();
    let labels = (0..n).map(|i| Some((i * i + i / 3 + i / 7) % m)).collect();
    Sample::new(rows(&p), labels).unwrap()
}

fn both(sample: &Sample) -> [Calibrated; 2] {
    [Structured::Vector, Structured::Matrix].map(|structured| structured.learn(sample).unwrap())
}

#[test]
fn a_hundred_classes_have_an_optimum() {
    for fitted in both(&noisy(250, 100)) {
        assert!(fitted.converged && fitted.log_loss.after < fitted.log_loss.before, "{:?}", fitted.log_loss);
    }
}

#[test]
fn odd_samples_give_finite_maps() {
    let row = [0.1, 0.2, 0.7];
    let odd: [(&[[f64; 3]], &[usize]); 6] = [
        (&[row], &[0]),
        (&[row, row], &[1, 1]),
        (&[row; 6], &[0, 1, 2, 0, 1, 2]),
        (&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], &[0, 1, 2]),
        (&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], &[1, 2, 0]),
        (&[[1.0 / 3.0; 3]; 4], &[0, 1, 1, 2]),
    ];
    for (rows, labels) in odd {
        let p = Probabilities::new(rows.concat(), 3).unwrap();
        let sample = Sample::new(p, labels.iter().copied().map(Some).collect()).unwrap();
        for fitted in both(&sample) {
            assert!(fitted.converged && fitted.log_loss.after.is_finite(), "{fitted:?}");
            assert_eq!(fitted.map.apply(sample.probabilities()).unwrap().n_rows(), rows.len());
        }
    }
    let none = Sample::new(Probabilities::new(row.to_vec(), 3).unwrap(), vec![None]).unwrap();
    assert_eq!(Structured::Matrix.learn(&none).unwrap_err(), Error::NoLabelledRows);
}

/// The prior keeps the bias of a class that was never seen; the others gain what it loses.
#[test]
fn a_class_without_labelled_rows_is_predicted_less() {
    let p = noisy(80, 4).into_probabilities();
    let labels = (0..80).map(|i| Some([0, 1, 3][(i * i + i / 3) % 3])).collect();
    for fitted in both(&Sample::new(p, labels).unwrap()) {
        assert_eq!(fitted.absent, [2]);
        let bias = fitted.map.bias();
        assert!(bias[2] < 0.0 && (0..4).all(|class| bias[class] >= bias[2]), "{bias:?}");
        let own = match fitted.map.slope() {
            Slope::Diagonal(slopes) => slopes[2],
            Slope::Matrix(slopes) => slopes[10],
        };
        assert!(own.is_finite());
    }
}

#[test]
fn rows_count_by_their_relative_weight_if_they_have_a_label() {
    let all = noisy(60, 3);
    let p = all.probabilities();
    let weights: Vec<f64> =
        (0..60).map(|i| if i % 7 > 0 { 0.5 + f64::from(i % 3 == 0) } else { 0.0 }).collect();
    let labels = (0..60).map(|i| all.label(i).filter(|_| i % 5 > 0)).collect();
    let some = Sample::new(p.clone(), labels).unwrap().with_weights(weights.clone()).unwrap();
    let kept: Vec<usize> = (0..60).filter(|i| i % 5 > 0 && i % 7 > 0).collect();
    let tenfold: Vec<f64> = kept.iter().map(|&i| 10.0 * weights[i]).collect();
    let few = all.select(&kept).with_weights(tenfold).unwrap();
    for (some, few) in both(&some).iter().zip(both(&few)) {
        let apply = |fitted: &Calibrated| fitted.map.apply(p).unwrap();
        let few: Vec<Vec<f64>> = (0..60).map(|row| apply(&few).row(row).collect()).collect();
        assert!(largest_difference(&apply(some), &few) < 1e-9);
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let sample = noisy(3000, 4);
    assert!(on_threads(1, || both(&sample)) == on_threads(2, || both(&sample)));
}
