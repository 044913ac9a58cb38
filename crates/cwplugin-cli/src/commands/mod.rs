//! One verb, one file.

pub(crate) mod apply;
pub(crate) mod demo;
pub(crate) mod eval;
pub(crate) mod fit;
pub(crate) mod methods;
pub(crate) mod metrics;

use std::path::Path;

use cwplugin::{Model, ModelError};

use crate::refusal::Refusal;

/// Reads a model file.
fn read_model(path: &Path) -> anyhow::Result<Model> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        Refusal::new(format!("{name}: {error}")).hint("`cwplugin fit -o FILE` writes a model")
    })?;
    Model::from_json(&text).map_err(|error| {
        let hint = match &error {
            ModelError::UnknownVersion { .. } | ModelError::UnknownCalibration => {
                "use a newer cwplugin, or fit the model again with this one"
            }
            _ => "`cwplugin fit -o FILE` writes a model; docs/model-format.md describes it",
        };
        Refusal::new(format!("{name}: not a model: {error}")).hint(hint).into()
    })
}
