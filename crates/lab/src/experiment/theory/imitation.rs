//! Weights that imitate a rule with a map.
//!
//! `expected` may have a map before its weights. One slope for all classes and a bias per class are equivalent to weights:
//! `argmax_k w_k·e^(c_k)·b_k^s` is `argmax_k (w_k·e^(c_k))^(1/s)·b_k`, and the method returns those. Different slopes are
//! not. Then β is compared with the weights that best imitate the predictions of the rule.

use cwplugin::metric::Accuracy;
use cwplugin::{Fit, Probabilities, Rule, Sample, Weights};

use super::law::{Law, Part, rng};

/// Rows on which a rule is imitated.
pub(super) const ROWS: usize = 10_000;

/// The rows on which the rules of m classes are imitated.
pub(super) fn population(seed: u64, m: usize) -> anyhow::Result<Probabilities> {
    Ok(Law::balanced(m).sample(ROWS, 0, &mut rng(seed, Part::Imitation, m, ROWS, 0))?.into_probabilities())
}

/// Algorithm 1 with the predictions of the rule as labels, and accuracy as the metric. For a rule of plain weights it recovers
/// these, up to the sampling error of the rows.
pub(super) fn imitated(rule: &Rule, population: &Probabilities) -> anyhow::Result<Weights> {
    let predicted = rule.predict(&Sample::unlabelled(population.clone()))?;
    let sample = Sample::new(population.clone(), predicted.into_iter().map(Some).collect())?;
    let fit = Fit::new(Accuracy).method("cwplugin").option("reference", "last").unscored();
    Ok(fit.fit(&sample)?.weights().clone())
}

#[cfg(test)]
mod tests {
    use super::super::law::distance;
    use super::*;

    #[test]
    fn plain_weights_are_found_again() {
        let weights = Weights::new(vec![0.5, 0.2, 0.3]).unwrap();
        let found = imitated(&Rule::from(weights.clone()), &population(0, 3).unwrap()).unwrap();
        let off = distance(weights.as_slice(), found.as_slice());
        assert!(off < 0.001, "{off}");
    }
}
