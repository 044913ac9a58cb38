//! The metric against α, pair by pair.

use cwplugin::{Error, FitReport, Metric, Model, PairCurve, PluginReport, Reference, Sample, Ties};

/// The metric of every pair (class, reference) against α, the parameter that Algorithm 1 searches.
#[derive(Debug, Clone, PartialEq)]
pub struct AlphaCurves {
    /// Name of the metric.
    pub(crate) metric: String,
    /// The reference class.
    pub(crate) reference: usize,
    /// One curve per other class that has labelled rows.
    pub(crate) curves: Vec<PairCurve>,
}

impl AlphaCurves {
    /// The curves on labelled rows, with the model's calibrated probabilities. A model without a reference class is compared
    /// with the class that has the most rows.
    ///
    /// # Errors
    ///
    /// If the rows have no labels or other classes, or the metric is not finite on a pair.
    pub fn of(model: &Model, sample: &Sample, metric: &dyn Metric) -> Result<Self, Error> {
        let plugin = model.report().and_then(FitReport::details::<PluginReport>);
        let named = plugin.as_ref().map(|plugin| &plugin.reference);
        let named = named.and_then(|name| model.classes().iter().position(|class| class == name));
        let reference = match named.filter(|&class| sample.n_rows_of(class) > 0) {
            Some(class) => class,
            None => Reference::Largest.class_in(sample)?,
        };
        let ties = plugin.map_or(Ties::Middle, |plugin| plugin.ties);
        let labels = (0..sample.n_rows()).map(|row| sample.label(row)).collect();
        let calibrated = model.rule().calibrated_probabilities(sample)?.into_owned();
        let mut calibrated = Sample::new(calibrated, labels)?;
        if let Some(weights) = sample.weights() {
            calibrated = calibrated.with_weights(weights.to_vec())?;
        }
        let has_rows = |&class: &usize| class != reference && calibrated.n_rows_of(class) > 0;
        let curves = (0..calibrated.n_classes())
            .filter(has_rows)
            .map(|class| PairCurve::of(&calibrated, metric, class, reference, ties))
            .collect::<Result<_, _>>()?;
        Ok(Self { metric: metric.name().into(), reference, curves })
    }
}
