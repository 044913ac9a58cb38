//! Metrics: functions of a confusion matrix, larger is better.
//!
//! Every metric has one kebab-case name, the same in Rust, on the command line and in model files. [`by_name`] finds
//! it and [`CATALOGUE`] lists them all. A custom metric is a struct with a name and a score:
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

pub(crate) mod confusion; // the confusion matrix
mod constraint; // limits on metrics
mod class_ratio; // ratios of sums over the classes
pub(crate) mod scorer; // a metric whose evaluations are counted
mod rates; // accuracy and recalls
mod macro_means; // means over classes
mod agreement; // MCC, Cohen's kappa, Fowlkes–Mallows
mod one_class; // precision, recall and F-beta of one class
mod linear; // linear-diagonal metrics and cost matrices
mod formula; // formulas written by users
mod linear_fractional; // ratios of two linear functions of the diagonal
mod catalogue; // all metrics by name

pub use agreement::{CohenKappa, Mcc, PairFowlkesMallows};
pub use catalogue::{CATALOGUE, Entry, by_name, canonical, hint, plain_names};
pub use class_ratio::{ClassRatio, ManyCounts};
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

/// A function of a confusion matrix; larger is better.
///
/// The matrix may cover only two classes (one pair of Algorithm 1). The score must be finite for every non-empty matrix.
pub trait Metric: Send + Sync {
    /// Stable name, e.g. `macro-f1`.
    fn name(&self) -> &str;

    /// `f(C)`; larger is better.
    fn score(&self, confusion: &Confusion) -> f64;

    /// The metric as a [`Formula`] without `expr:`, if it can be written as one. It can then be computed without this
    /// library, e.g. in a browser. `classes` are the class names.
    fn formula(&self, classes: &[String]) -> Option<String> {
        let _ = classes;
        None
    }

    /// Whether the metric on a pair rises to one peak and then falls as α grows, for calibrated probabilities.
    ///
    /// True if the metric, on two classes with fixed true weights, is a quasi-concave and non-decreasing function of the two
    /// diagonal cells. Linear-diagonal and linear-fractional-diagonal metrics are quasi-concave. The binary search requires
    /// it.
    fn is_quasi_concave(&self) -> bool {
        false
    }

    /// Whether a correct prediction never lowers the metric on a pair.
    ///
    /// True if the metric, on two classes with fixed positive true weights, is non-decreasing in both diagonal cells. The
    /// exact search can then skip cuts that cannot be best. This makes it several times faster on many rows and does not
    /// change its result.
    fn is_monotone(&self) -> bool {
        self.is_quasi_concave()
    }

    /// Whether the metric depends only on [`Confusion::per_class`] and what derives from it: `class`, `correct`, `total`.
    ///
    /// Coordinate ascent then updates only these counts; the off-diagonal cells of its matrix are undefined.
    fn is_by_class(&self) -> bool {
        self.is_monotone_by_class()
    }

    /// Whether the metric is by class and never falls when the counts of a class improve.
    ///
    /// True if the metric, for fixed positive true weights, never falls when the correct and the predicted weight of a class
    /// grow by the same amount, nor when the predicted weight falls and the correct weight stays. It must hold even for
    /// counts that no confusion matrix has. Coordinate ascent can then skip candidates that cannot be best. This makes it
    /// many times faster on many rows and does not change its result.
    fn is_monotone_by_class(&self) -> bool {
        false
    }

    /// The metric as a ratio of two sums over the classes, if it is one; it must be the same number. Searches over many
    /// confusion matrices are then much faster with many classes.
    fn class_ratio(&self) -> Option<&dyn ClassRatio> {
        None
    }

    /// Whether the metric applies to the classes of this matrix. A metric of one class does not apply to a pair without that
    /// class. A constraint is ignored on a matrix that its metric does not apply to.
    fn is_about(&self, confusion: &Confusion) -> bool {
        let _ = confusion;
        true
    }

    /// The number of classes the metric requires, if any; checked before a fit or an evaluation.
    fn n_classes(&self) -> Option<usize> {
        None
    }
}

