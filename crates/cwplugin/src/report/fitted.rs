//! A decision rule with its report: what every method returns.

use crate::data::Sample;
use crate::error::Error;
use crate::metric::{Metric, checked_score};
use crate::report::estimate::Expectation;
use crate::report::{FitReport, ScorePair};
use crate::rule::{Rule, Weights};

/// A fitted decision rule with its report.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fitted {
    pub(crate) rule: Rule,
    pub(crate) report: FitReport,
    /// The estimates from which the forecast of the report is derived, if any.
    pub(crate) expectation: Option<Expectation>,
}

impl Fitted {
    /// Adds the score before and after on the labelled rows, if there are any.
    pub(crate) fn new(
        rule: Rule,
        report: FitReport,
        sample: &Sample,
        metric: &dyn Metric,
    ) -> Result<Self, Error> {
        let mut fitted = Self::unscored(rule, report);
        if sample.n_labelled() > 0 {
            let clean = checked_score(metric, &Rule::clean(sample.n_classes())?.confusion(sample)?)?;
            let score = checked_score(metric, &fitted.rule.confusion(sample)?)?;
            fitted.report.set_score(ScorePair { clean, fitted: score });
        }
        Ok(fitted)
    }

    /// [`Fitted::new`] for a rule without calibration: both confusion matrices are counted in one pass.
    pub(crate) fn of_weights(
        weights: Weights,
        mut report: FitReport,
        sample: &Sample,
        metric: &dyn Metric,
    ) -> Result<Self, Error> {
        let unit = Weights::uniform(sample.n_classes())?;
        let [before, after] = sample.confusions([&unit, &weights])?;
        let (clean, fitted) = (checked_score(metric, &before)?, checked_score(metric, &after)?);
        report.set_score(ScorePair { clean, fitted });
        Ok(Self::unscored(weights.into(), report))
    }

    pub(crate) fn unscored(rule: Rule, report: FitReport) -> Self {
        Self { rule, report, expectation: None }
    }

    /// Adds a forecast.
    pub(crate) fn expecting(mut self, expectation: Expectation) -> Self {
        self.report.forecast = Some(expectation.into());
        self.expectation = Some(expectation);
        self
    }

    pub(crate) fn weights(&self) -> &Weights {
        self.rule.weights()
    }
}
