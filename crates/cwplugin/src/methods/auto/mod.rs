//! `auto`: chooses the method that the labels support, and leaves the black box unadjusted where they support none.
//!
//! It fits `expected` and cross-validates it beside Algorithm 1, coordinate ascent and `bagged`. Of the rules between
//! the unadjusted black box and that of `expected` it takes the one whose forecast gain minus half a standard deviation
//! is largest, or the largest smaller one for which forecast and cross-validation together show a gain above its own
//! uncertainty; if there is none, predictions stay unchanged. If another method was clearly better in
//! cross-validation, that one is taken.

mod rivals; // methods that may replace `expected`
mod scored; // what predictions are worth, give or take chance
mod trials; // every method on rows that it has not seen
mod decide; // what to make of it

pub use decide::Reason;
pub(crate) use rivals::rival_by_name;
pub use trials::Candidate;

use serde::{Deserialize, Serialize};

use crate::data::Sample;
use crate::error::Error;
use crate::methods::expected::{self, ExpectedReport, Plan};
use crate::methods::method::{ConstraintSupport, Method, Options};
use crate::metric::{Metric, checked_score};
use crate::report::estimate::{Expectation, range_of};
use crate::report::{Estimate, FitReport, Fitted, Warning};
use crate::rule::Rule;
use decide::{Decision, Way, decide, doubted};
use trials::Trials;

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

/// How far the rule may go from the unadjusted black box to that of `expected`.
const SHRINKAGES: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// What `auto` tried and chose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AutoReport {
    /// The chosen method: `clean`, `expected` or another candidate.
    pub chosen: String,
    /// Why.
    pub reason: Reason,
    /// Every method in cross-validation; empty if no rows could be held out.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub candidates: Vec<Candidate>,
    /// What `expected` found, if there was anything to learn from.
    #[serde(flatten)]
    pub expected: Option<ExpectedReport>,
    /// The gain of `expected` by forecast and cross-validation together.
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
        _ => expected::report(sample, metric, &details),
    };
    Ok(Fitted::new(rule, report, sample, metric)?.expecting(expected))
}

/// The rule, how it was chosen, and the metric expected on new rows.
pub(crate) fn choose(
    sample: &Sample,
    metric: &dyn Metric,
    seed: u64,
) -> Result<(Rule, AutoReport, Expectation), Error> {
    let present = (0..sample.n_classes()).filter(|&class| sample.n_rows_of(class) > 0).count();
    let clean = Rule::clean(sample.n_classes())?;
    if present < 2 {
        return stay(sample, metric, Reason::OneClass);
    }
    let Some(mut trials) = Trials::new(sample, seed) else {
        return stay(sample, metric, Reason::TooFewRows);
    };
    let plan = Plan::new(sample, 0.0, seed)?;
    let log_weights = plan.solve(sample, &metric)?;
    let way = |shrinkage| {
        let forecast = plan.forecast(&log_weights, shrinkage, &metric)?;
        Ok(Way { forecast, rows: plan.n_rows() })
    };
    let ways = SHRINKAGES.map(way).into_iter().collect::<Result<Vec<_>, Error>>()?;
    trials.try_out(&plan, &SHRINKAGES, metric)?;
    let level = trials.level(ways[0].forecast.clean);
    let Decision { way, rival, gain, reason, rows_needed } =
        decide(&trials, &ways, level, sample.n_labelled());
    let range = ways[way].forecast.range;
    let (rule, chosen, promised) = match (rival, reason) {
        (Some(rival), _) => {
            ((rival.fit)(sample, metric, seed, None)?, rival.name, trials.gain_of(rival.name))
        }
        (None, Reason::Gain) => (plan.rule(&log_weights, SHRINKAGES[way])?, "expected", gain),
        (None, _) => (clean, "clean", Estimate { mean: 0.0, sd: 0.0 }),
    };
    let report = AutoReport {
        chosen: chosen.into(),
        reason,
        candidates: trials.candidates(way),
        expected: Some(plan.report(SHRINKAGES[way])),
        estimated_gain: Some(gain),
        rows_needed,
    };
    Ok((rule, report, Expectation::of_gain(level, promised, range)))
}

/// Leaves the black box unadjusted, since nothing else can be judged.
fn stay(
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

/// The report where nothing was learned about any class: that is the one warning.
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

/// The expectation for a rule that was changed to meet constraints: by the forecast of the changed rule over so many rows, or
/// by nothing but its score on the labelled rows.
pub(crate) fn changed(
    before: Expectation,
    forecast: Option<(Expectation, usize)>,
    score: f64,
) -> Expectation {
    let gain = match forecast {
        Some((forecast, rows)) => doubted(forecast.gain, rows),
        None => Estimate { mean: score - before.clean.mean, sd: f64::INFINITY },
    };
    Expectation::of_gain(before.clean, gain, before.range)
}
