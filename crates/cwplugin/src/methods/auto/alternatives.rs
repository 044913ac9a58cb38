//! The alternatives to `expected`.

use crate::data::Sample;
use crate::error::Error;
use crate::methods::method::Options;
use crate::methods::{ascent, bagged, cwplugin};
use crate::metric::Metric;
use crate::rule::Rule;

/// Fits with a seed and, in cross-validation, a smaller number of bootstrap samples.
type FitRule = fn(&Sample, &dyn Metric, u64, Option<usize>) -> Result<Rule, Error>;

/// A method that may replace `expected`.
#[derive(Clone, Copy)]
pub(crate) struct Alternative {
    pub(crate) name: &'static str,
    pub(crate) fit: FitRule,
}

/// The alternatives to `expected`, by the names of the methods.
pub(super) const ALTERNATIVES: &[Alternative] = &[
    Alternative {
        name: cwplugin::LAST.name,
        fit: |sample, metric, _, _| Ok(cwplugin::LAST.fit(sample, metric, &Options::default())?.rule),
    },
    Alternative {
        name: cwplugin::BEST.name,
        fit: |sample, metric, _, _| Ok(cwplugin::BEST.fit(sample, metric, &Options::default())?.rule),
    },
    Alternative {
        name: ascent::METHOD.name,
        fit: |sample, metric, _, _| Ok(ascent::METHOD.fit(sample, metric, &Options::default())?.rule),
    },
    Alternative {
        name: bagged::METHOD.name,
        fit: |sample, metric, seed, n_bootstrap| {
            let mut options = Options { seed, ..Options::default() };
            options.values.extend(n_bootstrap.map(|n| ("n-bootstrap".to_string(), n.to_string())));
            Ok(bagged::METHOD.fit(sample, metric, &options)?.rule)
        },
    },
];

/// Finds an alternative by name.
pub(crate) fn alternative_by_name(name: &str) -> Option<Alternative> {
    ALTERNATIVES.iter().find(|alternative| alternative.name == name).copied()
}
