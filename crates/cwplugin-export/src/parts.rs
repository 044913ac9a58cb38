//! What every export is made of: the map, and the weights.

use cwplugin::{AffineMap, Calibration, MapInput, Mixture, Model};

use crate::Error;

/// What is made of a row before the weights.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Map<'a> {
    /// Nothing.
    Plain,
    /// `softmax(A·x + c)`.
    Affine(&'a AffineMap),
    /// Steps that vote.
    Votes(&'a Mixture),
}

/// The map of a model.
pub(crate) fn map_of(model: &Model) -> Result<Map<'_>, Error> {
    match model.rule().calibration() {
        None => Ok(Map::Plain),
        Some(Calibration::Affine { map, .. }) => Ok(Map::Affine(map)),
        Some(Calibration::Mixture(mixture)) => Ok(Map::Votes(mixture)),
        Some(_) => Err(Error::UnknownCalibration),
    }
}

/// What the features are called, if the model takes features that have names.
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
