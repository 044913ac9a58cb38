//! Fits a model: a method with its options.

use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::data::bootstrap::Strata;
use crate::data::{Copies, Fingerprint, RowChecks, Sample};
use crate::error::Error;
use crate::evaluate::Outcomes;
use crate::methods::METHODS;
use crate::methods::auto::AutoReport;
use crate::methods::method::{Method, Options};
use crate::methods::refit::{Refit, refit};
use crate::methods::subject_to::SubjectTo;
use crate::methods::{cwplugin, expected};
use crate::metric::{Constraint, Metric};
use crate::model::Model;
use crate::numeric::parallel;
use crate::plugin::{Plugin, Settings, Statistics};
use crate::progress::{Observer, Progress};
use crate::report::{FitReport, Fitted, LearningCurve};
use crate::rule::Rule;

/// Fits a decision rule that maximises a metric.
///
/// ```
/// use cwplugin::{Fit, Sample, metric::MacroF1};
///
/// // A black box that over-predicts the first class.
/// let rows = [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]].repeat(20);
/// let labels = ["ham", "spam", "spam", "spam"].repeat(20);
/// let sample = Sample::from_rows(rows, &["ham", "spam"])?.labels(labels)?;
/// let model = Fit::new(MacroF1).method("ascent").fit(&sample)?;
/// let score = model.report().and_then(|report| report.score).unwrap();
/// assert!(score.fitted > score.clean);
/// # Ok::<(), cwplugin::Error>(())
/// ```
pub struct Fit<'a> {
    metric: Box<dyn Metric + 'a>,
    /// An unknown name becomes an error of the fit, so that setters can be chained.
    method: Result<&'static Method, Error>,
    options: Options<'static>,
    limits: Vec<String>,
    constraints: Vec<Constraint>,
}

