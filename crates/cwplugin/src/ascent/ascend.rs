//! From several starts to the best summit: what every method that climbs calls.

use super::climb::{Climber, Summit};
use super::targets::{Ones, Shares, Targets, Truth, Unit, Weighed};
use crate::probabilities::{Real, with_values};
use crate::ties::is_as_good;
use crate::{Error, Metric, Probabilities, Weights};

/// Up to so many probabilities every start is climbed from; beyond, only the best of them.
///
/// Never to end below a start needs no more than the best one. The others may lead to a higher summit, which on a few
/// hundred rows happens and costs milliseconds; many rows make a smooth hill with one summit.
pub(super) const FEW: usize = 1 << 16;

/// Every so many rows make a sketch of the hill.
const STEP: usize = 8;

/// Runs code for the numbers of a problem and for what its rows count, whatever their types.
macro_rules! with_truth {
    ($problem:expr, $values:ident, $truth:ident => $body:expr) => {{
        let n_classes = $problem.probabilities.n_classes();
        with_values!($problem.probabilities, $values => match $problem.targets {
            Targets::Labels { labels, weights: None } => {
                let $truth = &Ones(labels);
                $body
            }
            Targets::Labels { labels, weights: Some(weights) } => {
                let $truth = &Weighed { labels, weights, unit: Unit::of(weights) };
                $body
            }
            Targets::Soft(targets) => {
                let $truth = &Shares { targets, n_classes, unit: Unit::of(targets) };
                $body
            }
        })
    }};
}

/// What is climbed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub(crate) probabilities: &'a Probabilities,
    pub(crate) targets: Targets<'a>,
    /// The classes whose weight may change. The others keep what a start gives them, or take the mean of the searched
    /// ones (of logarithms) where that costs nothing.
    pub(crate) is_free: &'a [bool],
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
    if problem.n_probabilities() <= FEW {
        climb(problem, metric, starts)
    } else {
        approach(problem, metric, starts)
    }
}

/// Climbs from the best start until a round gains too little, after the same on an eighth of the rows: most of the
/// way is found there, for an eighth of the price, and so on down.
fn approach<M: Metric + ?Sized>(
    problem: &Problem<'_>,
    metric: &M,
    starts: &[Weights],
) -> Result<Climbed, Error> {
    let mut starts = starts.to_vec();
    let mut sketched = None;
    if problem.n_probabilities() > FEW {
        let part = problem.part();
        // A metric may want more than a part of the rows can give.
        if let Ok(sketch) = approach(&part.problem(), metric, &starts) {
            starts.push(sketch.weights.clone());
            sketched = Some(sketch);
        }
    }
    let mut climbed = with_truth!(problem, values, truth => {
        let mut climber = Climber::new(values, truth, metric, problem.is_free);
        let order = best_first(&mut climber, problem, &starts)?;
        let start = *order.first().ok_or(Error::ZeroWeights)?;
        let summit = climber.approach(problem.probabilities, &starts[start])?;
        Climbed::new(start, summit, climber.ledger.evaluations)
    });
    if let Some(sketch) = sketched {
        climbed.evaluations += sketch.evaluations;
        if climbed.start + 1 == starts.len() {
            (climbed.start, climbed.cycles) = (sketch.start, climbed.cycles + sketch.cycles);
        }
    }
    Ok(climbed)
}

/// Climbs from every start, the best first.
fn climb<M: Metric + ?Sized>(
    problem: &Problem<'_>,
    metric: &M,
    starts: &[Weights],
) -> Result<Climbed, Error> {
    with_truth!(problem, values, truth => {
        let mut climber = Climber::new(values, truth, metric, problem.is_free);
        let mut best: Option<(usize, Summit)> = None;
        for start in best_first(&mut climber, problem, starts)? {
            let summit = climber.climb(&starts[start])?;
            if best.as_ref().is_none_or(|(_, best)| !is_as_good(best.score, summit.score)) {
                best = Some((start, summit));
            }
        }
        let (start, summit) = best.ok_or(Error::ZeroWeights)?;
        Ok(Climbed::new(start, summit, climber.ledger.evaluations))
    })
}

/// The starts by their scores; of equals the first.
fn best_first<T: Real, Y: Truth, M: Metric + ?Sized>(
    climber: &mut Climber<'_, T, Y, M>,
    problem: &Problem<'_>,
    starts: &[Weights],
) -> Result<Vec<usize>, Error> {
    let score = |start| climber.score_of(problem.probabilities, start);
    let scores = starts.iter().map(score).collect::<Result<Vec<_>, _>>()?;
    let mut order: Vec<usize> = (0..starts.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a])); // stable
    Ok(order)
}

impl Climbed {
    fn new(start: usize, summit: Summit, evaluations: usize) -> Self {
        let Summit { weights, score, cycles, is_proven } = summit;
        Self { weights, score, start, cycles, is_proven, evaluations }
    }
}

/// Some rows of a problem.
struct Part {
    probabilities: Probabilities,
    labels: Vec<u32>,
    weights: Option<Vec<f64>>,
    soft: Vec<f64>,
    is_free: Vec<bool>,
}

impl Problem<'_> {
    fn n_probabilities(&self) -> usize {
        self.probabilities.n_rows() * self.probabilities.n_classes()
    }

    /// Every eighth row.
    fn part(&self) -> Part {
        let m = self.probabilities.n_classes();
        let rows: Vec<usize> = (0..self.probabilities.n_rows()).step_by(STEP).collect();
        let mut part = Part {
            probabilities: self.probabilities.select(&rows),
            labels: Vec::new(),
            weights: None,
            soft: Vec::new(),
            is_free: vec![false; m],
        };
        match self.targets {
            Targets::Labels { labels, weights } => {
                part.labels = rows.iter().map(|&row| labels[row]).collect();
                part.weights = weights.map(|weights| rows.iter().map(|&row| weights[row]).collect());
                part.labels.iter().for_each(|&label| part.is_free[label as usize] = true);
            }
            Targets::Soft(targets) => {
                part.soft = rows.iter().flat_map(|&row| &targets[row * m..(row + 1) * m]).copied().collect();
                for row in part.soft.chunks_exact(m) {
                    part.is_free.iter_mut().zip(row).for_each(|(is_free, share)| *is_free |= *share > 0.0);
                }
            }
        }
        // What no row of the part speaks of keeps its weight.
        part.is_free.iter_mut().zip(self.is_free).for_each(|(part, whole)| *part &= whole);
        part
    }
}

impl Part {
    fn problem(&self) -> Problem<'_> {
        let targets = if self.soft.is_empty() {
            Targets::Labels { labels: &self.labels, weights: self.weights.as_deref() }
        } else {
            Targets::Soft(&self.soft)
        };
        Problem { probabilities: &self.probabilities, targets, is_free: &self.is_free }
    }
}
