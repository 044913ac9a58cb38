//! Every way to a rule, by the name that `--method` knows it by, here and in every other face.

use crate::census::Census;
use crate::metric::{check_size, checked_score};
use crate::report::{Details, Report};
use crate::{Error, Fitted, Metric, Plugin, Rule, Sample, Settings};

/// A method by its name.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Method {
    /// Stable name, e.g. `cwplugin`.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// How it does it.
    pub recipe: Recipe,
}

/// What a method does.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Recipe {
    /// Nothing: the black box as it is.
    Clean,
    /// Algorithm 1.
    Plugin(Settings),
}

/// What a fit depends on besides rows and metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FitOptions {
    /// Seed of everything random.
    pub seed: u64,
}

/// Every method, the default first.
pub const METHODS: &[Method] = &[
    Method {
        name: "cwplugin",
        summary: "tune every class against one fixed class: every cut, middle of the widest best stretch (default)",
        recipe: Recipe::Plugin(Settings::EXACT),
    },
    Method {
        name: "cwplugin:published",
        summary: "the same as the paper prints it: grid:0.01, last class fixed, first of ties, absent classes dropped",
        recipe: Recipe::Plugin(Settings::PUBLISHED),
    },
    Method { name: "clean", summary: "the black box as it is", recipe: Recipe::Clean },
];

impl Method {
    /// Finds a method by its name.
    ///
    /// # Errors
    ///
    /// If no method bears the name.
    pub fn by_name(name: &str) -> Result<&'static Self, Error> {
        METHODS
            .iter()
            .find(|method| method.name == name)
            .ok_or_else(|| Error::UnknownMethod { name: name.into() })
    }

    /// Whether the rule depends on the metric.
    pub fn uses_metric(&self) -> bool {
        matches!(self.recipe, Recipe::Plugin(_))
    }

    /// Learns a rule from the labelled rows, and scores it on them.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, the metric is for another number of classes or not finite, or the method does not suit
    /// the sample.
    pub fn fit(&self, sample: &Sample, metric: &impl Metric, options: &FitOptions) -> Result<Fitted, Error> {
        let _ = options;
        check(sample.census(), metric)?;
        match self.recipe {
            Recipe::Plugin(settings) => Plugin::new(metric).settings(settings).fit(sample),
            Recipe::Clean => scored(Rule::clean(sample.n_classes())?, Details::Clean, sample, metric),
        }
    }
}

fn check(census: &Census, metric: &impl Metric) -> Result<(), Error> {
    if census.n_labelled() == 0 {
        return Err(Error::NoLabelledRows);
    }
    check_size(metric, census.n_classes())
}

/// A rule with its scores on the rows it was fitted on.
fn scored(rule: Rule, details: Details, sample: &Sample, metric: &impl Metric) -> Result<Fitted, Error> {
    let clean = checked_score(metric, &Rule::clean(sample.n_classes())?.confusion(sample)?)?;
    let fitted = checked_score(metric, &rule.confusion(sample)?)?;
    let report = Report {
        metric: metric.name().into(),
        rows: sample.n_labelled(),
        unlabelled: sample.n_unlabelled(),
        score: None,
        details,
        warnings: Vec::new(),
    };
    Ok(Fitted::new(rule, report).scored(clean, fitted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_found_by_their_names_and_the_first_is_the_default() {
        for method in METHODS {
            assert_eq!(Method::by_name(method.name), Ok(method));
        }
        assert_eq!(Method::by_name("x"), Err(Error::UnknownMethod { name: "x".into() }));
        assert_eq!(METHODS[0].recipe, Recipe::Plugin(Settings::default()));
    }
}
