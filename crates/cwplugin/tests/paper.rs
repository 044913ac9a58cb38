//! Small examples worked by hand, the promise of the paper's consistency theorem, and every warning once.

use cwplugin::metric::{Accuracy, LinearDiagonal, MacroF1};
use cwplugin::{Fit, PluginReport, Sample};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::fits::{details, pairs, plugin, score, warnings};
use crate::support::metrics::class_names;
use crate::support::{all_close, close};

fn sample<const M: usize>(rows: &[([f64; M], usize)]) -> Sample {
    let sample = Sample::from_rows(rows.iter().map(|row| row.0), &class_names(M)).unwrap();
    sample.labels(rows.iter().map(|row| row.1)).unwrap()
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

#[test]
fn the_published_setting_worked_by_hand() {
    let model = Fit::new(MacroF1).method("cwplugin:published").fit(&sample(&FAVOURITE)).unwrap();
    let (alphas, scores): (Vec<f64>, Vec<f64>) =
        pairs(&model).iter().map(|pair| (pair.alpha, pair.score)).unzip();
    // The first hundredths above 7/9 and above 2/3.
    assert_eq!(alphas, [0.78, 0.67]);
    assert!(all_close(&scores, &[4.0 / 5.0, f64::midpoint(2.0 / 3.0, 4.0 / 5.0)]));
    let weights = shares([0.78 / 0.22, 0.67 / 0.33, 1.0]);
    assert!(all_close(model.weights().as_slice(), &weights), "{:?}", model.weights());
}

#[test]
fn the_default_setting_worked_by_hand() {
    let model = plugin(MacroF1).fit(&sample(&FAVOURITE)).unwrap();
    // Class 2 has the most rows. In odds the stretches reach from 7/2 to 4 and from 2 to 5.
    let PluginReport { reference, pairs, .. } = details(&model);
    assert_eq!(reference, "c2");
    let weights = shares([14.0_f64.sqrt(), 10.0_f64.sqrt(), 1.0]);
    assert!(all_close(model.weights().as_slice(), &weights), "{:?}", model.weights());
    let scores: Vec<f64> = pairs.iter().map(|pair| pair.score).collect();
    assert!(all_close(&scores, &[4.0 / 5.0, f64::midpoint(2.0 / 3.0, 4.0 / 5.0)]));
    // Before: 0, 2, 2, 2, 2, 1 are predicted; after: 0, 0, 0, 2, 1, 1.
    let before = (2.0 / 3.0 + 0.0 + 4.0 / 7.0) / 3.0;
    let after = (4.0 / 5.0 + 2.0 / 3.0 + 2.0 / 4.0) / 3.0;
    assert!(close(score(&model).clean, before) && close(score(&model).fitted, after), "{:?}", score(&model));
    assert_eq!(model.predict(&sample(&FAVOURITE)).unwrap(), ["c0", "c0", "c0", "c2", "c1", "c1"]);
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
    let model = plugin(metric).option("reference", "last").fit(sample).unwrap();
    model.weights().as_slice().iter().zip(BETA).map(|(w, beta)| (w - beta).abs()).sum()
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
fn every_warning_that_many_rows_raise_is_reported_once() {
    // Class 1 has no rows; the black box never names 2; class 3 has a probability in rows of class 4 only; and it is
    // best never to say 4: its rows have the higher cut (16/17 against 5/9) and are fewer than those of class 0.
    let rows = [
        vec![([0.5, 0.1, 0.0, 0.0, 0.4], 0); 12],
        vec![([0.9, 0.1, 0.0, 0.0, 0.0], 2); 10],
        vec![([0.9, 0.1, 0.0, 0.0, 0.0], 3); 10],
        vec![([0.8, 0.1, 0.0, 0.05, 0.05], 4); 10],
    ]
    .concat();
    let model = plugin(Accuracy).fit(&sample(&rows)).unwrap();
    let expected =
        [("absent-class", "c1"), ("never-probable", "c2"), ("flat-curve", "c3"), ("at-border", "c4")];
    assert_eq!(warnings(&model), expected.map(|(kind, class)| (kind, Some(class))));
    // Odds 5/4 at the cut, closed one log unit below: the middle is half a unit below.
    let odds = 1.25 * (-0.5_f64).exp();
    let alpha = pairs(&model).last().unwrap().alpha;
    assert!(close(alpha / (1.0 - alpha), odds), "{alpha}");
    let message = &model.report().unwrap().warnings[3].message;
    assert!(message.contains(&format!("alpha {alpha:.4}")), "{message}");
    assert!(all_close(model.weights().as_slice(), &[1.0, 1.0, 1.0, 1.0, odds].map(|w| w / (4.0 + odds))));
}

/// Three of four rows are right without weights; each class tuned alone against class 0 leaves one. So fitted weights may
/// score below none on the rows they were fitted on.
///
/// Class 1 is as good above its row's cut 2/3 as it is at weight 0, and that interval, up to 7/8, is the wider one: it gets
/// 3.7 times the weight of class 0, and takes rows 1 and 2 from classes that are not part of the pair.
#[test]
fn every_warning_that_few_rows_raise_is_reported_once() {
    let rows = [([0.7, 0.1, 0.2], 0), ([0.5, 0.3, 0.2], 0), ([0.3, 0.2, 0.5], 2), ([0.2, 0.1, 0.7], 1)];
    let model = plugin(Accuracy).fit(&sample(&rows)).unwrap();
    let few = |class| ("few-rows", Some(class));
    assert_eq!(warnings(&model), [few("c0"), few("c1"), few("c2"), ("below-clean", None)]);
    assert_eq!((score(&model).clean, score(&model).fitted), (0.75, 0.25));
    let report = model.report().unwrap();
    assert!(report.warnings[0].message.contains("2 labelled rows"));
    assert!(report.warnings[3].message.ends_with("(0.2500 < 0.7500)"));
}

/// Rows that a very sure black box gets wrong: only their tiny probabilities tell the classes apart.
#[test]
fn an_over_confident_black_box_is_corrected_against_either_reference() {
    let rows = [([1e-17, 1.0], 0), ([3e-17, 1.0], 0), ([1e-19, 1.0], 1), ([2e-19, 1.0], 1)];
    for reference in ["c0", "c1"] {
        let model = plugin(Accuracy).option("reference", reference).fit(&sample(&rows)).unwrap();
        assert_eq!((score(&model).clean, score(&model).fitted), (0.5, 1.0), "reference {reference}");
        assert!(pairs(&model)[0].alpha < 1.0);
    }
}
