//! `auto`: chooses the method that the labels support, or leaves the black box unadjusted.
//!
//! It fits `expected` and cross-validates it together with Algorithm 1, coordinate ascent and, if one of these leads,
//! `bagged`. The forecast of `expected` and its gain in cross-validation give the gain at each shrinkage. `auto` takes the shrinkage with the largest gain
//! minus one standard deviation. If none is positive, predictions stay unchanged. A method that was clearly better in
//! cross-validation replaces `expected`. What is expected on new rows is reported from labels held out and calibrated
//! probabilities together.

mod alternatives; // the alternatives to `expected`
mod scored; // scores of predictions, with their uncertainty
mod trial; // the fits without one fold
mod cross_validation; // cross-validation of every method
mod urn; // how well expected shares predict counts
mod score_draws; // draws of scores on new rows
mod decide; // the choice
mod standing; // why each candidate was chosen or not
#[cfg(test)]
mod tests; // the texts agree with the candidates

pub(crate) use alternatives::alternative_by_name;
pub use cross_validation::Candidate;
pub use decide::Reason;
pub(crate) use decide::{CLEARLY_BETTER, MAX_EXTRAPOLATION, WORTH_IT};
pub use standing::Standing;

use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::error::Error;
use crate::methods::expected::{ExpectedReport, Plan};
use crate::methods::method::{ConstraintSupport, Method, Options, report_with_absent};
use crate::metric::{Metric, checked_score};
use crate::report::estimate::{Expectation, range_of};
use crate::report::{Estimate, Fitted, Warning};
use crate::rule::Rule;
use cross_validation::{CrossValidation, Folds};
use decide::{Decision, decide, together};
use score_draws::ScoreDraws;

pub(crate) const METHOD: Method = Method {
    name: "auto",
    summary: "choose among expected, the other methods and the unadjusted black box, with a forecast (default)",
    options: &[],
    uses_metric: true,
    uses_unlabelled: true,
    needs_features: false,
    constraints: ConstraintSupport::Adjust,
    fit,
};

/// The candidate shrinkages: 0 is the unadjusted black box, 1 the rule of `expected`.
const SHRINKAGES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// The candidates and the choice of `auto`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AutoReport {
    /// The chosen method: `clean`, `expected` or another candidate.
    pub chosen: String,
    /// The reason for the choice.
    pub reason: Reason,
    /// Every method in cross-validation; empty if no rows could be held out.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub candidates: Vec<Candidate>,
    /// The report of `expected`, if it was fitted.
    #[serde(flatten)]
    pub expected: Option<ExpectedReport>,
    /// The gain of `expected`, from forecast and cross-validation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub estimated_gain: Option<Estimate>,
    /// The gain of `expected` by the forecast alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub forecast_gain: Option<Estimate>,
    /// Labelled rows in cross-validation, if it used a random subset.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cv_rows: Option<u64>,
    /// Labelled rows at which a gain like this one would outweigh the risk of a loss, if it does not yet.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows_needed: Option<u64>,
}

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options<'_>) -> Result<Fitted, Error> {
    let (rule, details, expected) = choose(sample, metric, options)?;
    let class_totals = sample.class_totals();
    let mut report = report_with_absent(sample, metric, &details);
    // Nothing else needs to be said.
    if details.reason == Reason::TooFewRows {
        report.warnings = vec![Warning::too_few_rows(class_totals.n_labelled())];
    } else if let [class] = present_classes(sample)[..] {
        report.warnings = vec![Warning::one_class(class_totals.name(class))];
    }
    report.warnings.extend(details.cv_rows.map(|rows| Warning::cv_subset(rows, sample.n_labelled())));
    Ok(Fitted::new(rule, report, sample, metric)?.expecting(expected))
}

/// The rule, the report and the metric expected on new rows.
pub(crate) fn choose(
    sample: &Sample,
    metric: &dyn Metric,
    options: &Options<'_>,
) -> Result<(Rule, AutoReport, Expectation), Error> {
    let Some(folds) = Folds::new(sample, options.seed) else {
        return keep_unadjusted(sample, metric, Reason::TooFewRows);
    };
    match choose_by_folds(sample, metric, &folds, options) {
        Err(_) if present_classes(sample).len() < 2 => keep_unadjusted(sample, metric, Reason::OneClass),
        chosen => chosen,
    }
}

