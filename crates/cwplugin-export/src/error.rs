//! Why an export is refused.

use std::fmt;

/// Why an export is refused; [`Error::cure`] says what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The calibration is newer than this crate.
    UnknownCalibration,
    /// The number of column names is wrong.
    WrongColumns {
        /// Names given.
        found: usize,
        /// Names needed.
        expected: usize,
    },
    /// The model uses features without names, so their columns are unknown.
    UnnamedFeatures {
        /// Number of features.
        features: usize,
    },
    /// A matrix or mixture is too long for one SQL expression.
    TooLong {
        /// Products in the expression.
        terms: usize,
    },
    /// The bytes are not an ONNX model.
    NotOnnx {
        /// What is wrong with them.
        reason: String,
    },
    /// The operator set of the ONNX model is too old.
    OldOpset {
        /// Its version.
        found: i64,
        /// The oldest supported version.
        oldest: i64,
    },
    /// A model that uses features cannot be appended to a classifier.
    TakesFeatures,
    /// No output, or more than one, can hold the probabilities.
    WhichOutput {
        /// The outputs as name and type.
        outputs: Vec<String>,
        /// m.
        classes: usize,
    },
    /// There is no tensor of that name.
    NoSuchOutput {
        /// The name asked for.
        name: String,
        /// The outputs as name and type.
        outputs: Vec<String>,
    },
    /// The tensor does not have one number per row and class.
    WrongShape {
        /// The tensor as name and type.
        output: String,
        /// m.
        classes: usize,
    },
    /// The ONNX model has other classes.
    OtherClasses {
        /// Those of the ONNX model.
        found: Vec<String>,
        /// Those of the model.
        expected: Vec<String>,
    },
}

impl Error {
    /// What to do about it, without naming flags.
    pub fn cure(&self) -> &'static str {
        match self {
            Self::UnknownCalibration => "use a newer version of cwplugin",
            Self::WrongColumns { .. } => "name one column per class or feature, in the order of the model",
            Self::UnnamedFeatures { .. } => "name the column of every feature, in the order of the model",
            Self::TooLong { .. } => "export to ONNX, Python or Rust, which have loops",
            Self::NotOnnx { .. } => {
                "give the file that was written by a converter such as skl2onnx or torch.onnx"
            }
            Self::OldOpset { .. } => {
                "convert the classifier again for a newer operator set (target_opset), or update the file with onnx.version_converter"
            }
            Self::TakesFeatures => {
                "export the model alone: it replaces the classifier and needs no probabilities"
            }
            Self::WhichOutput { .. } => "name the output with the probabilities",
            Self::NoSuchOutput { .. } => "name one of the outputs",
            Self::WrongShape { .. } => "name the output with one probability per class",
            Self::OtherClasses { .. } => {
                "fit the model on probabilities of this classifier, with its class names"
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownCalibration => write!(f, "the calibration of the model is unknown to this version"),
            Self::WrongColumns { found, expected } => {
                write!(f, "{found} column names were given, but the model needs {expected}")
            }
            Self::UnnamedFeatures { features } => {
                write!(f, "the model uses {features} features without names")
            }
            Self::TooLong { terms } => {
                write!(f, "one SQL expression would have {terms} products, too many for SQL engines")
            }
            Self::NotOnnx { reason } => write!(f, "not an ONNX model: {reason}"),
            Self::OldOpset { found, oldest } => {
                write!(f, "the ONNX model uses operator set {found}; the export needs {oldest} or newer")
            }
            Self::TakesFeatures => {
                write!(f, "the model uses features, so it cannot be appended to a classifier")
            }
            Self::WhichOutput { outputs, classes } => {
                let listed = listed(outputs);
                write!(
                    f,
                    "cannot determine which output has the probabilities of {classes} classes; the outputs are {listed}"
                )
            }
            Self::NoSuchOutput { name, outputs } => {
                write!(f, "the ONNX model has no tensor {name:?}; its outputs are {}", listed(outputs))
            }
            Self::WrongShape { output, classes } => {
                write!(f, "{output} does not have {classes} numbers per row, one per class")
            }
            Self::OtherClasses { found, expected } => write!(
                f,
                "the classes of the ONNX model are {}, but those of the model are {}",
                names(found),
                names(expected)
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Items in a message.
const SHOWN: usize = 12;

fn names(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    listed(&quoted)
}

fn listed(items: &[String]) -> String {
    match items {
        [] => "none".into(),
        items if items.len() > SHOWN => format!("{}, … ({} in all)", items[..SHOWN].join(", "), items.len()),
        items => items.join(", "),
    }
}
