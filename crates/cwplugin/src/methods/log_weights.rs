//! Logarithms of class weights.

use crate::rule::Weights;

/// The logarithms minus their mean over the estimated classes; the other classes get 0, that mean.
pub(crate) fn centred(logs: &[f64], is_estimated: &[bool]) -> Vec<f64> {
    let classes = || logs.iter().zip(is_estimated);
    let estimated: Vec<f64> = classes().filter(|(_, is)| **is).map(|(log, _)| *log).collect();
    let mean = estimated.iter().sum::<f64>() / estimated.len().max(1) as f64;
    classes().map(|(log, &is_estimated)| if is_estimated { log - mean } else { 0.0 }).collect()
}

/// The logarithms of weights; that of 0 is finite.
pub(crate) fn logarithms(weights: &Weights) -> Vec<f64> {
    weights.as_slice().iter().map(|weight| weight.max(f64::MIN_POSITIVE).ln()).collect()
}

/// The weights; the largest is 1, so that none overflows.
pub(crate) fn exponentials(logs: &[f64]) -> Vec<f64> {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logs.iter().map(|log| (log - largest).exp()).collect()
}

/// Weights in which the classes that are not tuned have the geometric mean of those that are; that is 1 if the tuned
/// weights are balanced around 1. `None` if there is no class of either kind.
pub(crate) fn with_mean_for_fixed(weights: &[f64], free: &[usize], fixed: &[usize]) -> Option<Vec<f64>> {
    if free.is_empty() || fixed.is_empty() {
        return None;
    }
    let logs: f64 = free.iter().map(|&class| weights[class].ln()).sum();
    let mean = (logs / free.len() as f64).exp();
    let mut filled = weights.to_vec();
    for &class in fixed {
        filled[class] = mean;
    }
    Some(filled)
}
