//! The methods that may replace `expected`.

use crate::data::Sample;
use crate::error::Error;
use crate::methods::method::Options;
use crate::methods::{ascent, bagged};
use crate::metric::Metric;
use crate::plugin::{Plugin, Reference};
use crate::rule::Rule;

/// Fits with a seed and, in trials, with a smaller number of bootstrap samples.
type FitRule = fn(&Sample, &dyn Metric, u64, Option<usize>) -> Result<Rule, Error>;

/// A method that may replace `expected`.
#[derive(Clone, Copy)]
pub(crate) struct Rival {
    pub(crate) name: &'static str,
    pub(crate) fit: FitRule,
}

/// The methods that may replace `expected`; some names only `auto` has.
pub(super) const RIVALS: &[Rival] = &[
    Rival {
        name: "cwplugin:last",
        fit: |sample, metric, _, _| Ok(Plugin::new(metric).reference(Reference::Last).fit(sample)?.rule),
    },
    Rival {
        name: "cwplugin:best",
        fit: |sample, metric, _, _| Ok(Plugin::new(metric).reference(Reference::Best).fit(sample)?.rule),
    },
    Rival {
        name: "ascent",
        fit: |sample, metric, _, _| Ok(ascent::METHOD.fit(sample, metric, &Options::default())?.rule),
    },
    Rival {
        name: "bagged",
        fit: |sample, metric, seed, n_bootstrap| {
            let mut options = Options { seed, ..Options::default() };
            options.values.extend(n_bootstrap.map(|n| ("n-bootstrap".to_string(), n.to_string())));
            Ok(bagged::METHOD.fit(sample, metric, &options)?.rule)
        },
    },
];

/// A method that may replace `expected`, by its name.
pub(crate) fn rival_by_name(name: &str) -> Option<Rival> {
    RIVALS.iter().find(|rival| rival.name == name).copied()
}
