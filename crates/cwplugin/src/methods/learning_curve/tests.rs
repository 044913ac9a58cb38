//! Properties of learning curves.

use super::*;
use crate::data::Probabilities;
use crate::methods::METHODS;
use crate::metric::MacroF1;

/// A black box that over-predicts class 0; from row `bare` on, every second row is labelled.
fn sample(rows: usize, bare: usize) -> Sample {
    let values = [0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8].into_iter().cycle().take(2 * rows);
    let p = Probabilities::new(values.collect(), 2).unwrap();
    let label =
        |row: usize| (row < bare || row.is_multiple_of(2)).then_some(usize::from(!row.is_multiple_of(4)));
    Sample::new(p, (0..rows).map(label).collect()).unwrap()
}

fn curve(name: &str, sample: &Sample) -> LearningCurve {
    let (method, options) = (Method::by_name(name).unwrap(), Options::default());
    let report = method.fit(sample, &MacroF1, &options).unwrap().report;
    let most = AtomicUsize::new(0);
    let done = |n: usize| {
        most.fetch_max(n, Ordering::Relaxed);
    };
    let curve = LearningCurve::of(&report, method, sample, &MacroF1, &options, done).unwrap();
    if !curve.points.is_empty() {
        assert_eq!(most.into_inner(), LearningCurve::n_fits(sample), "{name}");
    }
    curve
}

#[test]
fn sizes_are_quarters_of_ten_rows_or_more() {
    assert_eq!(sizes(13), [0; 0]);
    assert_eq!(sizes(14), [10]);
    assert_eq!(sizes(26), [13, 19]);
    assert_eq!(sizes(40), [10, 20, 30]);
}

#[test]
fn a_subset_has_its_share_of_every_class() {
    let sample = sample(80, 80);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (taken, left) = subset(&sample, &sample.labelled_rows(), 40, &mut rng);
    assert_eq!((taken.len(), left.len()), (40, 40));
    assert!(taken.iter().all(|row| !left.contains(row)));
    let of_class = taken.iter().filter(|&&row| sample.label(row) == Some(0)).count();
    assert!((9..=11).contains(&of_class), "{of_class}");
}

#[test]
fn the_law_goes_through_its_own_points() {
    let points = [10.0, 20.0, 40.0].map(|rows| (rows, 0.3 - 2.0 / rows));
    let (limit, slope) = fit_law(points.into_iter()).unwrap();
    assert!((limit - 0.3).abs() < 1e-12 && (slope - 2.0).abs() < 1e-10, "{limit} {slope}");
    // A decreasing gain is treated as noise around a constant.
    let (limit, slope) = fit_law([(10.0, 0.2), (20.0, 0.1)].into_iter()).unwrap();
    assert!((limit - 0.15).abs() < 1e-12 && slope <= 0.0);
    assert_eq!(fit_law(std::iter::empty()), None);
}

#[test]
fn rows_are_needed_until_the_gain_outweighs_the_risk() {
    let point = CurvePoint { rows: 20, clean: 0.5, fitted: 0.5, gain: 0.0, gain_sd: 0.1 };
    let curve = |limit, slope| LearningCurve {
        points: vec![point],
        limit: Some(limit),
        slope: Some(slope),
        rows_needed: None,
    };
    let needed = curve(0.1, 2.0).needed(0.3, 40).unwrap();
    let is_enough = |n: f64| 0.1 - 2.0 / n > WORTH_IT * 0.3 * (40.0 / n).sqrt();
    assert!(is_enough(needed as f64) && !is_enough(needed as f64 - 1.0), "{needed}");
    assert_eq!(curve(0.1, 0.0).needed(0.01, 40), Some(40));
    assert_eq!(curve(0.004, 0.0).needed(0.0, 40), Some(40), "small, but certain");
    assert_eq!(curve(-0.1, 0.0).needed(0.0, 40), None);
}

#[test]
fn every_method_has_a_curve() {
    let sample = sample(72, 40);
    for method in METHODS.iter().filter(|method| !method.needs_features) {
        let curve = curve(method.name, &sample);
        assert_eq!(
            curve.points.iter().map(|point| point.rows).collect::<Vec<_>>(),
            [14, 28, 42],
            "{method:?}"
        );
        assert!(curve.points.iter().all(|point| point.gain.is_finite() && point.gain_sd.is_finite()));
    }
    let auto = curve("auto", &sample);
    assert_eq!(auto, curve("auto", &sample));
    assert_eq!(auto.rows_needed, Some(56), "these rows are enough");
    assert_eq!(curve("clean", &sample).rows_needed, None);
}

#[test]
fn too_few_rows_have_no_curve() {
    for sample in [sample(12, 12), sample(3, 3), sample(1, 1)] {
        let curve = curve("auto", &sample);
        assert_eq!((curve.points.len(), curve.limit, curve.rows_needed), (0, None, None));
    }
}
