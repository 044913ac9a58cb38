//! A metric subject to constraints, as one number that every search can maximise.

use super::{Bound, Constraint};
use crate::metric::{Confusion, Metric};

/// Matrices that violate a constraint score at most this, below any realistic metric.
const INFEASIBLE: f64 = -1e300;

/// A metric subject to constraints: the score of the metric if all constraints hold, otherwise a penalty.
///
/// The penalty is below every score and decreases with the largest violation. A search thus finds the best feasible
/// matrix, or the least infeasible one. The largest violation is used, not the sum, because it preserves a single
/// peak. Violations are relative to limits above 1. Constraints whose metric does not apply to the classes of a matrix
/// ([`Metric::is_about`]) are ignored.
#[derive(Clone)]
pub(crate) struct Constrained<'a> {
    metric: &'a dyn Metric,
    constraints: &'a [Constraint],
    name: String,
}

impl std::fmt::Debug for Constrained<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Constrained").field(&self.name).finish()
    }
}

impl<'a> Constrained<'a> {
    /// The metric subject to these constraints.
    pub(crate) fn new(metric: &'a dyn Metric, constraints: &'a [Constraint]) -> Self {
        let names: Vec<String> = constraints.iter().map(ToString::to_string).collect();
        let name = format!("{} subject to {}", metric.name(), names.join(", "));
        Self { metric, constraints, name }
    }

    /// Whether a score belongs to a matrix that meets all constraints.
    pub(crate) fn is_allowed(score: f64) -> bool {
        score > INFEASIBLE
    }

    /// The violation of each constraint that applies to the matrix; below 0 if it holds.
    pub(crate) fn gaps(&self, confusion: &Confusion) -> impl Iterator<Item = f64> {
        let applicable = self.constraints.iter().filter(|constraint| constraint.metric().is_about(confusion));
        applicable.map(|constraint| -constraint.margin(confusion).1 / constraint.limit().abs().max(1.0))
    }

    /// The largest violation; 0 if all constraints hold.
    fn gap(&self, confusion: &Confusion) -> f64 {
        // Not `f64::max`, which ignores NaN.
        self.gaps(confusion).fold(0.0, |most, gap| if gap <= most { most } else { gap })
    }

    /// The score of a matrix that violates a constraint; `None` if all hold.
    pub(crate) fn penalty(&self, confusion: &Confusion) -> Option<f64> {
        let gap = self.gap(confusion);
        if gap > 0.0 {
            Some(INFEASIBLE * (1.0 + gap / (1.0 + gap))) // finite, and decreasing in the gap
        } else {
            Some(gap).filter(|gap| gap.is_nan())
        }
    }

    fn all_metrics(&self, holds: impl Fn(&dyn Metric) -> bool) -> bool {
        holds(self.metric) && self.constraints.iter().all(|constraint| holds(constraint.metric()))
    }

    /// Whether all constraints are lower bounds, so that an improvement violates none of them.
    fn has_only_lower_bounds(&self) -> bool {
        self.constraints.iter().all(|constraint| constraint.bound() == Bound::AtLeast)
    }
}

impl Metric for Constrained<'_> {
    fn name(&self) -> &str {
        &self.name
    }
    fn score(&self, confusion: &Confusion) -> f64 {
        self.penalty(confusion).unwrap_or_else(|| self.metric.score(confusion))
    }
    /// The α at which quasi-concave metrics meet their lower bounds form one interval. Inside, the metric has one peak;
    /// outside, the minimum of quasi-concave functions falls with the distance.
    fn is_quasi_concave(&self) -> bool {
        self.has_only_lower_bounds() && self.all_metrics(|metric| metric.is_quasi_concave())
    }
    fn is_monotone(&self) -> bool {
        self.has_only_lower_bounds() && self.all_metrics(|metric| metric.is_monotone())
    }
    fn is_by_class(&self) -> bool {
        self.all_metrics(|metric| metric.is_by_class())
    }
    fn is_monotone_by_class(&self) -> bool {
        self.has_only_lower_bounds() && self.all_metrics(|metric| metric.is_monotone_by_class())
    }
    fn n_classes(&self) -> Option<usize> {
        let of_constraints = self.constraints.iter().map(|constraint| constraint.metric().n_classes());
        std::iter::once(self.metric.n_classes()).chain(of_constraints).flatten().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::MacroF1;

    fn constraints(texts: &[&str]) -> Vec<Constraint> {
        let classes = ["a", "b", "c"].map(String::from);
        texts.iter().map(|text| Constraint::by_name(text, &classes).unwrap()).collect()
    }

    #[test]
    fn feasible_matrices_keep_their_score_and_others_are_ordered_by_violation() {
        let limits = constraints(&["recall:a>=0.5", "precision:b>=0.5"]);
        let metric = Constrained::new(&MacroF1, &limits);
        let allowed = Confusion::from_rows(&[[1.0, 1.0, 0.0], [0.0, 2.0, 0.0], [3.0, 0.0, 0.0]]);
        assert_eq!(metric.score(&allowed), MacroF1.score(&allowed));
        let near = Confusion::from_rows(&[[2.0, 3.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]]);
        let far = Confusion::from_rows(&[[1.0, 3.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]]);
        let [near, far] = [near, far].map(|confusion| metric.score(&confusion));
        assert!(near > far && far.is_finite() && !Constrained::is_allowed(near));
        assert!(metric.name().ends_with("subject to recall:a>=0.5, precision:b>=0.5"));
    }

    #[test]
    fn a_constraint_on_another_class_is_ignored_on_a_pair() {
        let limits = constraints(&["recall:a>=0.5", "expr:tp[a]-fp[c]>=7"]);
        let metric = Constrained::new(&MacroF1, &limits);
        let mut pair = Confusion::pair(1, 2);
        pair.set_pair([1.0, 0.0], [2.0, 2.0]);
        assert_eq!(metric.score(&pair), MacroF1.score(&pair));
        let mut pair = Confusion::pair(0, 2);
        pair.set_pair([0.0, 0.0], [2.0, 2.0]);
        assert!(!Constrained::is_allowed(metric.score(&pair)));
    }

    #[test]
    fn it_has_a_property_if_all_its_parts_have_it() {
        use crate::metric::{Accuracy, Mcc};
        let (lower, upper) = (constraints(&["recall:a>=0.5"]), constraints(&["recall:a<=0.5"]));
        let with = |metric, limits| {
            let constrained = Constrained::new(metric, limits);
            [constrained.is_quasi_concave(), constrained.is_monotone_by_class(), constrained.is_by_class()]
        };
        assert_eq!(with(&Accuracy, &lower), [true, true, true]);
        assert_eq!(with(&Accuracy, &upper), [false, false, true]);
        assert!(!with(&Mcc, &lower)[0]);
    }
}
