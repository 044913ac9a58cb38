//! Calibrators against those of other libraries (see testdata/README.md).

use cwplugin::methods::{Calibrated, Family, Logistic, Select, Strength};
use cwplugin::{Features, MapInput, Probabilities, Sample};
use serde::Deserialize;

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    probabilities: Vec<Vec<f64>>,
    labels: Vec<usize>,
    weights: Vec<f64>,
    features: Vec<Vec<f64>>,
    fits: Vec<Fit>,
    logistic: Vec<LogisticFit>,
}

#[derive(Deserialize)]
struct Fit {
    family: String,
    lambda: f64,
    mu: f64,
    log_loss: f64,
    calibrated: Vec<Vec<f64>>,
}

#[derive(Deserialize)]
struct LogisticFit {
    copies: usize,
    lambda: f64,
    log_loss: f64,
    calibrated: Vec<Vec<f64>>,
}

fn cases() -> Vec<Case> {
    let text = include_str!("../../../testdata/calibration.json");
    serde_json::from_str::<Fixture>(text).unwrap().cases
}

impl Case {
    fn sample(&self) -> Sample {
        let p = Probabilities::new(self.probabilities.concat(), self.probabilities[0].len()).unwrap();
        let labels = self.labels.iter().copied().map(Some).collect();
        Sample::new(p, labels).unwrap().with_weights(self.weights.clone()).unwrap()
    }

    fn features(&self, copies: usize) -> Features {
        if copies == 1 {
            return Features::new(self.features.concat(), self.features[0].len()).unwrap();
        }
        let value = |(row, column): (usize, usize)| {
            ((row * 37 + column * 101 + row * column * 13) % 97) as f64 / 97.0
        };
        let cells = (0..self.labels.len()).flat_map(|row| (0..copies).map(move |column| (row, column)));
        Features::new(cells.map(value).collect(), copies).unwrap()
    }
}

fn family(name: &str) -> Family {
    match name {
        "temperature" => Family::Temperature,
        "bcts" => Family::Bcts,
        "vector" => Family::Vector(MapInput::LogProbability),
        "vector:probability" => Family::Vector(MapInput::Probability),
        "dirichlet-diag" => Family::DirichletDiag,
        "dirichlet-full" => Family::DirichletFull,
        _ => panic!("{name}"),
    }
}

fn check(what: &str, ours: &Calibrated, mapped: &Probabilities, log_loss: f64, calibrated: &[Vec<f64>]) {
    assert!(ours.converged, "{what}");
    let off = (ours.log_loss.after - log_loss).abs();
    assert!(off <= 1e-9 * log_loss.max(1e-3), "{what}: {} instead of {log_loss}", ours.log_loss.after);
    for (row, expected) in calibrated.iter().enumerate() {
        let worst = mapped.row(row).zip(expected).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
        assert!(worst <= 1e-5, "{what}, row {row}: {worst}");
    }
}

#[test]
fn calibrators_are_those_of_scipy() {
    for case in cases() {
        let sample = case.sample();
        for fit in &case.fits {
            let strength = Strength { lambda: fit.lambda, mu: fit.mu };
            let ours = family(&fit.family).learn(&sample, Select::Fixed(strength), 0).unwrap();
            let mapped = ours.map.apply(sample.probabilities()).unwrap();
            let what = format!("{} {} {} {}", case.name, fit.family, fit.lambda, fit.mu);
            check(&what, &ours, &mapped, fit.log_loss, &fit.calibrated);
        }
    }
}

#[test]
fn logistic_regressions_are_those_of_scikit_learn() {
    for case in cases() {
        let sample = case.sample();
        for fit in &case.logistic {
            let features = case.features(fit.copies);
            let ours = Logistic::with_lambda(fit.lambda).unwrap().learn(&sample, &features, 0).unwrap();
            let mapped = ours.map.apply_to_features(&features).unwrap();
            let what = format!("{} logistic {} × {}", case.name, fit.copies, fit.lambda);
            check(&what, &ours, &mapped, fit.log_loss, &fit.calibrated);
        }
    }
}

/// The weakest penalty fits its own rows best; held-out rows see further.
#[test]
fn the_penalty_is_chosen_among_all_pairs() {
    let case = cases().swap_remove(1);
    let sample = case.sample();
    let weakest = Some(Strength { lambda: 1e-5, mu: 1e-5 });
    let chosen = Family::DirichletFull.learn(&sample, Select::InSample, 0).unwrap();
    assert_eq!(chosen.penalty, weakest);
    let held_out = Family::DirichletFull.learn(&sample, Select::CrossValidation, 0).unwrap();
    assert_ne!(held_out.penalty, weakest);
    assert!(held_out.log_loss.after >= chosen.log_loss.after);
    let fixed = Family::DirichletFull.learn(&sample, Select::Fixed(held_out.penalty.unwrap()), 0).unwrap();
    assert_eq!(fixed.map, held_out.map);
}
