//! `expected`: calibrate with the labels, then maximise the expected metric over all rows.
//!
//! The calibration maps `softmax(A·log b + c)` are centred on the identity. Several priors on the error of the black box
//! are weighted by their Laplace evidence. Every row, labelled or not, then counts for each class with its calibrated
//! probability, and the weights maximise the mean of the metric over maps drawn from the posterior.

mod prior; // the priors on the calibration map
mod precision; // its inverse covariance
mod arrow; // an arrow matrix minus outer products
mod own_slopes; // the posterior of at most one slope per class, for many classes
mod logit_columns; // sums over all rows, column by column
mod many_classes; // the posterior of a full matrix of slopes for many classes
mod evidence; // the labelled rows, and the map
mod class_blocks; // the blocks of a Hessian that belong to one class
mod penalised; // the posterior under one prior, up to a constant
mod laplace; // its mode and its evidence
mod answers; // rows that name a class and nothing else
mod posterior; // the posterior over all priors
mod repeats; // identical rows and their labels
mod population; // the rows that represent new rows
mod class_counts; // counts of every class, for each draw
mod expected_confusion; // the expected confusion matrix, for each draw
mod best_two; // the two best classes of every row
mod maximise; // weights with the largest expected metric
mod plan; // from a sample to a rule and its forecast

pub use plan::LABELS_COUNT_FROM;
pub(crate) use plan::{Plan, between};
pub(crate) use population::Population;
pub use prior::SlopeStructure;

use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::data::split::check_share;
use crate::error::Error;
use crate::methods::method::{ConstraintSupport, Method, OptionSpec, Options, report_with_absent};
use crate::metric::Metric;
use crate::progress::Observer;
use crate::report::Fitted;
use crate::rule::Rule;

pub(crate) const METHOD: Method = Method {
    name: "expected",
    summary: "calibrate with the labels, then maximise the expected metric over all rows, unlabelled ones too",
    options: &[OptionSpec {
        name: "mixing",
        value: "SHARE",
        default: "0",
        help: "Count a labelled row by its label with this share, from 0 to 1, and by its calibrated probabilities with the rest",
        check: |text| read_mixing(text).map(drop),
    }],
    uses_metric: true,
    uses_unlabelled: true,
    needs_features: false,
    constraints: ConstraintSupport::Adjust,
    fit,
};

/// The report of `expected`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ExpectedReport {
    /// From 0 (the unadjusted black box) to 1 (the fitted rule).
    pub shrinkage: f64,
    /// The slopes of the most probable calibration: `shared`, `per-class` or `matrix`.
    pub slopes: SlopeStructure,
    /// Smaller probabilities are raised to this value.
    pub floor: f64,
    /// The weight of a row's label against its calibrated probabilities, from 0 to 1.
    pub mixing: f64,
}

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options<'_>) -> Result<Fitted, Error> {
    let mixing = options.read("mixing", read_mixing)?.unwrap_or(0.0);
    let plan = Plan::for_fits(sample, mixing, options)?;
    let log_weights = plan.solve(sample, metric, options.observer)?;
    let report = report_with_absent(sample, metric, &plan.report(1.0));
    let forecast = plan.forecast(&log_weights, 1.0, metric)?;
    Ok(Fitted::new(plan.rule(&log_weights, 1.0)?, report, sample, metric)?.expecting(forecast))
}

/// The report for a rule that was fitted on more rows than these, with the forecast from these rows.
pub(crate) fn fit_given_rule(
    sample: &Sample,
    metric: &dyn Metric,
    rule: Rule,
    mixing: f64,
    seed: u64,
) -> Result<Fitted, Error> {
    sample.class_totals().check_for(metric)?;
    let plan = Plan::new(sample, mixing, seed, Observer::default())?;
    let report = report_with_absent(sample, metric, &plan.report(1.0));
    let forecast = plan.forecast_of(&rule, metric)?;
    Ok(Fitted::new(rule, report, sample, metric)?.expecting(forecast))
}

pub(crate) fn read_mixing(text: &str) -> Result<f64, Error> {
    let share = text.parse().map_err(|_| Error::UnknownOption { option: "mixing", value: text.into() })?;
    check_share(share).map(|()| share)
}
