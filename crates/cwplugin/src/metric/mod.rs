//! What is maximised: numbers made of a confusion matrix, larger is better.
//!
//! Every metric here bears one kebab-case name, the same in Rust, in the program and in the model file;
//! [`by_name`] finds it and [`CATALOGUE`] lists them all. Your own metric is a struct with a name and a formula:
//!
//! ```
//! use cwplugin::{Confusion, Metric};
//!
//! /// Right answers minus wrong ones.
//! struct Profit;
//!
//! impl Metric for Profit {
//!     fn name(&self) -> &str {
//!         "profit"
//!     }
//!     fn score(&self, c: &Confusion) -> f64 {
//!         2.0 * c.correct() - c.total()
//!     }
//! }
//!
//! assert_eq!(Profit.score(&Confusion::from_rows(&[[5.0, 1.0], [2.0, 4.0]])), 6.0);
//! ```

pub(crate) mod confusion; // what is counted
mod constraint; // limits on metrics
pub(crate) mod scorer; // a metric whose evaluations are counted
mod rates; // shares of rows predicted right
mod macro_means; // means over classes
mod agreement; // prediction and truth as two raters
mod one_class; // one class against the rest
mod linear; // weights on the diagonal, costs in every cell
mod formula; // what a user writes down
mod linear_fractional; // ratios of two weighted diagonals
mod catalogue; // all of them by name

pub use agreement::{CohenKappa, Mcc, PairFowlkesMallows};
pub use catalogue::{CATALOGUE, Entry, by_name, plain_names};
pub use confusion::{ClassCounts, Confusion};
pub(crate) use constraint::Constrained;
pub use constraint::{Bound, Constraint};
pub use formula::Formula;
pub use linear::{Cost, LinearDiagonal};
pub use linear_fractional::LinearFractional;
pub use macro_means::{
    MacroF1, MacroFBeta, MacroFowlkesMallows, MacroJaccard, MacroPrecision, MacroRecall, WeightedF1,
};
pub use one_class::{OneClass, Rate};
pub use rates::{Accuracy, BalancedAccuracy, GMean, MacroGMean, MinRecall};

use crate::data::class_totals::ClassTotals;
use crate::error::Error;

/// A number made of a confusion matrix; larger is better.
///
/// The matrix may be over two classes only (one pair of Algorithm 1). The score must be finite for every matrix that
/// is not empty.
pub trait Metric: Send + Sync {
    /// Stable name, e.g. `macro-f1`.
    fn name(&self) -> &str;

    /// `f(C)`; larger is better.
    fn score(&self, confusion: &Confusion) -> f64;

    /// The metric as a formula behind `expr:` (see [`Formula`]), if it can be written as one: where this library is not, a
    /// page in a browser say, it can still be computed. `classes` are the names of the classes.
    fn formula(&self, classes: &[String]) -> Option<String> {
        let _ = classes;
        None
    }

    /// Whether the metric on a pair rises to one peak and then falls as α grows, given good probabilities.
    ///
    /// True if the metric, on two classes whose true weights are fixed, is a quasi-concave function of the two
    /// diagonal cells that neither of them lowers: all linear-diagonal and linear-fractional-diagonal metrics are.
    /// The binary search needs it.
    fn is_quasi_concave(&self) -> bool {
        false
    }

    /// Whether no right prediction lowers the metric on a pair.
    ///
    /// True if the metric, on two classes whose true weights are fixed and above 0, falls with neither of the two
    /// diagonal cells. The exact search then need not sort what cannot be the best, which makes it several times
    /// faster on many rows; its answer is the same.
    fn is_monotone(&self) -> bool {
        self.is_quasi_concave()
    }

    /// Whether the metric looks at nothing but [`Confusion::per_class`], and what is made of it: `class`, `correct`,
    /// `total`.
    ///
    /// Coordinate ascent then keeps count of the classes only, and shows the metric a matrix whose other cells mean
    /// nothing.
    fn is_by_class(&self) -> bool {
        self.is_monotone_by_class()
    }

    /// Whether the metric is by class, and no class's own counts can lower it by becoming better.
    ///
    /// True if the metric, while all true weights are fixed and above 0, never falls when the correct weight of a class
    /// grows by as much as the predicted one, nor when its predicted weight falls and the correct one stays; whether or
    /// not the counts of all classes then still belong to any matrix. Coordinate ascent then passes over what cannot be
    /// the best, which makes it many times faster on many rows; its answer is the same.
    fn is_monotone_by_class(&self) -> bool {
        false
    }

