//! Who can say what weights are worth.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::report::Estimate;
use crate::rule::Weights;

/// So many answers to one question are enough, however they differ.
const MOST_REPEATS: usize = 8;

/// Someone who can say what weights are worth: a program, a production system, a clinician.
///
/// A closure `FnMut(&Weights, usize) -> Result<Option<Answer>, Error>` is one.
pub trait Oracle {
    /// What these weights are worth, larger is better, asked for the `repeat`-th time (0 is the first); `None` if that is
    /// not known yet.
    ///
    /// # Errors
    ///
    /// If it never will be.
    fn measure(&mut self, weights: &Weights, repeat: usize) -> Result<Option<Answer>, Error>;
}

impl<F: FnMut(&Weights, usize) -> Result<Option<Answer>, Error>> Oracle for F {
    fn measure(&mut self, weights: &Weights, repeat: usize) -> Result<Option<Answer>, Error> {
        self(weights, repeat)
    }
}

/// What weights were measured to be worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The number; larger is better.
    pub value: f64,
    /// Its standard error; `None` if it is not known.
    pub se: Option<f64>,
}

impl Answer {
    /// A number of which nothing is known but itself.
    pub fn exact(value: f64) -> Self {
        Self { value, se: None }
    }
}

/// Why a search stops before its end.
#[derive(Debug)]
pub(super) enum Halt {
    /// An answer is missing.
    Waiting,
    /// No more questions are allowed.
    Spent,
    /// The oracle failed.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Asks, remembers, and counts.
pub(super) struct Asker<'a> {
    oracle: &'a mut dyn Oracle,
    /// Each place is asked about so often at first.
    repeats: usize,
    budget: usize,
    /// In one order always: sums of them must be the same bits in every replay.
    answers: BTreeMap<Vec<u64>, Vec<Answer>>,
    pub(super) asked: usize,
}

impl<'a> Asker<'a> {
    pub(super) fn new(oracle: &'a mut dyn Oracle, repeats: usize, budget: usize) -> Self {
        Self { oracle, repeats, budget, answers: BTreeMap::new(), asked: 0 }
    }

    /// What these weights are worth, asked for at least once.
    pub(super) fn worth(&mut self, weights: &Weights) -> Result<Estimate, Halt> {
        for _ in self.times(weights)..self.repeats {
            self.ask(weights)?;
        }
        Ok(self.known(weights).unwrap_or(Estimate { mean: 0.0, sd: f64::INFINITY }))
    }

    /// Asks once more, if another answer can tell more; false if not.
    pub(super) fn again(&mut self, weights: &Weights) -> Result<bool, Halt> {
        let is_noisy = self.known(weights).is_some_and(|worth| worth.sd > 0.0);
        if !is_noisy || self.times(weights) >= MOST_REPEATS {
            return Ok(false);
        }
        self.ask(weights)?;
        Ok(true)
    }

    /// What is known of weights.
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

    /// The standard deviation of answers without a standard error, by those to the same question.
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

    fn ask(&mut self, weights: &Weights) -> Result<(), Halt> {
        if self.asked >= self.budget {
            return Err(Halt::Spent);
        }
        let repeat = self.times(weights);
        let answer = self.oracle.measure(weights, repeat)?.ok_or(Halt::Waiting)?;
        check(answer)?;
        self.asked += 1;
        self.answers.entry(key(weights)).or_default().push(answer);
        Ok(())
    }
}

/// Refuses what is no number.
pub(super) fn check(answer: Answer) -> Result<(), Error> {
    let is_se = answer.se.is_none_or(|se| se.is_finite() && se >= 0.0);
    if answer.value.is_finite() && is_se {
        return Ok(());
    }
    let value = if is_se { answer.value } else { answer.se.unwrap_or_default() };
    Err(Error::BadAnswer { value })
}

/// Weights are the same question if they are the same bits.
fn key(weights: &Weights) -> Vec<u64> {
    weights.as_slice().iter().map(|weight| weight.to_bits()).collect()
}
