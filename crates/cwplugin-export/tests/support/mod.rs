//! Random models of every kind, and rows for them.

use cwplugin::rule::{MapKind, MixtureStep, Tempering};
use cwplugin::{
    AffineMap, Calibration, Features, MapInput, Mixture, Model, Probabilities, Rule, Sample, Slope, Weights,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Names that would end strings, comments and lines if they were not escaped.
pub(crate) const NAMES: [&str; 6] =
    ["it's", "say \"hi\"", "back\\slash", "naïve ☃\u{202e}", "two\nlines */ --", "\\u{0}\t{}"];

/// A model, rows for it, and the results of the library.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) model: Model,
    /// Probabilities or features, row by row.
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) predicted: Vec<usize>,
    /// `w_k·cal(b)_k`.
    pub(crate) products: Vec<Vec<f64>>,
    /// [`Rule::scores`].
    pub(crate) scores: Vec<Vec<f64>>,
}

impl Case {
    fn new(rule: Rule, probabilities: Vec<Vec<f64>>, features: Vec<Vec<f64>>) -> Self {
        let m = rule.n_classes();
        let names = (0..m).map(|k| NAMES.get(k).map_or_else(|| k.to_string(), ToString::to_string)).collect();
        let model = Model::new(names, rule).unwrap();
        let p = Probabilities::new(probabilities.concat(), m).unwrap();
        let d = model.rule().n_features();
        let mut sample = Sample::unlabelled(p);
        if let Some(d) = d {
            sample = sample.with_features(Features::new(features.concat(), d).unwrap()).unwrap();
        }
        let calibrated = model.rule().calibrated_probabilities(&sample).unwrap();
        let weighted =
            |row| calibrated.row(row).zip(model.weights().as_slice()).map(|(b, w)| b * w).collect();
        let products = (0..sample.n_rows()).map(weighted).collect();
        let (predicted, scores) = model.rule().predict_with_scores(&sample).unwrap();
        let scores = (0..sample.n_rows()).map(|row| scores.row(row).collect()).collect();
        let rows = if d.is_some() { features } else { probabilities };
        Self { model, rows, predicted, products, scores }
    }
}

/// Rows whose numbers are often equal, often 0, and sometimes tiny.
fn rows(n: usize, m: usize) -> impl Strategy<Value = Vec<Vec<f64>>> {
    let number = prop_oneof![3 => (0_u8..4).prop_map(f64::from), 3 => 0.0..4.0_f64, 1 => Just(1e-200), 1 => Just(-0.0)];
    vec(vec(number, m), n).prop_map(|mut rows| {
        for row in &mut rows {
            let sum: f64 = row.iter().sum();
            let m = row.len() as f64;
            for b in row {
                *b = if sum > 0.1 { *b / sum } else { 1.0 / m };
            }
        }
        rows
    })
}

fn weights(m: usize) -> impl Strategy<Value = Weights> {
    let weight = prop_oneof![2 => 0.01..4.0_f64, 1 => Just(0.0), 2 => Just(1.0)];
    vec(weight, m).prop_filter_map("all 0", |weights| Weights::new(weights).ok())
}

fn calibration(m: usize, d: usize) -> impl Strategy<Value = Option<Calibration>> {
    let numbers = |n: usize| vec(-3.0..3.0_f64, n);
    let affine = |input: MapInput, slope: Slope, bias: Vec<f64>, floor: f64| {
        let map = AffineMap::new(input, slope, bias).unwrap().with_floor(floor).unwrap();
        let kind = if input == MapInput::Features { MapKind::Logistic } else { MapKind::Vector };
        Some(Calibration::Affine { kind, map, features: None })
    };
    let floor = || prop_oneof![Just(f64::EPSILON), Just(0.01)];
    let slopes = prop_oneof![
        vec(-3.0..3.0_f64, m).prop_map(Slope::Diagonal),
        vec(-3.0..3.0_f64, m * m).prop_map(Slope::Matrix)
    ];
    let step = (prop_oneof![0.1..3.0_f64, Just(1e-7), Just(1e7)], prop_oneof![0.01..0.5_f64, Just(1e-9)]);
    let tempered = (slopes, numbers(m), step).prop_map(|(slope, bias, (t, uniform))| {
        let map = AffineMap::new(MapInput::LogProbability, slope, bias).unwrap();
        let map = map.with_tempering(Tempering::new(t, uniform).unwrap()).unwrap();
        Some(Calibration::Affine { kind: MapKind::Structured, map, features: None })
    });
    let input = prop_oneof![Just(MapInput::LogProbability), Just(MapInput::Probability)];
    let inputs = input.clone();
    let step = (0.1..1.0_f64, vec(prop_oneof![-2.0..2.0_f64, Just(1.0)], m));
    let mixture = vec(step, 1..6).prop_map(|steps| {
        let sum: f64 = steps.iter().map(|(share, _)| share).sum();
        let step = |(share, factors): (f64, Vec<f64>)| MixtureStep { share: share / sum, factors };
        Some(Calibration::Mixture(Mixture::new(steps.into_iter().map(step).collect()).unwrap()))
    });
    prop_oneof![
        Just(None),
        (input, numbers(m), numbers(m), floor()).prop_map(move |(input, slope, bias, floor)| affine(
            input,
            Slope::Diagonal(slope),
            bias,
            floor
        )),
        (inputs, numbers(m * m), numbers(m), floor()).prop_map(move |(input, slope, bias, floor)| affine(
            input,
            Slope::Matrix(slope),
            bias,
            floor
        )),
        (numbers(m * d), numbers(m)).prop_map(move |(slope, bias)| affine(
            MapInput::Features,
            Slope::Matrix(slope),
            bias,
            0.5
        )),
        mixture,
        tempered,
    ]
}

/// Any model with rows for it.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    (2_usize..7, 1_usize..4)
        .prop_flat_map(|(m, d)| (calibration(m, d), weights(m), rows(20, m), vec(vec(-3.0..3.0_f64, d), 20)))
        .prop_map(|(calibration, weights, rows, features)| {
            Case::new(Rule::new(calibration, weights).unwrap(), rows, features)
        })
}

/// Models with a row whose products are all 0: the only class with a probability, or with a share, has weight 0.
pub(crate) fn all_zero_cases() -> [Case; 2] {
    let rows = vec![vec![0.0, 1.0, 0.0], vec![0.25, 0.5, 0.25]];
    let step = MixtureStep { share: 1.0, factors: vec![1.0; 3] };
    let mixture = Calibration::Mixture(Mixture::new(vec![step]).unwrap());
    let cases = [None, Some(mixture)].map(|calibration| {
        let weights = Weights::new(vec![2.0, 0.0, 1.0]).unwrap();
        Case::new(Rule::new(calibration, weights).unwrap(), rows.clone(), Vec::new())
    });
    for case in &cases {
        assert_eq!((case.predicted[0], &case.scores[0]), (0, &vec![1.0 / 3.0; 3]));
    }
    cases
}
