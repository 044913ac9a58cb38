//! Algorithm 1: tune every class against one fixed class, alone.

use std::fmt;
use std::str::FromStr;

use crate::metric::{check_size, checked_score};
use crate::report::{PairReport, Report, Warning};
use crate::ties::is_as_good;
use crate::{
    Error, Method, Metric, Pair, PairSweep, Peak, Reference, Sample, Search, Ties, Weights, parallel,
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
/// assert!(fitted.report().fitted > fitted.report().clean);
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
        if sample.n_labelled() == 0 {
            return Err(Error::NoLabelledRows);
        }
        check_size(&self.metric, sample.n_classes())?;
        if matches!(self.search, Search::Binary(_)) && !self.metric.is_quasi_concave() && !self.any_metric {
            return Err(Error::NotQuasiConcave { metric: self.metric.name().into() });
        }
        let references = self.reference.candidates(sample)?;
        let clean = self.score(sample, &Weights::uniform(sample.n_classes())?)?;
        let fits = parallel::map(&references, |&reference| self.fit_against(sample, reference, clean));
        let mut best: Option<FittedPlugin> = None;
        for fitted in fits {
            let fitted = fitted?;
            if best.as_ref().is_none_or(|best| !is_as_good(best.report.fitted, fitted.report.fitted)) {
                best = Some(fitted);
            }
        }
        best.ok_or(Error::NoLabelledRows)
    }

    /// Algorithm 1 with one fixed class.
    fn fit_against(&self, sample: &Sample, reference: usize, clean: f64) -> Result<FittedPlugin, Error> {
        if sample.rows_of(reference).is_empty() && self.absent == Absent::Keep {
            return Err(Error::EmptyReference { class: reference });
        }
        let classes: Vec<usize> = (0..sample.n_classes()).filter(|&k| k != reference).collect();
        let tuned = parallel::map(&classes, |&class| self.tune(sample, Pair { class, reference })); // line 3

        let mut weights = vec![1.0; sample.n_classes()]; // line 2: w_r = 1
        let mut pairs = Vec::new();
        let mut warnings = Vec::new();
        if !sample.is_ever_probable(reference) {
            warnings.push(Warning::NeverProbable { class: reference });
        }
        for (&class, tuned) in classes.iter().zip(tuned) {
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
        let fitted = self.score(sample, &weights)?;
        warnings.sort_by_key(Warning::kind);
        warnings.extend(Warning::doubts(sample, reference, &pairs, clean, fitted));
        let report = Report {
            metric: self.metric.name().into(),
            reference,
            search: self.search,
            ties: self.ties,
            absent: self.absent,
            rows: sample.n_labelled(),
            unlabelled: sample.n_unlabelled(),
            clean,
            fitted,
            pairs,
            warnings,
        };
        Ok(FittedPlugin { weights, report })
    }

    /// Lines 4 and 5: restrict the sample to the pair and find the best α.
    fn tune(&self, sample: &Sample, pair: Pair) -> Result<Tuned, Error> {
        if sample.rows_of(pair.class).is_empty() {
            return Ok(Tuned::Absent);
        }
        if !sample.is_ever_probable(pair.class) {
            return Ok(Tuned::NeverProbable);
        }
        let mut sweep = PairSweep::new(sample, pair, &self.metric);
        self.search.maximise(&mut sweep, self.ties).map(Tuned::Peak)
    }

    fn score(&self, sample: &Sample, weights: &Weights) -> Result<f64, Error> {
        checked_score(&self.metric, &sample.confusion(weights)?)
    }
}

/// What the loop of Algorithm 1 found for one class.
enum Tuned {
    Peak(Peak),
    Absent,
    NeverProbable,
}
