//! All metrics by name.

mod foreign; // names of scikit-learn and imbalanced-learn

pub use foreign::{canonical, hint};

use super::{
    Accuracy, BalancedAccuracy, CohenKappa, Formula, GMean, LinearDiagonal, MacroF1, MacroFBeta,
    MacroFowlkesMallows, MacroGMean, MacroJaccard, MacroPrecision, MacroRecall, Mcc, Metric, MinRecall,
    OneClass, PairFowlkesMallows, Rate, WeightedF1, is_usable_beta,
};
use crate::error::Error;

/// One entry of the list of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Its name, with parameters in capitals.
    pub name: &'static str,
    /// A short description.
    pub summary: &'static str,
    /// Its formula; `t`, `p` and `c` are the true, predicted and correct weight of a class, `n` is the total weight.
    pub formula: &'static str,
    /// Whether the search `binary:EPS` supports it.
    pub quasi_concave: bool,
}

impl Entry {
    /// Whether [`by_name`] finds it. The others need a file or a program, which this library does not open.
    pub fn is_found_by_name(&self) -> bool {
        const OTHERS: [&str; 4] = ["linear-fractional", "cost", "command", "command-once"];
        !OTHERS.contains(&self.name.split(':').next().unwrap_or_default())
    }
}

macro_rules! catalogue {
    ($($name:literal, $summary:literal, $formula:literal, $quasi_concave:literal;)*) => {
        /// All named metrics, in reading order.
        pub const CATALOGUE: &[Entry] = &[$(Entry {
            name: $name, summary: $summary, formula: $formula, quasi_concave: $quasi_concave,
        }),*];
    };
}

catalogue! {
    "accuracy", "share of correct predictions", "Σ c_k / n", true;
    "balanced-accuracy", "mean recall of the classes that have rows", "mean_k c_k / t_k", true;
    "macro-f1", "mean F1 over classes", "mean_k 2 c_k / (t_k + p_k)", false;
    "weighted-f1", "F1 averaged by class size", "Σ t_k F1_k / n", false;
    "macro-f-beta:BETA", "mean F-beta over classes", "mean_k (1+β²) c_k / (β² t_k + p_k)", false;
    "macro-precision", "mean precision over classes", "mean_k c_k / p_k", false;
    "macro-recall", "mean recall over classes with true or predicted rows", "mean_k c_k / t_k", true;
    "macro-g-mean", "geometric mean of mean sensitivity and mean specificity",
        "sqrt(mean_k sens_k · mean_k spec_k)", true;
    "g-mean", "geometric mean of the recalls", "(Π_k c_k / t_k)^(1/m)", true;
    "mcc", "Matthews correlation coefficient, any number of classes",
        "(n Σ c_k − Σ t_k p_k) / sqrt((n² − Σ p_k²)(n² − Σ t_k²))", false;
    "cohen-kappa", "agreement beyond chance", "(p_o − p_e) / (1 − p_e)", false;
    "macro-jaccard", "mean Jaccard index over classes", "mean_k c_k / (t_k + p_k − c_k)", false;
    "macro-fowlkes-mallows", "mean over classes of sqrt(precision · recall)", "mean_k c_k / sqrt(t_k p_k)", false;
    "pair-fowlkes-mallows", "Fowlkes–Mallows score of two clusterings", "T / sqrt(P Q), pairs of rows", false;
    "min-recall", "recall of the worst class", "min_k c_k / t_k", true;
    "f1:CLASS", "F1 of one class", "2 c / (t + p)", true;
    "precision:CLASS", "precision of one class", "c / p", true;
    "recall:CLASS", "recall of one class", "c / t", true;
    "f-beta:BETA:CLASS", "F-beta of one class", "(1+β²) c / (β² t + p)", true;
    "linear-diagonal:B1,B2,…", "value of the correct predictions, per class", "Σ β_k c_k / n, Σ β_k = 1", true;
    "linear-fractional:FILE.json", "ratio of two linear functions of the shares of correct predictions",
        "(a·x + b) / (c·x + d), x_k = c_k / n", true;
    "cost:FILE.csv", "minus the expected cost under an m×m cost matrix", "− Σ cost_ij C_ij / n", true;
    "expr:FORMULA", "your own formula over the confusion matrix",
        "e.g. tp[spam] / (tp[spam] + fp[spam] + 5*fn[spam])", false;
    "command:PROGRAM", "answer of your program, which reads one line per matrix", "its answer", false;
    "command-once:PROGRAM", "answer of your program, started for every matrix", "its answer", false;
}

/// The name of a metric without its parameter.
pub(super) fn head(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// The names of the metrics that need no parameter.
pub fn plain_names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().map(|entry| entry.name).filter(|name| !name.contains(':'))
}

