//! Small examples worked by hand, the promise of the paper's consistency theorem, and every doubt once.

use cwplugin::metric::{Accuracy, LinearDiagonal, MacroF1};
use cwplugin::{Absent, Fitted, Plugin, Probabilities, Reference, Sample, Search, Step, Ties, Warning};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{all_close, close};

fn sample<const M: usize>(rows: &[([f64; M], usize)]) -> Sample {
    let p = Probabilities::new(rows.iter().flat_map(|row| row.0).collect(), M).unwrap();
    Sample::new(p, rows.iter().map(|row| Some(row.1)).collect()).unwrap()
}

fn shares(odds: [f64; 3]) -> [f64; 3] {
    odds.map(|w| w / odds.iter().sum::<f64>())
}

/// The black box hardly ever leaves its favourite, class 2.
///
/// Class 0 against 2, rows 0, 1, 2, 3, 5 with cuts `b_2/(b_0+b_2)`; macro-F1 = (F1 of 0 + F1 of 2) / 2:
///
/// ```text
/// cut   row  label   after it:  F1 of 0     F1 of 2     macro
///  –     –     –                0           6/8         .375
/// 1/3    0     0                2/3         6/7         .762
/// 5/9    2     2                2/4         4/6         .583
/// 7/9    1     0                4/5         4/5         .8       best, up to the next cut
/// 4/5    5     2                4/6         2/4         .583
/// 8/9    3     2                4/7         0           .286
/// ```
///
/// Class 1 against 2, rows 2, 3, 4, 5:
///
/// ```text
///  –     –     –                0           6/7         .429
/// 4/9    5     2                0           4/6         .333
/// 2/3    4     1                2/3         4/5         .733     best, up to the next cut
/// 5/6    2     2                2/4         2/4         .5
/// 8/9    3     2                2/5         0           .2
/// ```
const FAVOURITE: [([f64; 3], usize); 6] = [
    ([0.6, 0.1, 0.3], 0),
    ([0.2, 0.1, 0.7], 0),
    ([0.4, 0.1, 0.5], 2),
    ([0.1, 0.1, 0.8], 2),
    ([0.1, 0.3, 0.6], 1),
    ([0.1, 0.5, 0.4], 2),
];

fn scores(fitted: &Fitted) -> Vec<f64> {
    fitted.report().pairs().iter().map(|pair| pair.peak.score).collect()
}

#[test]
fn the_published_setting_worked_by_hand() {
    let fitted = Plugin::new(MacroF1)
        .reference(Reference::Last)
        .search(Search::Grid(Step::try_from(0.01).unwrap()))
        .ties(Ties::First)
        .absent(Absent::Drop)
        .fit(&sample(&FAVOURITE))
        .unwrap();
    // The first hundredths above 7/9 and above 2/3.
    let alphas: Vec<f64> = fitted.report().pairs().iter().map(|pair| pair.peak.alpha).collect();
    assert_eq!(alphas, [0.78, 0.67]);
    assert!(all_close(&scores(&fitted), &[4.0 / 5.0, f64::midpoint(2.0 / 3.0, 4.0 / 5.0)]));
    let weights = shares([0.78 / 0.22, 0.67 / 0.33, 1.0]);
    assert!(all_close(fitted.weights().as_slice(), &weights), "{:?}", fitted.weights());
}

#[test]
fn the_default_setting_worked_by_hand() {
    let fitted = Plugin::new(MacroF1).fit(&sample(&FAVOURITE)).unwrap();
    // Class 2 has the most rows. In odds the stretches reach from 7/2 to 4 and from 2 to 5.
    assert_eq!(fitted.report().plugin().unwrap().reference, 2);
    let weights = shares([14.0_f64.sqrt(), 10.0_f64.sqrt(), 1.0]);
    assert!(all_close(fitted.weights().as_slice(), &weights), "{:?}", fitted.weights());
    assert!(all_close(&scores(&fitted), &[4.0 / 5.0, f64::midpoint(2.0 / 3.0, 4.0 / 5.0)]));
    // Before: 0, 2, 2, 2, 2, 1 are predicted; after: 0, 0, 0, 2, 1, 1.
    let before = (2.0 / 3.0 + 0.0 + 4.0 / 7.0) / 3.0;
    let after = (4.0 / 5.0 + 2.0 / 3.0 + 2.0 / 4.0) / 3.0;
    assert!(
        close(fitted.report().score.unwrap().clean, before)
            && close(fitted.report().score.unwrap().fitted, after),
        "{:?}",
        fitted.report()
    );
    assert_eq!(fitted.weights().predict(sample(&FAVOURITE).probabilities()).unwrap(), [0, 0, 0, 2, 1, 1]);
}

const BETA: [f64; 3] = [0.5, 0.3, 0.2];

