//! The weight of one class, while all else stays.

use std::cmp::Ordering;

use super::oracle::{Asker, Halt};
use super::scale::{Scale, multiplied};
use crate::error::Error;
use crate::numeric::tolerance::is_equal;
use crate::report::Estimate;
use crate::rule::Weights;

/// Two numbers differ if they are so many standard deviations of their difference apart.
const CLEAR: f64 = 1.5;

/// What is changed along a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Along {
    /// α of a class beside the reference; the others are never predicted.
    Pair { class: usize, reference: usize, n_classes: usize },
    /// The logarithm of a factor on one of these weights.
    Factor { weights: Vec<f64>, class: usize },
}

/// Places from 0 to 1, and the weights that stand there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) along: Along,
    pub(super) scale: Scale,
}

/// Where the best place is taken to be, and where was looked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bracket {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) visited: Vec<f64>,
}

impl Bracket {
    /// Anywhere.
    pub(super) fn whole() -> Self {
        Self { low: 0.0, high: 1.0, visited: Vec::new() }
    }

    pub(super) fn middle(&self) -> f64 {
        self.low.midpoint(self.high)
    }

    fn visit(&mut self, place: f64) {
        if !self.visited.iter().any(|visited| visited.to_bits() == place.to_bits()) {
            self.visited.push(place);
        }
    }
}

impl Line {
    /// The weights at a place.
    pub(super) fn weights(&self, place: f64) -> Result<Weights, Error> {
        let value = self.scale.at(place);
        match &self.along {
            Along::Pair { class, reference, n_classes } => {
                let mut weights = vec![0.0; *n_classes];
                weights[*class] = value;
                weights[*reference] = 1.0 - value;
                Weights::new(weights)
            }
            Along::Factor { weights, class } => multiplied(weights, *class, value),
        }
    }

    /// Which of two places is worth more; asked again until that is clear, or no answer makes it clearer.
    pub(super) fn compare(
        &self,
        asker: &mut Asker<'_>,
        bracket: &mut Bracket,
        [a, b]: [f64; 2],
    ) -> Result<Ordering, Halt> {
        let best = self.best_of(asker, bracket, &[a, b])?;
        let [first, second] = [self.weights(a)?, self.weights(b)?].map(|weights| asker.known(&weights));
        Ok(match (first, second) {
            (Some(first), Some(second)) if is_equal(first.mean, second.mean) => Ordering::Equal,
            _ if best == 0 => Ordering::Greater,
            _ => Ordering::Less,
        })
    }

    /// The place that is worth the most, of equals the middle one. Those that may still be the best are asked about again;
    /// the others are not: successive elimination.
    pub(super) fn best_of(
        &self,
        asker: &mut Asker<'_>,
        bracket: &mut Bracket,
        places: &[f64],
    ) -> Result<usize, Halt> {
        let mut weights = Vec::with_capacity(places.len());
        for &place in places {
            weights.push(self.weights(place)?);
            asker.worth(&weights[weights.len() - 1])?;
            bracket.visit(place);
        }
        let best = best_of(asker, &weights)?;
        let known = |i: usize| asker.known(&weights[i]).map_or(f64::NEG_INFINITY, |worth| worth.mean);
        let is_best = |i: usize| is_equal(known(i), known(best)) || i == best;
        let first = (0..=best).rev().take_while(|&i| is_best(i)).last().unwrap_or(best);
        let last = (best..places.len()).take_while(|&i| is_best(i)).last().unwrap_or(best);
        Ok(first.midpoint(last))
    }

    /// The place visited that is worth the most so far.
    pub(super) fn best_visited(&self, asker: &Asker<'_>, bracket: &Bracket) -> Option<(f64, Estimate)> {
        let known = |&place: &f64| Some((place, asker.known(&self.weights(place).ok()?)?));
        bracket.visited.iter().filter_map(known).max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))
    }
}

/// Which weights are worth the most; those that may be are asked about until it is clear.
pub(super) fn best_of(asker: &mut Asker<'_>, weights: &[Weights]) -> Result<usize, Halt> {
    for weights in weights {
        asker.worth(weights)?;
    }
    loop {
        let worths: Vec<Estimate> = weights.iter().filter_map(|weights| asker.known(weights)).collect();
        let best =
            (0..worths.len()).fold(0, |best, i| if worths[i].mean > worths[best].mean { i } else { best });
        let may_be_best = |&i: &usize| {
            i != best && !is_clear(worths[best], worths[i]) && worths[i].sd + worths[best].sd > 0.0
        };
        let alive: Vec<usize> = (0..worths.len()).filter(may_be_best).collect();
        let mut is_told_more = false;
        for &i in alive.iter().chain((!alive.is_empty()).then_some(&best)) {
            is_told_more |= asker.again(&weights[i])?;
        }
        if !is_told_more {
            return Ok(best);
        }
    }
}

/// Whether one is more than the other beyond doubt.
pub(super) fn is_clear(more: Estimate, less: Estimate) -> bool {
    !is_equal(less.mean, more.mean) && more.mean - less.mean > CLEAR * more.sd.hypot(less.sd)
}