fn choose_by_folds(
    sample: &Sample,
    metric: &dyn Metric,
    folds: &Folds,
    options: &Options<'_>,
) -> Result<(Rule, AutoReport, Expectation), Error> {
    let (seed, observer) = (options.seed, options.observer);
    let plan = Plan::for_fits(sample, 0.0, options)?;
    let log_weights = plan.solve(sample, metric, observer)?;
    let forecast = |shrinkage| plan.forecast(&log_weights, shrinkage, metric);
    let forecasts = SHRINKAGES.into_iter().map(forecast).collect::<Result<Vec<_>, Error>>()?;
    let cv = folds.cross_validate(&plan, &SHRINKAGES, metric, options)?;
    let gains = cv.shrunken.iter().zip(&forecasts);
    let gains: Vec<Estimate> =
        gains.map(|(tried, forecast)| together(forecast.gain, cv.gain(tried))).collect();
    let decision = decide(&cv, &forecasts, &gains, sample.n_labelled());
    let (rule, tried) = match (decision.alternative, decision.reason) {
        (Some(alternative), _) => {
            (alternative.fit(sample, metric, seed, observer)?, cv.alternative(alternative.name))
        }
        (None, Reason::Gain) => {
            (plan.rule(&log_weights, SHRINKAGES[decision.index])?, cv.shrunken.get(decision.index))
        }
        (None, _) => (Rule::clean(sample.n_classes())?, None),
    };
    let draws =
        ScoreDraws::new(plan.population(), &folds.sample, &cv, tried.unwrap_or(&cv.clean), metric, seed)?;
    let expectation = Expectation::of_draws(&draws.clean, &draws.fitted, forecasts[0].range);
    let mut report = conclude(&decision, &cv);
    report.expected = Some(plan.report(SHRINKAGES[decision.index]));
    report.cv_rows = (folds.left_out > 0).then(|| sample.n_labelled() - folds.left_out);
    Ok((rule, report, decision.gain_of_choice(&cv).map_or(expectation, |gain| expectation.with_gain(gain))))
}

/// The report of a decision, except what `expected` adds.
fn conclude(decision: &Decision, cv: &CrossValidation) -> AutoReport {
    AutoReport {
        chosen: decision.chosen().into(),
        reason: decision.reason,
        candidates: decision.candidates(cv),
        expected: None,
        estimated_gain: Some(decision.gain),
        forecast_gain: Some(decision.forecast_gain),
        cv_rows: None,
        rows_needed: decision.rows_needed,
    }
}

/// Leaves the black box unadjusted: cross-validation is impossible.
fn keep_unadjusted(
    sample: &Sample,
    metric: &dyn Metric,
    reason: Reason,
) -> Result<(Rule, AutoReport, Expectation), Error> {
    let rule = Rule::clean(sample.n_classes())?;
    let score = checked_score(metric, &rule.confusion(sample)?)?;
    let (unknown, none) = (Estimate { mean: score, sd: f64::INFINITY }, Estimate { mean: 0.0, sd: 0.0 });
    let report = AutoReport {
        chosen: "clean".into(),
        reason,
        candidates: Vec::new(),
        expected: None,
        estimated_gain: None,
        forecast_gain: None,
        cv_rows: None,
        rows_needed: None,
    };
    Ok((
        rule,
        report,
        Expectation::of_gain(unknown, none, range_of(metric, &sample.class_totals().weights())),
    ))
}

/// The classes with labelled rows.
fn present_classes(sample: &Sample) -> Vec<usize> {
    (0..sample.n_classes()).filter(|&class| sample.n_rows_of(class) > 0).collect()
}

/// Relative error of a forecast gain, because the calibrated probabilities are uncertain.
const FORECAST_ERROR: f64 = 0.3;

/// Rows at which the squared relative error is doubled: with few rows the weights overfit.
const FEW_ROWS: f64 = 200.0;

/// The expectation for a rule that was changed to meet constraints: from the forecast of the changed rule over this many
/// rows, or else from its score on the labelled rows.
pub(crate) fn changed(
    before: Expectation,
    forecast: Option<(Expectation, usize)>,
    score: f64,
) -> Expectation {
    let gain = match forecast {
        Some((forecast, rows)) => {
            let error = FORECAST_ERROR * (1.0 + FEW_ROWS / rows as f64).sqrt();
            forecast.gain.with_added_sd(error * forecast.gain.mean)
        }
        None => Estimate { mean: score - before.clean.mean, sd: f64::INFINITY },
    };
    Expectation::of_gain(before.clean, gain, before.range)
}
