//! The same work without Python, timed: what `make bench-python` compares with.

use std::hint::black_box;
use std::time::Instant;

use cwplugin::{Error, Probabilities, Sample};
use pyo3::prelude::*;

use crate::fit::FitRequest;
use crate::model::PyModel;
use crate::sample::Rows;

/// Rows that are Rust's own, as somebody who calls the library would have them.
struct Own {
    values: Vec<f64>,
    codes: Vec<u32>,
    n_classes: usize,
}

impl Own {
    fn of(sample: &Sample) -> Self {
        let values = (0..sample.n_rows()).flat_map(|row| sample.probabilities().row(row)).collect();
        Self { values, codes: sample.codes().collect(), n_classes: sample.n_classes() }
    }

    fn sample(self) -> Result<Sample, Error> {
        Sample::from_codes(Probabilities::new(self.values, self.n_classes)?, self.codes)
    }
}

/// Seconds of a fit: from numbers in memory to a model.
#[pyfunction]
#[pyo3(name = "_time_fit")]
pub(crate) fn time_fit(py: Python<'_>, rows: Rows<'_>, request: FitRequest<'_>) -> PyResult<f64> {
    let sample = rows.sample()?;
    request.run(py, &rows.columns(), sample.n_rows(), |fit, _| {
        let own = Own::of(&sample);
        let started = Instant::now();
        black_box(fit.fit(&own.sample()?)?);
        Ok(started.elapsed().as_secs_f64())
    })
}

/// Seconds of a prediction: from numbers in memory to classes.
#[pyfunction]
#[pyo3(name = "_time_predict")]
pub(crate) fn time_predict(py: Python<'_>, rows: Rows<'_>, model: &PyModel) -> PyResult<f64> {
    let own = Own::of(&rows.sample()?);
    let timed = py.detach(|| {
        let started = Instant::now();
        let probabilities = Probabilities::new(own.values, own.n_classes)?;
        black_box(model.0.rule().predict(&Sample::unlabelled(probabilities))?);
        Ok(started.elapsed().as_secs_f64())
    });
    timed.map_err(|error: Error| rows.columns().error(py, &error))
}
