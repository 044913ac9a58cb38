//! A metric by name, which may be a program.

use std::fmt;

use cwplugin::{Confusion, Metric};

use crate::command::CommandMetric;

/// A metric by name: a formula, or a program, which may fail.
pub struct NamedMetric(Kind);

enum Kind {
    Formula(Box<dyn Metric>),
    Program(Box<CommandMetric>),
}

impl NamedMetric {
    pub(crate) fn by_formula(metric: Box<dyn Metric>) -> Self {
        Self(Kind::Formula(metric))
    }

    pub(super) fn by_program(metric: CommandMetric) -> Self {
        Self(Kind::Program(Box::new(metric)))
    }

    fn metric(&self) -> &dyn Metric {
        match &self.0 {
            Kind::Formula(metric) => &**metric,
            Kind::Program(metric) => &**metric,
        }
    }
}

/// Returns the outcome of some work, or the error of a program if one of these metrics failed.
///
/// A score cannot fail, so the scores of a failed program are NaN, which a fit reports as an error, but `compare` and `auto`
/// may skip. Every command with metrics must call this before it prints or writes anything.
///
/// # Errors
///
/// The error of a program, else that of the work.
pub fn settled<'a, T>(
    metrics: impl IntoIterator<Item = &'a NamedMetric>,
    outcome: anyhow::Result<T>,
) -> anyhow::Result<T> {
    for metric in metrics {
        if let Kind::Program(program) = &metric.0 {
            program.finish()?;
        }
    }
    outcome
}

impl fmt::Debug for NamedMetric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NamedMetric").field(&self.metric().name()).finish()
    }
}

impl Metric for NamedMetric {
    fn score(&self, confusion: &Confusion) -> f64 {
        self.metric().score(confusion)
    }
    cwplugin::forward_metric!(self => self.metric());
}
