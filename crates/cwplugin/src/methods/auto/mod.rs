//! `auto`: chooses the method that the labels support, or leaves the black box unadjusted.
//!
//! It fits `expected` and cross-validates it together with Algorithm 1, coordinate ascent and `bagged`. Among the
//! shrinkages of `expected` it takes the one with the largest forecast gain minus half a standard deviation. If that gain,
//! by forecast and cross-validation, does not exceed its uncertainty, it takes the largest smaller shrinkage for which it
//! does. If there is none, predictions stay unchanged. A method that was clearly better in cross-validation replaces
//! `expected`.

mod alternatives; // the alternatives to `expected`
mod scored; // scores of predictions, with their uncertainty
mod cross_validation; // cross-validation of every method
mod decide; // the choice

pub(crate) use alternatives::alternative_by_name;
pub use cross_validation::Candidate;
pub use decide::Reason;
pub(crate) use decide::{MAX_EXTRAPOLATION, MIN_GAIN};

use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::error::Error;
use crate::methods::expected::{ExpectedReport, Plan};
use crate::methods::method::{ConstraintSupport, Method, Options, report_with_absent};
use crate::metric::{Metric, checked_score};
use crate::report::estimate::{Expectation, range_of};
use crate::report::{Estimate, FitReport, Fitted, Warning};
use crate::rule::Rule;
use cross_validation::Folds;
use decide::{Decision, decide, with_forecast_error};

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
    /// Labelled rows at which a gain like this one would exceed its uncertainty, if it does not yet.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows_needed: Option<u64>,
}

fn fit(sample: &Sample, metric: &dyn Metric, options: &Options) -> Result<Fitted, Error> {
    let (rule, details, expected) = choose(sample, metric, options.seed)?;
    let report = match details.reason {
        Reason::OneClass | Reason::TooFewRows => nothing_learned(sample, metric, &details),
        _ => report_with_absent(sample, metric, &details),
    };
    Ok(Fitted::new(rule, report, sample, metric)?.expecting(expected))
}

/// The rule, the report and the metric expected on new rows.
pub(crate) fn choose(
    sample: &Sample,
    metric: &dyn Metric,
    seed: u64,
) -> Result<(Rule, AutoReport, Expectation), Error> {
    let present = (0..sample.n_classes()).filter(|&class| sample.n_rows_of(class) > 0).count();
    if present < 2 {
        return keep_unadjusted(sample, metric, Reason::OneClass);
    }
    let Some(folds) = Folds::new(sample, seed) else {
        return keep_unadjusted(sample, metric, Reason::TooFewRows);
    };
    let plan = Plan::new(sample, 0.0, seed)?;
    let log_weights = plan.solve(sample, metric)?;
    let forecast = |shrinkage| plan.forecast(&log_weights, shrinkage, metric);
    let forecasts = SHRINKAGES.into_iter().map(forecast).collect::<Result<Vec<_>, Error>>()?;
    let cv = folds.cross_validate(&plan, &SHRINKAGES, metric)?;
    let clean_score = cv.clean_score(forecasts[0].clean);
    let Decision { index, alternative, gain, reason, rows_needed } =
        decide(&cv, &forecasts, plan.n_rows(), clean_score, sample.n_labelled());
    let range = forecasts[index].range;
    let (rule, chosen, estimated) = match (alternative, reason) {
        (Some(alternative), _) => {
            ((alternative.fit)(sample, metric, seed, None)?, alternative.name, cv.gain_of(alternative.name))
        }
        (None, Reason::Gain) => (plan.rule(&log_weights, SHRINKAGES[index])?, "expected", gain),
        (None, _) => (Rule::clean(sample.n_classes())?, "clean", Estimate { mean: 0.0, sd: 0.0 }),
    };
    let report = AutoReport {
        chosen: chosen.into(),
        reason,
        candidates: cv.candidates(index),
        expected: Some(plan.report(SHRINKAGES[index])),
        estimated_gain: Some(gain),
        rows_needed,
    };
    Ok((rule, report, Expectation::of_gain(clean_score, estimated, range)))
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
        rows_needed: None,
    };
    Ok((
        rule,
        report,
        Expectation::of_gain(unknown, none, range_of(metric, &sample.class_totals().weights())),
    ))
}

/// The report if no class could be learned, with that as the only warning.
fn nothing_learned(sample: &Sample, metric: &dyn Metric, details: &AutoReport) -> FitReport {
    let class_totals = sample.class_totals();
    let mut report = FitReport::new(metric.name(), class_totals, details);
    report.warnings = if details.reason == Reason::TooFewRows {
        vec![Warning::too_few_rows(class_totals.n_labelled())]
    } else {
        let class = (0..class_totals.n_classes()).find(|&class| class_totals.rows(class) > 0);
        class.map(|class| Warning::one_class(class_totals.name(class))).into_iter().collect()
    };
    report
}

/// The expectation for a rule that was changed to meet constraints: from the forecast of the changed rule over this many
/// rows, or else from its score on the labelled rows.
pub(crate) fn changed(
    before: Expectation,
    forecast: Option<(Expectation, usize)>,
    score: f64,
) -> Expectation {
    let gain = match forecast {
        Some((forecast, rows)) => with_forecast_error(forecast.gain, rows),
        None => Estimate { mean: score - before.clean.mean, sd: f64::INFINITY },
    };
    Expectation::of_gain(before.clean, gain, before.range)
}
