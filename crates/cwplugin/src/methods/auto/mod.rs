//! The method for everybody: the best of what the labels support, and the black box as it is where they support nothing.

mod rivals; // the other methods
mod scored; // what predictions are worth, give or take chance
mod trials; // every method on rows that it has not seen
mod decide; // what to make of it

pub use decide::Reason;
pub(crate) use rivals::rival_by_name;
pub use trials::Trial;

use crate::data::Sample;
use crate::error::Error;
use crate::methods::expected::Plan;
use crate::methods::{Details, ExpectedReport, Fitted};
use crate::metric::{Metric, checked_score};
use crate::report::forecast::range_of;
use crate::report::{Estimate, Forecast};
use crate::rule::Rule;
use decide::{Decision, decide, doubted};
use rivals::Rival;
use trials::Trials;

/// Shares of the way from the black box to the rule that looks best.
const SHARES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// The recipe of `auto`: which metric.
///
/// It learns the rule of [`crate::methods::Expected`] and tries it on rows held out, beside Algorithm 1, coordinate ascent and its
/// bagged form. Of the way from the black box to that rule it goes the share whose forecast is best with half a standard
/// deviation taken off, or the largest smaller one of which forecast and trial together promise a gain that is larger
/// than their own uncertainty; if there is none, the black box stays as it is. If another method was clearly better on
/// the rows held out, that one is taken.
///
/// ```
/// use cwplugin::{Auto, Probabilities, Sample, metric::MacroF1};
///
/// // A black box that is too fond of class 0.
/// let p = Probabilities::new([0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8].repeat(20), 2)?;
/// let sample = Sample::new(p, (0..80).map(|row| Some(usize::from(row % 4 > 0))).collect())?;
/// let fitted = Auto::new(MacroF1).fit(&sample)?;
/// assert!(fitted.report().outlook().is_some_and(|outlook| outlook.gain.mean > 0.1));
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Auto<M> {
    metric: M,
    seed: u64,
}

/// What `auto` tried, did, and expects.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AutoReport {
    /// The method taken: `clean`, `expected` or one of those tried.
    pub chosen: &'static str,
    /// Why.
    pub reason: Reason,
    /// Every method on rows that it was not fitted on; empty if no rows could be held out.
    pub tried: Vec<Trial>,
    /// How `expected` went, if there was anything to learn from.
    pub expected: Option<ExpectedReport>,
    /// The gain of `expected` that forecast and trial together promise.
    pub gain: Option<Estimate>,
    /// What the metric is expected to be on new rows, with the rule that was taken.
    pub outlook: Forecast,
    /// Labelled rows at which a gain like this one would be larger than its uncertainty, if it is not yet.
    pub rows_needed: Option<u64>,
}

impl AutoReport {
    /// The weights were moved, to this forecast, or to nothing but a score on the rows themselves.
    pub(crate) fn repaired(&mut self, forecast: Option<Forecast>, score: f64) {
        let level = self.outlook.clean;
        let gain = match (forecast, &self.expected) {
            (Some(forecast), Some(expected)) => doubted(forecast.gain, expected.rows),
            _ => Estimate { mean: score - level.mean, sd: f64::INFINITY },
        };
        self.outlook = Forecast::of_gain(level, gain, self.outlook.range);
    }
}

impl<M: Metric> Auto<M> {
    /// Maximises this metric.
    pub fn new(metric: M) -> Self {
        Self { metric, seed: 0 }
    }

    /// Seed of everything random.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Learns a rule, or to leave the black box alone.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, or the metric is for another number of classes or not finite.
    pub fn fit(&self, sample: &Sample) -> Result<Fitted, Error> {
        sample.census().check_for(&self.metric)?;
        let present = (0..sample.n_classes()).filter(|&class| sample.n_rows_of(class) > 0).count();
        let clean = Rule::clean(sample.n_classes())?;
        if present < 2 {
            return self.stay(sample, Reason::OneClass);
        }
        let Some(mut trials) = Trials::new(sample, self.seed) else {
            return self.stay(sample, Reason::TooFewRows);
        };
        let plan = Plan::new(sample, 0.0, self.seed)?;
        let log_weights = plan.solve(sample, &self.metric)?;
        let report = |share| plan.report(&log_weights, share, &self.metric);
        let mut ways = SHARES.map(report).into_iter().collect::<Result<Vec<_>, _>>()?;
        trials.try_out(&plan, &SHARES, &self.metric)?;
        let level = trials.level(ways[0].forecast.clean);
        let Decision { way, rival, gain, reason, rows_needed } =
            decide(&trials, &ways, level, sample.n_labelled());
        let range = ways[way].forecast.range;
        let (rule, chosen, promised) = match (rival, reason) {
            (Some(rival), _) => (self.fit_rival(rival, sample)?, rival.name, trials.gain_of(rival.name)),
            (None, Reason::Gain) => (plan.rule(&log_weights, SHARES[way])?, "expected", gain),
            (None, _) => (clean, "clean", Estimate { mean: 0.0, sd: 0.0 }),
        };
        let details = Details::Auto(Box::new(AutoReport {
            chosen,
            reason,
            tried: trials.tried(way),
            expected: Some(ways.swap_remove(way)),
            gain: Some(gain),
            outlook: Forecast::of_gain(level, promised, range),
            rows_needed,
        }));
        Fitted::of(rule, details, sample, &self.metric)
    }

    fn fit_rival(&self, rival: Rival, sample: &Sample) -> Result<Rule, Error> {
        Ok(rival.fit(sample, &self.metric, self.seed, None)?.rule().clone())
    }

    /// Leaves the black box alone, since there is nothing to judge anything else by.
    fn stay(&self, sample: &Sample, reason: Reason) -> Result<Fitted, Error> {
        let rule = Rule::clean(sample.n_classes())?;
        let score = checked_score(&self.metric, &rule.confusion(sample)?)?;
        let unknown = Estimate { mean: score, sd: f64::INFINITY };
        let none = Estimate { mean: 0.0, sd: 0.0 };
        let details = Details::Auto(Box::new(AutoReport {
            chosen: "clean",
            reason,
            tried: Vec::new(),
            expected: None,
            gain: None,
            outlook: Forecast::of_gain(unknown, none, range_of(&self.metric, &sample.census().weights())),
            rows_needed: None,
        }));
        Fitted::of(rule, details, sample, &self.metric)
    }
}
