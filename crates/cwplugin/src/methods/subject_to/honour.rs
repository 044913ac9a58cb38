//! From a method and constraints to a rule that keeps to them.

use super::optimism::optimism;
use crate::data::Sample;
use crate::error::Error;
use crate::evaluate::Kept;
use crate::evaluate::Outcomes;
use crate::methods::ascent::{Problem, Targets, ascend};
use crate::methods::expected::Plan;
use crate::methods::{Details, FitOptions, Fitted, Method, PairReport, Recipe, Warning};
use crate::metric::{Confusion, Metric, check_size, checked_score};
use crate::metric::{Constrained, Constraint};
use crate::rule::{Rule, Weights};

/// A metric to be maximised as far as some constraints allow.
///
/// Algorithm 1 and coordinate ascent search among what is allowed from the start. The other methods, which choose
/// weights by more than the labelled rows, go their own way first. If the rule that comes out breaks a constraint on the
/// labelled rows, `expected` and `auto` search the largest expected metric once more, among weights with which the
/// labelled rows keep to the constraints. What breaks one still goes on by coordinate ascent. Where nothing holds, the
/// least violating is kept, with a warning.
///
/// ```
/// use cwplugin::{Constraint, FitOptions, Method, Probabilities, Sample, SubjectTo, metric::MacroF1};
///
/// let p = Probabilities::new([0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8].repeat(10), 2)?;
/// let sample = Sample::new(p, (0..40).map(|row| Some(usize::from(row % 4 > 0))).collect())?;
/// let constraints = [Constraint::by_name("recall:fine>=1", &["fine".into(), "fraud".into()])?];
/// let fitted = SubjectTo::new(&MacroF1, &constraints)
///     .fit(Method::by_name("ascent")?, &sample, &FitOptions::default())?;
/// assert!(fitted.constraints().iter().all(|kept| kept.is_kept()));
/// # Ok::<(), cwplugin::Error>(())
/// ```
pub struct SubjectTo<'a, M = Box<dyn Metric>> {
    metric: &'a dyn Metric,
    constraints: &'a [Constraint<M>],
    seed: u64,
}

impl<M: Metric> std::fmt::Debug for SubjectTo<'_, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SubjectTo").field("metric", &self.metric()).field("seed", &self.seed).finish()
    }
}

impl<'a, M: Metric> SubjectTo<'a, M> {
    /// Maximises this metric subject to these constraints.
    pub fn new(metric: &'a dyn Metric, constraints: &'a [Constraint<M>]) -> Self {
        Self { metric, constraints, seed: 0 }
    }

