//! What a model keeps of rows that were only counted.

use cwplugin::data::{DistinctValues, Fingerprint};
use cwplugin::{Model, Sample};

/// The fingerprint and the values of rows that are read once.
#[derive(Debug, Default)]
pub(super) struct Seen {
    fingerprint: Fingerprint,
    values: DistinctValues,
}

impl Seen {
    pub(super) fn add(&mut self, sample: &Sample) {
        self.fingerprint.add(sample);
        self.values.add(sample.probabilities());
    }

    /// The model as if it had been fitted on kept rows.
    pub(super) fn store_in(self, model: Model) -> Model {
        model.with_values(&self.values).with_fingerprint(self.fingerprint)
    }
}
