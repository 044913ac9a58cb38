//! Fits of other rows with the choices of an earlier fit: much faster than to choose again.

use crate::data::Sample;
use crate::error::Error;
use crate::methods::auto::{AutoReport, alternative_by_name};
use crate::methods::expected::{ExpectedReport, Plan};
use crate::methods::method::{Method, Options};
use crate::metric::Metric;
use crate::progress::Observer;
use crate::report::FitReport;
use crate::rule::Rule;

/// Fits a sample.
pub(crate) type Refit<'a> = Box<dyn Fn(&Sample) -> Result<Rule, Error> + Sync + 'a>;

/// The fit function of a method that was fitted on the sample with this report. For `auto` it is the chosen method, or
/// `expected` if predictions stayed unchanged; for `expected`, its prior and shrinkage are kept. `None` if `auto` fitted
/// nothing.
pub(crate) fn refit<'a>(
    report: &FitReport,
    method: &'a Method,
    sample: &Sample,
    metric: &'a dyn Metric,
    options: &'a Options<'a>,
) -> Result<Option<Refit<'a>>, Error> {
    let seed = options.seed;
    let auto = report.details::<AutoReport>();
    let alternative = auto.as_ref().and_then(|auto| alternative_by_name(&auto.chosen));
    let expected = report.details::<ExpectedReport>();
    Ok(match (&auto, alternative, expected) {
        (_, Some(alternative), _) => {
            Some(Box::new(move |part| alternative.fit(part, metric, seed, Observer::default())))
        }
        (_, None, Some(expected)) => {
            let plan = Plan::new(sample, expected.mixing, seed, Observer::default())?;
            Some(Box::new(move |part| {
                let plan = plan.refit_on(part, seed)?;
                plan.rule(&plan.solve(part, metric, Observer::default())?, expected.shrinkage)
            }))
        }
        (Some(_), None, None) => None,
        (None, None, None) => Some(Box::new(|part| Ok(method.fit(part, metric, options)?.rule))),
    })
}
