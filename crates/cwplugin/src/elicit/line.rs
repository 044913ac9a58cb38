//! A line search over the weight of one class, with the others fixed.

use std::cmp::Ordering;

use super::oracle::{CachedOracle, Halt};
use super::scale::Scale;
use crate::error::Error;
use crate::numeric::tolerance::is_equal;
use crate::report::Estimate;
use crate::rule::Weights;

/// Standard deviations by which two estimates must differ to be ranked.
const CLEAR: f64 = 1.5;

/// The parameter of a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Along {
    /// α of a class against the reference; the other classes are never predicted.
    Pair { class: usize, reference: usize, n_classes: usize },
    /// The logarithm of a factor on one of these weights.
    Factor { weights: Vec<f64>, class: usize },
}

/// A search along a line, over positions from 0 to 1.
pub(super) struct LineSearch<'a, 'o> {
    pub(super) along: Along,
    pub(super) scale: Scale,
    pub(super) cached: &'a mut CachedOracle<'o>,
    /// The bracket of the maximum.
    pub(super) low: f64,
    pub(super) high: f64,
    /// The positions that were queried.
    pub(super) visited: Vec<f64>,
}

impl<'a, 'o> LineSearch<'a, 'o> {
    /// The bracket is the whole line.
    pub(super) fn new(along: Along, scale: Scale, cached: &'a mut CachedOracle<'o>) -> Self {
        Self { along, scale, cached, low: 0.0, high: 1.0, visited: Vec::new() }
    }

    pub(super) fn middle(&self) -> f64 {
        self.low.midpoint(self.high)
    }

    /// The width of the bracket, in units of the parameter.
    pub(super) fn width(&self) -> f64 {
        self.scale.at(self.high) - self.scale.at(self.low)
    }

    /// The weights at a position.
    pub(super) fn weights(&self, place: f64) -> Result<Weights, Error> {
        let value = self.scale.at(place);
        match &self.along {
            Along::Pair { class, reference, n_classes } => {
                let mut weights = vec![0.0; *n_classes];
                weights[*class] = value;
                weights[*reference] = 1.0 - value;
                Weights::new(weights)
            }
            Along::Factor { weights, class } => {
                let mut weights = weights.clone();
                weights[*class] *= value.exp();
                Weights::new(weights)
            }
        }
    }

    /// Compares two positions; repeats queries until the difference is clear or no answer can make it clearer.
    pub(super) fn compare(&mut self, [a, b]: [f64; 2]) -> Result<Ordering, Halt> {
        let best = self.best_of(&[a, b])?;
        let [first, second] = [self.weights(a)?, self.weights(b)?].map(|weights| self.cached.known(&weights));
        Ok(match (first, second) {
            (Some(first), Some(second)) if is_equal(first.mean, second.mean) => Ordering::Equal,
            _ if best == 0 => Ordering::Greater,
            _ => Ordering::Less,
        })
    }

    /// The best position; ties go to the middle one. Candidates that may still be the best are queried again (successive
    /// elimination).
    pub(super) fn best_of(&mut self, places: &[f64]) -> Result<usize, Halt> {
        let mut weights = Vec::with_capacity(places.len());
        for &place in places {
            weights.push(self.weights(place)?);
            self.cached.measure(&weights[weights.len() - 1])?;
            if !self.visited.iter().any(|visited| visited.to_bits() == place.to_bits()) {
                self.visited.push(place);
            }
        }
        let best = best_of(self.cached, &weights)?;
        let known =
            |i: usize| self.cached.known(&weights[i]).map_or(f64::NEG_INFINITY, |estimate| estimate.mean);
        let is_best = |i: usize| is_equal(known(i), known(best)) || i == best;
        let first = (0..=best).rev().take_while(|&i| is_best(i)).last().unwrap_or(best);
        let last = (best..places.len()).take_while(|&i| is_best(i)).last().unwrap_or(best);
        Ok(first.midpoint(last))
    }

    /// The best position queried so far.
    pub(super) fn best_visited(&self) -> Option<(f64, Estimate)> {
        let known = |&place: &f64| Some((place, self.cached.known(&self.weights(place).ok()?)?));
        self.visited.iter().filter_map(known).max_by(|a, b| a.1.mean.total_cmp(&b.1.mean))
    }
}

/// The best of these weights; candidates are queried until the difference is clear.
pub(super) fn best_of(cached: &mut CachedOracle<'_>, weights: &[Weights]) -> Result<usize, Halt> {
    for weights in weights {
        cached.measure(weights)?;
    }
    loop {
        let estimates: Vec<Estimate> = weights.iter().filter_map(|weights| cached.known(weights)).collect();
        let best = (0..estimates.len())
            .fold(0, |best, i| if estimates[i].mean > estimates[best].mean { i } else { best });
        let may_be_best = |&i: &usize| {
            i != best
                && !is_clear(estimates[best], estimates[i])
                && estimates[i].sd + estimates[best].sd > 0.0
        };
        let candidates: Vec<usize> = (0..estimates.len()).filter(may_be_best).collect();
        let mut has_new_answer = false;
        for &i in candidates.iter().chain((!candidates.is_empty()).then_some(&best)) {
            has_new_answer |= cached.repeat_query(&weights[i])?;
        }
        if !has_new_answer {
            return Ok(best);
        }
    }
}

/// Whether one estimate is clearly larger than the other.
pub(super) fn is_clear(more: Estimate, less: Estimate) -> bool {
    !is_equal(less.mean, more.mean) && more.mean - less.mean > CLEAR * more.sd.hypot(less.sd)
}
