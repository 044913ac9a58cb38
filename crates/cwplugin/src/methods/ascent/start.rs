//! The starts of an ascent.

use super::ascend::is_large;
use crate::data::Sample;
use crate::data::probabilities::{Real, with_values};
use crate::error::Error;
use crate::metric::Metric;
use crate::numeric::exact_sum::ExactSum;
use crate::plugin::{Plugin, Reference, Search, Step};
use crate::progress::Observer;
use crate::rule::Weights;

/// The number of references tried as starts by Algorithm 1, heaviest first: each costs a fit, and a rare class gives few
/// rows to compare with. On large samples only the heaviest is tried, because the start matters less there.
const REFERENCES: usize = 3;

/// Where an ascent starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// Weights 1: the unadjusted black box.
    Clean,
    /// Algorithm 1 with this reference.
    Plugin { reference: usize },
    /// Per class, its frequency among the labels divided by its mean probability.
    LabelShift,
}

impl Start {
    /// The name in the model file: `clean`, `cwplugin:CLASS` or `label-shift`.
    pub(crate) fn describe(&self, classes: &[String]) -> String {
        match *self {
            Self::Clean => "clean".into(),
            Self::Plugin { reference } => format!("cwplugin:{}", classes[reference]),
            Self::LabelShift => "label-shift".into(),
        }
    }
}

/// The starts for a sample without unlabelled rows or rows of weight 0.
pub(super) fn of_sample(
    sample: &Sample,
    metric: &dyn Metric,
    observer: Observer<'_>,
) -> Result<(Vec<Start>, Vec<Weights>), Error> {
    let m = sample.n_classes();
    let (mut kinds, mut starts) = (vec![Start::Clean], vec![Weights::uniform(m)?]);
    let is_large = is_large(sample.n_rows(), m);
    let references = if is_large { 1 } else { REFERENCES };
    for reference in Reference::Best.candidates(sample.class_totals())?.into_iter().take(references) {
        kinds.push(Start::Plugin { reference });
        starts.push(plugin_weights(sample, metric, reference, is_large, observer)?);
    }
    let predicted: Vec<f64> = column_sums(sample).iter().map(ExactSum::value).collect();
    if let Some(weights) = label_shift_of_sums(&sample.class_totals().weights(), &predicted) {
        kinds.push(Start::LabelShift);
        starts.push(weights?);
    }
    Ok((kinds, starts))
}

/// Algorithm 1 against this class, by exact search or, on large samples, on the paper's grid at a tenth of the cost.
fn plugin_weights(
    sample: &Sample,
    metric: &dyn Metric,
    reference: usize,
    is_large: bool,
    observer: Observer<'_>,
) -> Result<Weights, Error> {
    let plugin = Plugin::new(metric).reference(Reference::Class(reference));
    if is_large {
        let plugin = plugin.search(Search::Grid(Step::HUNDREDTH));
        let weights = plugin.fit_unscored(sample, observer)?.weights().clone();
        // The grid contains α = 0, and a weight of 0 has no cuts.
        if weights.as_slice().iter().all(|&weight| weight > 0.0) {
            return Ok(weights);
        }
    }
    Ok(plugin.fit_unscored(sample, observer)?.weights().clone())
}

/// The weighted sum of the probabilities of each class; independent of the order of the rows.
pub(crate) fn column_sums(sample: &Sample) -> Vec<ExactSum> {
    let (probabilities, m) = (sample.probabilities(), sample.n_classes());
    let Some(weights) = sample.weights() else {
        return with_values!(probabilities, values => sums(values, m));
    };
    let mut sums = vec![ExactSum::default(); m];
    for (row, weight) in weights.iter().enumerate() {
        sums.iter_mut().zip(probabilities.row(row)).for_each(|(sum, b)| sum.add(weight * b));
    }
    sums
}

/// Per class, its weight among the labels divided by the sum of its probabilities; a class without either gets the
/// geometric mean of the others. `None` if no class has both.
pub(crate) fn label_shift_of_sums(truths: &[f64], predicted: &[f64]) -> Option<Result<Weights, Error>> {
    let ratio = |(truth, predicted): (&f64, &f64)| Some(truth / predicted).filter(|ratio| ratio.is_normal());
    let ratios: Vec<Option<f64>> = truths.iter().zip(predicted).map(ratio).collect();
    let logs: Vec<f64> = ratios.iter().flatten().map(|ratio| ratio.ln()).collect();
    if logs.is_empty() {
        return None;
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    Some(Weights::new(ratios.into_iter().map(|ratio| ratio.unwrap_or(mean)).collect()))
}

/// The sum of each column in multiples of 2^−52, so that the order of the rows does not matter.
fn sums<T: Real>(values: &[T], m: usize) -> Vec<ExactSum> {
    let mut sums = vec![0_i128; m];
    for row in values.chunks_exact(m) {
        for (sum, &b) in sums.iter_mut().zip(row) {
            *sum += i128::from((b.into() * 2.0_f64.powi(52)) as i64); // a probability is not above 1 by much
        }
    }
    // Below 2^52 rows a sum fits two doubles, the integer part and the remainder.
    let exactly = |sum: i128| {
        let mut exact = ExactSum::default();
        exact.add((sum >> 52) as f64);
        exact.add((sum & ((1 << 52) - 1)) as f64 * 2.0_f64.powi(-52));
        exact
    };
    sums.into_iter().map(exactly).collect()
}
