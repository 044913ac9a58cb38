//! The metric against α, pair by pair.

use cwplugin::{Error, Metric, Model, PairCurve, PluginReport, Reference, Sample, Ties};

/// The metric of every pair with one fixed class, against the one number that Algorithm 1 searches.
#[derive(Debug, Clone, PartialEq)]
pub struct AlphaCurves {
    /// Name of the metric.
    pub(crate) metric: String,
    /// The fixed class.
    pub(crate) reference: usize,
    /// One curve per other class that has labelled rows.
    pub(crate) curves: Vec<PairCurve>,
}

impl AlphaCurves {
    /// The curves of labelled rows, as the model sees them: mended, if it mends them. Whatever method the model is by, the
    /// curves show what it chose; a model without a fixed class is looked at against the class with most rows.
    ///
    /// # Errors
    ///
    /// If the rows have no labels, are for other classes, or the metric is not finite on a pair.
    pub fn of(model: &Model, sample: &Sample, metric: &dyn Metric) -> Result<Self, Error> {
        let plugin = model.report().and_then(|report| report.details::<PluginReport>());
        let named = plugin.as_ref().map(|plugin| &plugin.reference);
        let named = named.and_then(|name| model.classes().iter().position(|class| class == name));
        let reference = match named.filter(|&class| sample.n_rows_of(class) > 0) {
            Some(class) => class,
            None => Reference::Largest.class_in(sample)?,
        };
        let ties = plugin.map_or(Ties::Middle, |plugin| plugin.ties);
        let labels = (0..sample.n_rows()).map(|row| sample.label(row)).collect();
        let mut seen = Sample::new(model.rule().calibrated_probabilities(sample)?.into_owned(), labels)?;
        if let Some(weights) = sample.weights() {
            seen = seen.with_weights(weights.to_vec())?;
        }
        let others = (0..seen.n_classes()).filter(|&class| class != reference && seen.n_rows_of(class) > 0);
        let curves = others.map(|class| PairCurve::of(&seen, metric, class, reference, ties));
        Ok(Self { metric: metric.name().into(), reference, curves: curves.collect::<Result<_, _>>()? })
    }
}