/// Defines a metric without parameters: its struct, name, formula, properties that hold, and score.
macro_rules! named_metric {
    (
        $(#[$doc:meta])*
        $metric:ident, $name:literal, $formula:literal, [$($property:ident),*],
        |$confusion:ident| $score:expr
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $metric;

        impl Metric for $metric {
            fn name(&self) -> &'static str {
                $name
            }
            fn score(&self, $confusion: &Confusion) -> f64 {
                $score
            }
            fn formula(&self, _: &[String]) -> Option<String> {
                Some($formula.into())
            }
            $(fn $property(&self) -> bool {
                true
            })*
        }
    };
    // The same for a ratio of two sums over the classes.
    (
        $(#[$doc:meta])*
        $metric:ident, $name:literal, $formula:literal, [$($property:ident),*],
        ratio |$class:ident| $terms:expr
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $metric;

        impl $crate::metric::ClassRatio for $metric {
            #[inline(always)]
            fn terms(&self, $class: $crate::metric::ClassCounts) -> [f64; 2] {
                $terms
            }
        }

        impl Metric for $metric {
            fn name(&self) -> &'static str {
                $name
            }
            fn score(&self, confusion: &Confusion) -> f64 {
                $crate::metric::class_ratio::ratio_of(confusion, |class| {
                    $crate::metric::ClassRatio::terms(self, class)
                })
            }
            fn formula(&self, _: &[String]) -> Option<String> {
                Some($formula.into())
            }
            fn class_ratio(&self) -> Option<&dyn $crate::metric::ClassRatio> {
                Some(self)
            }
            $(fn $property(&self) -> bool {
                true
            })*
        }
    };
}
use named_metric;

/// Forwards all methods of a [`Metric`] but `score` to another one.
#[doc(hidden)]
#[macro_export]
macro_rules! forward_metric {
    ($self:ident => $inner:expr) => {
        fn name(&$self) -> &str {
            $inner.name()
        }
        fn formula(&$self, classes: &[String]) -> Option<String> {
            $inner.formula(classes)
        }
        fn is_quasi_concave(&$self) -> bool {
            $inner.is_quasi_concave()
        }
        fn is_monotone(&$self) -> bool {
            $inner.is_monotone()
        }
        fn is_by_class(&$self) -> bool {
            $inner.is_by_class()
        }
        fn is_monotone_by_class(&$self) -> bool {
            $inner.is_monotone_by_class()
        }
        fn class_ratio(&$self) -> Option<&dyn $crate::metric::ClassRatio> {
            $inner.class_ratio()
        }
        fn is_about(&$self, confusion: &$crate::Confusion) -> bool {
            $inner.is_about(confusion)
        }
        fn n_classes(&$self) -> Option<usize> {
            $inner.n_classes()
        }
    };
}

/// Implements [`Metric`] for pointers to metrics.
macro_rules! pointers_to_metrics {
    ($($pointer:ty),*) => {$(
        impl<M: Metric + ?Sized> Metric for $pointer {
            fn score(&self, confusion: &Confusion) -> f64 {
                (**self).score(confusion)
            }
            forward_metric!(self => (**self));
        }
    )*};
}

pointers_to_metrics!(&M, Box<M>, std::sync::Arc<M>);

/// Returns an error if the metric is for another number of classes.
pub(crate) fn check_size(metric: &dyn Metric, found: usize) -> Result<(), Error> {
    match metric.n_classes().filter(|&expected| expected != found) {
        Some(expected) => Err(Error::MetricClasses { metric: metric.name().into(), expected, found }),
        None => Ok(()),
    }
}

impl ClassTotals {
    /// Returns an error if no row is labelled or the metric is for another number of classes.
    pub(crate) fn check_for(&self, metric: &dyn Metric) -> Result<(), Error> {
        if self.n_labelled() == 0 {
            return Err(Error::NoLabelledRows);
        }
        check_size(metric, self.n_classes())
    }
}

/// The score, or an error if it is not finite.
pub(crate) fn checked_score(metric: &dyn Metric, confusion: &Confusion) -> Result<f64, Error> {
    let value = metric.score(confusion);
    if value.is_finite() {
        Ok(value)
    } else {
        Err(Error::MetricNotFinite { metric: metric.name().into(), value })
    }
}

/// Whether β is in the supported range; outside it, F-beta equals recall or precision to the last digit.
fn is_usable_beta(beta: f64) -> bool {
    (1e-6..=1e6).contains(&beta)
}

/// `part / whole`, or 0 if `whole` is 0, as with `zero_division=0` in scikit-learn.
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

/// Mean of `value` over the classes with a true or a predicted row; 0 if there is none.
fn mean_over_present(confusion: &Confusion, value: impl Fn(ClassCounts) -> f64) -> f64 {
    mean(confusion.per_class().filter(|class| !class.is_empty()).map(value))
}

/// The mean of some numbers; 0 if there is none.
fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| (sum + number, count + 1.0));
    share(sum, count)
}

/// A class name quoted for use in a formula.
fn quoted(class: &str) -> String {
    format!("\"{}\"", class.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The formula of a weighted sum of the diagonal.
fn weighted_diagonal(numbers: &[f64], classes: &[String]) -> String {
    let terms =
        numbers.iter().zip(classes).map(|(number, class)| format!("({number})*tp[{}]", quoted(class)));
    format!("({})", terms.collect::<Vec<_>>().join("+"))
}
