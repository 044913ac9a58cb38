//! The metric of one pair as a function of α, for plots.

use crate::data::Sample;
use crate::error::Error;
use crate::metric::Metric;
use crate::plugin::cuts::Ratio;
use crate::plugin::search::best_interval;
use crate::plugin::sweep::{Pair, PairScore};
use crate::plugin::ties::Candidates;
use crate::plugin::{Peak, Ties, cuts, sweep};

/// The metric on the rows of a class and the reference, as a function of α: a step function.
///
/// ```
/// use cwplugin::{PairCurve, Probabilities, Sample, Ties, metric::MacroF1};
///
/// let p = Probabilities::new(vec![0.9, 0.1, 0.6, 0.4, 0.2, 0.8], 2)?;
/// let sample = Sample::new(p, vec![Some(0), Some(1), Some(1)])?;
/// let curve = PairCurve::of(&sample, &MacroF1, 0, 1, Ties::Middle)?;
/// assert_eq!(curve.scores.len(), curve.cuts.len() + 1);
/// assert_eq!(curve.score(curve.peak.alpha), curve.peak.score);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PairCurve {
    /// The class whose weight changes.
    pub class: usize,
    /// The class whose weight is fixed.
    pub reference: usize,
    /// The α at which predictions change, increasing.
    pub cuts: Vec<f64>,
    /// The metric before the first cut, between neighbouring cuts, and after the last cut.
    pub scores: Vec<f64>,
    /// The maximum.
    pub peak: Peak,
}

impl PairCurve {
    /// The curve of a class against a reference; `ties` selects the peak among equally good α.
    ///
    /// # Errors
    ///
    /// If a class index is out of range, one of the classes has no labelled row, or the metric is not finite.
    pub fn of(
        sample: &Sample,
        metric: &dyn Metric,
        class: usize,
        reference: usize,
        ties: Ties,
    ) -> Result<Self, Error> {
        let classes = sample.n_classes();
        for class in [class, reference] {
            if class >= classes {
                return Err(Error::UnknownReference { class, classes });
            }
            if sample.n_rows_of(class) == 0 {
                return Err(Error::EmptyReference { class });
            }
        }
        sample.class_totals().check_for(metric)?;
        let mut pair = PairScore::new(metric, Pair { class, reference }, sample.class_totals());
        let mut cuts = cuts::of_pairs(sample, reference, &Ratio);
        let curve = sweep::Curve::<(u64, u64)>::new(cuts.swap_remove(class), ties, |moved| pair.score(moved));
        let share = |log_odds: f64| 1.0 / (1.0 + (-log_odds).exp());
        let cuts = (1..curve.len()).map(|interval| share(curve.span(interval).0)).collect();
        let scores = (0..curve.len()).map(|interval| curve.score(interval)).collect();
        let peak = best_interval(&curve, pair, ties)?;
        Ok(Self { class, reference, cuts, scores, peak })
    }

    /// The metric at this α.
    pub fn score(&self, alpha: f64) -> f64 {
        self.scores[self.cuts.partition_point(|&cut| cut < alpha)]
    }
}
