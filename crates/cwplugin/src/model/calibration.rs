//! The calibration of a rule in a model file.

use serde::{Deserialize, Serialize};

use super::ModelError;
use crate::rule::{AffineMap, Calibration, MapInput, MapKind, Mixture, MixtureStep, Slope, Tempering};

/// The `calibration` object of a model file; its fields depend on `kind`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct CalibrationRecord {
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    input: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    features: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    floor: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    tempering: Option<TemperingRecord>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    diagonal: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    matrix: Option<Vec<Vec<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    bias: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    steps: Option<Vec<MixtureStep>>,
}

/// The temperature step of the kind `structured`.
#[derive(Debug, Serialize, Deserialize)]
struct TemperingRecord {
    slope: f64,
    uniform: f64,
}

const MIXTURE: &str = "probing";
const INPUTS: [(&str, MapInput); 3] = [
    ("log", MapInput::LogProbability),
    ("probability", MapInput::Probability),
    ("features", MapInput::Features),
];

impl CalibrationRecord {
    pub(super) fn of(calibration: &Calibration) -> Self {
        match calibration {
            Calibration::Affine { kind, map, features } => {
                let (diagonal, matrix) = match map.slope() {
                    Slope::Diagonal(slopes) => (Some(slopes.clone()), None),
                    Slope::Matrix(slopes) => {
                        (None, Some(slopes.chunks(map.n_inputs()).map(<[f64]>::to_vec).collect()))
                    }
                };
                let input = INPUTS.iter().find(|(_, input)| *input == map.input());
                // Older readers know the other kinds, and would ignore the step.
                let kind = if map.tempering().is_some() { MapKind::Structured } else { *kind };
                Self {
                    kind: kind.name().into(),
                    input: input.map(|(name, _)| (*name).into()),
                    features: features.clone(),
                    // Omitted if default: older models do not have the field.
                    floor: Some(map.floor()).filter(|floor| floor.to_bits() != f64::EPSILON.to_bits()),
                    tempering: map
                        .tempering()
                        .map(|step| TemperingRecord { slope: step.slope(), uniform: step.uniform() }),
                    diagonal,
                    matrix,
                    bias: Some(map.bias().to_vec()),
                    steps: None,
                }
            }
            Calibration::Mixture(mixture) => {
                Self { kind: MIXTURE.into(), steps: Some(mixture.steps().to_vec()), ..Self::default() }
            }
        }
    }

