//! Adjusts a rule until it meets the constraints.

use super::optimism::optimism;
use crate::data::Sample;
use crate::error::Error;
use crate::evaluate::{ConstraintStatus, Outcomes};
use crate::methods::ascent::{Problem, Rows, ascend};
use crate::methods::auto::{self, AutoReport};
use crate::methods::expected::{ExpectedReport, Plan};
use crate::methods::method::{ConstraintSupport, Method, Options};
use crate::metric::{Confusion, Constrained, Constraint, Metric, check_size, checked_score};
use crate::plugin::PluginReport;
use crate::progress::Observer;
use crate::report::{FitReport, Fitted, ScorePair, Warning};
use crate::rule::{Rule, Weights};

/// A metric to be maximised subject to constraints.
///
/// Algorithm 1 and coordinate ascent search among the rules that meet the constraints. The other methods fit without them
/// first. If the rule violates a constraint on the labelled rows, `expected` and `auto` maximise the expected metric
/// again, among weights that meet the constraints on the labelled rows. Coordinate ascent improves what still violates
/// one. If nothing meets all constraints, the least violating rule is kept, with a warning.
pub(crate) struct SubjectTo<'a> {
    pub(crate) metric: &'a dyn Metric,
    pub(crate) constraints: &'a [Constraint],
    pub(crate) seed: u64,
}

