//! Calibration, feature names and integer classes of a model.

use cwplugin::{AffineMap, Calibration, MapInput, Mixture, Model};

use crate::Error;

/// The calibration of a row, before the weights.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Map<'a> {
    /// None.
    Identity,
    /// `softmax(A·x + c)`.
    Affine(&'a AffineMap),
    /// Shares of the steps of a mixture.
    Mixture(&'a Mixture),
}

/// The calibration of a model.
pub(crate) fn map_of(model: &Model) -> Result<Map<'_>, Error> {
    match model.rule().calibration() {
        None => Ok(Map::Identity),
        Some(Calibration::Affine { map, .. }) => Ok(Map::Affine(map)),
        Some(Calibration::Mixture(mixture)) => Ok(Map::Mixture(mixture)),
        Some(_) => Err(Error::UnknownCalibration),
    }
}

/// The names of the features, if the model uses features and names them.
pub(crate) fn feature_names(model: &Model) -> Option<&[String]> {
    match model.rule().calibration() {
        Some(Calibration::Affine { map, features, .. }) if map.input() == MapInput::Features => {
            features.as_deref()
        }
        _ => None,
    }
}

/// The class names as integers, if all of them are: `0`, `-3`, but not `007`.
pub(crate) fn as_integers(classes: &[String]) -> Option<Vec<i64>> {
    let integer = |class: &String| class.parse::<i64>().ok().filter(|n| n.to_string() == *class);
    classes.iter().map(integer).collect()
}
