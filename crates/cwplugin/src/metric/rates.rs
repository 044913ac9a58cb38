//! Accuracy and metrics of the recalls.

use super::class_ratio::in_mean;
use super::{Confusion, Metric, mean_over_present, named_metric, recall, share};

named_metric! {
    /// Accuracy: the share of rows predicted correctly.
    ///
    /// ```text
    /// f(C) = Σ_k C[k,k] / Σ_ij C[i,j]                                   C[truth, predicted]
    /// ```
    ///
    /// An empty matrix scores 0.
    Accuracy, "accuracy", "sum(tp)/n", [is_quasi_concave, is_monotone_by_class],
    ratio |class| [class.correct, class.truth]
}

named_metric! {
    /// Balanced accuracy: the mean recall of the classes that have rows.
    ///
    /// ```text
    /// f(C) = mean over k with Σ_j C[k,j] > 0 of  C[k,k] / Σ_j C[k,j]      C[truth, predicted]
    /// ```
    ///
    /// A class without true rows is ignored, even if it is predicted, as in scikit-learn; in
    /// [`MacroRecall`](super::MacroRecall) it counts as 0. An empty matrix scores 0.
    BalancedAccuracy, "balanced-accuracy",
    "sum(recall)/sum(support>0)",
    [is_quasi_concave, is_monotone_by_class],
    ratio |class| in_mean(class.truth > 0.0, recall(class))
}

named_metric! {
    /// The recall of the worst class.
    ///
    /// ```text
    /// f(C) = min over k with Σ_j C[k,j] > 0 of  C[k,k] / Σ_j C[k,j]       C[truth, predicted]
    /// ```
    ///
    /// A class without true rows is ignored. An empty matrix scores 0.
    MinRecall, "min-recall", "min(if(support>0, recall, 1))", [is_quasi_concave, is_monotone_by_class],
    |c| {
        let worst = c
            .per_class()
            .filter(|class| class.truth > 0.0)
            .fold(f64::INFINITY, |worst, class| worst.min(recall(class)));
        if worst.is_finite() { worst } else { 0.0 }
    }
}

named_metric! {
    /// Geometric mean of the recalls.
    ///
    /// ```text
    /// f(C) = ( Π_k  C[k,k] / Σ_j C[k,j] )^(1/m)    over the m classes with a true or a predicted row
    /// ```
    ///
    /// 0 if any class has recall 0. A class that is predicted but has no true rows has recall 0, as in the default of
    /// imbalanced-learn. An empty matrix scores 0.
    GMean, "g-mean", "gmean(recall)", [is_quasi_concave, is_monotone_by_class],
    |c| {
        let (mut logs, mut present) = (0.0, 0.0);
        for class in c.per_class().filter(|class| !class.is_empty()) {
            let recall = recall(class);
            if recall <= 0.0 {
                return 0.0;
            }
            logs += recall.ln();
            present += 1.0;
        }
        if present > 0.0 { (logs / present).exp() } else { 0.0 }
    }
}

named_metric! {
    /// Macro G-mean: the geometric mean of mean sensitivity and mean specificity.
    ///
    /// ```text
    /// f(C) = sqrt( mean_k sensitivity_k · mean_k specificity_k )          over classes with a true or a predicted row
    /// sensitivity_k = C[k,k] / Σ_j C[k,j]
    /// specificity_k = Σ_{i≠k, j≠k} C[i,j] / Σ_{i≠k, j} C[i,j]
    /// ```
    ///
    /// A ratio with denominator 0 is 0, so a matrix with a single class scores 0. Equals `average="macro"` in
    /// imbalanced-learn. On two classes it is the mean of the two recalls.
    MacroGMean, "macro-g-mean",
    "sqrt(mean(recall)*mean(specificity))",
    [is_quasi_concave, is_monotone_by_class],
    |c| {
        let total = c.total();
        let sensitivity = mean_over_present(c, recall);
        let specificity = mean_over_present(c, |class| {
            let negatives = total - class.truth;
            let false_positives = class.predicted - class.correct;
            share(negatives - false_positives, negatives)
        });
        // Rounding of fractional weights may make a zero slightly negative.
        (sensitivity.max(0.0) * specificity.max(0.0)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asymmetric, so that a transposed matrix fails every assertion.
    fn asymmetric() -> Confusion {
        Confusion::from_rows(&[[6.0, 3.0, 1.0], [0.0, 4.0, 0.0], [2.0, 0.0, 0.0]])
    }

    #[test]
    fn worked_by_hand_on_an_asymmetric_matrix() {
        let c = asymmetric();
        assert!((Accuracy.score(&c) - 10.0 / 16.0).abs() < 1e-15);
        assert!((BalancedAccuracy.score(&c) - (0.6 + 1.0 + 0.0) / 3.0).abs() < 1e-15);
        assert!(MinRecall.score(&c).abs() < 1e-15);
        assert!(GMean.score(&c).abs() < 1e-15);
        let specificity = (4.0 / 6.0 + 9.0 / 12.0 + 13.0 / 14.0) / 3.0;
        let expected = f64::sqrt((1.6 / 3.0) * specificity);
        assert!((MacroGMean.score(&c) - expected).abs() < 1e-15);
    }

    #[test]
    fn a_class_that_is_only_predicted_counts_in_g_mean_but_not_in_balanced_accuracy() {
        let c = Confusion::from_rows(&[[3.0, 1.0], [0.0, 0.0]]);
        assert!((BalancedAccuracy.score(&c) - 0.75).abs() < 1e-15);
        assert!((MinRecall.score(&c) - 0.75).abs() < 1e-15);
        assert!(GMean.score(&c).abs() < 1e-15);
    }

    #[test]
    fn an_empty_matrix_scores_zero() {
        let c = Confusion::zeros(3);
        for metric in [&Accuracy as &dyn Metric, &BalancedAccuracy, &MinRecall, &GMean, &MacroGMean] {
            assert!(metric.score(&c).abs() < 1e-15, "{}", metric.name());
        }
    }
}
