//! A metric whose evaluations are counted.

use super::{Confusion, Metric};
use crate::error::Error;

/// Counts the evaluations of a metric, and remembers if one was not finite: a search checks once, at its end.
#[derive(Debug)]
pub(crate) struct Scorer<'a, M: ?Sized> {
    metric: &'a M,
    pub(crate) evaluations: usize,
    not_finite: Option<f64>,
}

impl<'a, M: Metric + ?Sized> Scorer<'a, M> {
    pub(crate) fn new(metric: &'a M) -> Self {
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

    /// An error if the metric ever was something other than a finite number.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match self.not_finite {
            Some(value) => Err(Error::MetricNotFinite { metric: self.metric.name().into(), value }),
            None => Ok(()),
        }
    }
}
