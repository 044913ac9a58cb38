//! Algorithm 1: tune every class against one fixed class, alone.

use crate::data::Sample;
use crate::data::class_totals::ClassTotals;
use crate::error::Error;
use crate::evaluate::{Outcomes, Side};
use crate::metric::{Metric, checked_score};
use crate::numeric::parallel;
use crate::numeric::tolerance::is_as_good;
use crate::plugin::report::{self, PluginReport};
use crate::plugin::sweep::{Pair, PairScore};
use crate::plugin::tune::Curve;
use crate::plugin::{Absent, Peak, Reference, Search, Settings, Statistics};
use crate::report::{FitReport, Fitted, ScorePair, Warning};
use crate::rule::Weights;

/// The recipe of Algorithm 1: which metric, which fixed class, which search.
#[derive(Debug, Clone)]
pub(crate) struct Plugin<M> {
    metric: M,
    settings: Settings,
    any_metric: bool,
}

impl<M: Metric> Plugin<M> {
    /// Maximises this metric against the largest class, over every cut, taking the middle of the widest best plateau.
    pub(crate) fn new(metric: M) -> Self {
        Self { metric, settings: Settings::default(), any_metric: false }
    }

    /// All settings at once.
    pub(crate) fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// The settings.
    pub(crate) fn get_settings(&self) -> Settings {
        self.settings
    }

    /// Which class stays fixed.
    pub(crate) fn reference(self, reference: Reference) -> Self {
        Self { settings: Settings { reference, ..self.settings }, ..self }
    }

    /// Which α are tried.
    pub(crate) fn search(self, search: Search) -> Self {
        Self { settings: Settings { search, ..self.settings }, ..self }
    }

    /// Lets the binary search run on a metric that may have several peaks; it may then miss the best.
    pub(crate) fn allow_any_metric(self) -> Self {
        Self { any_metric: true, ..self }
    }

    /// Learns one weight per class.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, the chosen reference has none (unless absent classes are dropped), the metric is
    /// for another number of classes or not finite, or the binary search does not suit it.
    pub(crate) fn fit(&self, sample: &Sample) -> Result<Fitted, Error> {
        self.check(sample.class_totals())?;
        let clean = Weights::uniform(sample.n_classes())?;
        let mut best = Best::default();
        for reference in self.settings.reference.candidates(sample.class_totals())? {
            let curves = self.curves(sample, reference)?;
            let fitted = self.fit_against(sample.class_totals(), reference, self.settings.search, curves)?;
            let [before, after] = sample.confusions([&clean, fitted.weights()])?;
            best.offer(fitted, checked_score(&self.metric, &before)?, checked_score(&self.metric, &after)?);
        }
        best.fitted()
    }

    /// Learns one weight per class from what was counted of the rows, in any number of places: for each class that may
    /// stay fixed the cuts against it, and the outcomes of the fit from these alone. It is [`Plugin::fit`] on the grid of
    /// the statistics, to the last bit.
    ///
    /// # Errors
    ///
    /// As [`Plugin::fit`], and if there are no statistics against a class that may stay fixed.
    pub(crate) fn fit_counted(&self, counted: &[(&Statistics, &Outcomes)]) -> Result<Fitted, Error> {
        let Some(&(first, _)) = counted.first() else { return Err(Error::NoLabelledRows) };
        self.check(first.class_totals())?;
        let mut best = Best::default();
        for reference in self.settings.reference.candidates(first.class_totals())? {
            let is_wanted = |(statistics, _): &&(&Statistics, &Outcomes)| statistics.reference() == reference;
            let Some((statistics, outcomes)) = counted.iter().find(is_wanted) else {
                let name = |class: usize| first.classes()[class].clone();
                let (ours, theirs) = (name(first.reference()), name(reference));
                return Err(Error::StatisticsDiffer { what: "reference", ours, theirs });
            };
            let fitted = self.fit_statistics(statistics)?;
            let score = |side| checked_score(&self.metric, &outcomes.confusion(side));
            best.offer(fitted, score(Side::Clean)?, score(Side::Fitted)?);
        }
        best.fitted()
    }