impl<'a> SubjectTo<'a> {
    /// The objective of a search.
    fn constrained(&self) -> Constrained<'a> {
        Constrained::new(self.metric, self.constraints)
    }

    /// Fits by this method and enforces the constraints.
    pub(crate) fn fit(
        &self,
        method: &Method,
        sample: &Sample,
        options: &Options<'_>,
    ) -> Result<Fitted, Error> {
        self.constraints.iter().try_for_each(|limit| check_size(limit.metric(), sample.n_classes()))?;
        let fitted = match method.constraints {
            ConstraintSupport::None => {
                return Err(Error::NotConstrainable { method: method.name.into() });
            }
            ConstraintSupport::Search => method.fit(sample, &self.constrained(), options)?,
            ConstraintSupport::Adjust => method.fit(sample, self.metric, options)?,
        };
        self.enforce(fitted, sample, options.observer)
    }

    /// Adjusts a rule that was fitted on this sample until it meets the constraints.
    fn enforce(&self, mut fitted: Fitted, sample: &Sample, observer: Observer<'_>) -> Result<Fitted, Error> {
        let rows = sample.labelled();
        let constrained = self.constrained();
        let is_allowed = |rule: &Rule| -> Result<bool, Error> {
            Ok(Constrained::is_allowed(checked_score(&constrained, &rule.confusion(&rows)?)?))
        };
        let plan =
            if is_allowed(&fitted.rule)? { None } else { self.plan(&fitted.report, sample, observer)? };
        let start = match &plan {
            None => fitted.rule.clone(),
            Some(plan) => plan.rule(&plan.solve_within(sample, self.metric, &constrained, observer)?, 1.0)?,
        };
        let rule = if is_allowed(&start)? { start } else { self.repair(&start, &rows, observer)? };
        let is_changed = rule != fitted.rule;

        let clean = Rule::clean(sample.n_classes())?;
        let is_clean_allowed = is_allowed(&clean)?;
        let before = checked_score(self.metric, &clean.confusion(&rows)?)?;
        let after = checked_score(self.metric, &rule.confusion(&rows)?)?;
        let mut outcomes = Outcomes::new(sample.n_classes());
        outcomes.add_sample(&rows, &rule)?;
        let better = optimism(self.constraints, &constrained, &rule, &rows, (self.seed, observer))?;
        let status = ConstraintStatus::of_chosen(self.constraints, &outcomes, &better, self.seed)?;

        fitted.rule = rule;
        fitted.report.metric = Some(self.metric.name().into());
        fitted.report.adjusted = Some(is_changed);
        fitted.report.set_score(ScorePair { clean: before, fitted: after });
        if !is_clean_allowed {
            // The unadjusted black box violates a constraint, so a lower score is expected.
            fitted.report.warnings.retain(|warning| warning.kind != Warning::BELOW_CLEAN);
        }
        fitted.report.warnings.extend(Warning::unmet(&status));
        fitted.report.constraints = status;
        self.rescore_pairs(&mut fitted.report, &rows)?;
        let forecast = plan.map(|plan| Ok((plan.forecast_of(&fitted.rule, self.metric)?, plan.n_rows())));
        let forecast = forecast.transpose()?;
        Ok(match (fitted.expectation, fitted.report.details::<AutoReport>()) {
            (Some(expectation), Some(_)) if is_changed => {
                fitted.expecting(auto::changed(expectation, forecast, after))
            }
            (Some(_), None) => match forecast {
                Some((forecast, _)) => fitted.expecting(forecast),
                None => fitted,
            },
            _ => fitted,
        })
    }

    /// The plan of `expected`, if the rule is based on it.
    fn plan(
        &self,
        report: &FitReport,
        sample: &Sample,
        observer: Observer<'_>,
    ) -> Result<Option<Plan>, Error> {
        let expected = report.details::<ExpectedReport>();
        expected.map(|expected| Plan::new(sample, expected.mixing, self.seed, observer)).transpose()
    }

    /// The best weights after the rule's calibration that meet the constraints, or violate them least.
    fn repair(&self, rule: &Rule, rows: &Sample, observer: Observer<'_>) -> Result<Rule, Error> {
        let calibrated = rule.calibrated_probabilities(rows)?;
        let problem = Problem { rows: Rows::Of(&calibrated), ..Problem::of(rows) };
        let metric = self.constrained();
        let mut starts = vec![rule.weights().clone(), Weights::uniform(rows.n_classes())?];
        // The largest violation may be a local optimum where the sum of violations is not.
        starts.push(ascend(&problem, &TotalViolation(&metric), &starts[..1], observer)?.maximum.weights);
        let found = ascend(&problem, &metric, &starts, observer)?.maximum;
        Rule::new(rule.calibration().cloned(), found.weights)
    }

    /// Scores pairs of Algorithm 1 for which no α meets the constraints by the metric alone.
    fn rescore_pairs(&self, report: &mut FitReport, rows: &Sample) -> Result<(), Error> {
        let Some(mut plugin) = report.details::<PluginReport>() else { return Ok(()) };
        let index = |name: &String| rows.classes().iter().position(|class| class == name);
        for pair in plugin.pairs.iter_mut().filter(|pair| !Constrained::is_allowed(pair.score)) {
            if let (Some(class), Some(reference)) = (index(&pair.class), index(&plugin.reference)) {
                pair.score = checked_score(self.metric, &pair_confusion(rows, class, reference, pair.alpha))?;
            }
        }
        *report = std::mem::take(report).with_details(&plugin);
        Ok(())
    }
}

/// The confusion matrix of the rows of two classes, separated by α.
fn pair_confusion(rows: &Sample, class: usize, reference: usize, alpha: f64) -> Confusion {
    let (mut moved, mut totals) = ([0.0; 2], [0.0; 2]);
    for row in 0..rows.n_rows() {
        let Some(side) = [class, reference].iter().position(|&class| rows.label(row) == Some(class)) else {
            continue;
        };
        let [b_k, b_r] = [class, reference].map(|class| rows.probabilities().get(row, class));
        totals[side] += rows.weight(row);
        if alpha * b_k > (1.0 - alpha) * b_r {
            moved[side] += rows.weight(row);
        }
    }
    let mut confusion = Confusion::pair(class, reference);
    confusion.set_pair(moved, totals);
    confusion
}

/// The negative sum of all violations.
struct TotalViolation<'a>(&'a Constrained<'a>);

impl Metric for TotalViolation<'_> {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn score(&self, confusion: &Confusion) -> f64 {
        -self.0.gaps(confusion).map(|gap| gap.max(0.0)).sum::<f64>()
    }
    fn is_by_class(&self) -> bool {
        self.0.is_by_class()
    }
}
