//! Every way to a rule, by the name that `--method` knows it by, here and in every other face.

use crate::data::Sample;
use crate::error::Error;
use crate::methods::{
    Ascent, Auto, Bagged, Calibrated, Details, Expected, Family, Fitted, LabelShift, Logistic, Probing,
    Select,
};
use crate::metric::{Metric, check_size};
use crate::plugin::{Plugin, Settings};
use crate::rule::{Calibration, MapInput, MapKind, Rule};

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
    /// The best of what the labels support.
    Auto,
    /// Algorithm 1.
    Plugin(Settings),
    /// Coordinate ascent on the whole metric.
    Ascent,
    /// The mean log-weight of coordinate ascent over bootstrap samples, shrunk.
    Bagged,
    /// A map from probabilities to probabilities, learned by log loss.
    Calibrate(Family),
    /// The best for all that the labels leave possible.
    Expected,
    /// The probing classifier.
    Probing,
    /// Target prior over source prior.
    LabelShift,
    /// A fresh model on features.
    Logistic,
}

/// What a fit depends on besides rows and metric.
#[derive(Debug, Clone, PartialEq)]
pub struct FitOptions {
    /// Seed of everything random.
    pub seed: u64,
    /// How a Dirichlet map chooses its penalty.
    pub select: Select,
    /// What a label counts for in `expected`, beside the mended probabilities: from 0 to 1.
    pub mixing: f64,
    /// The shares of the classes that the black box learned from, for label shift.
    pub source_priors: Option<Vec<f64>>,
    /// How often bagging refits; `None` for 50, or fewer on very many rows.
    pub bags: Option<usize>,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { seed: 0, select: Select::InSample, mixing: 0.0, source_priors: None, bags: None }
    }
}

