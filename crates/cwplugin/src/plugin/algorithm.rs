//! Algorithm 1: one weight per class, each tuned against the reference class on its own.
//!
//! ```text
//! 2      w_r = 1                            r is the reference; the paper takes the last class m
//! 3      for every other class k:
//! 4          S_k = rows labelled k or r
//! 5          α_k = argmax over α of the metric on S_k of  h_α(x) = k if α·b_k > (1−α)·b_r, else r
//! 6          w_k = α_k / (1 − α_k)
//! 8      normalise w to sum 1
//! ```

use crate::data::Sample;
use crate::data::class_totals::ClassTotals;
use crate::error::Error;
use crate::evaluate::{Outcomes, Side};
use crate::metric::{Confusion, Metric, checked_score};
use crate::numeric::parallel;
use crate::numeric::tolerance::is_as_good;
use crate::plugin::report::{self, PluginReport};
use crate::plugin::sweep::{Pair, PairScore};
use crate::plugin::tune::Curve;
use crate::plugin::{Absent, Peak, Reference, Search, Settings, Statistics};
use crate::progress::{Observer, Stage};
use crate::report::{FitReport, Fitted, ScorePair, Warning};
use crate::rule::Weights;

/// Algorithm 1 before fitting: metric and settings.
#[derive(Clone, Copy)]
pub(crate) struct Plugin<'a> {
    pub(crate) metric: &'a dyn Metric,
    pub(crate) settings: Settings,
    /// Allows the binary search on a metric that is not quasi-concave; it may then miss the maximum.
    pub(crate) any_metric: bool,
}

impl<'a> Plugin<'a> {
    /// Maximises this metric with [`Settings::EXACT`].
    pub(crate) fn new(metric: &'a dyn Metric) -> Self {
        Self { metric, settings: Settings::default(), any_metric: false }
    }

    /// Sets the reference class.
    pub(crate) fn reference(self, reference: Reference) -> Self {
        Self { settings: Settings { reference, ..self.settings }, ..self }
    }

    /// Sets the search over α.
    pub(crate) fn search(self, search: Search) -> Self {
        Self { settings: Settings { search, ..self.settings }, ..self }
    }

    /// Learns one weight per class.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, the reference has none (unless absent classes are dropped), the metric is not finite
    /// or is defined for another number of classes, or the binary search is used on a metric that is not quasi-concave.
    pub(crate) fn fit(&self, sample: &Sample, observer: Observer<'_>) -> Result<Fitted, Error> {
        let clean = Weights::uniform(sample.n_classes())?;
        self.fit_best(sample.class_totals(), observer, |reference, stage| {
            let fitted = self.fit_sample(sample, reference, stage)?;
            let confusions = sample.confusions([&clean, fitted.weights()])?;
            Ok((fitted, confusions))
        })
    }

    /// Learns one weight per class from counters: for each candidate reference, the statistics of its pairs and the
    /// outcomes of the fit from these statistics. Equals [`Plugin::fit`] on the grid of the statistics, bit for bit.
    ///
    /// # Errors
    ///
    /// As [`Plugin::fit`], and if a candidate reference has no statistics.
    pub(crate) fn fit_counted(&self, counted: &[(&Statistics, &Outcomes)]) -> Result<Fitted, Error> {
        let Some(&(first, _)) = counted.first() else { return Err(Error::NoLabelledRows) };
        self.fit_best(first.class_totals(), Observer::default(), |reference, _| {
            let is_wanted = |(statistics, _): &&(&Statistics, &Outcomes)| statistics.reference() == reference;
            let Some((statistics, outcomes)) = counted.iter().find(is_wanted) else {
                let name = |class: usize| first.classes()[class].clone();
                let (ours, theirs) = (name(first.reference()), name(reference));
                return Err(Error::StatisticsDiffer { what: "reference", ours, theirs });
            };
            let confusions = [Side::Clean, Side::Fitted].map(|side| outcomes.confusion(side));
            Ok((self.fit_statistics(statistics)?, confusions))
        })
    }

