//! Algorithm 1: tune every class against one fixed class, alone.

use crate::data::Sample;
use crate::data::class_totals::Census;
use crate::error::Error;
use crate::evaluate::{Outcomes, Side};
use crate::methods::{Details, Fitted, PairReport, PluginReport, Report, Warning};
use crate::metric::{Metric, checked_score};
use crate::numeric::parallel;
use crate::numeric::tolerance::is_as_good;
use crate::plugin::sweep::{Pair, PairScore};
use crate::plugin::tune::Curve;
use crate::plugin::{Absent, Peak, Reference, Search, Settings, Statistics, Ties};
use crate::rule::Weights;

/// The recipe of Algorithm 1: which metric, which fixed class, which search.
///
/// ```
/// use cwplugin::{Plugin, Probabilities, Sample, metric::MacroF1};
///
/// // A black box that is too fond of class 0.
/// let p = Probabilities::new(vec![0.9, 0.1, 0.7, 0.3, 0.6, 0.4, 0.2, 0.8], 2)?;
/// let sample = Sample::new(p, vec![Some(0), Some(1), Some(1), Some(1)])?;
/// let fitted = Plugin::new(MacroF1).fit(&sample)?;
/// assert!(fitted.report().score.is_some_and(|score| score.fitted > score.clean));
/// assert_eq!(fitted.weights().predict_row(&[0.65, 0.35]), 1);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Plugin<M> {
    metric: M,
    settings: Settings,
    any_metric: bool,
}

impl<M: Metric> Plugin<M> {
    /// Maximises this metric against the largest class, over every cut, taking the middle of the widest best plateau.
    pub fn new(metric: M) -> Self {
        Self { metric, settings: Settings::default(), any_metric: false }
    }

    /// All settings at once.
    pub fn settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Which class stays fixed.
    pub fn reference(self, reference: Reference) -> Self {
        Self { settings: Settings { reference, ..self.settings }, ..self }
    }

    /// Which α are tried.
    pub fn search(self, search: Search) -> Self {
        Self { settings: Settings { search, ..self.settings }, ..self }
    }

    /// Which of equally good α is taken.
    pub fn ties(self, ties: Ties) -> Self {
        Self { settings: Settings { ties, ..self.settings }, ..self }
    }

    /// What becomes of a class without labelled rows.
    pub fn absent(self, absent: Absent) -> Self {
        Self { settings: Settings { absent, ..self.settings }, ..self }
    }

    /// Lets the binary search run on a metric that may have several peaks; it may then miss the best.
    pub fn allow_any_metric(self) -> Self {
        Self { any_metric: true, ..self }
    }

    /// Learns one weight per class.
    ///
    /// # Errors
    ///
    /// If there is no labelled row, the chosen reference has none (unless absent classes are dropped), the metric is
    /// for another number of classes or not finite, or the binary search does not suit it.
    pub fn fit(&self, sample: &Sample) -> Result<Fitted, Error> {
        self.check(sample.census())?;
        let clean = Weights::uniform(sample.n_classes())?;
        let mut best = Best::default();
        for reference in self.settings.reference.candidates(sample.census())? {
            let curves = self.curves(sample, reference)?;
            let fitted = self.fit_against(sample.census(), reference, self.settings.search, curves)?;
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
    pub fn fit_counted(&self, counted: &[(&Statistics, &Outcomes)]) -> Result<Fitted, Error> {
        let Some(&(first, _)) = counted.first() else { return Err(Error::NoLabelledRows) };
        self.check(first.census())?;
        let mut best = Best::default();
        for reference in self.settings.reference.candidates(first.census())? {
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
    pub fn fit_unscored(&self, sample: &Sample) -> Result<Fitted, Error> {
        self.check(sample.census())?;
        match self.settings.reference.candidates(sample.census())?[..] {
            [reference] => {
                let curves = self.curves(sample, reference)?;
                self.fit_against(sample.census(), reference, self.settings.search, curves)
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
        self.check(statistics.census())?;
        let classes = 0..statistics.classes().len();
        let curves = classes.map(|class| curve(step, statistics.moved(class))).collect();
        self.fit_against(statistics.census(), statistics.reference(), search, curves)
    }

    fn check(&self, census: &Census) -> Result<(), Error> {
        census.check_for(&self.metric)?;
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
        census: &Census,
        reference: usize,
        search: Search,
        curves: Vec<Curve>,
    ) -> Result<Fitted, Error> {
        if census.rows(reference) == 0 && self.settings.absent == Absent::Keep {
            return Err(Error::EmptyReference { class: reference });
        }
        let others = (0..).zip(curves).filter(|(class, _)| *class != reference).collect();
        let tuned = parallel::map_of_rows(census.n_labelled(), others, |(class, curve)| {
            (class, self.tune(census, Pair { class, reference }, curve)) // line 3
        });

        let mut weights = vec![1.0; census.n_classes()]; // line 2: w_r = 1
        let mut pairs = Vec::new();
        let mut warnings = Vec::new();
        if !census.probable[reference] {
            warnings.push(Warning::NeverProbable { class: reference });
        }
        for (class, tuned) in tuned {
            match tuned? {
                Tuned::Peak(peak) => {
                    weights[class] = peak.odds; // line 6: α_k / (1 − α_k)
                    pairs.push(PairReport { class, peak });
                }
                Tuned::Absent => {
                    weights[class] = if self.settings.absent == Absent::Keep { 1.0 } else { 0.0 };
                    warnings.push(Warning::AbsentClass { class, kept: self.settings.absent == Absent::Keep });
                }
                Tuned::NeverProbable => warnings.push(Warning::NeverProbable { class }),
            }
        }
        let weights = Weights::new(weights)?; // line 8: normalise
        warnings.sort_by_key(Warning::kind);
        warnings.extend(Warning::doubts(census, reference, &pairs));
        let Settings { ties, absent, .. } = self.settings;
        let report = Report {
            metric: self.metric.name().into(),
            rows: census.n_labelled(),
            unlabelled: census.unlabelled,
            score: None,
            details: Details::Plugin(PluginReport { reference, search, ties, absent, pairs }),
            warnings,
        };
        Ok(Fitted::new(weights.into(), report))
    }

    /// Line 5: find the best α of a pair.
    fn tune(&self, census: &Census, pair: Pair, curve: Curve) -> Result<Tuned, Error> {
        if census.rows(pair.class) == 0 {
            return Ok(Tuned::Absent);
        }
        if !census.probable[pair.class] {
            return Ok(Tuned::NeverProbable);
        }
        let totals = [pair.class, pair.reference].map(|class| census.weight(class));
        let problem = PairScore::new(&self.metric, pair, totals);
        curve.maximise(problem, self.settings.ties).map(Tuned::Peak)
    }
}

/// The fit that scores best so far; among equals the one that came first.
#[derive(Default)]
struct Best(Option<(Fitted, f64)>);

impl Best {
    /// A fit, with the metric before and after on all rows.
    fn offer(&mut self, fitted: Fitted, before: f64, after: f64) {
        if self.0.as_ref().is_none_or(|(_, best)| !is_as_good(*best, after)) {
            self.0 = Some((fitted.scored(before, after), after));
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
