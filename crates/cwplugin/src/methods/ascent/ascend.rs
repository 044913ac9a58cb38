//! Coordinate ascent from several starts; the entry point for all methods.

use std::borrow::Cow;

use super::columns::{by_column, calibrated_by_column};
use super::counted_ascent::{CountedAscent, LocalMaximum};
use super::incremental::IncrementalConfusion;
use super::targets::{RowWeights, Truth, Unit, UnitWeights};
use crate::data::probabilities::{Real, with_values};
use crate::data::{Probabilities, Sample};
use crate::error::Error;
use crate::metric::Metric;
use crate::numeric::parallel;
use crate::numeric::tolerance::is_as_good;
use crate::progress::Observer;
use crate::rule::{AffineMap, Weights};

/// Up to this many probabilities every start is used; above, only the best start.
///
/// The best start alone guarantees a score no lower than any start. Other starts may reach a higher local maximum. That
/// happens on a few hundred rows, where it costs milliseconds; on many rows the objective is smooth.
const ALL_STARTS_UP_TO: usize = 1 << 16;

/// The same for classes: every round searches all of them.
const ALL_STARTS_CLASSES: usize = 50;

/// Whether only the best start is used.
pub(super) fn is_large(n_rows: usize, n_classes: usize) -> bool {
    n_rows * n_classes > ALL_STARTS_UP_TO || n_classes > ALL_STARTS_CLASSES
}

/// Rows of probabilities.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rows<'a> {
    Of(&'a Probabilities),
    /// After this calibration.
    Calibrated(&'a Probabilities, &'a AffineMap),
}

impl<'a> Rows<'a> {
    fn black_box(self) -> &'a Probabilities {
        match self {
            Self::Of(probabilities) | Self::Calibrated(probabilities, _) => probabilities,
        }
    }

    fn probabilities(self) -> Result<Cow<'a, Probabilities>, Error> {
        match self {
            Self::Of(probabilities) => Ok(Cow::Borrowed(probabilities)),
            Self::Calibrated(probabilities, map) => map.apply(probabilities).map(Cow::Owned),
        }
    }
}

/// The rows to optimise on.
#[derive(Debug, Clone)]
pub(crate) struct Problem<'a> {
    pub(crate) rows: Rows<'a>,
    /// One label per row.
    pub(crate) labels: &'a [u32],
    /// Positive row weights; all 1 if `None`.
    pub(crate) weights: Option<&'a [f64]>,
    /// The classes whose weight is tuned. The others keep the weight of the start, or get the geometric mean of the tuned
    /// weights if that does not lower the score.
    pub(crate) is_free: Vec<bool>,
}

impl<'a> Problem<'a> {
    /// All rows of a sample without unlabelled rows. Tunes the classes that have rows and a positive probability in any row.
    pub(crate) fn of(rows: &'a Sample) -> Self {
        let totals = rows.class_totals();
        let is_free = |class: usize| totals.rows(class) > 0 && totals.probable[class];
        Self {
            rows: Rows::Of(rows.probabilities()),
            labels: rows.label_indices(),
            weights: rows.weights(),
            is_free: (0..rows.n_classes()).map(is_free).collect(),
        }
    }
}

/// The result of an ascent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AscentResult {
    pub(crate) maximum: LocalMaximum,
    /// Index of the start that led there.
    pub(crate) start: usize,
    /// Evaluations of the metric, over all starts.
    pub(crate) evaluations: usize,
}

/// Ascends from these starts; the result scores no lower than any of them, up to rounding. An error if the metric is not
/// finite, or there is no start.
pub(crate) fn ascend(
    problem: &Problem<'_>,
    metric: &dyn Metric,
    starts: &[Weights],
    observer: Observer<'_>,
) -> Result<AscentResult, Error> {
    let labels = problem.labels;
    let run = || match problem.weights {
        None => ascend_on(problem, &UnitWeights(labels), metric, starts, observer),
        Some(weights) => {
            let truth = RowWeights { labels, weights, unit: Unit::of(weights) };
            ascend_on(problem, &truth, metric, starts, observer)
        }
    };
    let rows = problem.rows.black_box();
    if is_large(rows.n_rows(), rows.n_classes()) { parallel::among_threads(run) } else { run() }
}

fn ascend_on(
    problem: &Problem<'_>,
    truth: &impl Truth,
    metric: &dyn Metric,
    starts: &[Weights],
    observer: Observer<'_>,
) -> Result<AscentResult, Error> {
    let m = problem.is_free.len();
    match problem.rows {
        Rows::Of(rows) => with_values!(rows, values => {
            ascend_from(problem, &by_column(values, m), truth, metric, starts, observer)
        }),
        Rows::Calibrated(rows, map) => {
            ascend_from(problem, &calibrated_by_column(rows, map)?, truth, metric, starts, observer)
        }
    }
}

fn ascend_from<T: Real>(
    problem: &Problem<'_>,
    columns: &[T],
    truth: &impl Truth,
    metric: &dyn Metric,
    starts: &[Weights],
    observer: Observer<'_>,
) -> Result<AscentResult, Error> {
    let m = problem.is_free.len();
    let n = columns.len() / m;
    let mut evaluations = 0;
    let mut order: Vec<usize> = (0..starts.len()).collect();
    if order.len() > 1 {
        let probabilities = problem.rows.probabilities()?;
        let mut confusion = IncrementalConfusion::of_rows(truth, metric, n, m);
        let score = |start: &Weights| confusion.recount(start.predict(&probabilities)?.into_iter());
        let scores = starts.iter().map(score).collect::<Result<Vec<_>, Error>>()?;
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a])); // stable: ties keep their order
        evaluations = confusion.evaluations();
    }
    let is_large = is_large(n, m);
    if is_large {
        order.truncate(1);
    }
    let stage = observer.begin_parts("ascending", order.len());
    let found = parallel::map(order, |start| -> Result<_, Error> {
        let mut ascent = CountedAscent::new(columns, truth, metric, &problem.is_free);
        let weights = &starts[start];
        let maximum =
            if is_large { ascent.ascend_large(weights, &stage)? } else { ascent.ascend(weights, &stage)? };
        Ok((start, maximum, ascent.confusion.evaluations()))
    });
    let mut best: Option<(usize, LocalMaximum)> = None;
    for found in found {
        let (start, maximum, evaluated) = found?;
        evaluations += evaluated;
        if best.as_ref().is_none_or(|(_, best)| !is_as_good(best.score, maximum.score)) {
            best = Some((start, maximum));
        }
    }
    let (start, maximum) = best.ok_or(Error::ZeroWeights)?;
    Ok(AscentResult { maximum, start, evaluations })
}
