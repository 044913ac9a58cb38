//! Macro averages. A class with neither true nor predicted rows is ignored, as in scikit-learn without `labels=`; a
//! ratio with denominator 0 is 0, as with `zero_division=0`.

use super::class_ratio::{in_mean, ratio_of};
use super::{
    ClassCounts, ClassRatio, Confusion, Metric, f_beta, is_usable_beta, named_metric, precision, recall,
    share,
};
use crate::error::Error;

named_metric! {
    /// Macro-averaged F1: the mean over classes of each class's own F1.
    ///
    /// ```text
    /// f(C) = mean over k of  2·C[k,k] / (Σ_j C[k,j] + Σ_i C[i,k])         C[truth, predicted]
    /// ```
    ///
    /// A class with neither true nor predicted rows is ignored. An empty matrix scores 0.
    MacroF1, "macro-f1", "mean(f1)", [is_monotone, is_monotone_by_class],
    ratio |class| in_mean(!class.is_empty(), f_beta(class, 1.0))
}

/// Macro-averaged F-beta: β > 1 favours recall, β < 1 precision.
///
/// ```text
/// f(C) = mean over k of  (1+β²)·C[k,k] / (β²·Σ_j C[k,j] + Σ_i C[i,k])
/// ```
///
/// A class with neither true nor predicted rows is ignored. An empty matrix scores 0.
#[derive(Debug, Clone)]
pub struct MacroFBeta {
    name: String,
    beta: f64,
}

impl MacroFBeta {
    /// F-beta with this β.
    ///
    /// # Errors
    ///
    /// If β is not a number from 1e-6 to 1e6.
    pub fn new(beta: f64) -> Result<Self, Error> {
        let name = format!("macro-f-beta:{beta}");
        if !is_usable_beta(beta) {
            return Err(Error::MetricParameter { name, expected: "beta must be a number from 1e-6 to 1e6" });
        }
        Ok(Self { name, beta })
    }
}

impl ClassRatio for MacroFBeta {
    #[inline(always)]
    fn terms(&self, class: ClassCounts) -> [f64; 2] {
        in_mean(!class.is_empty(), f_beta(class, self.beta))
    }
}

impl Metric for MacroFBeta {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, c: &Confusion) -> f64 {
        ratio_of(c, |class| self.terms(class))
    }
    fn class_ratio(&self) -> Option<&dyn ClassRatio> {
        Some(self)
    }
    fn formula(&self, _: &[String]) -> Option<String> {
        let b2 = self.beta * self.beta;
        Some(format!("mean({}*tp/({b2}*support+predicted))", 1.0 + b2))
    }
    fn is_monotone(&self) -> bool {
        true
    }
    fn is_monotone_by_class(&self) -> bool {
        true
    }
}

named_metric! {
    /// F1 averaged over classes, weighted by their true rows.
    ///
    /// ```text
    /// f(C) = Σ_k t_k·F1_k / Σ_k t_k,     t_k = Σ_j C[k,j]
    /// ```
    ///
    /// An empty matrix scores 0.
    WeightedF1, "weighted-f1", "sum(support*f1)/n", [is_monotone, is_monotone_by_class],
    ratio |class| [class.truth * f_beta(class, 1.0), class.truth]
}

named_metric! {
    /// Macro-averaged precision.
    ///
    /// ```text
    /// f(C) = mean over k of  C[k,k] / Σ_i C[i,k]
    /// ```
    ///
    /// A class with true rows that is never predicted counts as 0. A class with neither is ignored. An empty matrix scores 0.
    MacroPrecision, "macro-precision", "mean(precision)", [is_monotone, is_monotone_by_class],
    ratio |class| in_mean(!class.is_empty(), precision(class))
}