    /// Learns one weight per class without scoring the sample before and after: about half the work.
    ///
    /// With [`Reference::Best`], which is a matter of scores, it is [`Plugin::fit`].
    ///
    /// # Errors
    ///
    /// As [`Plugin::fit`].
    pub(crate) fn fit_unscored(&self, sample: &Sample) -> Result<Fitted, Error> {
        self.check(sample.class_totals())?;
        match self.settings.reference.candidates(sample.class_totals())?[..] {
            [reference] => {
                let curves = self.curves(sample, reference)?;
                self.fit_against(sample.class_totals(), reference, self.settings.search, curves)
            }
            _ => self.fit(sample),
        }
    }

    /// Learns one weight per class from counters of cuts; their grid and their reference are taken.
    pub(crate) fn fit_statistics(&self, statistics: &Statistics) -> Result<Fitted, Error> {
        let step = statistics.step();
        let (search, curve): (_, fn(_, _) -> _) = match self.settings.search {
            Search::Binary(_) => (Search::Binary(step), Curve::Few),
            _ => (Search::Grid(step), Curve::Grid),
        };
        self.check(statistics.class_totals())?;
        let classes = 0..statistics.classes().len();
        let curves = classes.map(|class| curve(step, statistics.moved(class))).collect();
        self.fit_against(statistics.class_totals(), statistics.reference(), search, curves)
    }

    fn check(&self, class_totals: &ClassTotals) -> Result<(), Error> {
        class_totals.check_for(&self.metric)?;
        if matches!(self.settings.search, Search::Binary(_))
            && !self.metric.is_quasi_concave()
            && !self.any_metric
        {
            return Err(Error::NotQuasiConcave { metric: self.metric.name().into() });
        }
        Ok(())
    }

    /// Line 4 for every pair at once: what the search has to know of the rows of both classes.
    fn curves(&self, sample: &Sample, reference: usize) -> Result<Vec<Curve>, Error> {
        match self.settings.search {
            Search::Exact => Curve::of_cuts(sample, reference, &self.metric, self.settings.ties),
            Search::Grid(step) => Ok(Curve::of_grid(sample, reference, step)),
            Search::Binary(step) => Ok(Curve::of_few(sample, reference, step)),
        }
    }

    /// Algorithm 1 with one fixed class.
    fn fit_against(
        &self,
        class_totals: &ClassTotals,
        reference: usize,
        search: Search,
        curves: Vec<Curve>,
    ) -> Result<Fitted, Error> {
        if class_totals.rows(reference) == 0 && self.settings.absent == Absent::Keep {
            return Err(Error::EmptyReference { class: reference });
        }
        let others = (0..).zip(curves).filter(|(class, _)| *class != reference).collect();
        let tuned = parallel::map_of_rows(class_totals.n_labelled(), others, |(class, curve)| {
            (class, self.tune(class_totals, Pair { class, reference }, curve)) // line 3
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

    /// Line 5: find the best α of a pair.
    fn tune(&self, class_totals: &ClassTotals, pair: Pair, curve: Curve) -> Result<Tuned, Error> {
        if class_totals.rows(pair.class) == 0 {
            return Ok(Tuned::Absent);
        }
        if !class_totals.probable[pair.class] {
            return Ok(Tuned::NeverProbable);
        }
        let totals = [pair.class, pair.reference].map(|class| class_totals.weight(class));
        let problem = PairScore::new(&self.metric, pair, totals);
        curve.maximise(problem, self.settings.ties).map(Tuned::Peak)
    }
}

/// The fit that scores best so far; among equals the one that came first.
#[derive(Default)]
struct Best(Option<(Fitted, f64)>);

impl Best {
    /// A fit, with the metric before and after on all rows.
    fn offer(&mut self, mut fitted: Fitted, before: f64, after: f64) {
        if self.0.as_ref().is_none_or(|(_, best)| !is_as_good(*best, after)) {
            fitted.report.set_score(ScorePair { clean: before, fitted: after });
            self.0 = Some((fitted, after));
        }
    }

    fn fitted(self) -> Result<Fitted, Error> {
        self.0.map(|(fitted, _)| fitted).ok_or(Error::NoLabelledRows)
    }
}

/// What the loop of Algorithm 1 found for one class.
enum Tuned {
    Peak(Peak),
    Absent,
    NeverProbable,
}
