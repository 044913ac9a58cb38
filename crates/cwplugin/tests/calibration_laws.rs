//! What calibrators promise on samples of any kind.

use cwplugin::methods::{Calibrated, Family, Logistic, Select, Strength};
use cwplugin::{AffineMap, Error, Features, MapInput, Probabilities, Sample, Slope, Weights};
use proptest::prelude::*;

use crate::support::fits::on_threads;

const FAMILIES: [Family; 6] = [
    Family::Temperature,
    Family::Bcts,
    Family::Vector(MapInput::LogProbability),
    Family::Vector(MapInput::Probability),
    Family::DirichletDiag,
    Family::DirichletFull,
];

fn sample(rows: &[&[f64]], labels: &[usize]) -> Sample {
    let p = Probabilities::new(rows.concat(), rows[0].len()).unwrap();
    Sample::new(p, labels.iter().copied().map(Some).collect()).unwrap()
}

/// Rows without a pattern, but the same ones every time.
fn noisy(n: usize, m: usize) -> Sample {
    let noise = |i: usize| ((i * 7919 + i * i * 31) % 1009) as f64 / 1009.0 + 0.01;
    let rows: Vec<f64> = (0..n)
        .flat_map(|i| {
            let row: Vec<f64> = (0..m).map(|k| noise(i * m + k)).collect();
            let sum: f64 = row.iter().sum();
            row.into_iter().map(move |value| value / sum)
        })
        .collect();
    let labels = (0..n).map(|i| Some((i * i + i / 3 + i / 7) % m)).collect();
    Sample::new(Probabilities::new(rows, m).unwrap(), labels).unwrap()
}

fn fit_all(sample: &Sample) -> Vec<Calibrated> {
    let selects = [Select::InSample, Select::CrossValidation];
    let fits =
        FAMILIES.iter().flat_map(|family| selects.map(|select| family.learn(sample, select, 0).unwrap()));
    fits.collect()
}

#[test]
fn odd_samples_give_finite_maps() {
    let row = [0.1, 0.2, 0.7];
    let odd = [
        ("one row", sample(&[&row], &[0])),
        ("two rows of one class", sample(&[&row, &row], &[1, 1])),
        ("two rows", sample(&[&row, &[0.6, 0.2, 0.2]], &[1, 0])),
        ("one row each", sample(&[&row, &[0.6, 0.2, 0.2], &row], &[1, 0, 2])),
        ("constant", sample(&[&row[..]; 9], &[0, 1, 2, 0, 1, 2, 0, 0, 0])),
        ("uniform", sample(&[&[0.5, 0.5][..]; 5], &[0, 1, 1, 1, 0])),
        ("sure and right", sample(&[&[1.0, 0.0], &[0.0, 1.0], &[1.0, 0.0]], &[0, 1, 0])),
        ("sure and wrong", sample(&[&[1.0, 0.0], &[0.0, 1.0], &[1.0, 0.0]], &[1, 0, 1])),
        (
            "sure, right and wrong",
            sample(&[&[1.0, 0.0], &[0.0, 1.0], &[1.0, 0.0], &[0.0, 1.0]], &[1, 1, 0, 1]),
        ),
        ("a column of zeros", sample(&[&[0.3, 0.7, 0.0], &[0.6, 0.4, 0.0], &[0.2, 0.8, 0.0]], &[2, 0, 1])),
        ("one class absent", sample(&[&row, &[0.6, 0.2, 0.2], &row, &row], &[1, 0, 0, 1])),
    ];
    for (name, sample) in &odd {
        for fitted in fit_all(sample) {
            assert!(fitted.converged, "{name}: {fitted:?}");
            assert!(fitted.log_loss.after.is_finite(), "{name}: {fitted:?}");
            assert_eq!(fitted.map.apply(sample.probabilities()).unwrap().n_rows(), sample.n_rows());
        }
    }
    assert_eq!(odd[0].1.n_labelled(), 1);
    for fitted in fit_all(&odd[0].1) {
        assert_eq!((fitted.map, fitted.absent), (AffineMap::identity(3).unwrap(), vec![1, 2]));
    }
}

#[test]
fn a_black_box_that_is_always_wrong_gets_the_smallest_temperature() {
    let wrong = sample(&[&[0.9, 0.1], &[0.2, 0.8]], &[1, 0]);
    let fitted = Family::Temperature.learn(&wrong, Select::InSample, 0).unwrap();
    assert_eq!(*fitted.map.slope(), Slope::Diagonal(vec![1e-6; 2]));
}