named_metric! {
    /// Macro-averaged recall.
    ///
    /// ```text
    /// f(C) = mean over k of  C[k,k] / Σ_j C[k,j]
    /// ```
    ///
    /// A class that is predicted but has no true rows counts as 0, unlike in [`BalancedAccuracy`](super::BalancedAccuracy).
    /// A class with neither is ignored. An empty matrix scores 0.
    MacroRecall, "macro-recall", "mean(recall)", [is_quasi_concave, is_monotone_by_class],
    ratio |class| in_mean(!class.is_empty(), recall(class))
}

named_metric! {
    /// Macro-averaged Jaccard index.
    ///
    /// ```text
    /// f(C) = mean over k of  C[k,k] / (Σ_j C[k,j] + Σ_i C[i,k] − C[k,k])
    /// ```
    ///
    /// A class with neither true nor predicted rows is ignored. An empty matrix scores 0.
    MacroJaccard, "macro-jaccard", "mean(tp/(support+predicted-tp))", [is_monotone, is_monotone_by_class],
    ratio |class| {
        let either = class.truth + class.predicted - class.correct;
        in_mean(!class.is_empty(), share(class.correct, either))
    }
}

named_metric! {
    /// Macro-averaged Fowlkes–Mallows index: the geometric mean of precision and recall per class.
    ///
    /// ```text
    /// f(C) = mean over k of  C[k,k] / sqrt(Σ_j C[k,j] · Σ_i C[i,k])
    /// ```
    ///
    /// A class without true or without predicted rows counts as 0. A class with neither is ignored. An empty matrix scores 0.
    MacroFowlkesMallows, "macro-fowlkes-mallows",
    "mean(sqrt(precision*recall))",
    [is_monotone, is_monotone_by_class],
    ratio |class| in_mean(!class.is_empty(), (precision(class) * recall(class)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand_on_an_asymmetric_matrix() {
        let c = Confusion::from_rows(&[[6.0, 3.0, 1.0], [0.0, 4.0, 0.0], [2.0, 0.0, 0.0]]);
        let f1 = [12.0 / 18.0, 8.0 / 11.0, 0.0];
        assert!((MacroF1.score(&c) - f1.iter().sum::<f64>() / 3.0).abs() < 1e-15);
        assert!((WeightedF1.score(&c) - (10.0 * f1[0] + 4.0 * f1[1]) / 16.0).abs() < 1e-15);
        assert!((MacroPrecision.score(&c) - (6.0 / 8.0 + 4.0 / 7.0) / 3.0).abs() < 1e-15);
        assert!((MacroRecall.score(&c) - 1.6 / 3.0).abs() < 1e-15);
        assert!((MacroJaccard.score(&c) - (6.0 / 12.0 + 4.0 / 7.0) / 3.0).abs() < 1e-15);
        let fm = (6.0 / 80.0_f64.sqrt() + 4.0 / 28.0_f64.sqrt()) / 3.0;
        assert!((MacroFowlkesMallows.score(&c) - fm).abs() < 1e-15);
        let f2 = (30.0 / 48.0 + 20.0 / 23.0) / 3.0;
        assert!((MacroFBeta::new(2.0).unwrap().score(&c) - f2).abs() < 1e-15);
    }

    #[test]
    fn a_class_with_neither_true_nor_predicted_rows_is_ignored() {
        let with = Confusion::from_rows(&[[3.0, 1.0, 0.0], [2.0, 4.0, 0.0], [0.0; 3]]);
        let without = Confusion::from_rows(&[[3.0, 1.0], [2.0, 4.0]]);
        let f2 = MacroFBeta::new(2.0).unwrap();
        let means: [&dyn Metric; 6] =
            [&MacroF1, &f2, &MacroPrecision, &MacroRecall, &MacroJaccard, &MacroFowlkesMallows];
        for metric in means {
            assert_eq!(metric.score(&with).to_bits(), metric.score(&without).to_bits(), "{}", metric.name());
        }
    }

    #[test]
    fn beta_must_be_a_positive_number() {
        for beta in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(MacroFBeta::new(beta).is_err());
        }
    }
}
