//! The methods that may take the place of `expected`.

use crate::data::Sample;
use crate::error::Error;
use crate::methods::{FitOptions, Fitted, Method, Recipe};
use crate::metric::Metric;
use crate::plugin::{Reference, Settings};

/// A method by its name; some of them only `auto` has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rival {
    pub(super) name: &'static str,
    pub(super) recipe: Recipe,
}

/// The methods that may take the place of `expected`.
pub(super) const RIVALS: &[Rival] = &[
    Rival {
        name: "cwplugin:last",
        recipe: Recipe::Plugin(Settings { reference: Reference::Last, ..Settings::EXACT }),
    },
    Rival {
        name: "cwplugin:best",
        recipe: Recipe::Plugin(Settings { reference: Reference::Best, ..Settings::EXACT }),
    },
    Rival { name: "ascent", recipe: Recipe::Ascent },
    Rival { name: "bagged", recipe: Recipe::Bagged },
];

/// A method that may take the place of `expected`, by its name.
pub(crate) fn rival_by_name(name: &str) -> Option<Rival> {
    RIVALS.iter().find(|rival| rival.name == name).copied()
}

impl Rival {
    /// Whatever the metric is, it is one type from here on: methods that try methods would else never end.
    pub(crate) fn fit(
        self,
        sample: &Sample,
        metric: &dyn Metric,
        seed: u64,
        bags: Option<usize>,
    ) -> Result<Fitted, Error> {
        let method = Method { name: self.name, summary: "", recipe: self.recipe };
        method.fit(sample, &metric, &FitOptions { seed, bags, ..FitOptions::default() })
    }
}
