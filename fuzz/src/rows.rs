//! Samples, and what holds for each of them.

use cwplugin::{Model, Sample};

/// What the constructor of a sample promises.
pub(crate) fn check(sample: &Sample, classes: &[String]) {
    let m = sample.n_classes();
    assert!(m >= 2 && classes.len() == m, "{m} classes, {} names", classes.len());
    for row in 0..sample.n_rows() {
        let values: Vec<f64> = sample.probabilities().row(row).collect();
        assert!(values.iter().all(|value| value.is_finite() && *value >= 0.0), "row {row}: {values:?}");
        assert!((values.iter().sum::<f64>() - 1.0).abs() <= 1.001e-3, "row {row}: {values:?}");
        assert!(sample.label(row).is_none_or(|label| label < m), "row {row}: {:?}", sample.label(row));
        let weight = sample.weight(row);
        assert!(weight.is_finite() && weight >= 0.0, "row {row} weighs {weight}");
    }
}

/// Predictions are classes, and scores are finite and sum to 1; the class of the largest score is predicted.
pub(crate) fn check_predictions(model: &Model, sample: &Sample) {
    let (Ok(predicted), Ok(scores)) = (model.rule().predict(sample), model.predict_proba(sample)) else {
        return;
    };
    assert_eq!(predicted.len(), sample.n_rows());
    for (row, class) in predicted.into_iter().enumerate() {
        let scores: Vec<f64> = scores.row(row).collect();
        let sum: f64 = scores.iter().sum();
        assert!(scores.iter().all(|score| (0.0..=1.0 + 1e-9).contains(score)), "row {row}: {scores:?}");
        assert!((sum - 1.0).abs() < 1e-9, "row {row}: {scores:?}");
        let largest = scores.iter().copied().fold(0.0, f64::max);
        assert!(scores[class] >= largest * (1.0 - 1e-12), "row {row}: class {class} of {scores:?}");
    }
}