impl fmt::Debug for Fit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fit")
            .field("metric", &self.metric.name())
            .field("method", &self.method)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<'a> Fit<'a> {
    /// Maximises this metric by the default method, `auto`.
    pub fn new(metric: impl Metric + 'a) -> Self {
        Self {
            metric: Box::new(metric),
            method: Ok(&METHODS[0]),
            options: Options::default(),
            limits: Vec::new(),
            constraints: Vec::new(),
        }
    }

    /// The fit described by the report of a model; `metric` is its metric. `None` if the model has no report, or a
    /// constraint needs a file or a program.
    pub fn again(model: &Model, metric: impl Metric + 'a) -> Option<Self> {
        let report = model.report()?;
        let constraints = model.constraints();
        (constraints.len() == report.constraints.len()).then_some(())?;
        let (values, unscored) = (report.options.clone(), report.score.is_none());
        let options = Options { values, seed: report.seed?, unscored, ..Options::default() };
        let method = Ok(Method::by_name(&report.method).ok()?);
        Some(Self { metric: Box::new(metric), method, options, limits: Vec::new(), constraints })
    }

    /// Uses this method; [`METHODS`] lists them.
    pub fn method(self, name: &str) -> Self {
        Self { method: Method::by_name(name), ..self }
    }

    /// Sets an option of the method, e.g. `"search"` to `"grid:0.01"`.
    #[allow(clippy::needless_pass_by_value)] // callers pass numbers and names directly
    pub fn option(mut self, name: &str, value: impl ToString) -> Self {
        self.options.values.insert(name.into(), value.to_string());
        self
    }

    /// Seed of everything random [default: 0].
    pub fn seed(mut self, seed: u64) -> Self {
        self.options.seed = seed;
        self
    }

    /// Maximises the metric among the rules that meet this constraint, e.g. `precision:fraud>=0.9`.
    pub fn subject_to(mut self, constraint: &str) -> Self {
        self.limits.push(constraint.into());
        self
    }

    /// [`Fit::subject_to`] for constraints on any metric.
    pub fn constraints(mut self, constraints: impl IntoIterator<Item = Constraint>) -> Self {
        self.constraints.extend(constraints);
        self
    }

    /// Skips the scores before and after in Algorithm 1, about half of its work.
    pub fn unscored(mut self) -> Self {
        self.options.unscored = true;
        self
    }

    /// The settings of Algorithm 1, for fits from counts of cuts; `None` for another method.
    ///
    /// # Errors
    ///
    /// If an option is not supported or its value is invalid.
    pub fn plugin_settings(&self, classes: &[String]) -> Result<Option<Settings>, Error> {
        let own = cwplugin::settings(self.checked_method()?);
        own.map(|_| Ok(self.plugin(classes)?.settings)).transpose()
    }

    /// Fits a model.
    ///
    /// # Errors
    ///
    /// If the sample has no usable rows, the metric is for another number of classes or not finite, the method does not
    /// support an option, or the sample lacks something that the method needs.
    pub fn fit(&self, sample: &Sample) -> Result<Model, Error> {
        self.fit_with_progress(sample, &())
    }

    /// [`Fit::fit`], with its progress: the stages of the method. The model is the same.
    ///
    /// # Errors
    ///
    /// As [`Fit::fit`].
    pub fn fit_with_progress(&self, sample: &Sample, progress: &dyn Progress) -> Result<Model, Error> {
        let options = Options { observer: Observer::new(progress), ..self.options.clone() };
        let mut checks = RowChecks::default();
        checks.add(sample);
        let (sample, copies) = merged(sample);
        let sample = &*sample;
        let model = self.model(sample.classes(), self.fit_with(sample, &options)?)?;
        let model = model.with_checks(&checks).with_copies(copies.as_ref());
        if sample.n_labelled() >= Fingerprint::MAX_ROWS {
            return Ok(model);
        }
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(sample);
        Ok(model.with_fingerprint(fingerprint))
    }

    /// Fits a model by Algorithm 1 from counts of cuts instead of rows, with their grid and reference. The report has no
    /// score, because counts of pairs do not determine it.
    ///
    /// # Errors
    ///
    /// As [`Fit::fit`].
    pub fn fit_statistics(&self, statistics: &Statistics) -> Result<Model, Error> {
        let classes = statistics.classes();
        self.model(classes, self.plugin(classes)?.fit_statistics(statistics)?)
    }

    /// Fits a model from counts of cuts against each candidate reference, with the outcomes of each fit. Equals the fit on
    /// the rows with the grid of the statistics, to the last bit.
    ///
    /// # Errors
    ///
    /// As [`Fit::fit`], and if the statistics of a candidate reference are missing.
    pub fn fit_counted(&self, counted: &[(&Statistics, &Outcomes)]) -> Result<Model, Error> {
        let Some((first, _)) = counted.first() else { return Err(Error::NoLabelledRows) };
        let classes = first.classes();
        self.model(classes, self.plugin(classes)?.fit_counted(counted)?)
    }

    /// A model of a given rule, with the report and forecast of the method `expected` on these rows; for a rule that was
    /// fitted on more rows.
    ///
    /// # Errors
    ///
    /// As [`Fit::fit`], or if the rule is for another number of classes.
    pub fn report_on(&self, sample: &Sample, rule: Rule) -> Result<Model, Error> {
        let mixing = self.options.read("mixing", expected::read_mixing)?.unwrap_or_default();
        let (sample, copies) = merged(sample);
        let sample = &*sample;
        let fitted = expected::fit_given_rule(sample, &*self.metric, rule, mixing, self.options.seed)?;
        Ok(self.model(sample.classes(), fitted)?.with_copies(copies.as_ref()))
    }

    /// The gain against the number of labels, for a model of this fit; `done` is called with the number of finished fits.
    ///
    /// # Errors
    ///
    /// As [`Fit::fit`].
    pub fn learning_curve(
        &self,
        model: &Model,
        sample: &Sample,
        done: impl Fn(usize) + Sync,
    ) -> Result<LearningCurve, Error> {
        let method = self.checked_method()?;
        let (sample, _) = merged(sample);
        let sample = &*sample;
        if self.is_constrained() || method.option("search").is_some() {
            let options = Options { unscored: true, ..self.options.clone() };
            let fit = |part: &Sample| Ok(self.fit_with(part, &options)?.rule);
            return Ok(LearningCurve::of_fits(fit, sample, &*self.metric, self.options.seed, done));
        }
        let unknown = FitReport::default();
        let report = model.report().unwrap_or(&unknown);
        LearningCurve::of(report, method, sample, &*self.metric, &self.options, done)
    }

    /// The rules fitted on bootstrap samples, stratified by class, for a model of this fit; unlabelled rows are not resampled.
    /// Of `auto` it is the chosen method that is refitted, and `expected` keeps its prior and shrinkage. Samples that cannot
    /// be fitted are left out. `done` is called with the number of finished fits.
    ///
    /// # Errors
    ///
    /// If no sample can be fitted.
    pub fn bootstrap(
        &self,
        model: &Model,
        sample: &Sample,
        n_bootstrap: usize,
        done: impl Fn(usize) + Sync,
    ) -> Result<Vec<Rule>, Error> {
        let (sample, _) = merged(sample);
        let sample = &*sample;
        let labelled = sample.labelled_rows();
        let labels: Vec<u32> = labelled.iter().map(|&row| sample.label_indices()[row]).collect();
        let strata = Strata::new(&labels, sample.n_classes());
        let unlabelled: Vec<usize> =
            (0..sample.n_rows()).filter(|&row| sample.label(row).is_none()).collect();
        let refit = self.refit(model, sample)?;
        let n_done = AtomicUsize::new(0);
        let fits = parallel::map((0..n_bootstrap).collect(), |i| {
            let drawn = strata.draw(self.options.seed, i);
            let rows = labelled.iter().zip(drawn).flat_map(|(&row, times)| vec![row; times as usize]);
            let rows: Vec<usize> = rows.chain(unlabelled.iter().copied()).collect();
            let rule = refit(&sample.select(&rows));
            done(n_done.fetch_add(1, Ordering::Relaxed) + 1);
            rule
        });
        let (rules, errors): (Vec<_>, Vec<_>) = fits.into_iter().partition(Result::is_ok);
        match errors.into_iter().next() {
            Some(Err(error)) if rules.is_empty() => Err(error),
            _ => rules.into_iter().collect(),
        }
    }

    /// Fits samples as the model was fitted, with its choices.
    fn refit<'b>(&'b self, model: &Model, sample: &Sample) -> Result<Refit<'b>, Error> {
        if !self.is_constrained() {
            let unknown = FitReport::default();
            let report = model.report().unwrap_or(&unknown);
            let has_choice = report.details::<AutoReport>().is_none_or(|auto| auto.chosen != "clean");
            let refit = refit(report, self.checked_method()?, sample, &*self.metric, &self.options)?;
            if let Some(refit) = refit.filter(|_| has_choice) {
                return Ok(refit);
            }
        }
        Ok(Box::new(|part| Ok(self.fit_rule(part)?.rule)))
    }

    fn is_constrained(&self) -> bool {
        !self.constraints.is_empty() || !self.limits.is_empty()
    }

    fn fit_rule(&self, sample: &Sample) -> Result<Fitted, Error> {
        self.fit_with(sample, &self.options)
    }

    fn fit_with(&self, sample: &Sample, options: &Options<'_>) -> Result<Fitted, Error> {
        let method = self.checked_method()?;
        let limits = self.limits.iter().map(|text| Constraint::by_name(text, sample.classes()));
        let constraints = self.constraints.iter().cloned().map(Ok).chain(limits);
        let constraints = constraints.collect::<Result<Vec<_>, Error>>()?;
        if constraints.is_empty() {
            return method.fit(sample, &*self.metric, options);
        }
        let seed = options.seed;
        SubjectTo { metric: &*self.metric, constraints: &constraints, seed }.fit(method, sample, options)
    }

    /// The method, if it supports all options.
    fn checked_method(&self) -> Result<&'static Method, Error> {
        let method = self.method.clone()?;
        for (name, value) in &self.options.values {
            match method.option(name) {
                Some(option) => option.check(value)?,
                None => {
                    return Err(Error::UnsupportedOption {
                        option: name.clone(),
                        method: method.name.into(),
                    });
                }
            }
        }
        Ok(method)
    }

    fn plugin(&self, classes: &[String]) -> Result<Plugin<'_>, Error> {
        let method = self.checked_method()?;
        let own = cwplugin::settings(method);
        let own = own.ok_or_else(|| Error::NeedsRows { method: method.name.into() })?;
        cwplugin::plugin(&*self.metric, &self.options, own, classes)
    }

    fn model(&self, classes: &[String], fitted: Fitted) -> Result<Model, Error> {
        let Fitted { rule, mut report, .. } = fitted;
        report.method = self.method.clone()?.name.into();
        report.options.clone_from(&self.options.values);
        report.seed = Some(self.options.seed);
        Model::of_fit(classes, rule, report)
    }
}

/// The sample with one row for all copies of it, if it has copies.
fn merged(sample: &Sample) -> (Cow<'_, Sample>, Option<Copies>) {
    let copies = Copies::find(sample);
    match copies.as_ref().and_then(|copies| copies.merged(sample)) {
        Some(merged) => (Cow::Owned(merged), copies),
        None => (Cow::Borrowed(sample), None),
    }
}
