//! `ascent`: coordinate ascent on the whole metric.
//!
//! For one class every row has one cut: the weight from which on the row is predicted as that class, while the other
//! weights stay. All cuts are visited in order, with the metric of *all* rows between them, and the middle of the
//! widest best plateau is taken; then comes the next class, until no class improves (on many rows: hardly improves,
//! see [`AscentReport::converged`]). So the weights score at least as well on the sample as every start: weights 1,
//! Algorithm 1 against each of the three heaviest classes (on many rows, against the heaviest), and the ratios that
//! give the predicted shares of the classes those of the labels.

mod targets; // what a row counts for
mod incremental; // the confusion matrix, row by row
mod picked; // some rows of a block
mod top_two; // the two best classes of a row
mod top_twos; // … of every row
mod line; // every cut of one class
mod columns; // a matrix column by column
mod coordinate; // one class after the other
mod climb; // … on counted rows
mod approach; // … on many rows
mod ascend; // from several starts
mod start; // where to begin

pub(crate) use approach::negligible_gain;
pub(crate) use ascend::{Problem, ascend};
pub(crate) use climb::settled;
pub(crate) use coordinate::{Hill, Step, climb};
pub(crate) use incremental::IncrementalConfusion;
pub(crate) use start::Start;
pub(crate) use start::{column_sums, label_shift_of_sums};
pub(crate) use targets::{Moving, Units};
pub(crate) use top_two::TopTwo;

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

/// What coordinate ascent found, beside the weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AscentReport {
    /// The start that led to the best weights: `clean`, `cwplugin:CLASS` or `label-shift`.
    pub start: String,
    /// Rounds over all classes from that start.
    pub cycles: usize,
    /// How often the metric was evaluated, from all starts.
    pub evaluations: usize,
    /// Whether a last round over the classes improved none of them; else the rounds were used up.
    ///
    /// On many rows (more than 65,536 probabilities) a small last gain is enough: at most 0.02/√n of what the start gains
    /// over always predicting the heaviest class. That is far below the difference that other rows would make.
    pub converged: bool,
}

fn fit(sample: &Sample, metric: &dyn Metric, _: &Options) -> Result<Fitted, Error> {
    let class_totals = sample.class_totals();
    let rows = sample.labelled();
    let (kinds, starts) = start::of_sample(&rows, &metric)?;
    let is_free: Vec<bool> = (0..sample.n_classes())
        .map(|class| class_totals.rows(class) > 0 && class_totals.probable[class])
        .collect();
    let climbed = ascend(&Problem::of(&rows, &is_free), &metric, &starts)?;

    let details = AscentReport {
        start: kinds[climbed.start].describe(sample.classes()),
        cycles: climbed.cycles,
        evaluations: climbed.evaluations,
        converged: climbed.is_proven,
    };
    let mut report = FitReport::new(metric.name(), class_totals, &details);
    report.warnings = warnings(class_totals);
    report.warnings.extend((!details.converged).then(Warning::not_converged));
    Fitted::of_weights(climbed.weights, report, &rows, metric)
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