    pub(super) fn read(self) -> Result<Calibration, ModelError> {
        let wrong = |reason: String| ModelError::NotAModel { reason };
        let missing = |field: &str| wrong(format!("the calibration has no field \"{field}\""));
        if self.kind == MIXTURE {
            return Ok(Calibration::Mixture(Mixture::new(self.steps.ok_or_else(|| missing("steps"))?)?));
        }
        let Some(kind) = MapKind::ALL.into_iter().find(|kind| kind.name() == self.kind) else {
            return Err(ModelError::UnknownCalibration { kind: self.kind });
        };
        let input = self.input.ok_or_else(|| missing("input"))?;
        let Some((_, input)) = INPUTS.into_iter().find(|(name, _)| *name == input) else {
            let problem = format!("the calibration's input is \"{input}\", not log, probability or features");
            return Err(wrong(problem));
        };
        let slope = match (self.diagonal, self.matrix) {
            (Some(slopes), None) => Slope::Diagonal(slopes),
            (None, Some(rows)) => {
                let width = rows.first().map_or(0, Vec::len);
                if rows.iter().any(|row| row.len() != width) {
                    return Err(wrong("the calibration's matrix has rows of different lengths".into()));
                }
                Slope::Matrix(rows.concat())
            }
            _ => return Err(wrong("the calibration must have either a diagonal or a matrix".into())),
        };
        let map = AffineMap::new(input, slope, self.bias.ok_or_else(|| missing("bias"))?)?;
        let map = map.with_floor(self.floor.unwrap_or(f64::EPSILON))?;
        let map = match self.tempering {
            Some(TemperingRecord { slope, uniform }) if kind == MapKind::Structured => {
                map.with_tempering(Tempering::new(slope, uniform)?)?
            }
            Some(_) => {
                return Err(wrong(format!("a calibration of kind \"{}\" has no tempering", kind.name())));
            }
            None => map,
        };
        let features = self.features.filter(|_| input == MapInput::Features);
        if let Some(names) = features.as_ref().filter(|names| names.len() != map.n_inputs()) {
            let (named, expected) = (names.len(), map.n_inputs());
            return Err(wrong(format!(
                "the calibration names {named} features, but has slopes for {expected}"
            )));
        }
        Ok(Calibration::Affine { kind, map, features })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::rule::{Rule, Weights};

    fn classes() -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    fn calibrations() -> Vec<Calibration> {
        let affine = |kind, input, slope| Calibration::Affine {
            kind,
            map: AffineMap::new(input, slope, vec![0.1, -0.2]).unwrap(),
            features: None,
        };
        let step = |share, factors: [f64; 2]| MixtureStep { share, factors: factors.to_vec() };
        vec![
            affine(MapKind::Vector, MapInput::LogProbability, Slope::Diagonal(vec![1.5, 0.3])),
            affine(MapKind::Vector, MapInput::Probability, Slope::Diagonal(vec![1.5, 0.3])),
            affine(MapKind::Dirichlet, MapInput::LogProbability, Slope::Matrix(vec![1.0, 0.1, -0.2, 0.9])),
            Calibration::Affine {
                kind: MapKind::Structured,
                map: AffineMap::new(
                    MapInput::LogProbability,
                    Slope::Diagonal(vec![1.5, 0.3]),
                    vec![0.1, -0.2],
                )
                .and_then(|map| map.with_tempering(Tempering::new(0.7, 0.02)?)?.with_floor(1e-30))
                .unwrap(),
                features: None,
            },
            Calibration::Affine {
                kind: MapKind::Logistic,
                map: AffineMap::new(MapInput::Features, Slope::Matrix(vec![1.0; 6]), vec![0.0; 2]).unwrap(),
                features: Some(["x", "y", "z"].map(String::from).to_vec()),
            },
            Calibration::Mixture(
                Mixture::new(vec![step(0.25, [1.0, -2.0]), step(0.75, [0.3, 0.4])]).unwrap(),
            ),
        ]
    }

    #[test]
    fn calibrations_round_trip_exactly() {
        for calibration in calibrations() {
            let rule = Rule::new(Some(calibration), Weights::new(vec![1.0, 2.0]).unwrap()).unwrap();
            let model = Model::new(classes(), rule).unwrap();
            let text = model.to_json();
            let read = Model::from_json(&text).unwrap();
            assert_eq!(read, model);
            assert_eq!(read.to_json(), text);
        }
    }

    #[test]
    fn invalid_calibrations_are_rejected() {
        let model = |calibration: &str| {
            let text = Model::new(classes(), Weights::uniform(2).unwrap()).unwrap().to_json();
            Model::from_json(
                &text.replace("\"calibration\": null", &format!("\"calibration\": {calibration}")),
            )
        };
        let later = model(r#"{"kind": "later"}"#).unwrap_err();
        assert_eq!(later, ModelError::UnknownCalibration { kind: "later".into() });
        for wrong in [
            "{}",
            r#"{"kind": "vector"}"#,
            r#"{"kind": "vector", "input": "log", "bias": [0, 0]}"#,
            r#"{"kind": "vector", "input": "log", "diagonal": [1, 1, 1], "bias": [0, 0, 0]}"#,
            r#"{"kind": "vector", "input": "x", "diagonal": [1, 1], "bias": [0, 0]}"#,
            r#"{"kind": "dirichlet", "input": "log", "matrix": [[1], [1, 2, 3]], "bias": [0, 0]}"#,
            r#"{"kind": "logistic", "input": "features", "features": ["x"], "matrix": [[1, 2], [3, 4]], "bias": [0, 0]}"#,
            r#"{"kind": "vector", "input": "log", "diagonal": [1, 1], "bias": [0, 0], "tempering": {"slope": 1, "uniform": 0.1}}"#,
            r#"{"kind": "structured", "input": "log", "diagonal": [1, 1], "bias": [0, 0], "tempering": {"slope": 0, "uniform": 0.1}}"#,
            r#"{"kind": "structured", "input": "probability", "diagonal": [1, 1], "bias": [0, 0], "tempering": {"slope": 1, "uniform": 0.1}}"#,
            r#"{"kind": "structured", "input": "log", "diagonal": [1, 1], "bias": [0, 0], "tempering": {"slope": 1}}"#,
            r#"{"kind": "probing", "steps": []}"#,
            r#"{"kind": "probing"}"#,
        ] {
            assert!(model(wrong).is_err(), "{wrong}");
        }
        assert!(model(r#"{"kind": "vector", "input": "log", "diagonal": [1, 1], "bias": [0, 0]}"#).is_ok());
    }
}