/// In the mean of the rows it is as far from the others as before, in units of their mean slope.
#[test]
fn an_absent_class_moves_with_the_average_of_the_others() {
    let p = noisy(80, 4).into_probabilities();
    let labels = (0..80).map(|i| Some([0, 1, 3][(i * i + i / 3) % 3])).collect();
    let sample = Sample::new(p.clone(), labels).unwrap();
    let mean =
        |f: &dyn Fn(usize, usize) -> f64, class: usize| (0..80).map(|row| f(row, class)).sum::<f64>() / 80.0;
    for fitted in fit_all(&sample) {
        assert_eq!(fitted.absent, [2]);
        let (map, mapped) = (&fitted.map, fitted.map.apply(&p).unwrap());
        let own = |class: usize| match map.slope() {
            Slope::Diagonal(slopes) => slopes[class],
            Slope::Matrix(slopes) => slopes[class * 5],
        };
        let slope = [0, 1, 3].map(own).iter().sum::<f64>() / 3.0;
        assert!((own(2) - slope).abs() < 1e-12);
        if let Slope::Matrix(slopes) = map.slope() {
            assert!([8, 9, 11].iter().all(|&place| slopes[place] == 0.0));
        }
        let is_log = map.input() == MapInput::LogProbability;
        let before = |row, class| if is_log { p.get(row, class).ln() } else { p.get(row, class) };
        let after = |row, class| mapped.get(row, class).ln();
        let lead = |f: &dyn Fn(usize, usize) -> f64| {
            mean(f, 2) - [0, 1, 3].map(|class| mean(f, class)).iter().sum::<f64>() / 3.0
        };
        assert!((lead(&after) - slope * lead(&before)).abs() < 1e-6, "{:?}", map.slope());
    }
}

/// Whichever classes are there: one slope for all logits changes no order.
#[test]
fn a_temperature_changes_no_prediction() {
    let p = noisy(80, 4).into_probabilities();
    for present in [&[0, 1, 2, 3][..], &[0, 1, 3], &[2, 3]] {
        let labels = (0..80).map(|i| Some(present[(i * i + i / 3) % present.len()])).collect();
        let sample = Sample::new(p.clone(), labels).unwrap();
        let fitted = Family::Temperature.learn(&sample, Select::InSample, 0).unwrap();
        let unit = Weights::uniform(4).unwrap();
        assert_eq!(unit.predict(&fitted.map.apply(&p).unwrap()), unit.predict(&p));
    }
}

#[test]
fn rows_without_label_or_weight_are_ignored() {
    let all = noisy(60, 3);
    let p = all.probabilities().clone();
    let labels = (0..60).map(|i| all.label(i).filter(|_| i % 5 > 0)).collect();
    let weights = (0..60).map(|i| if i % 7 > 0 { 1.0 } else { 0.0 }).collect();
    let some = Sample::new(p, labels).unwrap().with_weights(weights).unwrap();
    let kept: Vec<usize> = (0..60).filter(|i| i % 5 > 0 && i % 7 > 0).collect();
    let rows: Vec<Vec<f64>> = kept.iter().map(|&i| all.probabilities().row(i).collect()).collect();
    let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    let few = sample(&rows, &kept.iter().map(|&i| all.label(i).unwrap()).collect::<Vec<_>>());
    for (some, few) in fit_all(&some).into_iter().zip(fit_all(&few)) {
        assert_eq!(some.map, few.map);
    }
    let none = Sample::new(all.into_probabilities(), vec![None; 60]).unwrap();
    assert_eq!(Family::Bcts.learn(&none, Select::InSample, 0).unwrap_err(), Error::NoLabelledRows);
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let sample = noisy(3000, 4);
    let features = Features::new((0..6000).map(|i| f64::from((i * i) % 101)).collect(), 2).unwrap();
    let run = || {
        let fits = fit_all(&sample);
        let mapped: Vec<_> = fits.iter().map(|fit| fit.map.apply(sample.probabilities())).collect();
        (fits, mapped, Logistic::default().learn(&sample, &features, 0).unwrap())
    };
    assert!(on_threads(1, run) == on_threads(2, run));
}

#[test]
fn logistic_models_come_from_any_features() {
    let known = sample(&[&[0.2, 0.3, 0.5][..]; 6], &[0, 1, 0, 1, 0, 1]);
    let single = sample(&[&[0.2, 0.3, 0.5][..]; 6], &[0, 1, 0, 2, 0, 0]);
    let alone = sample(&[&[0.2, 0.3, 0.5][..]; 6], &[1; 6]);
    let wide: Vec<f64> = (0..60).map(|i| f64::from((i * i * 7) % 11)).collect();
    let tables = [
        Features::new(vec![1.0, 5.0, 2.0, 6.0, 1.5, 7.0], 1).unwrap(),
        Features::new(vec![3.0; 12], 2).unwrap(),
        Features::new(vec![3.0; 60], 10).unwrap(),
        Features::new(wide.clone(), 10).unwrap(),
        Features::new(wide[..10].repeat(6), 10).unwrap(),
        Features::new([&wide[..20], &wide[..20], &wide[..20]].concat(), 10).unwrap(),
        Features::from_f32(vec![1e20, -1e20, 0.0, 1e-20, 1e20, 5.0], 1).unwrap(),
    ];
    for features in &tables {
        for (sample, absent) in [(&known, vec![2]), (&single, vec![]), (&alone, vec![0, 2])] {
            let fitted = Logistic::default().learn(sample, features, 0).unwrap();
            assert!(fitted.converged && fitted.log_loss.after.is_finite(), "{fitted:?}");
            assert_eq!(fitted.absent, absent);
            let mapped = fitted.map.apply_to_features(features).unwrap();
            for row in 0..6 {
                assert!(absent.iter().all(|&class| mapped.get(row, class) == 0.0));
            }
        }
    }
    assert!(Logistic::default().learn(&known, &tables[0].select(&[0]).unwrap(), 0).is_err());
}

