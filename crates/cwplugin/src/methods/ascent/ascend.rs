//! From several starts to the best summit: what every method that climbs calls.

use super::climb::{Climber, Summit};
use super::targets::{Ones, Truth, Unit, Weighed};
use crate::data::probabilities::{Real, with_values};
use crate::data::{Probabilities, Sample};
use crate::error::Error;
use crate::metric::Metric;
use crate::numeric::parallel;
use crate::numeric::tolerance::is_as_good;
use crate::rule::Weights;

/// Up to so many probabilities every start is climbed from; beyond, only the best of them.
///
/// Never to end below a start needs no more than the best one. The others may lead to a higher summit, which on a few
/// hundred rows happens and costs milliseconds; many rows make a smooth hill with one summit.
pub(super) const FEW: usize = 1 << 16;

/// What is climbed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) probabilities: &'a Probabilities,
    /// Every row has a label …
    pub(crate) labels: &'a [u32],
    /// … and a weight above 0; 1 if there are no weights.
    pub(crate) weights: Option<&'a [f64]>,
    /// The classes whose weight may change. The others keep what a start gives them, or take the mean of the searched
    /// ones (of logarithms) where that costs nothing.
    pub(crate) is_free: &'a [bool],
}

impl<'a> Problem<'a> {
    /// The labelled rows of a sample that has no others.
    pub(crate) fn of(rows: &'a Sample, is_free: &'a [bool]) -> Self {
        let (probabilities, labels, weights) = (rows.probabilities(), rows.label_indices(), rows.weights());
        Self { probabilities, labels, weights, is_free }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Climbed {
    pub(crate) weights: Weights,
    pub(crate) score: f64,
    /// The start that it came from.
    pub(crate) start: usize,
    /// Rounds over the classes from that start.
    pub(crate) cycles: usize,
    /// Whether a last round found nothing better for any class.
    pub(crate) is_proven: bool,
    /// How often the metric was evaluated, from all starts.
    pub(crate) evaluations: usize,
}

/// Climbs from these starts; never ends below any of them, but for rounding.
///
/// # Errors
///
/// If the metric is not finite, or there is no start.
pub(crate) fn ascend<M: Metric + ?Sized>(
    problem: &Problem<'_>,
    metric: &M,
    starts: &[Weights],
) -> Result<Climbed, Error> {
    if problem.probabilities.n_rows() * problem.probabilities.n_classes() > FEW {
        return parallel::among_threads(|| climb_any(problem, metric, starts));
    }
    climb_any(problem, metric, starts)
}

fn climb_any<M: Metric + ?Sized>(
    problem: &Problem<'_>,
    metric: &M,
    starts: &[Weights],
) -> Result<Climbed, Error> {
    let labels = problem.labels;
    with_values!(problem.probabilities, values => match problem.weights {
        None => climb(problem, values, &Ones(labels), metric, starts),
        Some(weights) => {
            climb(problem, values, &Weighed { labels, weights, unit: Unit::of(weights) }, metric, starts)
        }
    })
}

fn climb<T: Real, M: Metric + ?Sized>(
    problem: &Problem<'_>,
    values: &[T],
    truth: &impl Truth,
    metric: &M,
    starts: &[Weights],
) -> Result<Climbed, Error> {
    let mut climber = Climber::new(values, truth, metric, problem.is_free);
    let score = |start| climber.score_of(problem.probabilities, start);
    let scores = starts.iter().map(score).collect::<Result<Vec<_>, _>>()?;
    let mut order: Vec<usize> = (0..starts.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a])); // stable: of equals the first
    let is_many = values.len() > FEW;
    if is_many {
        order.truncate(1);
    }
    let mut best: Option<(usize, Summit)> = None;
    for start in order {
        let start_at = &starts[start];
        let summit = if is_many {
            climber.approach(problem.probabilities, start_at)?
        } else {
            climber.climb(start_at)?
        };
        if best.as_ref().is_none_or(|(_, best)| !is_as_good(best.score, summit.score)) {
            best = Some((start, summit));
        }
    }
    let (start, summit) = best.ok_or(Error::ZeroWeights)?;
    let Summit { weights, score, cycles, is_proven } = summit;
    Ok(Climbed { weights, score, start, cycles, is_proven, evaluations: climber.confusion.evaluations() })
}
