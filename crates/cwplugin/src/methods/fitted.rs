//! What any method hands back.

use crate::data::Sample;
use crate::error::Error;
use crate::evaluate::Kept;
use crate::methods::{Details, LearningCurve, Report, Warning};
use crate::metric::{Metric, checked_score};
use crate::model::ScorePair;
use crate::rule::{Rule, Weights};

/// A rule, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    rule: Rule,
    report: Report,
    learning_curve: Option<LearningCurve>,
    constraints: Vec<Kept>,
    is_repaired: bool,
}

impl Fitted {
    pub(crate) fn new(rule: Rule, report: Report) -> Self {
        Self { rule, report, learning_curve: None, constraints: Vec::new(), is_repaired: false }
    }

    /// A rule with its doubts, scored on the labelled rows before and after, if there are any.
    pub(crate) fn of<M: Metric + ?Sized>(
        rule: Rule,
        details: Details,
        sample: &Sample,
        metric: &M,
    ) -> Result<Self, Error> {
        let report = Report::unscored(metric.name(), sample.census(), details);
        if sample.n_labelled() == 0 {
            return Ok(Self::new(rule, report));
        }
        let clean = checked_score(metric, &Rule::clean(sample.n_classes())?.confusion(sample)?)?;
        let fitted = checked_score(metric, &rule.confusion(sample)?)?;
        Ok(Self::new(rule, report).scored(clean, fitted))
    }

    /// How a row becomes a class.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// One weight per class, behind the rule's calibration if it has one.
    pub fn weights(&self) -> &Weights {
        self.rule.weights()
    }

    /// What was tried, found and doubted.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// How the gain grows with the labels, if somebody looked.
    pub fn learning_curve(&self) -> Option<&LearningCurve> {
        self.learning_curve.as_ref()
    }

    /// The same with a learning curve, which goes into the record of a model too.
    pub fn with_learning_curve(self, curve: LearningCurve) -> Self {
        Self { learning_curve: Some(curve), ..self }
    }

    /// The constraints that were asked for, and how far the rule keeps to each.
    pub fn constraints(&self) -> &[Kept] {
        &self.constraints
    }

    /// Whether the weights that the method found were moved to keep to the constraints.
    pub fn is_repaired(&self) -> bool {
        self.is_repaired
    }

    /// The same with the rule that keeps to the constraints.
    pub(crate) fn constrained(self, rule: Rule, constraints: Vec<Kept>, is_repaired: bool) -> Self {
        Self { rule, constraints, is_repaired, ..self }
    }

    pub(crate) fn report_mut(&mut self) -> &mut Report {
        &mut self.report
    }

    /// The same with the metric on the whole sample before and after, found by whoever has the rows.
    pub fn scored(mut self, clean: f64, fitted: f64) -> Self {
        let score = ScorePair { clean, fitted };
        self.report.score = Some(score);
        self.report.warnings.retain(|warning| !matches!(warning, Warning::BelowClean { .. }));
        self.report.warnings.extend(Warning::doubt_of_score(score));
        self
    }
}