/// Points of the simplex, evenly spread.
fn population(n: usize) -> Vec<[f64; 3]> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let point = |_| {
        let (a, b): (f64, f64) = (rng.random(), rng.random());
        [a.min(b), (a - b).abs(), 1.0 - a.max(b)]
    };
    (0..n).map(point).collect()
}

fn distance_from_beta(sample: &Sample) -> f64 {
    let metric = LinearDiagonal::new(BETA.to_vec()).unwrap();
    let fitted = Plugin::new(metric).reference(Reference::Last).fit(sample).unwrap();
    fitted.weights().as_slice().iter().zip(BETA).map(|(w, beta)| (w - beta).abs()).sum()
}

#[test]
fn on_the_population_the_weights_are_those_of_the_metric() {
    // Each point counts for every class with the very probability of that class: no chance is left in the labels.
    let rows: Vec<_> = population(3000).into_iter().flat_map(|b| (0..3).map(move |k| (b, k))).collect();
    let weights = rows.iter().map(|&(b, k)| b[k]).collect();
    let distance = distance_from_beta(&sample(&rows).with_weights(weights).unwrap());
    assert!(distance < 0.002, "{distance}");
}

#[test]
fn with_more_rows_the_weights_come_nearer_to_those_of_the_metric() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut draw = |b: [f64; 3]| {
        let u: f64 = rng.random();
        (b, usize::from(u > b[0]) + usize::from(u > b[0] + b[1]))
    };
    let rows: Vec<_> = population(100_000).into_iter().map(&mut draw).collect();
    let distances = [100, 100_000].map(|n| distance_from_beta(&sample(&rows[..n])));
    assert!(distances[1] < 0.03 && distances[1] < distances[0], "{distances:?}");
}

#[test]
fn every_doubt_that_many_rows_raise_is_reported_once() {
    // Class 1 has no rows; the black box never names 2; class 3 has a probability in rows of class 4 only; and it is
    // best never to say 4: its rows have the higher cut (16/17 against 5/9) and are fewer than those of class 0.
    let rows = [
        vec![([0.5, 0.1, 0.0, 0.0, 0.4], 0); 12],
        vec![([0.9, 0.1, 0.0, 0.0, 0.0], 2); 10],
        vec![([0.9, 0.1, 0.0, 0.0, 0.0], 3); 10],
        vec![([0.8, 0.1, 0.0, 0.05, 0.05], 4); 10],
    ]
    .concat();
    let fitted = Plugin::new(Accuracy).fit(&sample(&rows)).unwrap();
    // Odds 5/4 at the cut, closed one log unit below: the middle is half a unit below.
    let odds = 1.25 * (-0.5_f64).exp();
    let [absent, never, flat, Warning::AtBorder { class: 4, alpha }] = fitted.report().warnings[..] else {
        unreachable!("{:?}", fitted.report().warnings)
    };
    assert_eq!(absent, Warning::AbsentClass { class: 1, kept: true });
    assert_eq!(never, Warning::NeverProbable { class: 2 });
    assert_eq!(flat, Warning::FlatCurve { class: 3 });
    assert!(close(alpha / (1.0 - alpha), odds), "{alpha}");
    assert!(all_close(fitted.weights().as_slice(), &[1.0, 1.0, 1.0, 1.0, odds].map(|w| w / (4.0 + odds))));
}

#[test]
fn every_doubt_that_few_rows_raise_is_reported_once() {
    // Worked out in `properties.rs`, where it shows that pairs are tuned alone.
    let rows = [([0.7, 0.1, 0.2], 0), ([0.5, 0.3, 0.2], 0), ([0.3, 0.2, 0.5], 2), ([0.2, 0.1, 0.7], 1)];
    let warnings = Plugin::new(Accuracy).fit(&sample(&rows)).unwrap().report().warnings.clone();
    let few = |class, rows| Warning::FewRows { class, rows };
    assert_eq!(
        warnings,
        [few(0, 2), few(1, 1), few(2, 1), Warning::BelowClean { clean: 0.75, fitted: 0.25 }]
    );
}

/// Rows that a very sure black box gets wrong: only their tiny probabilities tell the classes apart.
#[test]
fn an_over_confident_black_box_is_corrected_against_either_reference() {
    let rows = [[1e-17, 1.0], [3e-17, 1.0], [1e-19, 1.0], [2e-19, 1.0]];
    let p = Probabilities::new(rows.concat(), 2).unwrap();
    let sample = Sample::new(p, vec![Some(0), Some(0), Some(1), Some(1)]).unwrap();
    for reference in [0, 1] {
        let fitted = Plugin::new(Accuracy).reference(Reference::Class(reference)).fit(&sample).unwrap();
        assert_eq!(
            (fitted.report().score.unwrap().clean, fitted.report().score.unwrap().fitted),
            (0.5, 1.0),
            "reference {reference}"
        );
        assert!(fitted.report().pairs()[0].peak.alpha < 1.0);
    }
}
