//! The scores that are compared: products, logarithms, or shares.

use cwplugin::rule::Tempering;
use cwplugin::{AffineMap, MapInput, Mixture, Slope};

use super::{Score, Writer};
use crate::Error;
use crate::dialect::chain;

/// Longer expressions take engines minutes to plan.
const MAX_TERMS: usize = 10_000;

/// Exponents are clipped at this size: the exponential is then still finite and above 0.
const LARGEST_EXPONENT: f64 = 700.0;

impl Writer<'_> {
    /// Products with the weights. A class with weight 0 is never predicted, except the first class if all products are 0.
    pub(super) fn products(&self, weights: &[f64]) -> Vec<Score> {
        let score = |(class, &weight): (usize, &f64)| match weight {
            weight if weight > 0.0 => Some(Score { class, term: self.product(weight, class) }),
            _ if class == 0 => Some(Score { class, term: self.number(0.0) }),
            _ => None,
        };
        weights.iter().enumerate().filter_map(score).collect()
    }

    /// `ln(w_k) + c_k + A_k·x`: softmax and exponential keep the order.
    pub(super) fn log_scores(&self, map: &AffineMap) -> Result<Vec<Score>, Error> {
        let d = map.n_inputs();
        let terms = if matches!(map.slope(), Slope::Matrix(_)) { map.n_classes() * d } else { d };
        if map.tempering().is_some() {
            refuse_long(terms * d)?; // every input has all classes
        } else if terms > d {
            refuse_long(terms)?;
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
        match (map.input(), map.tempering()) {
            (MapInput::LogProbability, Some(tempering)) => self.tempered(map, tempering, i),
            (MapInput::LogProbability, None) => self.logarithm(map, i),
            (MapInput::Probability | MapInput::Features, _) => self.column(i),
        }
    }

    fn logarithm(&self, map: &AffineMap, i: usize) -> String {
        format!("LN(GREATEST({}, {}))", self.column(i), self.number(map.floor()))
    }

    /// The logarithm after a temperature step; its softmax is `1 / Σ_j exp(t·(log b_j − log b_i))`.
    fn tempered(&self, map: &AffineMap, tempering: Tempering, i: usize) -> String {
        let (uniform, m) = (tempering.uniform(), map.n_classes());
        let [slope, negative] = [tempering.slope(), -tempering.slope()].map(|slope| self.number(slope));
        let smallest = self.number(-LARGEST_EXPONENT);
        let ratio = |j: usize| {
            if j == i {
                return self.number(1.0);
            }
            let below =
                format!("{slope} * {} + {negative} * {}", self.logarithm(map, i), self.logarithm(map, j));
            // Engines refuse exponentials that overflow or underflow, and not all have LEAST.
            format!("EXP(GREATEST({smallest}, {} * GREATEST({smallest}, {below})))", self.number(-1.0))
        };
        let ratios: Vec<String> = (0..m).map(ratio).collect();
        format!(
            "LN({} + {} / ({}))",
            self.number(uniform / m as f64),
            self.number(1.0 - uniform),
            chain(&ratios, " + ")
        )
    }

    /// The shares of a mixture, rounded to multiples of 2^-36 as in the library.
    pub(super) fn shares(&self, mixture: &Mixture) -> Result<Vec<Score>, Error> {
        let steps = merged(mixture);
        let m = mixture.n_classes();
        refuse_long(steps.len() * m * m)?;
        let weights = self.model.weights().as_slice();
        // Equal weights keep the order of integers below 2^37.
        let are_equal = weights.iter().all(|weight| weight.to_bits() == weights[0].to_bits());
        let score = |class: usize| {
            let parts: Vec<String> =
                steps.iter().map(|(share, factors)| self.step_share(*share, factors, class)).collect();
            if weights[class] <= 0.0 {
                return (class == 0).then(|| Score { class, term: self.number(0.0) });
            }
            let rounded = format!(
                "FLOOR(({}) * {} + {})",
                chain(&parts, " + "),
                self.number((1_u64 << 36) as f64),
                self.number(0.5)
            );
            let term =
                if are_equal { rounded } else { format!("{} * {rounded}", self.number(weights[class])) };
            Some(Score { class, term })
        };
        Ok((0..m).filter_map(score).collect())
    }

    /// The share that a step gives to a class: 0 unless the class has the largest product, ties to the first class.
    fn step_share(&self, share: f64, factors: &[f64], class: usize) -> String {
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

/// The steps of a mixture; steps with equal factors are merged.
fn merged(mixture: &Mixture) -> Vec<(f64, &[f64])> {
    let mut steps: Vec<(f64, &[f64])> = Vec::new();
    for step in mixture.steps() {
        match steps.iter_mut().find(|(_, factors)| *factors == step.factors) {
            Some((share, _)) => *share += step.share,
            None => steps.push((step.share, &step.factors)),
        }
    }
    steps
}
