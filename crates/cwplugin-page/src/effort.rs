//! How many refits a page gets by default: as many as a few seconds allow, estimated from the size of the problem.
//!
//! The clock decides nothing, so the same input gives the same page on every machine.

use cwplugin::methods::AutoReport;
use cwplugin::{FitReport, LearningCurve, Model, Sample};

use crate::spread::Spread;

/// Rough cost of one fit per row and squared number of classes; methods that are not listed cost 1. One unit was 17 ns of
/// one core (500 rows × 20 and × 100 classes).
const COSTS: [(&str, usize); 6] = [
    ("auto", 250),
    ("expected", 5),
    ("ascent", 15),
    ("bagged", 120),
    ("dirichlet-full", 350),
    ("logistic", 20),
];

/// Units of all fits together: about four seconds of one core.
const BUDGET: usize = 250_000_000;

/// Counts to choose from, largest first.
const COUNTS: [usize; 3] = [40, 20, 10];

/// Unlabelled rows beyond this many do not count: no method uses more.
const MOST_UNLABELLED: u64 = 2_000;

/// The number of bootstrap refits by default; 0 if even the fewest would take too long.
pub(crate) fn default_refits(model: &Model, rows: &Sample) -> usize {
    let Some(report) = model.report() else { return COUNTS[0] }; // nothing can be refitted
    let n = rows.n_labelled() + rows.n_unlabelled().min(MOST_UNLABELLED);
    let unit = (n as usize).saturating_mul(rows.n_classes() * rows.n_classes());
    let (fit, refit) = (cost(&report.method), cost(&refitted(report)));
    let curve = if report.learning_curve.is_some() { 0 } else { LearningCurve::n_fits(rows) };
    let spread = |count| if Spread::of_report(report, rows.n_classes()).is_some() { 0 } else { count };
    let units = |count| unit.saturating_mul(fit + refit * (spread(count) + curve));
    COUNTS.into_iter().find(|&count| units(count) <= BUDGET).unwrap_or(0)
}

/// The method that refits use: the one that `auto` chose. Constraints need the whole fit again.
pub(crate) fn refitted(report: &FitReport) -> String {
    match report.details::<AutoReport>() {
        Some(auto) if report.constraints.is_empty() && auto.chosen != "clean" => auto.chosen,
        Some(auto) if report.constraints.is_empty() && auto.expected.is_some() => "expected".into(),
        _ => report.method.clone(),
    }
}

fn cost(method: &str) -> usize {
    let method = method.split(':').next().unwrap_or(method);
    COSTS.iter().find(|(name, _)| *name == method).map_or(1, |(_, cost)| *cost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cwplugin::metric::MacroF1;
    use cwplugin::{Fit, METHODS, Probabilities};

    fn rows(n: usize, m: usize) -> Sample {
        let row = |i: usize| (0..m).map(move |k| if k == i % m { 2.0 } else { 1.0 } / (m + 1) as f64);
        let p = Probabilities::new((0..n).flat_map(row).collect(), m).unwrap();
        Sample::new(p, (0..n).map(|i| Some((i + i / 7 % 2) % m)).collect()).unwrap()
    }

    #[test]
    fn larger_problems_get_fewer_refits_and_then_none() {
        let model = Fit::new(MacroF1).fit(&rows(100, 2)).unwrap();
        let counts = [(500, 20), (1_500, 20), (500, 100)].map(|(n, m)| default_refits(&model, &rows(n, m)));
        assert_eq!(counts, [40, 0, 0]);
        let ascent = Fit::new(MacroF1).method("ascent").fit(&rows(100, 2)).unwrap();
        let counts = [500, 700, 1_000, 2_000].map(|n| default_refits(&ascent, &rows(n, 20)));
        assert_eq!(counts, [40, 20, 10, 0]);
    }

    #[test]
    fn every_cost_is_of_a_method() {
        for (name, _) in COSTS {
            assert!(METHODS.iter().any(|method| method.name == name), "{name}");
        }
    }
}