/// Every method, the default first.
pub const METHODS: &[Method] = &[
    Method {
        name: "auto",
        summary: "the best that the labels support: expected, another method, or the black box as it is, with a forecast (default)",
        recipe: Recipe::Auto,
    },
    Method {
        name: "cwplugin",
        summary: "tune every class against one fixed class: every cut, middle of the widest best stretch",
        recipe: Recipe::Plugin(Settings::EXACT),
    },
    Method {
        name: "cwplugin:published",
        summary: "the same as the paper prints it: grid:0.01, last class fixed, first of ties, absent classes dropped",
        recipe: Recipe::Plugin(Settings::PUBLISHED),
    },
    Method {
        name: "ascent",
        summary: "tune one class after the other on all rows until nothing is better; never below cwplugin on these rows",
        recipe: Recipe::Ascent,
    },
    Method {
        name: "bagged",
        summary: "the mean of ascent over bootstrap samples, nearer to weights 1 the less they agree; scored out of bag",
        recipe: Recipe::Bagged,
    },
    Method {
        name: "expected",
        summary: "mend the probabilities by the labels, then maximise what the metric is expected to be on all rows, unlabelled ones too",
        recipe: Recipe::Expected,
    },
    Method { name: "clean", summary: "the black box as it is", recipe: Recipe::Clean },
    Method {
        name: "probing",
        summary: "mix classifiers along the slope of the metric, which is found by probing it",
        recipe: Recipe::Probing,
    },
    Method {
        name: "label-shift",
        summary: "weigh by class shares, now over then: labels or unlabelled rows against --source-priors, or labels alone",
        recipe: Recipe::LabelShift,
    },
    Method {
        name: "temperature",
        summary: "calibrate with one slope on the log-probabilities; changes the scores, not the predictions",
        recipe: Recipe::Calibrate(Family::Temperature),
    },
    Method {
        name: "bcts",
        summary: "calibrate with one slope on the log-probabilities and a bias per class",
        recipe: Recipe::Calibrate(Family::Bcts),
    },
    Method {
        name: "vector",
        summary: "calibrate with a slope on the log-probability and a bias per class",
        recipe: Recipe::Calibrate(Family::Vector(MapInput::LogProbability)),
    },
    Method {
        name: "vector:probability",
        summary: "calibrate with a slope on the probability and a bias per class, as the paper writes it",
        recipe: Recipe::Calibrate(Family::Vector(MapInput::Probability)),
    },
    Method {
        name: "dirichlet-diag",
        summary: "calibrate as vector, with a penalty on the biases",
        recipe: Recipe::Calibrate(Family::DirichletDiag),
    },
    Method {
        name: "dirichlet-full",
        summary: "calibrate with a matrix on the log-probabilities, penalties off its diagonal and on the biases (ODIR)",
        recipe: Recipe::Calibrate(Family::DirichletFull),
    },
    Method {
        name: "logistic",
        summary: "learn a new model from --features instead of the black box, with a ridge chosen by cross-validation",
        recipe: Recipe::Logistic,
    },
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
        matches!(
            self.recipe,
            Recipe::Auto
                | Recipe::Plugin(_)
                | Recipe::Ascent
                | Recipe::Bagged
                | Recipe::Expected
                | Recipe::Probing
        )
    }

    /// Whether the method can keep to constraints: it looks at the metric, and one weight per class decides.
    pub fn takes_constraints(&self) -> bool {
        self.uses_metric() && self.recipe != Recipe::Probing
    }

    /// Whether the method looks at features of the rows.
    pub fn needs_features(&self) -> bool {
        self.recipe == Recipe::Logistic
    }

    /// Whether the method has a penalty to choose.
    pub fn has_penalty(&self) -> bool {
        matches!(self.recipe, Recipe::Calibrate(Family::DirichletDiag | Family::DirichletFull))
    }

    /// Whether the method asks for the shares of the classes that the black box learned from.
    pub fn uses_source_priors(&self) -> bool {
        self.recipe == Recipe::LabelShift
    }

    /// Whether the method learns from rows without a label too.
    pub fn uses_unlabelled(&self) -> bool {
        matches!(self.recipe, Recipe::Auto | Recipe::Expected | Recipe::LabelShift)
    }

    /// Whether the method refits on bootstrap samples.
    pub fn uses_bags(&self) -> bool {
        self.recipe == Recipe::Bagged
    }

    /// Learns a rule from the rows, and scores it on those that have a label; all methods but label shift with source
    /// priors learn from labelled rows alone.
    ///
    /// # Errors
    ///
    /// If there is no row to learn from, the metric is for another number of classes or not finite, or the sample lacks
    /// something that the method needs.
    pub fn fit(&self, sample: &Sample, metric: &impl Metric, options: &FitOptions) -> Result<Fitted, Error> {
        self.fit_any(sample, metric, options)
    }

    /// Compiled once, here: whoever chooses the method by name seldom knows the type of the metric.
    fn fit_any(&self, sample: &Sample, metric: &dyn Metric, options: &FitOptions) -> Result<Fitted, Error> {
        if sample.n_labelled() == 0 && !self.uses_source_priors() {
            return Err(Error::NoLabelledRows);
        }
        check_size(metric, sample.n_classes())?;
        let (rule, details) = match self.recipe {
            Recipe::Plugin(settings) => return Plugin::new(metric).settings(settings).fit(sample),
            Recipe::Ascent => return Ascent::new(metric).fit(sample),
            Recipe::Auto => return Auto::new(metric).seed(options.seed).fit(sample),
            Recipe::Bagged => {
                let bagged = Bagged::new(metric).seed(options.seed);
                let bagged = if let Some(bags) = options.bags { bagged.bags(bags) } else { bagged };
                return bagged.fit(sample);
            }
            Recipe::Expected => {
                return Expected::new(metric).mixing(options.mixing).seed(options.seed).fit(sample);
            }
            Recipe::Clean => (Rule::clean(sample.n_classes())?, Details::Clean),
            Recipe::Calibrate(family) => {
                calibrated(kind(family), family.fit(sample, options.select, options.seed)?, None)?
            }
            Recipe::Probing => {
                let (mixture, report) = Probing::new(metric).fit(sample, options.seed)?;
                (Rule::calibrated(Calibration::Mixture(mixture))?, Details::Probing(report))
            }
            Recipe::LabelShift => {
                let shift =
                    options.source_priors.clone().map(|priors| LabelShift::default().source_priors(priors));
                let (weights, report) = shift.unwrap_or_default().fit(sample)?;
                (weights.into(), Details::LabelShift(report))
            }
            Recipe::Logistic => {
                let features = sample.features().ok_or(Error::NoFeatures)?;
                let fitted = Logistic::default().fit(sample, features, options.seed)?;
                calibrated(MapKind::Logistic, fitted, features.names().map(<[String]>::to_vec))?
            }
        };
        Fitted::of(rule, details, sample, metric)
    }
}

