//! Algorithm 1: tune every class against one fixed class, alone.

use std::fmt;
use std::str::FromStr;

use crate::census::Census;
use crate::metric::{check_size, checked_score};
use crate::report::{PairReport, Report, Warning};
use crate::sweep::{Pair, PairScore};
use crate::ties::is_as_good;
use crate::tune::Curve;
use crate::{
    Error, Method, Metric, Peak, Reference, Sample, ScorePair, Search, Statistics, Ties, Weights, parallel,
};

/// What to do with a class that has no labelled rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Absent {
    /// Weight 1: nothing is known, so the black box's opinion is kept.
    #[default]
    Keep,
    /// Weight 0: the literal reading of the paper; the class is never predicted again.
    Drop,
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Keep { "keep" } else { "drop" })
    }
}

impl FromStr for Absent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            _ => Err(Error::UnknownOption { option: "absent", value: text.into() }),
        }
    }
}

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
    reference: Reference,
    search: Search,
    ties: Ties,
    absent: Absent,
    any_metric: bool,
}

/// Weights, and how they came about.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedPlugin {
    weights: Weights,
    report: Report,
}

impl FittedPlugin {
    /// One weight per class.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// What was tried, found and doubted.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The same with the metric on the whole sample before and after, found by whoever has the rows.
    pub fn scored(mut self, clean: f64, fitted: f64) -> Self {
        let score = ScorePair { clean, fitted };
        self.report.score = Some(score);
        self.report.warnings.retain(|warning| !matches!(warning, Warning::BelowClean { .. }));
        self.report.warnings.extend(Warning::doubt_of_score(score));
        self
    }
}

impl<M: Metric> Plugin<M> {
    /// Maximises this metric against the largest class, over every cut, taking the middle of the widest best plateau.
    pub fn new(metric: M) -> Self {
        Self {
            metric,
            reference: Reference::default(),
            search: Search::default(),
            ties: Ties::default(),
            absent: Absent::default(),
            any_metric: false,
        }
    }

    /// All the settings of a named method.
    pub fn method(self, method: &Method) -> Self {
        self.reference(method.reference).search(method.search).ties(method.ties).absent(method.absent)
    }

    /// Which class stays fixed.
    pub fn reference(self, reference: Reference) -> Self {
        Self { reference, ..self }
    }

    /// Which α are tried.
    pub fn search(self, search: Search) -> Self {
        Self { search, ..self }
    }

    /// Which of equally good α is taken.
    pub fn ties(self, ties: Ties) -> Self {
        Self { ties, ..self }
    }

    /// What becomes of a class without labelled rows.
    pub fn absent(self, absent: Absent) -> Self {
        Self { absent, ..self }
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
    pub fn fit(&self, sample: &Sample) -> Result<FittedPlugin, Error> {
        self.check(sample.census())?;
        let clean = Weights::uniform(sample.n_classes())?;
        let mut best: Option<(FittedPlugin, f64)> = None;
        for reference in self.reference.candidates(sample.census())? {
            let curves = self.curves(sample, reference)?;
            let fitted = self.fit_against(sample.census(), reference, self.search, curves)?;
            let [before, after] = sample.confusions([&clean, &fitted.weights])?;
            let before = checked_score(&self.metric, &before)?;
            let after = checked_score(&self.metric, &after)?;
            if best.as_ref().is_none_or(|(_, best)| !is_as_good(*best, after)) {
                best = Some((fitted.scored(before, after), after));
            }
        }
        best.map(|(fitted, _)| fitted).ok_or(Error::NoLabelledRows)
    }

    /// Learns one weight per class without scoring the sample before and after: about half the work.
    ///
    /// With [`Reference::Best`], which is a matter of scores, it is [`Plugin::fit`].
    ///
    /// # Errors
    ///
    /// As [`Plugin::fit`].
    pub fn fit_unscored(&self, sample: &Sample) -> Result<FittedPlugin, Error> {
        self.check(sample.census())?;
        match self.reference.candidates(sample.census())?[..] {
            [reference] => {
                let curves = self.curves(sample, reference)?;
                self.fit_against(sample.census(), reference, self.search, curves)
            }
            _ => self.fit(sample),
        }
    }

    /// Learns one weight per class from counters of cuts; their grid and their reference are taken.
    pub(crate) fn fit_statistics(&self, statistics: &Statistics) -> Result<FittedPlugin, Error> {
        let step = statistics.step();
        let (search, curve): (_, fn(_, _) -> _) = match self.search {
            Search::Binary(_) => (Search::Binary(step), Curve::Few),
            _ => (Search::Grid(step), Curve::Grid),
        };
        self.check(statistics.census())?;
        let classes = 0..statistics.classes().len();
        let curves = classes.map(|class| curve(step, statistics.moved(class))).collect();
        self.fit_against(statistics.census(), statistics.reference(), search, curves)
    }

    fn check(&self, census: &Census) -> Result<(), Error> {
        if census.n_labelled() == 0 {
            return Err(Error::NoLabelledRows);
        }
        check_size(&self.metric, census.n_classes())?;
        if matches!(self.search, Search::Binary(_)) && !self.metric.is_quasi_concave() && !self.any_metric {
            return Err(Error::NotQuasiConcave { metric: self.metric.name().into() });
        }
        Ok(())
    }

    /// Line 4 for every pair at once: what the search has to know of the rows of both classes.
    fn curves(&self, sample: &Sample, reference: usize) -> Result<Vec<Curve>, Error> {
        match self.search {
            Search::Exact => Curve::of_cuts(sample, reference, &self.metric, self.ties),
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
    ) -> Result<FittedPlugin, Error> {
        if census.rows(reference) == 0 && self.absent == Absent::Keep {
            return Err(Error::EmptyReference { class: reference });
        }
        let others = (0..).zip(curves).filter(|(class, _)| *class != reference).collect();
        let tuned = parallel::map(others, |(class, curve)| {
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
                    weights[class] = if self.absent == Absent::Keep { 1.0 } else { 0.0 };
                    warnings.push(Warning::AbsentClass { class, kept: self.absent == Absent::Keep });
                }
                Tuned::NeverProbable => warnings.push(Warning::NeverProbable { class }),
            }
        }
        let weights = Weights::new(weights)?; // line 8: normalise
        warnings.sort_by_key(Warning::kind);
        warnings.extend(Warning::doubts(census, reference, &pairs));
        let report = Report {
            metric: self.metric.name().into(),
            reference,
            search,
            ties: self.ties,
            absent: self.absent,
            rows: census.n_labelled(),
            unlabelled: census.unlabelled,
            score: None,
            pairs,
            warnings,
        };
        Ok(FittedPlugin { weights, report })
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
        curve.maximise(problem, self.ties).map(Tuned::Peak)
    }
}

/// What the loop of Algorithm 1 found for one class.
enum Tuned {
    Peak(Peak),
    Absent,
    NeverProbable,
}
