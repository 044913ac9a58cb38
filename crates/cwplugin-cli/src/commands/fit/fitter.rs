//! A method, within constraints if there are any.

use cwplugin::{Error, FitOptions, Fitted, LearningCurve, Method, Metric, Sample, SubjectTo};

use crate::input::NamedMetric;

/// A metric within the user's constraints.
pub(super) type Subject<'a> = SubjectTo<'a, NamedMetric>;

/// A method with all that it needs but the rows.
pub(super) struct Fitter<'a> {
    pub(super) method: &'a Method,
    pub(super) metric: &'a dyn Metric,
    pub(super) options: &'a FitOptions,
    pub(super) subject: Option<&'a Subject<'a>>,
}

impl Fitter<'_> {
    pub(super) fn fit(&self, sample: &Sample) -> Result<Fitted, Error> {
        match self.subject {
            Some(subject) => subject.fit(self.method, sample, self.options),
            None => self.method.fit(sample, &self.metric, self.options),
        }
    }

    pub(super) fn learning_curve(
        &self,
        fitted: &Fitted,
        sample: &Sample,
        done: impl Fn(usize) + Sync,
    ) -> Result<LearningCurve, Error> {
        let Self { method, metric, options, subject } = *self;
        if subject.is_none() {
            return LearningCurve::of(fitted, method, sample, metric, options, done);
        }
        let fit = |part: &Sample| Ok(self.fit(part)?.rule().clone());
        Ok(LearningCurve::of_fits(fit, sample, metric, options.seed, done))
    }
}
