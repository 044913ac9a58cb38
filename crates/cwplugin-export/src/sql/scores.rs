//! What the classes are compared by: products, logarithms, or shares of votes.

use cwplugin::{AffineMap, MapInput, Mixture, Slope};

use super::{Score, Writer};
use crate::Error;
use crate::dialect::chain;

/// Matrices and votes are written out product by product; engines plan much longer texts for minutes.
const MAX_TERMS: usize = 10_000;

impl Writer<'_> {
    /// Plain weights. Without weight a class never has the largest product, unless all are 0: then the first wins.
    pub(super) fn products(&self, weights: &[f64]) -> Vec<Score> {
        let score = |(class, &weight): (usize, &f64)| match weight {
            weight if weight > 0.0 => Some(Score { class, term: self.product(weight, class) }),
            _ if class == 0 => Some(Score { class, term: self.number(0.0) }),
            _ => None,
        };
        weights.iter().enumerate().filter_map(score).collect()
    }

    /// `ln(w_k) + c_k + A_k·x`: the softmax and the exponential change no order.
    pub(super) fn log_scores(&self, map: &AffineMap) -> Result<Vec<Score>, Error> {
        let d = map.n_inputs();
        if matches!(map.slope(), Slope::Matrix(_)) {
            refuse_long(map.n_classes() * d)?;
        }
        let inputs: Vec<String> = (0..d).map(|i| self.input(map, i)).collect();
        let part = |slope: f64, i: usize| format!("{} * {}", self.number(slope), inputs[i]);
        let weights = self.model.weights().as_slice().iter().enumerate();
        let score = |(class, weight): (usize, &f64)| {
            let mut terms = vec![self.number(map.bias()[class] + weight.ln() + 0.0)];
            match map.slope() {
                Slope::Diagonal(slopes) => terms.push(part(slopes[class], class)),
                Slope::Matrix(slopes) => {
                    let slopes = slopes[class * d..(class + 1) * d].iter().enumerate();
                    terms.extend(slopes.map(|(i, &slope)| part(slope, i)));
                }
            }
            Score { class, term: chain(&terms, " + ") }
        };
        Ok(weights.filter(|(_, weight)| **weight > 0.0).map(score).collect())
    }

    fn input(&self, map: &AffineMap, i: usize) -> String {
        match map.input() {
            MapInput::LogProbability => {
                format!("LN(GREATEST({}, {}))", self.column(i), self.number(map.floor()))
            }
            MapInput::Probability | MapInput::Features => self.column(i),
        }
    }

    /// The shares of the votes, in grains of 2^-36 as in the library.
    pub(super) fn shares(&self, votes: &Mixture) -> Result<Vec<Score>, Error> {
        let steps = merged(votes);
        let m = votes.n_classes();
        refuse_long(steps.len() * m * m)?;
        let weights = self.model.weights().as_slice();
        // Equal weights change no order of whole numbers below 2^37.
        let are_equal = weights.iter().all(|weight| weight.to_bits() == weights[0].to_bits());
        let score = |class: usize| {
            let parts: Vec<String> =
                steps.iter().map(|(share, factors)| self.vote(*share, factors, class)).collect();
            if weights[class] <= 0.0 {
                return (class == 0).then(|| Score { class, term: self.number(0.0) });
            }
            let grains = format!(
                "FLOOR(({}) * {} + {})",
                chain(&parts, " + "),
                self.number((1_u64 << 36) as f64),
                self.number(0.5)
            );
            let term = if are_equal { grains } else { format!("{} * {grains}", self.number(weights[class])) };
            Some(Score { class, term })
        };
        Ok((0..m).filter_map(score).collect())
    }

    /// What one step gives to one class: its share if the class has the largest product, the first of equals.
    fn vote(&self, share: f64, factors: &[f64], class: usize) -> String {
        let own = self.product(factors[class], class);
        let beats = |other: usize| {
            let sign = if other < class { ">" } else { ">=" };
            format!("{own} {sign} {}", self.product(factors[other], other))
        };
        let others: Vec<String> = (0..factors.len()).filter(|&other| other != class).map(beats).collect();
        let none = self.number(0.0);
        format!("CASE WHEN {} THEN {} ELSE {none} END", chain(&others, " AND "), self.number(share))
    }
}

fn refuse_long(terms: usize) -> Result<(), Error> {
    if terms > MAX_TERMS { Err(Error::TooLong { terms }) } else { Ok(()) }
}

/// The steps of a vote; those with the same factors are one.
fn merged(votes: &Mixture) -> Vec<(f64, &[f64])> {
    let mut steps: Vec<(f64, &[f64])> = Vec::new();
    for step in votes.steps() {
        match steps.iter_mut().find(|(_, factors)| *factors == step.factors) {
            Some((share, _)) => *share += step.share,
            None => steps.push((step.share, &step.factors)),
        }
    }
    steps
}
