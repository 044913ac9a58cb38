//! A metric and its constraints as one number, so that every search can maximise it.

use super::{Bound, Constraint};
use crate::metric::{Confusion, Metric};

/// Where the scores of matrices that break a constraint begin; no metric of any use goes down to here.
const BROKEN: f64 = -1e300;

/// A metric subject to constraints: its own score where all of them hold, and below all of that the lower, the further
/// the one that is furthest off.
///
/// So a search that maximises it finds the best of what is allowed, and the least violating where nothing is. The
/// largest gap counts, not their sum: that leaves one peak where there was one. Beyond 1 a gap is measured in units
/// of its limit. A constraint that says nothing about the classes of a matrix takes no part in it: on the pairs of
/// Algorithm 1 those about other classes do not.
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

    /// Whether a score is that of a matrix that keeps to all constraints.
    pub(crate) fn is_allowed(score: f64) -> bool {
        score > BROKEN
    }

    /// By how much each constraint that is about the matrix is broken; below 0 where it holds.
    pub(crate) fn gaps(&self, confusion: &Confusion) -> impl Iterator<Item = f64> {
        let about = self.constraints.iter().filter(|constraint| constraint.metric().is_about(confusion));
        about.map(|constraint| -constraint.margin(confusion).1 / constraint.limit().abs().max(1.0))
    }

    /// The largest gap to a limit; 0 if there is none.
    fn gap(&self, confusion: &Confusion) -> f64 {
        // Not `f64::max`, which would pass over what is not a number.
        self.gaps(confusion).fold(0.0, |most, gap| if gap <= most { most } else { gap })
    }

    /// The score of a matrix that breaks a constraint.
    pub(crate) fn penalty(&self, confusion: &Confusion) -> Option<f64> {
        let gap = self.gap(confusion);
        if gap > 0.0 {
            Some(BROKEN * (1.0 + gap / (1.0 + gap))) // finite however large the gap, and lower for larger ones
        } else {
            Some(gap).filter(|gap| gap.is_nan())
        }
    }

    fn every(&self, is_so: impl Fn(&dyn Metric) -> bool) -> bool {
        is_so(self.metric) && self.constraints.iter().all(|constraint| is_so(constraint.metric()))
    }

    /// Whether all constraints are lower limits: what makes a metric better then breaks none of them.
    fn is_upward(&self) -> bool {
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
    /// Where a quasi-concave number is at least its limit is one stretch of α; on it the metric has one peak, and
    /// outside the smallest of several such numbers falls away from it.
    fn is_quasi_concave(&self) -> bool {
        self.is_upward() && self.every(|metric| metric.is_quasi_concave())
    }
    fn is_monotone(&self) -> bool {
        self.is_upward() && self.every(|metric| metric.is_monotone())
    }
    fn is_by_class(&self) -> bool {
        self.every(|metric| metric.is_by_class())
    }
    fn is_monotone_by_class(&self) -> bool {
        self.is_upward() && self.every(|metric| metric.is_monotone_by_class())
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
    fn what_is_allowed_has_its_own_score_and_the_rest_lies_below_by_its_gap() {
        let kept = constraints(&["recall:a>=0.5", "precision:b>=0.5"]);
        let metric = Constrained::new(&MacroF1, &kept);
        let allowed = Confusion::from_rows(&[[1.0, 1.0, 0.0], [0.0, 2.0, 0.0], [3.0, 0.0, 0.0]]);
        assert_eq!(metric.score(&allowed), MacroF1.score(&allowed));
        let near = Confusion::from_rows(&[[2.0, 3.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]]);
        let far = Confusion::from_rows(&[[1.0, 3.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]]);
        let [near, far] = [near, far].map(|confusion| metric.score(&confusion));
        assert!(near > far && far.is_finite() && !Constrained::is_allowed(near));
        assert!(metric.name().ends_with("subject to recall:a>=0.5, precision:b>=0.5"));
    }

    #[test]
    fn a_constraint_about_another_class_does_not_touch_a_pair() {
        let kept = constraints(&["recall:a>=0.5", "expr:tp[a]-fp[c]>=7"]);
        let metric = Constrained::new(&MacroF1, &kept);
        let mut pair = Confusion::pair(1, 2);
        pair.set_pair([1.0, 0.0], [2.0, 2.0]);
        assert_eq!(metric.score(&pair), MacroF1.score(&pair));
        let mut pair = Confusion::pair(0, 2);
        pair.set_pair([0.0, 0.0], [2.0, 2.0]);
        assert!(!Constrained::is_allowed(metric.score(&pair)));
    }

    #[test]
    fn it_has_the_virtues_that_all_its_parts_have() {
        use crate::metric::{Accuracy, Mcc};
        let (lower, upper) = (constraints(&["recall:a>=0.5"]), constraints(&["recall:a<=0.5"]));
        let with = |metric, kept| {
            let constrained = Constrained::new(metric, kept);
            [constrained.is_quasi_concave(), constrained.is_monotone_by_class(), constrained.is_by_class()]
        };
        assert_eq!(with(&Accuracy, &lower), [true, true, true]);
        assert_eq!(with(&Accuracy, &upper), [false, false, true]);
        assert!(!with(&Mcc, &lower)[0]);
    }
}
