//! The alternatives to `expected`.

use crate::data::Sample;
use crate::error::Error;
use crate::methods::method::{Method, Options};
use crate::methods::{ascent, bagged, cwplugin};
use crate::metric::Metric;
use crate::progress::Observer;
use crate::rule::Rule;

/// A method that may replace `expected`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alternative {
    pub(crate) name: &'static str,
    method: Method,
    /// With more classes it is not cross-validated.
    pub(super) max_classes: usize,
}

/// The alternatives to `expected` that are always cross-validated, except that one does as much for every class as another
/// for all of them.
pub(super) const FAST: [Alternative; 3] = [
    Alternative::of(cwplugin::LAST),
    Alternative { max_classes: 50, ..Alternative::of(cwplugin::BEST) },
    Alternative::of(ascent::METHOD),
];

/// The alternative that takes longer than everything else together. It averages what `ascent` finds, so it is only
/// cross-validated if a fast alternative leads.
pub(super) const SLOW: Alternative = Alternative::of(bagged::METHOD);

/// All alternatives.
pub(super) fn alternatives() -> impl Iterator<Item = Alternative> {
    FAST.into_iter().chain([SLOW])
}

impl Alternative {
    const fn of(method: Method) -> Self {
        Self { name: method.name, method, max_classes: usize::MAX }
    }

    /// Fits with the defaults of the method.
    pub(crate) fn fit(
        &self,
        sample: &Sample,
        metric: &dyn Metric,
        seed: u64,
        observer: Observer<'_>,
    ) -> Result<Rule, Error> {
        Ok(self.method.fit(sample, metric, &Options { seed, observer, ..Options::default() })?.rule)
    }

    /// The steps of a fit with so many bootstrap samples: these take most of the time.
    pub(super) fn n_steps(&self, n_bootstrap: usize) -> usize {
        if self.method.option("n-bootstrap").is_some() { n_bootstrap } else { 1 }
    }

    /// Fits with fewer bootstrap samples, for cross-validation.
    pub(super) fn fit_quickly(
        &self,
        sample: &Sample,
        metric: &dyn Metric,
        seed: u64,
        n_bootstrap: usize,
        observer: Observer<'_>,
    ) -> Result<Rule, Error> {
        let mut options = Options { seed, observer, ..Options::default() };
        let option = self.method.option("n-bootstrap");
        options.values.extend(option.map(|option| (option.name.to_string(), n_bootstrap.to_string())));
        Ok(self.method.fit(sample, metric, &options)?.rule)
    }
}

/// Finds an alternative by name.
pub(crate) fn alternative_by_name(name: &str) -> Option<Alternative> {
    alternatives().find(|alternative| alternative.name == name)
}
