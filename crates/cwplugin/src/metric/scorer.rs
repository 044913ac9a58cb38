//! A metric whose evaluations are counted.

use super::{ClassRatio, Confusion, Metric};
use crate::error::Error;

/// Counts the evaluations of a metric and records the first score that is not finite, so that a search checks only once.
pub(crate) struct Scorer<'a> {
    metric: &'a dyn Metric,
    pub(crate) evaluations: usize,
    not_finite: Option<f64>,
}

impl<'a> Scorer<'a> {
    pub(crate) fn new(metric: &'a dyn Metric) -> Self {
        Self { metric, evaluations: 0, not_finite: None }
    }

    pub(crate) fn score(&mut self, confusion: &Confusion) -> f64 {
        self.evaluations += 1;
        let score = self.metric.score(confusion);
        if !score.is_finite() {
            self.not_finite.get_or_insert(score);
        }
        score
    }

    /// The metric as a ratio of two sums over the classes, if it is one.
    pub(crate) fn class_ratio(&self) -> Option<&'a dyn ClassRatio> {
        self.metric.class_ratio()
    }

    /// An error if any score was not finite.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.not_finite {
            Some(value) => Err(Error::MetricNotFinite { metric: self.metric.name().into(), value }),
            None => Ok(()),
        }
    }
}
