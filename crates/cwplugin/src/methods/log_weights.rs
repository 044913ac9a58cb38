//! Logarithms of class weights.

/// The logarithms minus their mean over the estimated classes; the other classes get 0, that mean.
pub(crate) fn centred(logs: &[f64], is_estimated: &[bool]) -> Vec<f64> {
    let classes = || logs.iter().zip(is_estimated);
    let estimated: Vec<f64> = classes().filter(|(_, is)| **is).map(|(log, _)| *log).collect();
    let mean = estimated.iter().sum::<f64>() / estimated.len().max(1) as f64;
    classes().map(|(log, &is_estimated)| if is_estimated { log - mean } else { 0.0 }).collect()
}

/// The weights; the largest is 1, so that none overflows.
pub(crate) fn exponentials(logs: &[f64]) -> Vec<f64> {
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logs.iter().map(|log| (log - largest).exp()).collect()
}
