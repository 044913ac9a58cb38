//! The same work without Python, timed: what `make bench-python` compares with.

use std::hint::black_box;
use std::time::Instant;

use cwplugin::{Error, Model, Probabilities, Sample};
use pyo3::prelude::*;

use crate::errors::refuse;
use crate::fit::{Wish, with_fitter};
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
pub(crate) fn time_fit(rows: Rows<'_>, wish: Wish<'_>) -> PyResult<f64> {
    with_fitter(&rows, &wish, |fitter, sample, _| {
        let own = Own::of(sample);
        let begun = Instant::now();
        let fitted = fitter.fit(&own.sample()?)?;
        black_box(Model::from_fit(rows.classes.clone(), &fitted, &wish.method, wish.seed)?);
        Ok(begun.elapsed().as_secs_f64())
    })
}

/// Seconds of a prediction: from numbers in memory to classes.
#[pyfunction]
#[pyo3(name = "_time_predict")]
pub(crate) fn time_predict(py: Python<'_>, rows: Rows<'_>, model: &PyModel) -> PyResult<f64> {
    let own = Own::of(&rows.sample()?);
    let timed = py.detach(|| {
        let begun = Instant::now();
        black_box(model.0.predict(&Probabilities::new(own.values, own.n_classes)?)?);
        Ok(begun.elapsed().as_secs_f64())
    });
    timed.map_err(|error: Error| refuse(py, &error, &rows.columns()))
}