    /// Whether the metric says anything about the classes of this matrix: on the pairs of Algorithm 1, one about a class
    /// that is in neither place does not. A constraint takes no part in a matrix that it is not about.
    fn is_about(&self, confusion: &Confusion) -> bool {
        let _ = confusion;
        true
    }

    /// How many classes the metric was made for, if it was made for a number of them; checked before a fit or an evaluation.
    fn n_classes(&self) -> Option<usize> {
        None
    }
}

/// A reference to a metric, and a metric in a box, are metrics.
macro_rules! forward_metric {
    ($($pointer:ty),*) => {$(
        impl<M: Metric + ?Sized> Metric for $pointer {
            fn name(&self) -> &str {
                (**self).name()
            }
            fn score(&self, confusion: &Confusion) -> f64 {
                (**self).score(confusion)
            }
            fn formula(&self, classes: &[String]) -> Option<String> {
                (**self).formula(classes)
            }
            fn is_quasi_concave(&self) -> bool {
                (**self).is_quasi_concave()
            }
            fn is_monotone(&self) -> bool {
                (**self).is_monotone()
            }
            fn is_by_class(&self) -> bool {
                (**self).is_by_class()
            }
            fn is_monotone_by_class(&self) -> bool {
                (**self).is_monotone_by_class()
            }
            fn is_about(&self, confusion: &Confusion) -> bool {
                (**self).is_about(confusion)
            }
            fn n_classes(&self) -> Option<usize> {
                (**self).n_classes()
            }
        }
    )*};
}

forward_metric!(&M, Box<M>, std::sync::Arc<M>);

/// Refuses a metric that was made for another number of classes.
pub(crate) fn check_size<M: Metric + ?Sized>(metric: &M, found: usize) -> Result<(), Error> {
    match metric.n_classes().filter(|&expected| expected != found) {
        Some(expected) => Err(Error::MetricClasses { metric: metric.name().into(), expected, found }),
        None => Ok(()),
    }
}

impl ClassTotals {
    /// Refuses a sample without labelled rows, and a metric for another number of classes.
    pub(crate) fn check_for<M: Metric + ?Sized>(&self, metric: &M) -> Result<(), Error> {
        if self.n_labelled() == 0 {
            return Err(Error::NoLabelledRows);
        }
        check_size(metric, self.n_classes())
    }
}

/// The score, if it is one.
pub(crate) fn checked_score<M: Metric + ?Sized>(metric: &M, confusion: &Confusion) -> Result<f64, Error> {
    let value = metric.score(confusion);
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::MetricNotFinite { metric: metric.name().into(), value })
    }
}

/// The smallest and the largest β of an F-beta; beyond them it is recall or precision to the last digit.
fn is_usable_beta(beta: f64) -> bool {
    (1e-6..=1e6).contains(&beta)
}

/// `part / whole`, and 0 where there is no whole: scikit-learn's `zero_division=0`.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn recall(class: ClassCounts) -> f64 {
    share(class.correct, class.truth)
}

fn precision(class: ClassCounts) -> f64 {
    share(class.correct, class.predicted)
}

fn f_beta(class: ClassCounts, beta: f64) -> f64 {
    let b2 = beta * beta;
    share((1.0 + b2) * class.correct, b2 * class.truth + class.predicted)
}

/// Mean of `value` over the classes that have a true or a predicted row; 0 if there is none.
fn mean_over_present(confusion: &Confusion, value: impl Fn(ClassCounts) -> f64) -> f64 {
    let (sum, present) = confusion
        .per_class()
        .filter(|class| !class.is_empty())
        .fold((0.0, 0.0), |(sum, present), class| (sum + value(class), present + 1.0));
    share(sum, present)
}

/// A class as a formula names it, whatever signs it has.
fn quoted(class: &str) -> String {
    format!("\"{}\"", class.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The right answers of every class times a number of its own, as a formula.
fn weighted_diagonal(numbers: &[f64], classes: &[String]) -> String {
    let terms =
        numbers.iter().zip(classes).map(|(number, class)| format!("({number})*tp[{}]", quoted(class)));
    format!("({})", terms.collect::<Vec<_>>().join("+"))
}