#[test]
fn maps_check_what_they_are_made_of_and_given() {
    let new = |input, slope, bias: &[f64]| AffineMap::new(input, slope, bias.to_vec());
    let log = MapInput::LogProbability;
    assert!(new(log, Slope::Diagonal(vec![1.0]), &[0.0]).is_err());
    assert_eq!(
        new(log, Slope::Matrix(vec![1.0; 3]), &[0.0; 2]).unwrap_err(),
        Error::LengthMismatch { what: "slopes", found: 3, expected: 4 }
    );
    assert!(matches!(
        new(log, Slope::Diagonal(vec![1.0, f64::NAN]), &[0.0; 2]).unwrap_err(),
        Error::MapNotFinite { what: "slope", place: 1, .. }
    ));
    assert!(new(MapInput::Features, Slope::Diagonal(vec![1.0; 2]), &[0.0; 2]).is_err());
    assert!(new(MapInput::Features, Slope::Matrix(vec![1.0; 3]), &[0.0; 2]).is_err());
    let map = new(MapInput::Features, Slope::Matrix(vec![1.0; 6]), &[0.0; 2]).unwrap();
    let p = Probabilities::new(vec![0.5; 2], 2).unwrap();
    assert!(map.apply(&p).is_err());
    assert!(AffineMap::identity(3).unwrap().apply(&p).is_err());
    assert_eq!(AffineMap::identity(2).unwrap().apply(&p).unwrap(), p);
    let huge = new(log, Slope::Diagonal(vec![f64::MAX, -f64::MAX]), &[0.0; 2]).unwrap();
    assert!(huge.apply(&Probabilities::new(vec![0.0, 1.0], 2).unwrap()).is_ok());
    let negative = Select::Fixed(Strength { lambda: -1.0, mu: 0.0 });
    assert_eq!(Family::Bcts.learn(&noisy(9, 3), negative, 0).unwrap_err(), Error::BadPenalty { value: -1.0 });
    assert!(Family::Vector(MapInput::Features).learn(&noisy(9, 3), Select::InSample, 0).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn classes_in_another_order_give_the_map_in_that_order(
        order in Just(vec![0_usize, 1, 2, 3]).prop_shuffle(),
        n in 20_usize..80,
    ) {
        let sample = noisy(n, 4);
        let p = (0..n).flat_map(|i| order.iter().map(move |&k| (i, k))).map(|(i, k)| sample.probabilities().get(i, k));
        let place = |class| order.iter().position(|&k| k == class);
        let labels = (0..n).map(|i| sample.label(i).and_then(place)).collect();
        let other = Sample::new(Probabilities::new(p.collect(), 4).unwrap(), labels).unwrap();
        for family in FAMILIES {
            let select = Select::Fixed(Strength { lambda: 1e-2, mu: 1e-3 });
            let one = family.learn(&sample, select, 0).unwrap().map.apply(sample.probabilities()).unwrap();
            let two = family.learn(&other, select, 0).unwrap().map.apply(other.probabilities()).unwrap();
            for i in 0..n {
                for (place, &class) in order.iter().enumerate() {
                    prop_assert!((one.get(i, class) - two.get(i, place)).abs() < 1e-7);
                }
            }
        }
    }

    #[test]
    fn a_row_of_weight_two_is_a_row_twice(n in 3_usize..60) {
        let once = noisy(n, 3);
        let twice: Vec<usize> = (0..n).chain((0..n).step_by(3)).collect();
        let p = twice.iter().flat_map(|&i| once.probabilities().row(i)).collect();
        let labels = twice.iter().map(|&i| once.label(i)).collect();
        let twice = Sample::new(Probabilities::new(p, 3).unwrap(), labels).unwrap();
        let weights = (0..n).map(|i| if i % 3 == 0 { 2.0 } else { 1.0 }).collect();
        let heavy = once.with_weights(weights).unwrap();
        for family in FAMILIES {
            let one = family.learn(&heavy, Select::InSample, 0).unwrap();
            let two = family.learn(&twice, Select::InSample, 0).unwrap();
            let (a, b) = (one.log_loss.after, two.log_loss.after);
            prop_assert!((a - b).abs() < 1e-9 * a.max(1.0), "{:?}: {} {}", family, a, b);
            let (one, two) = (one.map.apply(heavy.probabilities()), two.map.apply(heavy.probabilities()));
            let (one, two) = (one.unwrap(), two.unwrap());
            for i in 0..n {
                prop_assert!(one.row(i).zip(two.row(i)).all(|(p, q)| (p - q).abs() < 1e-6));
            }
        }
    }
}
