//! What a model keeps of rows that were only counted.

use cwplugin::data::{Fingerprint, RowChecks};
use cwplugin::{Model, Sample};

/// The fingerprint and the checks of rows that are read once.
#[derive(Debug, Default)]
pub(super) struct Seen {
    fingerprint: Fingerprint,
    checks: RowChecks,
}

impl Seen {
    pub(super) fn add(&mut self, sample: &Sample) {
        self.fingerprint.add(sample);
        self.checks.add(sample);
    }

    /// The model as if it had been fitted on kept rows.
    pub(super) fn store_in(self, model: Model) -> Model {
        model.with_checks(&self.checks).with_fingerprint(self.fingerprint)
    }
}