fn kind(family: Family) -> MapKind {
    match family {
        Family::Temperature => MapKind::Temperature,
        Family::Bcts => MapKind::Bcts,
        Family::Vector(_) => MapKind::Vector,
        Family::DirichletDiag | Family::DirichletFull => MapKind::Dirichlet,
    }
}

fn calibrated(
    kind: MapKind,
    fitted: Calibrated,
    features: Option<Vec<String>>,
) -> Result<(Rule, Details), Error> {
    let rule = Rule::calibrated(Calibration::Affine { kind, map: fitted.map.clone(), features })?;
    Ok((rule, Details::Calibration(fitted)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Features, Probabilities};
    use crate::metric::MacroF1;

    #[test]
    fn methods_are_found_by_their_names_and_the_first_is_the_default() {
        for method in METHODS {
            assert_eq!(Method::by_name(method.name), Ok(method));
        }
        assert_eq!(Method::by_name("x"), Err(Error::UnknownMethod { name: "x".into() }));
        assert_eq!(METHODS[0].recipe, Recipe::Auto);
    }

    /// Three classes, of which the last has no row, or only one class has rows, or there is only one row.
    #[test]
    fn no_method_falls_over_a_class_without_rows() {
        let values = [0.6, 0.3, 0.1, 0.2, 0.7, 0.1, 0.5, 0.5, 0.0, 0.1, 0.1, 0.8];
        let p = Probabilities::new(values.repeat(3), 3).unwrap();
        let features = Features::new((0..12).map(f64::from).collect(), 1).unwrap();
        for labels in [[0, 1, 0, 1], [1, 1, 1, 1]] {
            let labels: Vec<_> = labels.map(Some).into_iter().cycle().take(12).collect();
            let one = (0..12).map(|row| labels[row].filter(|_| row == 5)).collect();
            for labels in [labels.clone(), one] {
                let sample = Sample::new(p.clone(), labels).unwrap().with_features(features.clone()).unwrap();
                for method in METHODS.iter().filter(|method| method.name != "cwplugin:published") {
                    for select in [Select::InSample, Select::CrossValidation] {
                        let fitted = method.fit(
                            &sample,
                            &MacroF1,
                            &FitOptions { seed: 1, select, ..FitOptions::default() },
                        );
                        let rule = fitted.unwrap_or_else(|error| unreachable!("{}: {error}", method.name));
                        assert_eq!(rule.rule().predict(&sample).unwrap().len(), 12, "{}", method.name);
                    }
                }
            }
        }
    }

    #[test]
    fn features_are_asked_for_where_they_are_needed() {
        let p = Probabilities::new(vec![0.6, 0.4, 0.3, 0.7], 2).unwrap();
        let sample = Sample::new(p, vec![Some(0), Some(1)]).unwrap();
        let fit = |name: &str| Method::by_name(name).unwrap().fit(&sample, &MacroF1, &FitOptions::default());
        assert_eq!(fit("logistic").unwrap_err(), Error::NoFeatures);
        assert!(fit("vector").is_ok());
    }
}
