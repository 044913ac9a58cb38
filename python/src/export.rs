//! Exports models, as `cwplugin export` does.

use cwplugin_export::onnx::{self, Element, Order};
use cwplugin_export::{Dialect, Error, SqlOptions};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert;
use crate::errors::{UserError, choice};
use crate::model::PyModel;

const ELEMENTS: &[(&str, Element)] = &[("double", Element::Double), ("float", Element::Float)];

fn export_error(py: Python<'_>, error: &Error) -> PyErr {
    UserError::new(error.to_string()).hint(error.cure()).raise(py)
}

/// An ONNX model of its own.
#[pyfunction]
pub(crate) fn export_onnx<'py>(
    py: Python<'py>,
    model: &PyModel,
    element: &str,
    scores: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = onnx::Options::default()
        .element(choice(py, "element", element, ELEMENTS)?)
        .scores(convert::scores(py, scores)?);
    let bytes = onnx::model(&model.0, &options).map_err(|error| export_error(py, &error))?;
    Ok(PyBytes::new(py, &bytes))
}

/// An ONNX classifier followed by the model.
#[pyfunction]
pub(crate) fn append_onnx<'py>(
    py: Python<'py>,
    model: &PyModel,
    existing: &[u8],
    scores: &str,
    output: Option<String>,
    by_position: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut options = onnx::Options::default().scores(convert::scores(py, scores)?);
    if let Some(output) = output {
        options = options.output(output);
    }
    if by_position {
        options = options.order(Order::ByPosition);
    }
    let made = onnx::append_to(&model.0, existing, &options).map_err(|error| export_error(py, &error))?;
    Ok(PyBytes::new(py, &made.bytes))
}

/// One SQL expression.
#[pyfunction]
pub(crate) fn export_sql(
    py: Python<'_>,
    model: &PyModel,
    dialect: &str,
    prefix: &str,
    columns: Option<Vec<String>>,
) -> PyResult<String> {
    let known: Vec<_> = Dialect::ALL.iter().map(|dialect| (dialect.name(), *dialect)).collect();
    let dialect = choice(py, "dialect", dialect, &known)?;
    let mut options = SqlOptions::default().prefix(prefix);
    if let Some(columns) = columns {
        options = options.columns(columns);
    }
    cwplugin_export::sql(&model.0, dialect, &options).map_err(|error| export_error(py, &error))
}

/// A module of Python without dependencies.
#[pyfunction]
pub(crate) fn export_python(py: Python<'_>, model: &PyModel) -> PyResult<String> {
    cwplugin_export::python(&model.0).map_err(|error| export_error(py, &error))
}

/// A module of Rust without dependencies.
#[pyfunction]
pub(crate) fn export_rust(py: Python<'_>, model: &PyModel) -> PyResult<String> {
    cwplugin_export::rust(&model.0).map_err(|error| export_error(py, &error))
}
