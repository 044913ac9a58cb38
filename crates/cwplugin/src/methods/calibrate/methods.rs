//! The calibrators by name, with their options.

use serde::{Deserialize, Serialize};

use super::{Calibrated, Family, LogLoss, Logistic, Select, Strength, Structured};
use crate::data::Sample;
use crate::error::Error;
use crate::methods::method::{ConstraintSupport, Method, OptionSpec, Options, report_with_absent};
use crate::metric::Metric;
use crate::report::{Fitted, Warning};
use crate::rule::{Calibration, MapInput, MapKind, Rule};

/// The calibrators, and logistic regression on features.
pub(crate) const METHODS: [Method; 9] = [
    Method {
        name: "temperature",
        summary: "calibrate with one slope on the log-probabilities; changes scores, not predictions",
        fit: |sample, metric, options| fit(Family::Temperature, sample, metric, options),
        ..BASE
    },
    Method {
        name: "bcts",
        summary: "calibrate with one slope on the log-probabilities and a bias per class",
        fit: |sample, metric, options| fit(Family::Bcts, sample, metric, options),
        ..BASE
    },
    Method {
        name: "vector",
        summary: "calibrate with a slope on the log-probability and a bias per class",
        fit: |sample, metric, options| fit(Family::Vector(MapInput::LogProbability), sample, metric, options),
        ..BASE
    },
    Method {
        name: "vector:probability",
        summary: "calibrate with a slope on the probability and a bias per class, as the paper writes it",
        fit: |sample, metric, options| fit(Family::Vector(MapInput::Probability), sample, metric, options),
        ..BASE
    },
    Method {
        name: "dirichlet-diag",
        summary: "calibrate as vector, with a penalty on the biases",
        options: &[SELECT],
        fit: |sample, metric, options| fit(Family::DirichletDiag, sample, metric, options),
        ..BASE
    },
    Method {
        name: "dirichlet-full",
        summary: "calibrate with a matrix on the log-probabilities, penalised off its diagonal and on the biases (ODIR)",
        options: &[SELECT],
        fit: |sample, metric, options| fit(Family::DirichletFull, sample, metric, options),
        ..BASE
    },
    Method {
        name: "svs",
        summary: "structured vector scaling: temperature, then a penalised slope and bias per class, as in probmetrics",
        fit: |sample, metric, options| fit_structured(Structured::Vector, sample, metric, options),
        ..BASE
    },
    Method {
        name: "sms",
        summary: "structured matrix scaling: temperature, then a penalised matrix and biases, as in probmetrics",
        fit: |sample, metric, options| fit_structured(Structured::Matrix, sample, metric, options),
        ..BASE
    },
    Method {
        name: "logistic",
        summary: "fit a new model on --features instead of the black box, with a cross-validated ridge penalty",
        needs_features: true,
        fit: fit_logistic,
        ..BASE
    },
];

const BASE: Method = Method {
    name: "",
    summary: "",
    options: &[],
    uses_metric: false,
    uses_unlabelled: false,
    needs_features: false,
    constraints: ConstraintSupport::None,
    fit: fit_logistic,
};

const SELECT: OptionSpec = OptionSpec {
    name: "select",
    value: "HOW",
    default: "in-sample",
    help: "Choose the penalty by the log loss of the fitted rows (in-sample) or of held-out rows (cv)",
    check: |text| text.parse::<Select>().map(drop),
};

/// The report of a calibrator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CalibrationReport {
    /// Log loss of the labelled rows.
    pub log_loss: LogLoss,
    /// The chosen penalty, if the method has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub penalty: Option<Strength>,
}

fn fit(family: Family, sample: &Sample, metric: &dyn Metric, options: &Options<'_>) -> Result<Fitted, Error> {
    let select = options.read("select", str::parse)?.unwrap_or(Select::InSample);
    let calibrated = family.learn_with_progress(sample, select, options.seed, options.observer)?;
    let kind = match family {
        Family::Temperature => MapKind::Temperature,
        Family::Bcts => MapKind::Bcts,
        Family::Vector(_) => MapKind::Vector,
        Family::DirichletDiag | Family::DirichletFull => MapKind::Dirichlet,
    };
    fitted(kind, calibrated, None, sample, metric)
}

fn fit_structured(
    structured: Structured,
    sample: &Sample,
    metric: &dyn Metric,
    options: &Options<'_>,
) -> Result<Fitted, Error> {
    let calibrated = structured.learn_with_progress(sample, options.observer)?;
    fitted(MapKind::Structured, calibrated, None, sample, metric)
}

fn fit_logistic(sample: &Sample, metric: &dyn Metric, options: &Options<'_>) -> Result<Fitted, Error> {
    let features = sample.features().ok_or(Error::NoFeatures)?;
    let logistic = Logistic::default();
    let calibrated = logistic.learn_with_progress(sample, features, options.seed, options.observer)?;
    let names = features.names().map(<[String]>::to_vec);
    fitted(MapKind::Logistic, calibrated, names, sample, metric)
}

fn fitted(
    kind: MapKind,
    calibrated: Calibrated,
    features: Option<Vec<String>>,
    sample: &Sample,
    metric: &dyn Metric,
) -> Result<Fitted, Error> {
    let Calibrated { map, log_loss, penalty, converged, .. } = calibrated;
    let mut report = report_with_absent(sample, metric, &CalibrationReport { log_loss, penalty });
    report.warnings.extend((!converged).then(Warning::not_converged));
    let rule = Rule::calibrated(Calibration::Affine { kind, map, features })?;
    Fitted::new(rule, report, sample, metric)
}