    /// Seed of the resamples, and of whatever is drawn again.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// What a search maximises.
    pub fn metric(&self) -> Constrained<'a> {
        Constrained::new(self.metric, self.constraints)
    }

    /// Learns a rule by this method and makes it keep to the constraints.
    ///
    /// # Errors
    ///
    /// As [`Method::fit`]; and if the method does not look at a metric, or a constraint is for another number of classes
    /// or not finite.
    pub fn fit(&self, method: &Method, sample: &Sample, options: &FitOptions) -> Result<Fitted, Error> {
        if !method.takes_constraints() {
            return Err(Error::NotConstrainable { method: method.name.into() });
        }
        self.check(sample)?;
        let is_search = matches!(method.recipe, Recipe::Plugin(_) | Recipe::Ascent);
        let fitted = if is_search {
            method.fit(sample, &self.metric(), options)?
        } else {
            method.fit(sample, &self.metric, options)?
        };
        self.honour(fitted, sample)
    }

    /// Refuses constraints that are for another number of classes.
    fn check(&self, sample: &Sample) -> Result<(), Error> {
        self.constraints.iter().try_for_each(|kept| check_size(kept.metric(), sample.n_classes()))
    }

    /// Makes a rule that was fitted on this sample keep to the constraints.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, or a metric is for another number of classes or not finite.
    pub fn honour(&self, fitted: Fitted, sample: &Sample) -> Result<Fitted, Error> {
        self.check(sample)?;
        let rows = sample.labelled();
        let constrained = self.metric();
        let is_allowed = |rule: &Rule| -> Result<bool, Error> {
            Ok(Constrained::is_allowed(checked_score(&constrained, &rule.confusion(&rows)?)?))
        };
        let found = fitted.rule();
        let plan = if is_allowed(found)? { None } else { self.plan(&fitted, sample)? };
        let start = match &plan {
            None => found.clone(),
            Some(plan) => plan.rule(&plan.solve_within(sample, &self.metric, &constrained)?, 1.0)?,
        };
        let rule = if is_allowed(&start)? { start } else { self.repair(&start, &rows)? };
        let is_repaired = rule != *found;

        let clean = Rule::clean(sample.n_classes())?;
        let is_clean_allowed = is_allowed(&clean)?;
        let before = checked_score(self.metric, &clean.confusion(&rows)?)?;
        let after = checked_score(self.metric, &rule.confusion(&rows)?)?;
        let mut outcomes = Outcomes::new(sample.n_classes());
        outcomes.add_sample(&rows, &rule)?;
        let better = optimism(self.constraints, &constrained, &rule, &rows, self.seed)?;
        let kept = Kept::of_chosen(self.constraints, &outcomes, &better, self.seed)?;
        let mut fitted = fitted.constrained(rule, kept, is_repaired).scored(before, after);
        let rule = fitted.rule().clone();
        let unmet = Warning::unmet(fitted.constraints());
        let report = fitted.report_mut();
        report.metric = self.metric.name().into();
        report.warnings.extend(unmet);
        if !is_clean_allowed {
            // The black box is no choice: to score below it is the price of the constraints.
            report.warnings.retain(|warning| !matches!(warning, Warning::BelowClean { .. }));
        }
        match &mut report.details {
            Details::Plugin(plugin) => {
                let reference = plugin.reference;
                for pair in &mut plugin.pairs {
                    self.rescore(pair, reference, &rows)?;
                }
            }
            Details::Ascent(ascent) => ascent.score = after,
            Details::Expected(expected) => {
                if let Some(plan) = plan {
                    expected.forecast = plan.forecast_of(&rule, &self.metric)?;
                }
            }
            Details::Auto(auto) if is_repaired => {
                let forecast = plan.map(|plan| plan.forecast_of(&rule, &self.metric));
                auto.repaired(forecast.transpose()?, after);
            }
            _ => {}
        }
        Ok(fitted)
    }

    /// What `expected` knows of new rows, if it had a part in the rule.
    fn plan(&self, fitted: &Fitted, sample: &Sample) -> Result<Option<Plan>, Error> {
        let expected = fitted.report().expected();
        expected.map(|expected| Plan::new(sample, expected.mixing, self.seed)).transpose()
    }

    /// The best weights behind the rule's calibration that keep to the constraints, or come nearest.
    fn repair(&self, rule: &Rule, rows: &Sample) -> Result<Rule, Error> {
        let census = rows.census();
        let is_free: Vec<bool> =
            (0..rows.n_classes()).map(|class| census.rows(class) > 0 && census.probable[class]).collect();
        let probabilities = rule.outlook(rows)?;
        let targets = Targets::Labels { labels: rows.labels(), weights: rows.weights() };
        let problem = Problem { probabilities: &probabilities, targets, is_free: &is_free };
        let metric = self.metric();
        let mut starts = vec![rule.weights().clone(), Weights::uniform(rows.n_classes())?];
        // The largest gap may be stuck where all of them together are not.
        starts.push(ascend(&problem, &Gaps(&metric), &starts[..1])?.weights);
        let found = ascend(&problem, &metric, &starts)?;
        Rule::new(rule.calibration().cloned(), found.weights)
    }

    /// A pair on which nothing is allowed has a score all the same: that of the metric alone.
    fn rescore(&self, pair: &mut PairReport, reference: usize, rows: &Sample) -> Result<(), Error> {
        if Constrained::is_allowed(pair.peak.score) {
            return Ok(());
        }
        let alpha = pair.peak.alpha;
        let (mut moved, mut totals) = ([0.0; 2], [0.0; 2]);
        for row in 0..rows.n_rows() {
            let Some(side) = [pair.class, reference].iter().position(|&class| rows.label(row) == Some(class))
            else {
                continue;
            };
            let [b_k, b_r] = [pair.class, reference].map(|class| rows.probabilities().get(row, class));
            totals[side] += rows.weight(row);
            if alpha * b_k > (1.0 - alpha) * b_r {
                moved[side] += rows.weight(row);
            }
        }
        let mut confusion = Confusion::pair(pair.class, reference);
        confusion.set_pair(moved, totals);
        pair.peak.score = checked_score(self.metric, &confusion)?;
        Ok(())
    }
}

/// All gaps together; larger is better.
struct Gaps<'a>(&'a Constrained<'a>);

impl Metric for Gaps<'_> {
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
