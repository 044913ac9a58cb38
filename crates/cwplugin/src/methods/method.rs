//! The definition of a method: name, options and fit function.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::data::Sample;
use crate::error::Error;
use crate::methods::same_sample::SameSample;
use crate::metric::{Metric, check_size};
use crate::progress::Observer;
use crate::report::{FitReport, Fitted, Warning};

/// A method: fits a decision rule to a sample.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Method {
    /// Stable name, e.g. `cwplugin`.
    pub name: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// The options it supports.
    pub options: &'static [OptionSpec],
    /// Whether the rule depends on the metric.
    pub uses_metric: bool,
    /// Whether it learns from unlabelled rows too.
    pub uses_unlabelled: bool,
    /// Whether it learns from features of the rows.
    pub needs_features: bool,
    /// How it enforces constraints.
    pub constraints: ConstraintSupport,
    pub(crate) fit: FitFn,
}

/// The fit function; the metric is a trait object, so that methods compile once.
pub(crate) type FitFn = fn(&Sample, &dyn Metric, &Options<'_>) -> Result<Fitted, Error>;

/// How a method enforces constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstraintSupport {
    /// It cannot: it ignores the metric, or its rule is not one weight per class.
    None,
    /// It searches among the rules that meet them.
    Search,
    /// It fits without them and adjusts weights that violate one.
    Adjust,
}

/// One option of a method: a flag of `cwplugin fit`, a parameter in Python.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct OptionSpec {
    /// Kebab-case name, e.g. `n-bootstrap`.
    pub name: &'static str,
    /// Placeholder of the value, e.g. `RULE`; empty for a switch, whose value is `true`.
    pub value: &'static str,
    /// The default, in words or as a value.
    pub default: &'static str,
    /// What it does, in the imperative.
    pub help: &'static str,
    /// Rejects values that are always invalid; values that depend on the classes are checked by the fit.
    pub(crate) check: fn(&str) -> Result<(), Error>,
}

/// The option values as text, and the parameters of every fit.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Options<'a> {
    pub(crate) values: BTreeMap<String, String>,
    /// Random seed.
    pub(crate) seed: u64,
    /// Whether Algorithm 1 skips scoring the sample, which halves the time.
    pub(crate) unscored: bool,
    /// Who receives the progress.
    pub(crate) observer: Observer<'a>,
    /// What other fits of the same sample with the same seed have computed.
    pub(crate) same_sample: Option<&'a SameSample>,
}

impl Options<'_> {
    /// A value that depends on the sample and the seed only; see [`SameSample::get`].
    pub(crate) fn once<T: Any + Send + Sync>(
        &self,
        number: usize,
        compute: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        match self.same_sample {
            Some(same_sample) => same_sample.get(number, compute),
            None => compute().map(Arc::new),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Parses the value of an option with `read`.
    pub(crate) fn read<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.get(name).map(read).transpose()
    }
}

impl OptionSpec {
    /// Whether the option is a switch, without a value.
    pub fn is_switch(&self) -> bool {
        self.value.is_empty()
    }

    /// Rejects values that are always invalid.
    ///
    /// # Errors
    ///
    /// If the value is invalid for any classes.
    pub fn check(&self, value: &str) -> Result<(), Error> {
        (self.check)(value)
    }
}

impl Method {
    /// The option of this name, if the method supports it.
    pub fn option(&self, name: &str) -> Option<&'static OptionSpec> {
        self.options.iter().find(|option| option.name == name)
    }

    /// Fits the rows; a metric that the rule does not depend on only scores it.
    pub(crate) fn fit(
        &self,
        sample: &Sample,
        metric: &dyn Metric,
        options: &Options<'_>,
    ) -> Result<Fitted, Error> {
        if sample.n_labelled() == 0 && options.get("source-priors").is_none() {
            let needs_priors = self.option("source-priors").is_some();
            return Err(if needs_priors { Error::NoSourcePriors } else { Error::NoLabelledRows });
        }
        check_size(metric, sample.n_classes())?;
        (self.fit)(sample, metric, options)
    }
}

/// The report of a fit, with a warning for each class without labelled rows or with few of them.
pub(crate) fn report_with_absent(
    sample: &Sample,
    metric: &dyn Metric,
    details: &impl Serialize,
) -> FitReport {
    let class_totals = sample.class_totals();
    let classes = 0..class_totals.n_classes();
    let absent = classes.clone().filter(|&class| class_totals.rows(class) == 0);
    let absent = absent.map(|class| Warning::unknown_class(class_totals.name(class)));
    let few = classes.filter_map(|class| Warning::few_rows(class_totals, class));
    let warnings = absent.chain(few).collect();
    FitReport { warnings, ..FitReport::new(metric.name(), class_totals, details) }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Method").field(&self.name).finish()
    }
}

impl fmt::Debug for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OptionSpec").field(&self.name).finish()
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