/// Finds a metric by its name; `classes` are the class names, for metrics of one class. Names of scikit-learn for the same
/// metric work too ([`canonical`]); the metric has its own name.
///
/// Metrics that need a file or a program are not found, see [`Entry::is_found_by_name`]. Construct
/// [`Cost`](super::Cost) and [`LinearFractional`](super::LinearFractional) directly.
///
/// ```
/// use cwplugin::metric;
///
/// let classes = ["ham".to_string(), "spam".to_string()];
/// assert_eq!(metric::by_name("f1:spam", &classes)?.name(), "f1:spam");
/// assert!(metric::by_name("f1:eggs", &classes).is_err());
/// # Ok::<(), cwplugin::Error>(())
/// ```
///
/// # Errors
///
/// If the metric is unknown, or its parameter is missing or invalid.
pub fn by_name(name: &str, classes: &[String]) -> Result<Box<dyn Metric>, Error> {
    let name = canonical(name).unwrap_or(name);
    let (head, parameter) = match name.split_once(':') {
        Some((head, parameter)) => (head, Some(parameter)),
        None => (name, None),
    };
    let one_class = |class: Option<&str>, rate: Rate| {
        Ok::<_, Error>(Box::new(OneClass::new(name, class_index(name, class, classes)?, rate)))
    };
    let metric: Box<dyn Metric> = match (head, parameter) {
        ("accuracy", None) => Box::new(Accuracy),
        ("balanced-accuracy", None) => Box::new(BalancedAccuracy),
        ("macro-f1", None) => Box::new(MacroF1),
        ("weighted-f1", None) => Box::new(WeightedF1),
        ("macro-precision", None) => Box::new(MacroPrecision),
        ("macro-recall", None) => Box::new(MacroRecall),
        ("macro-g-mean", None) => Box::new(MacroGMean),
        ("g-mean", None) => Box::new(GMean),
        ("mcc", None) => Box::new(Mcc),
        ("cohen-kappa", None) => Box::new(CohenKappa),
        ("macro-jaccard", None) => Box::new(MacroJaccard),
        ("macro-fowlkes-mallows", None) => Box::new(MacroFowlkesMallows),
        ("pair-fowlkes-mallows", None) => Box::new(PairFowlkesMallows),
        ("min-recall", None) => Box::new(MinRecall),
        ("macro-f-beta", beta) => Box::new(MacroFBeta::new(number(name, beta)?)?),
        ("f1", class) => one_class(class, Rate::FBeta(1.0))?,
        ("precision", class) => one_class(class, Rate::Precision)?,
        ("recall", class) => one_class(class, Rate::Recall)?,
        ("f-beta", parameter) => {
            let expected = "write f-beta:BETA:CLASS, e.g. f-beta:2:spam";
            let (beta, class) = parameter
                .and_then(|parameter| parameter.split_once(':'))
                .ok_or(Error::MetricParameter { name: name.into(), expected })?;
            one_class(Some(class), Rate::FBeta(number(name, Some(beta))?))?
        }
        ("expr", formula) => Box::new(Formula::new(formula.unwrap_or_default(), classes)?),
        ("linear-diagonal", list) => Box::new(linear_diagonal(name, list, classes.len())?),
        _ => return Err(Error::UnknownMetric { name: name.into() }),
    };
    Ok(metric)
}

fn number(name: &str, text: Option<&str>) -> Result<f64, Error> {
    let wrong = |expected| Error::MetricParameter { name: name.into(), expected };
    let text = text.ok_or_else(|| wrong("write the number after a colon, e.g. macro-f-beta:2"))?;
    let beta = text.trim().parse::<f64>().ok().filter(|&beta| is_usable_beta(beta));
    beta.ok_or_else(|| wrong("beta must be a number from 1e-6 to 1e6"))
}

fn class_index(name: &str, class: Option<&str>, classes: &[String]) -> Result<usize, Error> {
    let expected = "name the class after the colon, e.g. f1:spam";
    let class = class.ok_or(Error::MetricParameter { name: name.into(), expected })?;
    classes
        .iter()
        .position(|known| known == class)
        .ok_or_else(|| Error::MetricClass { name: name.into(), class: class.into() })
}

fn linear_diagonal(name: &str, list: Option<&str>, n_classes: usize) -> Result<LinearDiagonal, Error> {
    let wrong = |expected| Error::MetricParameter { name: name.into(), expected };
    let beta = list
        .unwrap_or_default()
        .split(',')
        .map(|b| b.trim().parse::<f64>().map_err(|_| wrong("write one number per class, e.g. 0.2,0.8")))
        .collect::<Result<Vec<_>, _>>()?;
    if beta.len() != n_classes {
        return Err(wrong("the number of weights must equal the number of classes"));
    }
    LinearDiagonal::new(beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classes() -> Vec<String> {
        vec!["ham".into(), "a:b".into()]
    }

    #[test]
    fn every_entry_is_found_by_name_and_agrees_on_quasi_concavity() {
        for entry in CATALOGUE.iter().filter(|entry| entry.is_found_by_name()) {
            let name = entry
                .name
                .replace("BETA", "2")
                .replace("CLASS", "ham")
                .replace("B1,B2,…", "1,3")
                .replace("FORMULA", "min(recall)*C[ham,ham]");
            let metric = by_name(&name, &classes()).unwrap();
            assert_eq!(metric.name(), name);
            assert_eq!(metric.is_quasi_concave(), entry.quasi_concave, "{name}");
        }
    }

    #[test]
    fn a_class_name_may_contain_a_colon() {
        assert!(by_name("f1:a:b", &classes()).is_ok());
        assert!(by_name("f-beta:2:a:b", &classes()).is_ok());
    }

    #[test]
    fn invalid_names_and_parameters_are_rejected() {
        for name in ["macrof1", "macro-f1:2", "f1", "f1:", "f-beta:2", "f-beta:x:ham", "macro-f-beta", ""] {
            assert!(by_name(name, &classes()).is_err(), "{name}");
        }
        for list in ["1", "1,2,3", "1,x", "-1,2", ""] {
            assert!(by_name(&format!("linear-diagonal:{list}"), &classes()).is_err(), "{list}");
        }
    }
}
