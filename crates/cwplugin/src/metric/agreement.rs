//! Agreement of prediction and truth: MCC, Cohen's kappa, Fowlkes–Mallows.

use super::{Confusion, Metric, named_metric, quoted};

/// A relative variance below this is rounding error: all labels, or all predictions, are the same.
const NO_VARIANCE: f64 = 1e-12;

named_metric! {
    /// Matthews correlation coefficient for any number of classes (Gorodkin).
    ///
    /// ```text
    /// f(C) = (n·Σ_k C[k,k] − Σ_k t_k·p_k) / sqrt((n² − Σ_k p_k²)·(n² − Σ_k t_k²))
    /// t_k = Σ_j C[k,j],  p_k = Σ_i C[i,k],  n = Σ_k t_k
    /// ```
    ///
    /// 0 if all rows are of one class or predicted as one class. An empty matrix scores 0.
    Mcc, "mcc",
    "t = n^2-sum(support^2); p = n^2-sum(predicted^2); (n*sum(tp)-sum(support*predicted))/(sqrt(t)*sqrt(p))",
    [is_monotone, is_by_class],
    |c| {
        let n = c.total();
        let (mut both, mut truths, mut predictions) = (n * c.correct(), n * n, n * n);
        for class in c.per_class() {
            both -= class.truth * class.predicted;
            truths -= class.truth * class.truth;
            predictions -= class.predicted * class.predicted;
        }
        if truths <= NO_VARIANCE * n * n || predictions <= NO_VARIANCE * n * n {
            return 0.0;
        }
        both / (truths.sqrt() * predictions.sqrt())
    }
}

named_metric! {
    /// Cohen's kappa: agreement beyond chance.
    ///
    /// ```text
    /// f(C) = (p_o − p_e) / (1 − p_e),   p_o = Σ_k C[k,k] / n,   p_e = Σ_k t_k·p_k / n²
    /// ```
    ///
    /// 0 if all rows are of one class and predicted as that class (NaN in scikit-learn). An empty matrix scores 0.
    CohenKappa, "cohen-kappa",
    "pe = sum(support*predicted)/(n*n); (sum(tp)/n-pe)/(1-pe)",
    [is_monotone, is_by_class],
    |c| {
        let n = c.total();
        if n <= 0.0 {
            return 0.0;
        }
        let observed = c.correct() / n;
        let chance = c.per_class().map(|class| class.truth * class.predicted).sum::<f64>() / (n * n);
        if 1.0 - chance <= NO_VARIANCE {
            return 0.0;
        }
        (observed - chance) / (1.0 - chance)
    }
}

/// Fowlkes–Mallows score of prediction and truth as two clusterings; counts pairs of rows.
///
/// ```text
/// f(C) = T / sqrt(P·Q),   T = Σ_ij C[i,j]² − n,   P = Σ_j p_j² − n,   Q = Σ_i t_i² − n
/// ```
///
/// Invariant to renaming classes: a prediction with swapped classes scores 1. 0 if no two rows share both label and
/// prediction. Row weights should be repeat counts. Fractional weights use the same formula, and scaling the weights
/// changes the score.
#[derive(Debug, Clone, Copy, Default)]
pub struct PairFowlkesMallows;

impl Metric for PairFowlkesMallows {
    fn name(&self) -> &'static str {
        "pair-fowlkes-mallows"
    }
    fn score(&self, c: &Confusion) -> f64 {
        let n = c.total();
        let pairs = |sum_of_squares: f64| sum_of_squares - n;
        let together = pairs(c.rows().flatten().map(|count| count * count).sum());
        let predicted = pairs(c.per_class().map(|class| class.predicted * class.predicted).sum());
        let truly = pairs(c.per_class().map(|class| class.truth * class.truth).sum());
        if together <= 0.0 || predicted <= 0.0 || truly <= 0.0 {
            return 0.0;
        }
        (together / predicted).sqrt() * (together / truly).sqrt()
    }
    fn formula(&self, classes: &[String]) -> Option<String> {
        let cells = classes.iter().flat_map(|truth| classes.iter().map(move |predicted| (truth, predicted)));
        let squares: Vec<String> =
            cells.map(|(truth, predicted)| format!("C[{},{}]^2", quoted(truth), quoted(predicted))).collect();
        Some(format!(
            "t = {}-n; p = sum(predicted^2)-n; q = sum(support^2)-n; if(min(t,p,q)>0, sqrt(t/p)*sqrt(t/q), 0)",
            squares.join("+")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_by_hand_on_an_asymmetric_matrix() {
        let c = Confusion::from_rows(&[[6.0, 3.0, 1.0], [0.0, 4.0, 0.0], [2.0, 0.0, 0.0]]);
        let (chance, n2) = (10.0 * 8.0 + 4.0 * 7.0 + 2.0 * 1.0, 256.0);
        let mcc = (160.0 - chance) / ((n2 - 114.0_f64) * (n2 - 120.0)).sqrt();
        assert!((Mcc.score(&c) - mcc).abs() < 1e-15);
        let kappa = (10.0 / 16.0 - chance / n2) / (1.0 - chance / n2);
        assert!((CohenKappa.score(&c) - kappa).abs() < 1e-15);
        let fm = 50.0 / (98.0 * 104.0_f64).sqrt();
        assert!((PairFowlkesMallows.score(&c) - fm).abs() < 1e-15);
    }

    #[test]
    fn one_class_or_one_prediction_scores_zero() {
        for c in [
            Confusion::from_rows(&[[5.0, 0.0], [0.0, 0.0]]),
            Confusion::from_rows(&[[0.3, 0.0], [0.1, 0.0]]),
            Confusion::zeros(2),
        ] {
            assert!(Mcc.score(&c).abs() < 1e-15);
            assert!(CohenKappa.score(&c).abs() < 1e-15);
        }
    }

    #[test]
    fn swapped_names_are_perfect_clusters() {
        let swapped = Confusion::from_rows(&[[0.0, 4.0], [3.0, 0.0]]);
        assert!((PairFowlkesMallows.score(&swapped) - 1.0).abs() < 1e-15);
        assert!(PairFowlkesMallows.score(&Confusion::from_rows(&[[1.0, 0.0], [0.0, 1.0]])).abs() < 1e-15);
    }
}
