//! `ascent`: coordinate ascent on the whole metric.
//!
//! With the other weights fixed, every row has one cut for a class: the weight above which it is predicted as that class.
//! The search sorts all cuts, evaluates the metric on *all* rows between them and takes the middle of the widest best
//! plateau. It repeats this class by class until no class improves (on large samples: until the gain is negligible, see
//! [`AscentReport::converged`]). The weights score at least as well on the sample as every start: weights 1, Algorithm 1
//! against each of the three heaviest classes (on large samples only the heaviest), and for each class the ratio of its
//! frequency among the labels to its mean probability.

mod targets; // label and weight of a row, in integers
mod incremental; // the confusion matrix, updated row by row
mod selected_rows; // selected rows of a block
mod top_two; // the two best classes of a row
mod top_twos; // the two best classes of every row
mod line; // the metric along the weight of one class
mod columns; // a matrix in column-major order
mod counted_ascent; // coordinate ascent on counted rows
mod large_sample; // coordinate ascent on large samples
mod ascend; // ascent from several starts
mod start; // the starts

pub(crate) use ascend::{Problem, Rows, ascend};
pub(crate) use incremental::IncrementalConfusion;
pub(crate) use large_sample::negligible_gain;
pub(crate) use start::{Start, column_sums, label_shift_of_sums};
pub(crate) use targets::{Moving, Units};
pub(crate) use top_two::TopTwo;

use ascend::AscentResult;
use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::data::class_totals::ClassTotals;
use crate::error::Error;
use crate::methods::method::{ConstraintSupport, Method, Options};
use crate::metric::Metric;
use crate::report::{FitReport, Fitted, Warning};

pub(crate) const METHOD: Method = Method {
    name: "ascent",
    summary: "coordinate ascent on the whole metric, from several starts; never below cwplugin on these rows",
    options: &[],
    uses_metric: true,
    uses_unlabelled: false,
    needs_features: false,
    constraints: ConstraintSupport::Search,
    fit,
};

/// The report of coordinate ascent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AscentReport {
    /// The start that led to the best weights: `clean`, `cwplugin:CLASS` or `label-shift`.
    pub start: String,
    /// Rounds over all classes from that start.
    pub cycles: usize,
    /// Evaluations of the metric, over all starts.
    pub evaluations: usize,
    /// Whether a last round over the classes improved none of them; if false, the limit on rounds was reached.
    ///
    /// On large samples (more than 65,536 probabilities) a small last gain suffices: at most 0.02/√n of the gain of the start
    /// over always predicting the heaviest class. That is far below the sampling error.
    pub converged: bool,
}

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options<'_>) -> Result<Fitted, Error> {
    let class_totals = sample.class_totals();
    let rows = sample.labelled();
    let (kinds, starts) = start::of_sample(&rows, metric, options.observer)?;
    let AscentResult { maximum, start, evaluations } =
        ascend(&Problem::of(&rows), metric, &starts, options.observer)?;

    let details = AscentReport {
        start: kinds[start].describe(sample.classes()),
        cycles: maximum.cycles,
        evaluations,
        converged: maximum.has_converged,
    };
    let mut report = FitReport::new(metric.name(), class_totals, &details);
    report.warnings = warnings(class_totals);
    report.warnings.extend((!details.converged).then(Warning::not_converged));
    Fitted::of_weights(maximum.weights, report, &rows, metric)
}

/// Warnings about the classes, for weights found by coordinate ascent.
pub(crate) fn warnings(class_totals: &ClassTotals) -> Vec<Warning> {
    let classes = 0..class_totals.n_classes();
    let absent = classes.clone().filter(|&class| class_totals.rows(class) == 0);
    let absent = absent.map(|class| Warning::absent_averaged(class_totals.name(class)));
    let never =
        classes.clone().filter(|&class| class_totals.rows(class) > 0 && !class_totals.probable[class]);
    let never = never.map(|class| Warning::never_probable(class_totals.name(class)));
    absent.chain(never).chain(classes.filter_map(|class| Warning::few_rows(class_totals, class))).collect()
}
