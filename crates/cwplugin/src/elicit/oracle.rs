//! Queries and their answers.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::report::Estimate;
use crate::rule::Weights;

/// Maximum number of answers to one query.
const MAX_REPEATS: usize = 8;

/// Measures the value of weights: a program, a production system or an expert.
///
/// Implemented for closures `FnMut(&Weights, usize) -> Result<Option<Answer>, Error>`.
pub trait Oracle {
    /// The value of these weights, larger is better; `repeat` counts earlier queries of the same weights. `None` if the
    /// answer is not known yet.
    ///
    /// # Errors
    ///
    /// If the query fails.
    fn measure(&mut self, weights: &Weights, repeat: usize) -> Result<Option<Answer>, Error>;
}

impl<F: FnMut(&Weights, usize) -> Result<Option<Answer>, Error>> Oracle for F {
    fn measure(&mut self, weights: &Weights, repeat: usize) -> Result<Option<Answer>, Error> {
        self(weights, repeat)
    }
}

/// A measured value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The value; larger is better.
    pub value: f64,
    /// Its standard error; `None` if unknown.
    pub se: Option<f64>,
}

impl Answer {
    /// A value without a standard error.
    pub fn exact(value: f64) -> Self {
        Self { value, se: None }
    }
}

/// Why a search stops early.
#[derive(Debug)]
pub(super) enum Halt {
    /// An answer is missing.
    Waiting,
    /// The budget is used up.
    BudgetUsed,
    /// The oracle failed.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Queries the oracle, caches the answers and counts them.
pub(super) struct CachedOracle<'a> {
    oracle: &'a mut dyn Oracle,
    /// Initial number of queries per weights.
    repeats: usize,
    budget: usize,
    /// Ordered, so that sums over it have the same bits in every replay.
    answers: BTreeMap<Vec<u64>, Vec<Answer>>,
    pub(super) n_queries: usize,
}

impl<'a> CachedOracle<'a> {
    pub(super) fn new(oracle: &'a mut dyn Oracle, repeats: usize, budget: usize) -> Self {
        Self { oracle, repeats, budget, answers: BTreeMap::new(), n_queries: 0 }
    }

    /// Queries these weights the initial number of times, less the known answers.
    pub(super) fn measure(&mut self, weights: &Weights) -> Result<(), Halt> {
        (self.times(weights)..self.repeats).try_for_each(|_| self.query(weights))
    }

    /// Queries once more; false if another answer cannot help.
    pub(super) fn repeat_query(&mut self, weights: &Weights) -> Result<bool, Halt> {
        let is_noisy = self.known(weights).is_some_and(|estimate| estimate.sd > 0.0);
        if !is_noisy || self.times(weights) >= MAX_REPEATS {
            return Ok(false);
        }
        self.query(weights)?;
        Ok(true)
    }

    /// The estimate from the answers so far.
    pub(super) fn known(&self, weights: &Weights) -> Option<Estimate> {
        let answers = self.answers.get(&key(weights))?;
        let n = answers.len() as f64;
        let noise = self.noise();
        let variance = |answer: &Answer| answer.se.map_or(noise * noise, |se| se * se);
        if answers.iter().all(|answer| variance(answer) > 0.0) {
            let precisions: f64 = answers.iter().map(|answer| 1.0 / variance(answer)).sum();
            let sum: f64 = answers.iter().map(|answer| answer.value / variance(answer)).sum();
            return Some(Estimate { mean: sum / precisions, sd: (1.0 / precisions).sqrt() });
        }
        let sum: f64 = answers.iter().map(|answer| answer.value).sum();
        Some(Estimate { mean: sum / n, sd: 0.0 })
    }

    fn times(&self, weights: &Weights) -> usize {
        self.answers.get(&key(weights)).map_or(0, Vec::len)
    }

    /// The standard deviation of answers without a standard error, from repeated queries.
    fn noise(&self) -> f64 {
        let (mut squares, mut freedom) = (0.0, 0.0);
        for answers in self.answers.values() {
            let values: Vec<f64> =
                answers.iter().filter(|answer| answer.se.is_none()).map(|answer| answer.value).collect();
            if values.len() > 1 {
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                squares += values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
                freedom += values.len() as f64 - 1.0;
            }
        }
        if freedom > 0.0 { (squares / freedom).sqrt() } else { 0.0 }
    }

    fn query(&mut self, weights: &Weights) -> Result<(), Halt> {
        if self.n_queries >= self.budget {
            return Err(Halt::BudgetUsed);
        }
        let repeat = self.times(weights);
        let answer = self.oracle.measure(weights, repeat)?.ok_or(Halt::Waiting)?;
        check(answer)?;
        self.n_queries += 1;
        self.answers.entry(key(weights)).or_default().push(answer);
        Ok(())
    }
}

/// Rejects values that are not finite.
pub(super) fn check(answer: Answer) -> Result<(), Error> {
    let is_se = answer.se.is_none_or(|se| se.is_finite() && se >= 0.0);
    if answer.value.is_finite() && is_se {
        return Ok(());
    }
    let value = if is_se { answer.value } else { answer.se.unwrap_or_default() };
    Err(Error::BadAnswer { value })
}

/// Queries are equal if the weights have the same bits.
fn key(weights: &Weights) -> Vec<u64> {
    weights.as_slice().iter().map(|weight| weight.to_bits()).collect()
}