    /// The fit that scores best on all labelled rows among the candidate references; ties keep the earlier one. `fit`
    /// returns the fit for a reference with the confusion matrices before and after.
    fn fit_best(
        &self,
        class_totals: &ClassTotals,
        observer: Observer<'_>,
        fit: impl Fn(usize, &Stage<'_>) -> Result<(Fitted, [Confusion; 2]), Error>,
    ) -> Result<Fitted, Error> {
        self.check(class_totals)?;
        let references = self.settings.reference.candidates(class_totals)?;
        let stage = begin(observer, references.len(), class_totals);
        let mut best: Option<(Fitted, f64)> = None;
        for reference in references {
            let (mut candidate, [before, after]) = fit(reference, &stage)?;
            let (clean, fitted) = (checked_score(self.metric, &before)?, checked_score(self.metric, &after)?);
            if best.as_ref().is_none_or(|(_, best)| !is_as_good(*best, fitted)) {
                candidate.report.set_score(ScorePair { clean, fitted });
                best = Some((candidate, fitted));
            }
        }
        best.map(|(fitted, _)| fitted).ok_or(Error::NoLabelledRows)
    }

    /// Learns one weight per class without scoring the sample before and after, in about half the time.
    ///
    /// [`Reference::Best`] needs the scores and calls [`Plugin::fit`].
    ///
    /// # Errors
    ///
    /// As [`Plugin::fit`].
    pub(crate) fn fit_unscored(&self, sample: &Sample, observer: Observer<'_>) -> Result<Fitted, Error> {
        self.check(sample.class_totals())?;
        match self.settings.reference.candidates(sample.class_totals())?[..] {
            [reference] => self.fit_sample(sample, reference, &begin(observer, 1, sample.class_totals())),
            _ => self.fit(sample, observer),
        }
    }

    /// Learns one weight per class from counters of cuts, with their grid and their reference.
    pub(crate) fn fit_statistics(&self, statistics: &Statistics) -> Result<Fitted, Error> {
        let step = statistics.step();
        let (search, curve): (_, fn(_, _) -> _) = match self.settings.search {
            Search::Binary(_) => (Search::Binary(step), Curve::Binary),
            _ => (Search::Grid(step), Curve::Grid),
        };
        self.check(statistics.class_totals())?;
        let classes = 0..statistics.classes().len();
        let curves = classes.map(|class| curve(step, statistics.moved(class))).collect();
        let (class_totals, reference) = (statistics.class_totals(), statistics.reference());
        self.fit_against(class_totals, reference, search, curves, &Stage::default())
    }

    fn check(&self, class_totals: &ClassTotals) -> Result<(), Error> {
        class_totals.check_for(self.metric)?;
        if matches!(self.settings.search, Search::Binary(_))
            && !self.metric.is_quasi_concave()
            && !self.any_metric
        {
            return Err(Error::NotQuasiConcave { metric: self.metric.name().into() });
        }
        Ok(())
    }

    /// Lines 2–8 on the rows of a sample.
    fn fit_sample(&self, sample: &Sample, reference: usize, stage: &Stage<'_>) -> Result<Fitted, Error> {
        let Settings { search, ties, .. } = self.settings;
        let curves = Curve::of_pairs(sample, reference, self.metric, search, ties)?;
        stage.step();
        self.fit_against(sample.class_totals(), reference, search, curves, stage)
    }

    /// Lines 2–8 for one reference class.
    fn fit_against(
        &self,
        class_totals: &ClassTotals,
        reference: usize,
        search: Search,
        curves: Vec<Curve>,
        stage: &Stage<'_>,
    ) -> Result<Fitted, Error> {
        if class_totals.rows(reference) == 0 && self.settings.absent == Absent::Keep {
            return Err(Error::EmptyReference { class: reference });
        }
        let others = (0..).zip(curves).filter(|(class, _)| *class != reference).collect();
        let tuned = parallel::map_of_rows(class_totals.n_labelled(), others, |(class, curve)| {
            let tuned = self.tune(class_totals, Pair { class, reference }, curve); // line 3
            stage.step();
            (class, tuned)
        });

        let mut weights = vec![1.0; class_totals.n_classes()]; // line 2: w_r = 1
        let mut peaks = Vec::new();
        let mut warnings = Vec::new();
        if !class_totals.probable[reference] {
            warnings.push(Warning::never_probable(class_totals.name(reference)));
        }
        for (class, tuned) in tuned {
            let name = class_totals.name(class);
            match tuned? {
                Tuned::Peak(peak) => {
                    weights[class] = peak.odds; // line 6: α_k / (1 − α_k)
                    peaks.push((class, peak));
                }
                Tuned::Absent if self.settings.absent == Absent::Keep => {
                    warnings.push(Warning::absent_kept(name));
                }
                Tuned::Absent => {
                    weights[class] = 0.0;
                    warnings.push(Warning::absent_dropped(name));
                }
                Tuned::NeverProbable => warnings.push(Warning::never_probable(name)),
            }
        }
        let weights = Weights::new(weights)?; // line 8: normalise
        warnings.sort_by(|a, b| a.kind.cmp(&b.kind));
        warnings.extend(report::warnings(class_totals, reference, &peaks));
        let Settings { ties, absent, .. } = self.settings;
        let pairs = peaks.iter().map(|(class, peak)| peak.report(class_totals.name(*class))).collect();
        let details =
            PluginReport { reference: class_totals.name(reference).into(), search, ties, absent, pairs };
        let report = FitReport { warnings, ..FitReport::new(self.metric.name(), class_totals, &details) };
        Ok(Fitted::unscored(weights.into(), report))
    }

    /// Line 5: the best α of one pair.
    fn tune(&self, class_totals: &ClassTotals, pair: Pair, curve: Curve) -> Result<Tuned, Error> {
        if class_totals.rows(pair.class) == 0 {
            return Ok(Tuned::Absent);
        }
        if !class_totals.probable[pair.class] {
            return Ok(Tuned::NeverProbable);
        }
        let problem = PairScore::new(self.metric, pair, class_totals);
        curve.maximise(problem, self.settings.ties).map(Tuned::Peak)
    }
}

/// Begins the stage of Algorithm 1: for each reference, one step for the pass over the rows and one for each pair.
fn begin<'a>(observer: Observer<'a>, references: usize, class_totals: &ClassTotals) -> Stage<'a> {
    observer.begin("tuning", references * class_totals.n_classes())
}

/// The result of lines 4–5 for one class.
enum Tuned {
    Peak(Peak),
    Absent,
    NeverProbable,
}
