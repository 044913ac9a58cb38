//! Maximises what the metric is expected to be on new rows, given all that the labels leave possible.

mod prior; // what is believed before any label is seen
mod laplace; // … and after, under one belief
mod posterior; // … under all of them
mod repeats; // rows that are the same, and their labels
mod crowd; // the rows that stand for all new rows
mod climb; // the best weights for them
mod plan; // from a sample to a rule and its forecast

pub use plan::LABELS_COUNT_FROM;
pub(crate) use plan::Plan;
pub use prior::Freedom;

use crate::data::Sample;
use crate::error::Error;
use crate::methods::{Details, Fitted};
use crate::metric::Metric;
use crate::report::Forecast;
use crate::rule::Rule;

/// The recipe of `expected`: which metric, and how much the labels themselves count.
///
/// The labels teach how to mend the probabilities: maps `softmax(A·log b + c)` around the one that changes nothing,
/// with beliefs about how far the black box is off, each as probable as it explains the labels (Laplace's evidence).
/// Every row, labelled or not, then counts for each class with its mended probability, and the weights are those
/// with the largest mean of the metric over all maps that the labels leave possible.
///
/// ```
/// use cwplugin::{Expected, Probabilities, Sample, metric::MacroF1};
///
/// // A black box that is too fond of class 0; only one row in two has a label.
/// let p = Probabilities::new([0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8].repeat(20), 2)?;
/// let labels = (0..80).map(|row| (row < 40).then_some(usize::from(row % 4 > 0)));
/// let fitted = Expected::new(MacroF1).fit(&Sample::new(p, labels.collect())?)?;
/// assert!(fitted.report().score.is_some_and(|score| score.fitted > score.clean));
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Expected<M> {
    metric: M,
    mixing: f64,
    seed: u64,
}

/// How `expected` went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExpectedReport {
    /// How freely the most probable belief lets the log-probabilities be bent.
    pub freedom: Freedom,
    /// Probabilities below it were taken to be it.
    pub floor: f64,
    /// The share of the way from the black box as it is to the rule that looked best.
    pub share: f64,
    /// Share of a label, as against the mended probabilities, in what a labelled row counts for.
    pub mixing: f64,
    /// Rows that stood for all new rows.
    pub rows: usize,
    /// What the metric is expected to be, if the mended probabilities are right.
    pub forecast: Forecast,
}

impl<M: Metric> Expected<M> {
    /// Maximises this metric.
    pub fn new(metric: M) -> Self {
        Self { metric, mixing: 0.0, seed: 0 }
    }

    /// Lets the label of a labelled row count with this share, beside the mended probabilities; from 0, the default, to 1.
    pub fn mixing(self, mixing: f64) -> Self {
        Self { mixing, ..self }
    }

    /// Seed of the draws.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Learns a map and one weight per class.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, the mixing is not from 0 to 1, or the metric is for another number of classes or
    /// not finite.
    pub fn fit(&self, sample: &Sample) -> Result<Fitted, Error> {
        sample.census().check_for(&self.metric)?;
        if !(0.0..=1.0).contains(&self.mixing) {
            return Err(Error::BadShare { value: self.mixing });
        }
        let plan = Plan::new(sample, self.mixing, self.seed)?;
        let log_weights = plan.solve(sample, &self.metric)?;
        let details = Details::Expected(plan.report(&log_weights, 1.0, &self.metric)?);
        Fitted::of(plan.rule(&log_weights, 1.0)?, details, sample, &self.metric)
    }

    /// What to expect of a rule that was learned from more rows than these: the forecast, by what these teach.
    ///
    /// # Errors
    ///
    /// As [`Expected::fit`], or if the rule is for another number of classes.
    pub fn review(&self, sample: &Sample, rule: Rule) -> Result<Fitted, Error> {
        sample.census().check_for(&self.metric)?;
        let plan = Plan::new(sample, self.mixing, self.seed)?;
        let forecast = plan.forecast_of(&rule, &self.metric)?;
        let details = Details::Expected(plan.report_with(1.0, forecast));
        Fitted::of(rule, details, sample, &self.metric)
    }
}
