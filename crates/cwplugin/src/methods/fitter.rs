//! A method with all that it needs but the rows: one place for every face.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::data::Sample;
use crate::error::Error;
use crate::methods::bagged::Strata;
use crate::methods::{FitOptions, Fitted, LearningCurve, Method, Recipe, SubjectTo};
use crate::metric::{Constraint, Metric};
use crate::numeric::parallel;
use crate::plugin::{Plugin, Settings};
use crate::rule::Rule;

/// A method with its metric, its settings and its constraints, ready for rows.
///
/// ```
/// use cwplugin::{FitOptions, Fitter, Method, Probabilities, Sample, Search, Settings, Step, metric::MacroF1};
///
/// let p = Probabilities::new(vec![0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8], 2)?;
/// let sample = Sample::new(p, vec![Some(0), Some(1), Some(1), Some(1)])?;
/// let settings = Settings { search: Search::Grid(Step::HUNDREDTH), ..Settings::EXACT };
/// let fitted = Fitter::new(Method::by_name("cwplugin")?, &MacroF1, FitOptions::default())
///     .settings(settings)
///     .fit(&sample)?;
/// assert_eq!(fitted.report().plugin().map(|plugin| plugin.search), Some(settings.search));
/// # Ok::<(), cwplugin::Error>(())
/// ```
pub struct Fitter<'a, M = Box<dyn Metric>> {
    method: &'a Method,
    metric: &'a dyn Metric,
    options: FitOptions,
    settings: Option<Settings>,
    any_metric: bool,
    unscored: bool,
    subject: Option<SubjectTo<'a, M>>,
}

impl<M> std::fmt::Debug for Fitter<'_, M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { method, options, settings, .. } = self;
        f.debug_struct("Fitter")
            .field("method", &method.name)
            .field("metric", &self.metric.name())
            .field("options", options)
            .field("settings", settings)
            .finish_non_exhaustive()
    }
}

impl<'a> Fitter<'a> {
    /// The method as it is.
    pub fn new(method: &'a Method, metric: &'a dyn Metric, options: FitOptions) -> Self {
        let (settings, any_metric, unscored, subject) = (None, false, false, None);
        Self { method, metric, options, settings, any_metric, unscored, subject }
    }
}

impl<'a, M: Metric> Fitter<'a, M> {
    /// Algorithm 1 with these settings instead of the method's own; nothing to other methods.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings: Some(settings), ..self }
    }

    /// As [`Plugin::allow_any_metric`].
    pub fn allow_any_metric(self, any_metric: bool) -> Self {
        Self { any_metric, ..self }
    }

    /// Whether Algorithm 1 leaves out the scores of the sample, as [`Plugin::fit_unscored`].
    pub fn unscored(self, unscored: bool) -> Self {
        Self { unscored, ..self }
    }

    /// Keeps to these constraints.
    pub fn subject_to<N: Metric>(self, constraints: &'a [Constraint<N>]) -> Fitter<'a, N> {
        let Self { method, metric, options, settings, any_metric, unscored, .. } = self;
        let subject = SubjectTo::new(metric, constraints).seed(options.seed);
        let subject = (!constraints.is_empty()).then_some(subject);
        Fitter { method, metric, options, settings, any_metric, unscored, subject }
    }

    /// Learns a rule.
    ///
    /// # Errors
    ///
    /// As [`Method::fit`], [`Plugin::fit`] and [`SubjectTo::fit`].
    pub fn fit(&self, sample: &Sample) -> Result<Fitted, Error> {
        match (&self.subject, self.plugin_settings()) {
            (_, Some(settings)) => self.fit_plugin(settings, sample, self.unscored),
            (Some(subject), None) => subject.fit(self.method, sample, &self.options),
            (None, None) => self.method.fit(sample, &self.metric, &self.options),
        }
    }

    /// How the gain grows with the labels; `done` hears how many fits are done.
    ///
    /// # Errors
    ///
    /// As [`LearningCurve::of`].
    pub fn learning_curve(
        &self,
        fitted: &Fitted,
        sample: &Sample,
        done: impl Fn(usize) + Sync,
    ) -> Result<LearningCurve, Error> {
        let Self { method, metric, options, .. } = self;
        match (&self.subject, self.plugin_settings()) {
            (_, Some(settings)) => {
                let fit = |part: &Sample| Ok(self.fit_plugin(settings, part, true)?.rule().clone());
                Ok(LearningCurve::of_fits(fit, sample, *metric, options.seed, done))
            }
            (Some(_), None) => {
                let fit = |part: &Sample| Ok(self.fit(part)?.rule().clone());
                Ok(LearningCurve::of_fits(fit, sample, *metric, options.seed, done))
            }
            (None, None) => LearningCurve::of(fitted, method, sample, *metric, options, done),
        }
    }

    /// The rules of so many bootstrap samples, in which every class keeps its number of labelled rows and unlabelled rows
    /// stay as they are; how far they are apart tells what other labels would have changed. `done` hears how many fits
    /// are done. Samples that cannot be fitted are left out.
    ///
    /// # Errors
    ///
    /// If no sample can be fitted.
    pub fn bootstrap(
        &self,
        sample: &Sample,
        bags: usize,
        done: impl Fn(usize) + Sync,
    ) -> Result<Vec<Rule>, Error> {
        let labelled = sample.labelled_rows();
        let labels: Vec<u32> = labelled.iter().map(|&row| sample.labels()[row]).collect();
        let strata = Strata::new(&labels, sample.n_classes());
        let bare: Vec<usize> = (0..sample.n_rows()).filter(|&row| sample.label(row).is_none()).collect();
        let n_done = AtomicUsize::new(0);
        let fits = parallel::map((0..bags).collect(), |bag| {
            let drawn = strata.draw(self.options.seed, bag);
            let rows = labelled.iter().zip(drawn).flat_map(|(&row, times)| vec![row; times as usize]);
            let fitted = self.fit(&sample.select(&rows.chain(bare.iter().copied()).collect::<Vec<_>>()));
            done(n_done.fetch_add(1, Ordering::Relaxed) + 1);
            fitted.map(|fitted| fitted.rule().clone())
        });
        let (rules, errors): (Vec<_>, Vec<_>) = fits.into_iter().partition(Result::is_ok);
        match errors.into_iter().next() {
            Some(Err(error)) if rules.is_empty() => Err(error),
            _ => rules.into_iter().collect(),
        }
    }

    fn plugin_settings(&self) -> Option<Settings> {
        if let Recipe::Plugin(own) = self.method.recipe { Some(self.settings.unwrap_or(own)) } else { None }
    }

    fn fit_plugin(&self, settings: Settings, sample: &Sample, unscored: bool) -> Result<Fitted, Error> {
        let constrained = self.subject.as_ref().map(SubjectTo::metric);
        let searched: &dyn Metric = constrained.as_ref().map_or(self.metric, |constrained| constrained);
        let plugin = Plugin::new(searched).settings(settings);
        let plugin = if self.any_metric { plugin.allow_any_metric() } else { plugin };
        let fitted = if unscored { plugin.fit_unscored(sample)? } else { plugin.fit(sample)? };
        match &self.subject {
            Some(subject) => subject.honour(fitted, sample),
            None => Ok(fitted),
        }
    }
}
